"""The way of a letter through a desk by mail, step by step.

1. `receive`: it is stored as it came, and can be acknowledged.
2. `handle_waiting`, `attempt`: it is taken out, and the attempt is counted.
3. `handle`: it is read (`intake.read`), classified (`intake.classify`), and its game is found. One that belongs to no
   game goes to the reception (`reception.attend`).
4. `_visit`, within one transaction of the desk: its sender is recognized (`sender_of`), its acts are read and done
   (`Table.act`), the other players are told (`notifications`) and the sender is answered (`reply`).
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache, partial
from itertools import takewhile

from referee.desk import Act, Answer, By, Progress, Seat, State
from referee.desk.errors import BUSY, BrokenGameError, StoreError
from referee.desk.law.engine_seats import EngineFirstError, expect_sealed
from referee.desk.log import acts
from referee.desk.log.log import write_time
from referee.desk.log.secrets import answered_name
from referee.desk.records import Change, Incoming, Preference
from referee.desk.service import Table
from referee.mail.addresses import small
from referee.mail.handlers import reception
from referee.mail.handlers.allowance import Allowance, allowance
from referee.mail.handlers.arrangements import arrange
from referee.mail.handlers.arrival import (
    answered_seats,
    earlier_copies,
    has_acted,
    has_brought,
    how_it_came,
    letter_secrets,
    server_time,
    signers_of,
)
from referee.mail.handlers.names import can_be_called
from referee.mail.handlers.notifications import notifications
from referee.mail.handlers.petitions import petition_of
from referee.mail.handlers.replies import Arrival, reply
from referee.mail.handlers.returns import file_returned, is_returned
from referee.mail.handlers.sender import NO_TOKEN, Sender, sender_of
from referee.mail.intake import Classification, CommandLine, Letter, Reading, Tag, classify, read_letter
from referee.mail.intake.intent import in_full, within_limits
from referee.mail.intake.requests import NAME, SetTaste
from referee.mail.intake.statements import is_statement
from referee.mail.letters.format.taste import DAILY, DAILY_SINCE, INVITATIONS, LETTERS, NEVER, preference
from referee.mail.log import LOG, reason
from referee.mail.office import PACKAGE_PAUSE, Office
from referee.mail.transport.receipt import KEPT, account_of, tag_of

ATTEMPTS = 5
"""Attempts at a letter whose handling fails by our own fault, or kills the process; then it is set aside."""

KILLED = "it ended the process that handled it, again and again"
"""The note of a letter that was set aside for that."""

ENGINE_PAUSE = timedelta(seconds=2)
"""After this time a letter is tried again whose game waits for an engine, unless the engine is ready before."""

_PAUSE = 0.05
"""Seconds until a worker looks again whether others have dealt with the letters that wait."""

_TALK = acts.Message | acts.OfferDraw | acts.Decline | acts.Give
"""Acts that could go on without end; after the last answer of an hour, a player's acts of these kinds are ignored."""


def handle_waiting(
    office: Office,
    at: datetime,
    *,
    before: Callable[[], None] = lambda: None,
    ended: Callable[[], bool] = lambda: False,
) -> int:
    """Deal with every letter that waits; one that fails by our fault is tried again later, and then set aside.

    The letters that other workers of the desk deal with are waited for. `before` is called before each letter. Once
    it is `ended`, the letter in hand is the last one.
    """
    dealt, last = 0, time.monotonic() + BUSY
    while not ended() and (waiting := office.desk.inbox.waiting(at)):
        ours = _handle_ours(office, takewhile(lambda _: not ended(), waiting), at, before)
        if ours:
            dealt, last = dealt + ours, time.monotonic() + BUSY
        elif time.monotonic() < last:
            time.sleep(_PAUSE)
        else:
            break
    return dealt


def _handle_ours(office: Office, waiting: Iterable[Incoming], at: datetime, before: Callable[[], None]) -> int:
    """Deal with those letters that no other worker deals with; return how many they are."""
    ours = 0
    with office.desk.inbox.lanes() as is_ours:
        for stored in waiting:
            before()
            if is_ours(_lane(office, stored), stored):
                attempt(office, stored, at)
                ours += 1
    return ours


