"""The reply to a letter: the result of each line in words, and the sections that it asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo
from hashlib import sha256

from referee.desk import Accept, Answer, KeptPlan, MakeMove, Outgoing, Progress, Reveal, Seal, Secrets, State
from referee.desk.log.acts import Help, History, HowToSeal, Legal, Message, Never, Status, Try
from referee.desk.play.notices import told_until
from referee.errors import pointed, shown
from referee.game.file.document import HIDDEN
from referee.mail.handlers.allowance import REFUSED, Allowance, answer_kind
from referee.mail.handlers.arrival import NO_TOKEN, NOT_VOUCHED, OTHER_ADDRESS, Sender
from referee.mail.handlers.names import can_be_called
from referee.mail.handlers.notifications import report_letter
from referee.mail.handlers.roundup import HOUR
from referee.mail.intake.commands import CommandLine, FailedLine, Reading
from referee.mail.intake.letter import Letter
from referee.mail.intake.meanings import Meant, all_choices, words
from referee.mail.intake.message.phrases import command_meant, expression, signature
from referee.mail.intake.message.text import LetterLine
from referee.mail.intake.requests import ALWAYS, NAME, PASSING, PassOn, SetTaste
from referee.mail.letters.format.blocks import Block, BulletList, LetterSection, Pointed, Quote, Under, merged
from referee.mail.letters.format.language import long_day, moment, phrase, span
from referee.mail.letters.format.taste import DAILY, INVITATIONS, LETTERS, choices_of, preference
from referee.mail.letters.format.text import break_lines, quote, shorten
from referee.mail.letters.questions import sections
from referee.mail.letters.sections import clocks_section, history, how_to_seal, legal_blocks, plan_lines
from referee.mail.letters.story.draft import Diagram, Gist, LetterContent, Thread
from referee.mail.letters.story.story import as_told, names_of
from referee.mail.letters.vocabulary import help_blocks
from referee.mail.office import Office
from referee.notation.habits import fits_board, habit
from referee.terminal import join_words

_MOST_SHOWN = 10
"""Maximum lines listed that were not understood."""

_WORD = re.compile(r"[^\W\d_]+")

_WELCOME = SetTaste(INVITATIONS, "on")
"""The choice of people who want invitations again."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A letter in its game, with its reading, its sender, and what the answer asks about.

    `dropped` is true if it says `no` to a question, `refused` if it wants to act, and nothing of that was accepted.
    """

    letter: Letter
    reading: Reading
    sender: Sender
    asked: tuple[Meant, ...] = ()
    dropped: bool = False
    refused: bool = False

    @property
    def heard(self) -> bool:
        """True if anything in it was meant for the desk."""
        return bool(self.reading.commands or self.reading.failed or self.reading.questions)

    @property
    def kind(self) -> str:
        """The kind of the answer to it."""
        if self.heard:
            return REFUSED if self.refused and not self.sender.doubt else answer_kind(self.sender.doubt, None)
        # A program sends the same lines every time.
        lines = "\n".join(line.text.casefold() for line in self.reading.unknown)
        return answer_kind(self.sender.doubt, sha256(lines.encode(errors="replace")).hexdigest()[:16])


def reply(
    office: Office, visit: Visit, result: Progress, said: Sequence[CommandLine], allowed: Allowance, at: datetime
) -> Outgoing:
    """The one answer to a player's letter, to the registered address of the seat.

    `said` are the lines that `result.answers` answer.
    """
    sender = visit.sender
    state = office.desk.seen_by(result.state, sender.side, sender.address)
    assert result.before is not None
    given = tuple(zip(said, result.answers, strict=True))
    sealed = [answer.data.get("commitment") for answer in result.answers if not answer.refused]
    last = [_last(visit, allowed, state.clock.zone)] if allowed.last else []
    commands = [said.command for said in visit.reading.commands]
    own = _own_move(state, sender.side, result.answers)
    shows = _shows(office, state, sender.side, commands, result.secrets, at)
    content = LetterContent(
        at,
        sender.side,
        told_until(result.before, sender.side) if result.entries else result.before.number,
        state.number,
        answers=tuple(merged((*_answers(office, result.before, state, visit, given), *map(_point, last)))),
        asked=(*own, *shows, *sections(office, state, sender.side, sender.address, commands, at)),
        thread=Thread(visit.letter.message_id, visit.letter.digest),
        proofs=tuple(phrase("proof.own", commitment=one) for one in sealed if one is not None),
        gist=_gist(office, result.before, visit, given),
        unsigned=any(answer.code in ("unsigned", "signature") for answer in result.answers),
    )
    return report_letter(office, state, sender.address, content, visit.kind, on_page=visit.letter.made_here)


def _gist(office: Office, state: State, visit: Visit, given: Sequence[tuple[CommandLine, Answer]]) -> Gist:
    """Outcome of the reply; `state` is the game before the letter."""
    reading, sender = visit.reading, visit.sender
    shows = bool(reading.commands) and not (reading.acting or reading.failed or reading.questions)
    undone = Gist.NOT_IN if _moves(reading) else Gist.NOT_DONE
    asked = Gist.TRIED if _tries(state, reading) else Gist.SHOWN
    if sender.doubt == OTHER_ADDRESS:
        return Gist.IGNORED
    if sender.doubt:
        return asked if sender.doubt == NO_TOKEN and shows else undone
    needless = [said for said, answer in given if _is_needless(said, answer, state, sender.side)]
    refused = [
        said.command
        for said, answer in given
        if answer.refused and said not in needless and not _is_heard_late(said, answer)
    ]
    if any(isinstance(one, MakeMove | Seal | Reveal) for one in refused):
        return Gist.NOT_IN
    if reading.failed or reading.questions or visit.letter.excess:
        return undone
    chosen = [said.command for said in reading.binding if isinstance(said.command, SetTaste)]
    if refused or not all(_can_choose(office, one, state, sender) for one in chosen):
        return Gist.NOT_DONE
    if needless and len(reading.commands) == 1:
        return Gist.RUNS
    if given or chosen:
        return Gist.DONE
    return asked if reading.commands else Gist.UNCLEAR


def _tries(state: State, reading: Reading) -> bool:
    """True if a letter tries moves in a game that shows the result of trials."""
    return state.description.trials and any(isinstance(said.command, Try) for said in reading.commands)


def _moves(reading: Reading) -> bool:
    """True if a letter has a move, or a line that was meant as one."""
    said = (*reading.commands, *reading.doubted)
    return bool(reading.failed) or any(isinstance(one.command, MakeMove | Seal | Reveal) for one in said)


def _answers(
    office: Office, before: State, state: State, visit: Visit, given: Sequence[tuple[CommandLine, Answer]]
) -> Iterator[Block]:
    """The result of the letter, line by line; no line is quoted if its sender is in doubt."""
    letter, reading, sender = visit.letter, visit.reading, visit.sender
    if letter.made_here:
        yield _point(phrase("done.on-page"))
    if letter.excess:
        yield _point(phrase("not-done.excess", excess=letter.excess))
    if sender.doubt:
        yield _point(_doubt_text(before, sender, reading))
        return
    if sender.ply <= len(before.plies) and not any(answer.code == "copied" for _, answer in given):
        yield _point(phrase("not-done.stale-key"))
    for said, answer in given:
        if _is_needless(said, answer, before, sender.side):
            yield _point(phrase("first.runs"))
        elif _is_outlived(answer, before, state, sender.side):
            yield _point(as_told(state, "done.offer-late" if state.closed else "done.offer-over"))
        else:
            yield from _answered(said, _by_name(answer, state, sender.side), state)
            yield from _choose(visit, said.line)
            yield from map(_point, _drawn_with(said, answer, before))
    for said in reading.binding:
        if isinstance(said.command, SetTaste):
            yield _point(_choice_text(office, said.command, before, sender))
    if _tries(before, reading):
        yield _point(phrase("not-done.tried"))
    if any(isinstance(said.command, PassOn) for said in reading.binding):
        yield _point(phrase("not-done.no-words"))
    for failed in reading.failed:
        yield from _refusal(failed.line.text, _failure(before, failed))
        yield from _choose(visit, failed.line)
    for question in reading.questions:
        sentence = "not-done.question-one" if len(question.lines) > 1 else "not-done.question"
        yield _point(phrase(sentence, message=question.message, code=question.code))
        yield _quoted(*(line.raw for line in question.lines[:4]))
        yield from _choose(visit, *question.lines[:1])
    yield from _unknown(before, state, visit)
    if not (visit.heard or reading.unknown or letter.excess):
        yield _point(phrase("not-done.nothing"))
        yield from map(_point, _unseen(before, reading) if reading.ignored else ())
    if reading.stop is not None and not visit.heard:
        yield _point(phrase("not-done.stopped"))
        yield _quoted(reading.stop.raw)


def _failure(state: State, failed: FailedLine) -> Answer:
    """The refusal of a line that is not a move."""
    told, known = Answer.refusal(failed.error.with_suggestions(())), habit(state.game, failed.error.text)
    if known is None or state.closed or ";" in failed.line.text or not fits_board(known, state.position):
        return told
    return replace(told, message=phrase("not-done.spelling", move=quote(known.text)))


def _choose(visit: Visit, *lines: LetterLine) -> Iterator[Block]:
    """The choices for a line, each with the answer that chooses it."""
    every = all_choices(visit.asked)
    for meant in (one for one in visit.asked if one.line in lines):
        numbers = {every.index(one) + 1: quote(one) for one in meant.choices if one in every}
        moves = join_words(numbers.values(), "or")
        answers = phrase("not-done.yes") if len(every) == 1 else join_words(map(str, numbers), "or")
        if numbers:
            yield Under((phrase("not-done.near" if meant.near else "not-done.meant", line=moves, answer=answers),))


def _last(visit: Visit, allowed: Allowance, zone: tzinfo) -> str:
    """The sentence that no answers of this kind follow for a while, and which letters still get one."""
    until = moment(allowed.until.astimezone(zone))
    if visit.sender.doubt in (OTHER_ADDRESS, NOT_VOUCHED):
        return phrase("last.warning", until=until)
    if allowed.alike:
        return phrase("last.alike", until=until)
    if visit.sender.doubt:
        return phrase("last.no-key", until=until)
    return phrase("last.refused" if visit.refused else "last.heard" if visit.heard else "last.unclear", until=until)


def _can_choose(office: Office, choice: SetTaste, state: State, sender: Sender) -> bool:
    if choice.name == NAME:
        return can_be_called(office, sender.address, choice.value)
    return preference(choice, sender.address, state.position.sides) is not None


def _choice_text(office: Office, choice: SetTaste, state: State, sender: Sender) -> str:
    can = _can_choose(office, choice, state, sender)
    if choice.name == NAME:
        return phrase("choice.named" if can else "choice.no-name", name=quote(choice.value))
    if can:
        if choice == _WELCOME:
            return phrase("choice.invited")
        if choice == SetTaste(LETTERS, DAILY):
            return phrase("choice.daily", hour=HOUR)
        if choice == SetTaste(PASSING, ALWAYS):
            return phrase("choice.passing")
        return phrase("choice.done", line=quote(choice))
    values = ", ".join(choices_of(choice.name, state.position.sides))
    return phrase("choice.unknown", line=quote(f"set {choice.name}"), values=values)


def _doubt_text(state: State, sender: Sender, reading: Reading) -> str:
    """The reason why a letter decides nothing, or only showed something."""
    if sender.doubt == NO_TOKEN and state.closed and _moves(reading):
        return phrase("doubt.over")
    if sender.doubt == NO_TOKEN and reading.commands and not (reading.acting or reading.failed or reading.question):
        return phrase("doubt.shown", code=sender.doubt)
    what = phrase("doubt.move" if _moves(reading) else "doubt.letter")
    return phrase(f"doubt.{sender.doubt}", code=sender.doubt, what=what)


def _own_move(state: State, side: str, answers: Iterable[Answer]) -> Iterator[Diagram]:
    """The board with the move that a letter has made, if it waits for the others."""
    for answer in answers:
        if side in state.seals and answer.code == "moved" and answer.data["ply"] > len(state.plies):
            yield Diagram(len(state.plies), tried=(((side, answer.data["move"]),),))
            return


def _shows(
    office: Office, state: State, side: str, commands: Iterable[object], secrets: Secrets, at: datetime
) -> Iterator[LetterSection]:
    """The requested sections beyond the board, which is in every letter."""
    for command in commands:
        match command:
            case History():
                yield LetterSection(phrase("heading.history"), (history(state),))
            case Legal(prefix=prefix):
                yield LetterSection(phrase("heading.legal"), legal_blocks(state, side, prefix))
            case Status():
                yield clocks_section(state, side, at)
            case HowToSeal():
                page = "#" in (office.page_address(state, side) or "") and office.settings.web.moves == "submit"
                yield LetterSection(phrase("heading.sealing"), tuple(how_to_seal(state, side, page=page)))
            case KeptPlan():
                plan = plan_lines(office.desk.kept_plan(state, side, secrets))
                yield LetterSection(phrase("heading.plan"), (plan,))
            case Help():
                settings = office.settings
                told = help_blocks(state, arranges=settings.open != "host", pages=settings.web.moves == "submit")
                yield LetterSection(phrase("heading.help"), told)


def _answered(said: CommandLine, answer: Answer, state: State) -> Iterator[Block]:
    """The result of one line of the letter."""
    if said.free:
        yield _point(phrase("done.read", line=quote(shorten(said.line.text)), command=quote(said.command)))
    if answer.refused and not _is_heard_late(said, answer):
        yield from _refusal(said.line.text, answer)
    elif not answer.refused:
        yield _point(done_text(answer, state))
        if answer.code == "planned":
            yield plan_lines(answer.data["plan"])
    if isinstance(said.command, Never):
        yield _point(phrase("done.never", line=quote(_WELCOME)))


def _by_name(answer: Answer, state: State, side: str) -> Answer:
    """A refusal with the players' names, where the rules name only sides."""
    invitation = state.invitation
    if answer.code == "not-your-turn" and state.owing:
        return replace(answer, message=phrase("not-done.turn", names=names_of(state, state.owing)))
    if answer.code == "not-open" and invitation is not None and side in invitation.missing:
        return replace(answer, message=phrase("not-done.unaccepted"))
    return answer


