"""One letter a day about all games, for players who have chosen `set letters daily`.

Reminders, invitations, and the end of a game still come at once: they cannot wait. Neither can anything while a move
is due within a day of the next letter.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from hashlib import sha256

from referee.desk import Change, Notice, Outgoing, State, events, read_time, write_time
from referee.mail.addresses import small
from referee.mail.letters.agenda import Listing, agenda, calendar_blocks, listings
from referee.mail.letters.format.blocks import Block, BulletList, LetterSection, Paragraph
from referee.mail.letters.format.language import phrase, short_day
from referee.mail.letters.format.taste import DAILY, DAILY_SINCE, LETTERS
from referee.mail.letters.story.draft import GeneralLetter, Thread, as_bytes
from referee.mail.letters.story.news import message_blocks, news_points
from referee.mail.letters.story.story import story_of
from referee.mail.office import Office

KIND = "daily"

HOUR = 6
"""Hour of the daily letters, in UTC: each reports the day before it."""

_DAY = timedelta(days=1)

_URGENT = (
    events.Reminded,
    events.Invited,
    events.Lapsed,
    events.Opened,
    events.Failed,
    events.Replaced,
    events.Closed,
    events.Reopened,
)
"""Events that are reported to every player at once."""


def can_wait(office: Office, notice: Notice, state: State, at: datetime) -> bool:
    """True if a notice can wait for the daily letter; `state` is the game after it."""
    if notice.address is None or any(isinstance(entry.event, _URGENT) for entry in notice.entries):
        return False
    deadline = state.clock.at(notice.side, at).deadline
    if deadline is not None and deadline < _last_hour(at) + 2 * _DAY:
        return False
    return bool(notice.entries) and office.desk.people.preferences(small(notice.address)).get(LETTERS) == DAILY


def queue_roundups(office: Office, at: datetime) -> int:
    """Queue the daily letters that are due; return their number."""
    until, queued = _last_hour(at), 0
    wanting = office.desk.people.preferring(LETTERS, DAILY)
    if not wanting:
        return 0
    had = {small(to) for to, _ in office.desk.outbox.queued(KIND, until - timedelta(microseconds=1))}
    for address in (one for one in wanting if one not in had):
        listed = [one for one in listings(office, address, at) if one.state.closed is None]
        if listed and _is_due(office, address, listed, until, at):
            _queue(office, address, listed, until, at)
            queued += 1
    return queued


def _is_due(office: Office, address: str, listed: list[Listing], until: datetime, at: datetime) -> bool:
    """True if the recipient of a daily letter had chosen it by then, or has a move due within a day."""
    chosen = office.desk.people.preferences(address).get(DAILY_SINCE)
    if chosen is None or read_time(chosen) <= until:
        return True
    return any(one.deadline is not None and one.deadline < at + _DAY for one in listed)


def _last_hour(at: datetime) -> datetime:
    """The time at which the last daily letter was due."""
    hour = at.replace(hour=HOUR, minute=0, second=0, microsecond=0)
    return hour if hour <= at else hour - _DAY


def _queue(office: Office, address: str, listed: list[Listing], until: datetime, at: datetime) -> None:
    """Queue a daily letter: the news of each game, duties with their deadlines, and addresses."""
    blocks: list[Block] = [Paragraph(phrase("daily.first", number=len(listed)))]
    for one in listed:
        blocks += [*agenda(office, [one], at), *_news(office, one, until)]
    blocks += [*calendar_blocks(office, address, listed), Paragraph(phrase("daily.last"))]
    identity = sha256(f"{KIND}/{address}/{write_time(until)}".encode()).hexdigest()
    subject, games = phrase("subject.daily", day=short_day(until)), {one.state.game for one in listed}
    note = GeneralLetter(
        at, subject, (LetterSection("", tuple(blocks)),), Thread(digest=identity), games=tuple(sorted(games))
    )
    letter = Outgoing(office.mailbox.notice_id(identity), listed[0].address, as_bytes(note), kind=KIND)
    office.desk.games.change(None, at, lambda _: Change(letters=(letter,)))


def _news(office: Office, one: Listing, until: datetime) -> Iterator[Block]:
    """The news of a game from the day before the letter, and messages of the others."""
    log = [entry for entry in office.desk.log(one.state.id) if entry.at <= until]
    new = [entry for entry in log if entry.at > until - _DAY]
    if new:
        since = max(new[0].number - 1, 0)  # the game's first letter has reported its beginning
        story = story_of(log, since, log[-1].number)
        if happened := tuple(news_points(story, one.side, None)):
            yield BulletList(happened)
        yield from message_blocks(story, one.side)
