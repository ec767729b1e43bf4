"""The reception of a desk: letters about no game, or from a sender without a seat in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.desk import Change, Outgoing, acts
from referee.engine import usual_level
from referee.engine.levels import level_text
from referee.mail.addresses import is_reachable, small
from referee.mail.handlers.allowance import NOTE, Allowance, allowance, note_allowance
from referee.mail.handlers.arrival import NO_TOKEN, Arrival
from referee.mail.handlers.permission import Asker, has_agreed, is_barred, may_open, registered
from referee.mail.intake.commands import Reading
from referee.mail.letters.agenda import Listing, agenda, browser_blocks, calendar_blocks, listings, waiting_list
from referee.mail.letters.format.blocks import LetterSection, Paragraph
from referee.mail.letters.format.language import moment, phrase
from referee.mail.letters.format.text import quote
from referee.mail.letters.questions import taught
from referee.mail.letters.story.draft import GeneralLetter, Thread, as_bytes
from referee.mail.letters.vocabulary import guest_help_blocks
from referee.rules import all_games, games
from referee.terminal import join_words

_MOST_ASKED = 5
"""Maximum commands of a letter that are answered."""

_SHOWN = acts.Games | acts.Rules | acts.HowToWrite | acts.Help
"""Commands open to a person without a seat."""


def attend(arrival: Arrival) -> bool:
    """Handle a letter that is about no game, or that must not be answered; False for any other."""
    if arrival.game is not None:
        return False
    verdict, tag = arrival.verdict, arrival.letter.tag
    about = f" ({tag.game})" if tag is not None else ""  # without the key of a seat
    note = f"{verdict.kind.value}: {verdict.reason or 'about no game'}{about}"
    handle = arrival.office.desk.games.handle
    handle(arrival.stored, None, arrival.at, lambda _: arrival.once(answered(arrival, note)))
    return True


def answered(arrival: Arrival, note: str) -> Change:
    """The answer to a letter from no seat, which is stored only while the limits are as they were."""
    ticket = arrival.office.desk.games.ticket()
    letters = _notes(arrival)
    return Change(letters=letters, note=note, ticket=ticket if letters else None)


def _notes(arrival: Arrival) -> tuple[Outgoing, ...]:
    """The answer to a letter from no seat: a player gets a list of their games, a stranger one note a day.

    A sender who may open games, and is vouched for, gets answers to commands, up to the limit for openings.
    """
    office, letter, verdict, at = arrival.office, arrival.letter, arrival.verdict, arrival.at
    if not verdict.answerable or not letter.senders or not is_reachable(letter.senders[0].address):
        return ()
    address = registered(office, letter.senders[0].address)
    if len(letter.senders) == 1 and office.desk.catalogue.all_games_of(small(address)):
        allowed, kind = allowance(office, address, NO_TOKEN, at), NO_TOKEN
        if is_unsure(arrival, address):
            allowed, kind = note_allowance(office, address, at), NOTE
        if allowed.left <= 0:
            return ()
        reading = letter.reading(None) if verdict.reads else Reading()
        seats = listings(office, address, at)
        answered = seats and verdict.answers(commands=bool(reading.commands))
        return (_to_player(arrival, reading, address, seats, allowed, kind),) if answered else ()
    if is_barred(office, address):
        return ()
    guest = Asker(address, "", seated=False, proven=letter.vouched)
    may_begin = len(letter.senders) == 1 and may_open(office, guest, vouched=letter.vouched)
    welcome = may_begin and letter.vouched
    reading = letter.reading(None) if welcome and verdict.reads else Reading()
    asked = [said.command for said in reading.commands if isinstance(said.command, _SHOWN)]
    allowed = note_allowance(office, address, at, vouched=bool(asked))
    if allowed.left <= 0 or not verdict.answers(commands=bool(asked)):
        return ()
    if welcome:
        return (_to_guest(arrival, asked, allowed),)
    return (_to_stranger(arrival, may_begin=may_begin),)


def is_unsure(arrival: Arrival, address: str) -> bool:
    """True if a letter may be forged in the name of a person who was invited and has not agreed to play."""
    return not arrival.letter.vouched and not has_agreed(arrival.office, address)


def _to_player(
    arrival: Arrival, reading: Reading, address: str, seats: list[Listing], allowed: Allowance, kind: str
) -> Outgoing:
    """The list of a player's games, and the sections that were asked for, always to the registered address."""
    office, line = arrival.office, phrase("arrange.line", game=all_games()[0])
    how = phrase("note.open-one", line=quote(line), games=join_words(all_games()))
    asked = [one for said in reading.commands[:_MOST_ASKED] for one in taught(said.command)]
    if any(isinstance(said.command, acts.PairedBrowsers) for said in reading.commands):
        asked.append(LetterSection(phrase("heading.browsers"), tuple(browser_blocks(office, address, arrival.at))))
    # A letter that names no game can only show something.
    told = acts.Games | acts.Rules | acts.HowToWrite | acts.PairedBrowsers
    shown = [isinstance(said.command, told) for said in reading.commands]
    clear = all(shown) and not (reading.failed or reading.unknown or reading.questions)
    blocks = (
        Paragraph(phrase("note.games" if shown and clear else "note.no-game")),
        *agenda(office, seats, arrival.at),
        *calendar_blocks(office, address, seats),
        *((Paragraph(phrase("note.addresses")),) if any(one.state.closed is None for one in seats) else ()),
        *((Paragraph(how),) if office.settings.open != "host" else ()),
        *((Paragraph(phrase("last.note", until=moment(allowed.until))),) if allowed.last else ()),
        *(waiting_list(office) if any(isinstance(said.command, acts.Games) for said in reading.commands) else ()),
    )
    games = {one.state.game for one in seats}
    return _note(arrival, address, phrase("subject.games"), LetterSection("", blocks), *asked, kind=kind, games=games)


