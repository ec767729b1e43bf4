"""The reception of a desk: letters that are about no game, or from nobody in it.

A player gets the list of their games, with an address for each; somebody else gets a short note.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime

from referee.desk.log import acts
from referee.desk.records import Change, Incoming, Outgoing
from referee.engine import usual_level
from referee.mail.addresses import is_reachable, small
from referee.mail.handlers.allowance import NOTE, Allowance, allowance, note_allowance
from referee.mail.handlers.permission import Asker, has_agreed, is_barred, may_open, registered
from referee.mail.handlers.sender import NO_TOKEN
from referee.mail.intake import Classification, Letter, Reading
from referee.mail.letters.agenda import Listing, agenda, calendar_blocks, listings, waiting_list
from referee.mail.letters.format.blocks import Paragraph, Section
from referee.mail.letters.format.language import listed, moment, phrase
from referee.mail.letters.format.text import quote
from referee.mail.letters.questions import taught
from referee.mail.letters.story.draft import Note, Thread, as_bytes
from referee.mail.letters.vocabulary import guest_help_blocks
from referee.mail.office import Office
from referee.rules import all_games, usable_games

_MOST_ASKED = 5
"""Maximum commands of a letter whose answers it gets."""

_SHOWN = acts.Games | acts.Rules | acts.HowToWrite | acts.Help
"""What somebody without a seat can ask for."""


def attend(
    office: Office,
    letter: Letter,
    stored: Incoming,
    verdict: Classification,
    at: datetime,
    once: Callable[[Change], Change],
) -> None:
    """Deal with a letter that is about no game, or that must not be answered; `once` leaves second answers out."""
    # The note names the game, but no key of a seat.
    about = f" ({letter.tag.game})" if letter.tag else ""
    note = f"{verdict.kind.value}: {verdict.reason or 'about no game'}{about}"
    office.desk.games.handle(stored, None, at, lambda _: once(answered(office, letter, verdict, at, note)))


def answered(office: Office, letter: Letter, verdict: Classification, at: datetime, note: str) -> Change:
    """The answer to a letter from no seat, which is stored only while the limits are as they were."""
    ticket = office.desk.games.ticket()
    letters = _notes(office, letter, verdict, at)
    return Change(letters=letters, note=note, ticket=ticket if letters else None)


def _notes(office: Office, letter: Letter, verdict: Classification, at: datetime) -> tuple[Outgoing, ...]:
    """The answer to a letter from no seat: a player gets a list of their games, a stranger one note a day.

    Somebody who may open games, and has surely written, is answered whenever they ask something, as often as they may
    open games.
    """
    if not verdict.treatment.answers or not letter.senders or not is_reachable(letter.senders[0].address):
        return ()
    address = registered(office, letter.senders[0].address)
    if len(letter.senders) == 1 and office.desk.catalogue.all_games_of(small(address)):
        allowed, kind = allowance(office, address, NO_TOKEN, at), NO_TOKEN
        if is_unsure(office, letter, address):
            allowed, kind = note_allowance(office, address, at), NOTE
        if allowed.left <= 0:
            return ()
        reading = letter.reading(None) if verdict.treatment.reads else Reading()
        seats = listings(office, address, at)
        answered = seats and verdict.answers(commands=bool(reading.commands))
        return (_to_player(office, letter, reading, address, seats, allowed, kind, at),) if answered else ()
    if is_barred(office, address):
        return ()
    guest = Asker(address, "", seated=False, proven=letter.vouched)
    may_begin = len(letter.senders) == 1 and may_open(office, guest, vouched=letter.vouched)
    welcome = may_begin and letter.vouched
    reading = letter.reading(None) if welcome and verdict.treatment.reads else Reading()
    asked = [said.command for said in reading.commands if isinstance(said.command, _SHOWN)]
    allowed = note_allowance(office, address, at, vouched=bool(asked))
    if allowed.left <= 0 or not verdict.answers(commands=bool(asked)):
        return ()
    if welcome:
        return (_to_guest(office, letter, asked, allowed, at),)
    return (_to_stranger(office, letter, at, may_begin=may_begin),)


def is_unsure(office: Office, letter: Letter, address: str) -> bool:
    """True if anybody may have written a letter in the name of somebody who was invited and has agreed to nothing."""
    return not letter.vouched and not has_agreed(office, address)


def _to_player(
    office: Office,
    letter: Letter,
    reading: Reading,
    address: str,
    listed: list[Listing],
    allowed: Allowance,
    kind: str,
    at: datetime,
) -> Outgoing:
    """What a player asked to see, and the list of their games, to the registered address whoever wrote the letter."""
    asked = [one for said in reading.commands[:_MOST_ASKED] for one in taught(said.command)]
    blocks = (
        Paragraph(_outcome(reading)),
        *agenda(office, listed, at),
        *calendar_blocks(office, address, listed),
        *((Paragraph(phrase("note.addresses")),) if any(one.state.closed is None for one in listed) else ()),
        *((Paragraph(_how_to_open()),) if office.settings.open != "host" else ()),
        *((Paragraph(phrase("last.note", until=moment(allowed.until))),) if allowed.last else ()),
        *(waiting_list(office) if any(isinstance(said.command, acts.Games) for said in reading.commands) else ()),
    )
    games = {one.state.game for one in listed}
    return _note(office, letter, address, at, phrase("subject.games"), (Section("", blocks), *asked), kind, games)


def _how_to_open() -> str:
    return phrase("note.open-one", line=quote(phrase("arrange.line", game=all_games()[0])), games=listed(all_games()))


def _outcome(reading: Reading) -> str:
    """What came of a letter that names no game: it can show something, and nothing else."""
    shown = [isinstance(said.command, acts.Games | acts.Rules | acts.HowToWrite) for said in reading.commands]
    if shown and all(shown) and not (reading.failed or reading.unknown or reading.questions):
        return phrase("note.games")
    return phrase("note.no-game")


def _to_guest(office: Office, letter: Letter, asked: Sequence[object], allowed: Allowance, at: datetime) -> Outgoing:
    """A note to somebody who has no game here, but may open one by letter: what they asked for, or how to do that."""
    shown = [one for command in asked[:_MOST_ASKED] for one in _shown_to_guest(command)]
    line = quote(phrase("arrange.line", game=all_games()[0]))
    first = phrase("note.shown") if shown else ""
    told = phrase(
        "note.guest-asks" if asked else "note.guest", line=line, games=listed(game.name for game in usable_games())
    )
    last = phrase("last.note", until=moment(allowed.until)) if allowed.last else ""
    wanted = not asked or any(isinstance(one, acts.Games) for one in asked)
    blocks = (*map(Paragraph, filter(None, (first, told, last))), *(waiting_list(office) if wanted else ()))
    subject = phrase("subject.shown" if shown else "subject.guest")
    return _note(office, letter, letter.senders[0].address, at, subject, (Section("", blocks), *shown), NOTE)


def _shown_to_guest(command: object) -> Iterator[Section]:
    """What somebody without a seat asks to see, below its heading; the games that wait have none."""
    if isinstance(command, acts.Help):
        yield Section(phrase("heading.help"), guest_help_blocks())
    yield from taught(command)


def _to_stranger(office: Office, letter: Letter, at: datetime, *, may_begin: bool) -> Outgoing:
    """A short note to somebody whose letter is about no game, or from no seat of it; it quotes nothing of theirs.

    Whoever `may_begin` a game learns how: a new line of theirs is asked about.
    """
    told = [phrase("note.stranger"), *(_how_to_begin(office) if may_begin else ())]
    sections = (Section("", tuple(map(Paragraph, told))),)
    return _note(office, letter, letter.senders[0].address, at, phrase("subject.stranger"), sections, NOTE)


def _how_to_begin(office: Office) -> Iterator[str]:
    """How to open a game, in two sentences."""
    engines = bool(office.settings.engines.cores)
    game, level = all_games()[0], usual_level(office.settings.engines.level)
    line = phrase("arrange.line-engine", game=game, level=level) if engines else phrase("arrange.line", game=game)
    yield phrase("note.begin", line=quote(line), games=listed(all_games()))
    if engines:
        yield phrase("note.begin-more", level=level)


def _note(
    office: Office,
    letter: Letter,
    address: str,
    at: datetime,
    subject: str,
    sections: tuple[Section, ...],
    kind: str,
    games: Iterable[str] = (),
) -> Outgoing:
    note = Note(at, subject, sections, Thread(letter.message_id, letter.digest), games=tuple(sorted(games)))
    return Outgoing(office.mailbox.notice_id(letter.digest), address, as_bytes(note), kind=kind)