def _is_needless(said: CommandLine, answer: Answer, state: State, side: str) -> bool:
    """True if a player accepts, before their first move, a game that the host has opened."""
    begins = state.closed is None and not any(side in ply for ply in state.plies)
    return begins and isinstance(said.command, Accept) and answer.code == "no-offer"


def _is_outlived(answer: Answer, before: State, state: State, side: str) -> bool:
    """True if a side agreed to a draw, and a later move in its letter has ended the offer, or the game."""
    made = len(state.plies) > len(before.plies)
    return answer.code in ("offered", "accepted") and made and (side not in state.agreed or state.closed is not None)


def _drawn_with(said: CommandLine, answer: Answer, before: State) -> tuple[str, ...]:
    """The confirmation of a player's word for chance."""
    if not isinstance(said.command, Accept) or not said.command.word or answer.code != "joined" or answer.repeated:
        return ()
    drawn = before.invitation is not None and before.invitation.secret is not None
    return (phrase("done.word", word=shown(said.command.word)),) if drawn else ()


def _is_heard_late(said: CommandLine, answer: Answer) -> bool:
    """True if a player refuses further invitations in the answer to one that is over."""
    return isinstance(said.command, Never) and answer.code == "invitation-over"


def done_text(answer: Answer, state: State) -> str:
    """The effect of a line of a letter in a sentence; `state` is the game after it."""
    sealed = answer.code == "moved" and answer.data["commitment"] is not None
    hidden = sealed and answer.data["ply"] > len(state.plies)
    data = {name: _said(name, value) for name, value in answer.data.items()}
    data["span"] = span(timedelta(hours=answer.data.get("hours", 0)))
    again = [phrase("done.again")] if answer.repeated else []
    return " ".join((as_told(state, f"done.{answer.code}{'-sealed' if hidden else ''}", **data), *again))