def _to_guest(arrival: Arrival, asked: Sequence[object], allowed: Allowance) -> Outgoing:
    """A note to a guest who may open a game by letter: the sections they asked for, or instructions."""
    shown: list[LetterSection] = []
    for command in asked[:_MOST_ASKED]:
        helped = isinstance(command, acts.Help)
        shown += [LetterSection(phrase("heading.help"), guest_help_blocks())] if helped else taught(command)
    line = quote(phrase("arrange.line", game=all_games()[0]))
    first = phrase("note.shown") if shown else ""
    names = join_words(game.name for game in games())
    told = phrase("note.guest-asks" if asked else "note.guest", line=line, games=names)
    last = phrase("last.note", until=moment(allowed.until)) if allowed.last else ""
    wanted = not asked or any(isinstance(one, acts.Games) for one in asked)
    blocks = (*map(Paragraph, filter(None, (first, told, last))), *(waiting_list(arrival.office) if wanted else ()))
    subject = phrase("subject.shown" if shown else "subject.guest")
    return _note(arrival, arrival.letter.senders[0].address, subject, LetterSection("", blocks), *shown)


def _to_stranger(arrival: Arrival, *, may_begin: bool) -> Outgoing:
    """A short note to a stranger, without quotations from their letter.

    If they `may_begin` a game, it explains how; the desk will ask them to confirm.
    """
    settings, told = arrival.office.settings, [phrase("note.stranger")]
    game, level = all_games()[0], usual_level(settings.engines.level)
    if may_begin:
        with_engine = bool(settings.engines.cores)
        line = phrase(f"arrange.line{'-engine' if with_engine else ''}", game=game, level=level)
        told.append(phrase("note.begin", line=quote(line), games=join_words(all_games())))
        if with_engine:
            told.append(phrase("note.begin-more", level=level, highest=level_text(settings.engines.level)))
    section = LetterSection("", tuple(map(Paragraph, told)))
    return _note(arrival, arrival.letter.senders[0].address, phrase("subject.stranger"), section)


def _note(
    arrival: Arrival, to: str, subject: str, *sections: LetterSection, kind: str = NOTE, games: Iterable[str] = ()
) -> Outgoing:
    thread = Thread(arrival.letter.message_id, arrival.letter.digest)
    note = GeneralLetter(arrival.at, subject, sections, thread, games=tuple(sorted(games)))
    return Outgoing(arrival.office.mailbox.notice_id(thread.digest), to, as_bytes(note), kind=kind)
