"""The way of a stored letter through a desk by mail (docs/design.md, "The way of a letter")."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import takewhile

from referee.desk import BrokenGameError, EngineFirstError, Incoming, StoreError
from referee.desk.errors import BUSY
from referee.mail.handlers.arrangements import arrange
from referee.mail.handlers.arrival import Arrival
from referee.mail.handlers.reception import attend
from referee.mail.handlers.returns import file_returned
from referee.mail.handlers.visit import visit
from referee.mail.log import LOG, reason
from referee.mail.office import KILLED, PACKAGE_PAUSE, Office
from referee.mail.transport.receipt import KEPT, account_of, tag_of

STEPS: tuple[Callable[[Arrival], bool], ...] = (
    file_returned,  # one that came back is filed with the letter that it reports on
    arrange,  # one that asks for a game, or for all games of a player, is granted that, or asked back
    attend,  # one about no game gets a list of games, a note or nothing
    visit,  # in its game: its sender is recognised, its acts are done, all are notified and the sender is answered
)
"""The steps of a letter in order: each is one transaction, or returns False because the letter is not for it."""

ATTEMPTS = 5
"""Attempts at a letter whose handling fails by our own fault, or kills the process; then it is set aside."""

ENGINE_PAUSE = timedelta(seconds=2)
"""Pause before another attempt at a letter whose game waits for an engine, unless the engine is ready before."""

_PAUSE = 0.05
"""Seconds until a worker looks again for letters that others are handling."""


def handle_waiting(
    office: Office,
    at: datetime,
    *,
    before: Callable[[], None] = lambda: None,
    ended: Callable[[], bool] = lambda: False,
) -> int:
    """Handle every waiting letter; one that fails by our fault is tried again later, and then set aside.

    Letters in the hands of other workers are waited for. `before` is called before each letter. Once it is `ended`,
    the letter in hand is the last one.
    """
    dealt, last = 0, time.monotonic() + BUSY
    while not ended() and (waiting := office.desk.inbox.waiting(at)):
        ours = 0  # the letters that no other worker has in hand
        with office.desk.inbox.lanes() as is_ours:
            for stored in takewhile(lambda _: not ended(), waiting):
                before()
                if is_ours(_lane(office, stored), stored):
                    attempt(office, stored, at)
                    ours += 1
        if ours:
            dealt, last = dealt + ours, time.monotonic() + BUSY
        elif time.monotonic() < last:
            time.sleep(_PAUSE)
        else:
            break
    return dealt


def _lane(office: Office, stored: Incoming) -> str:
    """The queue of a letter, which keeps its order: that of the game in its address, or of its sender."""
    tag = tag_of(office, stored.raw[:KEPT])
    if tag is None:
        header = re.split(rb"\r?\n\r?\n", stored.raw[:KEPT], maxsplit=1)[0]
        tag = next(office.mailbox.tags_in(header.decode(errors="replace")), None)
    return (tag.game if tag is not None else "") or account_of(None, stored.raw) or ""


def attempt(office: Office, stored: Incoming, at: datetime) -> None:
    """Handle a letter; the attempt counts before it is made, because the letter may kill this process."""
    number = office.desk.inbox.begin(stored)
    if not number:
        return
    if number > ATTEMPTS:
        LOG.error("letter %s: it ended the process that handled it; no attempts left", stored.digest[:12])
        office.desk.inbox.postpone(stored, None, KILLED)
        return
    try:
        with office.desk.reading():
            handle(office, stored, at)
    except EngineFirstError as error:
        office.desk.inbox.await_engine(stored, error.game, at + ENGINE_PAUSE)
    except BrokenGameError as error:
        office.desk.inbox.await_package(stored, error.game, at + PACKAGE_PAUSE)
    except StoreError:  # no letter is to blame for that: they wait, and lose no attempt
        office.desk.inbox.spare(stored)
        raise
    except Exception as error:  # a letter that cannot be handled must not stop the others
        left = ATTEMPTS - number
        LOG.error("letter %s: %s; %d attempts left", stored.digest[:12], reason(error), left)
        again = at + timedelta(minutes=2 ** (number - 1)) if left > 0 else None
        office.desk.inbox.postpone(stored, again, reason(error))


def handle(office: Office, stored: Incoming, at: datetime) -> None:
    """Pass a letter through the steps, until one has stored its effects together with the answers."""
    arrival = Arrival(office, stored, at)
    with office.desk.catalogue.waiting_if_broken(arrival.game):
        next(step for step in STEPS if step(arrival))