def _said(name: str, value: object) -> object:
    """A part of an answer in the form that sentences need."""
    match name, value:
        case "move", _:
            return quote(value)
        case (("first" | "last"), str(day)):
            return long_day(date.fromisoformat(day))
        case _:
            return value


def _point(text: str) -> BulletList:
    return BulletList((text,))


def _quoted(*lines: str) -> Quote:
    """Lines as they were written, the long ones cut, with blanks for what no line of a letter may contain."""
    return Quote(tuple(f"    {shorten(HIDDEN.sub(' ', line).strip())}" for line in lines))


def _refusal(line: str, answer: Answer) -> Iterator[Block]:
    """The refusal of a line: the reason, a caret below its place, and suggestions."""
    yield _point(phrase("not-done.refused", message=answer.message, code=answer.code))
    if answer.span is not None and line:
        yield Pointed(tuple(pointed(line, answer.span.column, 60)))
    elif line:
        yield Quote(tuple(f"    {piece}" for piece in break_lines(line)))


def _unknown(before: State, state: State, visit: Visit) -> Iterator[Block]:
    """Lines that are not commands, as they were written, with their likely meanings; they change nothing."""
    reading, side = visit.reading, visit.sender.side
    if visit.dropped:
        yield _point(phrase("not-done.dropped"))
        return
    said = [str(one.command) for one in reading.commands]  # a line may repeat a command in other words
    unknown = (line for line in reading.unknown if line.raw.strip())
    written = [line for line in unknown if command_meant(line.text.strip(" .!")) not in said]
    if told := _unseen(state, reading):
        written += [line for line in reading.ignored if _is_to_others(line, before, side)]
    if not written:
        return
    written.sort(key=lambda line: line.number)
    yield _point(phrase("not-done.unknown"))
    for line in written[:_MOST_SHOWN]:
        yield _quoted(line.raw)
        yield from _choose(visit, line)
    if (left := len(written) - _MOST_SHOWN) > 0:
        yield _quoted(phrase("not-done.more", number=left))
    if any(expression("change").search(line.text) for line in written):
        yield _point(phrase("not-done.binds-sealed" if state.simultaneous else "not-done.binds"))
    asked = [one.line for one in visit.asked]
    yield from map(_point, told if any(line not in asked for line in written) else ())


def _is_to_others(line: LetterLine, state: State, side: str) -> bool:
    """True if a polite line speaks to another player by name."""
    asked = state.invitation.missing if state.invitation else ()
    names = (name for other, name in state.players.items() if other not in (side, *state.engine_sides, *asked))
    return not signature(names).isdisjoint(word for word in _WORD.findall(line.text.casefold()) if len(word) > 1)


def _unseen(state: State, reading: Reading) -> tuple[str, ...]:
    """Advice on writing to the other players, unless the letter does so or the game allows no messages."""
    knows = any(isinstance(said.command, Message) for said in reading.commands)
    if state.invitation is not None or state.silent or knows:
        return ()
    return (phrase("not-done.unseen" if words(reading, state.game) else "not-done.unseen-doubtful"),)