def _lane(office: Office, stored: Incoming) -> str:
    """What a letter must stay in order with: the letters of the game that an address names, or of its sender."""
    tag = tag_of(office, stored.raw[:KEPT]) or _named_tag(office, stored.raw)
    return (tag.game if tag is not None else "") or account_of(None, stored.raw) or ""


def _named_tag(office: Office, raw: bytes) -> Tag | None:
    """The first tag that a letter's header names."""
    header = re.split(rb"\r?\n\r?\n", raw[:KEPT], maxsplit=1)[0]
    return next(office.mailbox.tags_in(header.decode(errors="replace")), None)


def attempt(office: Office, stored: Incoming, at: datetime) -> None:
    """Deal with a letter; the attempt counts before it is made, because the letter may kill this process."""
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
    except Exception as error:  # a letter that cannot be dealt with must not stop the others
        _postpone(office, stored, number, at, error)


def handle(office: Office, stored: Incoming, at: datetime) -> None:
    """Read a letter, and store what it does together with the answers to it.

    Its commands are read only once it is known whose letter it is; a stranger's commands are never read.
    """
    letter = read_letter(stored.raw, office.mailbox)
    if is_statement(office, stored.raw):
        letter = replace(letter, made_here=True, vouched=True)
    if stored.cut:
        letter = replace(letter, excess=f"you have sent more than {office.settings.megabytes_a_day} MB in a day")
    verdict = classify(letter, office.mailbox)
    if is_returned(letter):
        file_returned(office, letter, stored, verdict, at)
        return
    game = None
    if verdict.treatment.reads or verdict.treatment.answers:
        address = small(letter.senders[0].address) if len(letter.senders) == 1 else ""
        game = office.desk.game_of((found.game for found in letter.games), address)
    came = server_time(office, letter, stored)
    read = cache(partial(letter.reading, office.desk.catalogue.rules(game) if game is not None else None))
    account = account_of(None, stored.raw)
    copies = earlier_copies(office, letter, stored, account) if verdict.treatment.answers else None
    once = partial(_once, copied=bool(copies))
    petition = petition_of(office, letter, game, read, at) if verdict.treatment.reads else None
    if petition is not None and arrange(office, petition, stored, came, at, once):
        return
    if game is None:
        reception.attend(office, letter, stored, verdict, at, once)
        return
    token = letter.tag.key if letter.tag is not None and letter.tag.game == game else ""

    def visit(table: Table, seat: Seat | None) -> Change:
        if table.state.engines and office.desk.inbox.waits_behind(stored, game):
            raise EngineFirstError(game)  # the engine is ready by now, but letters stay in order
        return once(_visit(office, table, seat, letter, read, verdict, came, at, copies or frozenset()))

    office.desk.visit(stored, game, token, at, visit)


def _once(change: Change, *, copied: bool) -> Change:
    """A change without its answer if it does nothing, and a copy of the letter was dealt with before."""
    if not copied or change.entries or not change.letters:
        return change
    return replace(change, letters=(), ticket=None, note=f"{change.note}: its copy was answered")


def _visit(
    office: Office,
    table: Table,
    seat: Seat | None,
    letter: Letter,
    read: Callable[[], Reading],
    verdict: Classification,
    came: datetime,
    at: datetime,
    copies: frozenset[str],
) -> Change:
    """What a letter does to its game, and the letters that tell of it; when it came counts for the clocks."""
    require = office.settings.trust.require == "dmarc"
    sender = sender_of(letter, table, seat, answered_seats(office, table.state.id, letter), require_vouched=require)
    if sender is None or _is_unsure(office, table.state, letter, sender):
        note = f"{verdict.kind.value}: from no player of {table.state.id}"
        return reception.answered(office, letter, verdict, at, note)
    expect_sealed(table.state)
    reading = within_limits(read()) if verdict.treatment.reads else Reading()
    arrival = Arrival(letter, reading, verdict, sender)
    allowed = allowance(office, sender.address, arrival.kind, came)
    acting = [(said, in_full(table.state, letter, act)) for said, act in _acts_of(arrival, talking=allowed.left > 0)]
    repeated = has_acted(table.secrets, sender.side, letter)
    if acting and (repeated or has_brought(office, table.state.id, sender.side, copies)):
        answers = verdict.answers(commands=True) and allowed.left > 0
        return _copied(office, table, arrival, acting[0][0], allowed if answers else None, came)
    wanted = [acts.SignedAct(act, said.signature) if said.signature else act for said, act in acting]
    result = table.act(By(sender.side, sender.ply), wanted, came, came=how_it_came(office, letter, came))
    answered = verdict.answers(commands=bool(reading.commands)) and sender.address
    if answered and (result.entries or allowed.left > 0):
        letters = notifications(office, result, came, but=sender.side)
        said = [one for one, _ in acting]
        letters += (reply(office, arrival, result, said, allowed, came),)
    else:
        letters = notifications(office, result, came)
    done = ", ".join(one.code for one in result.answers) or sender.doubt or _wish(reading)
    reached = {} if sender.doubt else {answered_name(sender.side): write_time(at)}
    return Change(
        result.entries,
        {**result.secrets, **reached, **(letter_secrets(sender.side, letter) if result.entries else {})},
        letters,
        f"{sender.side}: {done}",
        _choices(office, result, arrival, came),
        signers=signers_of(office, letter) if result.entries else (),
    )


