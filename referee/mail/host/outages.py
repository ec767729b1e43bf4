"""An outage of the desk: every game gets the time back, and the host a letter about it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial

from referee.desk import Change, Outgoing
from referee.desk.log.events import Extended
from referee.mail.handlers.notifications import notifications
from referee.mail.letters.format.blocks import Block, BulletList, LetterSection, Paragraph
from referee.mail.letters.format.language import moment, phrase, span
from referee.mail.letters.story.draft import GeneralLetter, Thread, as_bytes
from referee.mail.letters.story.story import name_of
from referee.mail.log import LOG
from referee.mail.office import Office
from referee.mail.watch import TOLERANCE, expect_likely, tolerated, utc

OUTAGE = "outage"

_MOST = 100
"""Maximum games that a letter lists."""


def confirm(office: Office, at: datetime, *, trusted: bool = False) -> None:
    """Note the time, once all games have got that of an outage back; `trusted` is the host's word for a long one.

    If it is earlier than the last one, the host is notified. Then no time is over before the clock has caught up.
    RefereeError `clock-jump` if it is more than `LONGEST_OUTAGE` away from the last one.
    """
    wake(office, at, trusted=trusted)
    last = office.desk.upkeep.seen()
    back = last is not None and at < last - TOLERANCE
    if last is not None and back:
        LOG.warning("clock: it went back to %s; the desk saw %s before", utc(at), utc(last))
        told = phrase("outage.back", last=moment(last), now=moment(at))
        queue_for_host(office, OUTAGE, f"{last} {at}", at, phrase("subject.clock-back"), (Paragraph(told),))
    office.desk.upkeep.see(at, reset=back)


def wake(office: Office, at: datetime, *, trusted: bool = False) -> None:
    """Give all games the time of an outage back, if it exceeds the tolerance; RefereeError `clock-jump`."""
    last = office.desk.upkeep.seen()
    if last is None:
        return
    if not trusted:
        expect_likely(last, at)
    if at - last > tolerated(office):
        given = office.desk.catalogue.each_running(lambda game: _made_up(office, game, last, at))
        if gifts := [gift for gift in given if gift is not None]:
            name, subject = f"{last} {len(gifts)}", phrase("subject.outage")
            queue_for_host(office, OUTAGE, name, at, subject, _told(gifts, last, at))
        office.desk.upkeep.see(at)
        since, number = utc(last), len(gifts)
        LOG.warning("clock: the desk was not running since %s; games that got that time back: %d", since, number)


def _made_up(office: Office, game: str, since: datetime, at: datetime) -> str | None:
    """Give a game the time back; the line for the host says how long its clocks were stopped, if they were running.

    It names the sides that got more hours as well.
    """
    least = timedelta(hours=office.settings.outage)
    result = office.desk.make_up(game, since, at, least, writer=partial(notifications, office, at=at))
    stood = sum((stop.end - stop.start for stop in result.state.clock.pauses if since <= stop.start), timedelta())
    added = (entry.event for entry in result.entries)
    extended = ((one.side, timedelta(hours=one.hours)) for one in added if isinstance(one, Extended))
    if not stood or result.state.clock.paused:
        return None
    more = (phrase("outage.more", name=name_of(result.state, side), span=span(time)) for side, time in extended)
    return phrase("outage.game", game=game, span=span(stood), more="".join(more))


def _told(gifts: Sequence[str], since: datetime, at: datetime) -> tuple[Block, ...]:
    points = [*gifts[:_MOST]]
    if (more := len(gifts) - _MOST) > 0:
        points.append(phrase("outage.further", number=more))
    first = phrase("outage.first", since=moment(since), until=moment(at))
    return Paragraph(first), BulletList(tuple(points)), Paragraph(phrase("outage.last"))


def queue_for_host(
    office: Office, kind: str, name: str, at: datetime, subject: str, blocks: tuple[Block, ...]
) -> None:
    """Queue a letter of a kind to the host, if the settings name one; the same `name` gives the same message id."""
    host = office.settings.host
    if host is None:
        return
    draft = as_bytes(GeneralLetter(at, subject, (LetterSection("", blocks),), Thread()))
    letter = Outgoing(office.mailbox.notice_id(office.desk.key.mark(f"{kind}/{name}")), host, draft, kind=kind)
    office.desk.games.change(None, at, lambda _: Change(letters=(letter,)))