def _copied(
    office: Office, table: Table, arrival: Arrival, said: CommandLine, allowed: Allowance | None, at: datetime
) -> Change:
    """The one answer to the copies of a letter that has done something; it is not done again."""
    side, note = arrival.sender.side, f"{arrival.sender.side}: its copy has acted"
    told = {f"{name}/told": "" for name in letter_secrets(side, arrival.letter)}
    if allowed is None or not arrival.sender.address or told.keys() & table.secrets.keys():
        return Change(note=note)
    result = Progress(table.state, table.state, answers=(Answer("copied"),))
    return Change(secrets=told, letters=(reply(office, arrival, result, [said], allowed, at),), note=note)


def _wish(reading: Reading) -> str:
    """What a letter that does nothing in its game is for, in a word."""
    if any(isinstance(one.command, SetTaste) for one in reading.binding):
        return "set"
    return (
        "asked" if reading.commands else "not-understood" if reading.failed or reading.questions else "nothing-asked"
    )


def _is_unsure(office: Office, state: State, letter: Letter, sender: Sender) -> bool:
    """True if a letter without a key may be from anybody, about a game that its sender was only invited to."""
    invited = sender.doubt == NO_TOKEN and state.invitation is not None
    return invited and reception.is_unsure(office, letter, sender.address)


def _choices(office: Office, result: Progress, arrival: Arrival, at: datetime) -> tuple[Preference, ...]:
    """What a player has chosen for all letters of the desk: how they look, or to be invited by nobody again."""
    address, sides = arrival.sender.address, result.state.position.sides
    said = () if arrival.sender.doubt else arrival.reading.binding
    asked = (one.command for one in said if isinstance(one.command, SetTaste))
    allowed = (one for one in asked if one.name != NAME or can_be_called(office, address, one.value))
    chosen = (preference(one, address, sides) for one in allowed)
    never = any(isinstance(one.command, acts.Never) for one in said)
    invitations = (Preference(small(address), INVITATIONS, NEVER),) if never else ()
    made = [one for one in chosen if one is not None]
    daily = any((one.name, one.value) == (LETTERS, DAILY) for one in made)
    since = (Preference(small(address), DAILY_SINCE, write_time(at)),) if daily else ()
    return (*invitations, *made, *since)


def _acts_of(arrival: Arrival, *, talking: bool) -> list[tuple[CommandLine, Act]]:
    """The lines of a letter that do something, if its sender may do anything; talk only while `talking`."""
    said = [] if arrival.sender.doubt else [(one, one.command) for one in arrival.reading.binding]
    return [(one, act) for one, act in said if isinstance(act, Act) and (talking or not isinstance(act, _TALK))]


def _postpone(office: Office, stored: Incoming, number: int, at: datetime, error: Exception) -> None:
    """Try a letter again later, or set it aside after the last attempt; the log never shows what it says."""
    left = ATTEMPTS - number
    LOG.error("letter %s: %s; %d attempts left", stored.digest[:12], reason(error), left)
    office.desk.inbox.postpone(stored, at + timedelta(minutes=2 ** (number - 1)) if left > 0 else None, reason(error))
