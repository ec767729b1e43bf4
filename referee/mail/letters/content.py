"""The content of a letter about a game: what happened and what to do, the moves, how to answer, and the board."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from referee.desk import State, events, moves_of
from referee.desk.state.state import position_after
from referee.draw.choices import trial
from referee.mail.letters.attachments import Attachment, files_section
from referee.mail.letters.format.blocks import Block, BulletList, Depiction, LetterSection, Link, Paragraph
from referee.mail.letters.format.language import phrase
from referee.mail.letters.format.plain import section_text, wrap_silently
from referee.mail.letters.format.taste import Taste
from referee.mail.letters.format.text import quote
from referee.mail.letters.lessons import lesson
from referee.mail.letters.sections import (
    BoardLink,
    board_blocks,
    clocks_section,
    how_to_answer,
    how_to_sign,
    ready_reply,
)
from referee.mail.letters.story.draft import Diagram, Gist, LetterContent
from referee.mail.letters.story.lead import UNDONE, lead_of
from referee.mail.letters.story.news import message_blocks, move_points, news_points, proof_points
from referee.mail.letters.story.status import conditions, engine_lines, expectations, warnings
from referee.mail.letters.story.story import Story, as_told, is_filed, names_for
from referee.rules import Event, Position

_ABOUT_CLOCKS = (
    events.Reminded,
    events.Extended,
    events.Gave,
    events.VacationTaken,
    events.Paused,
    events.Resumed,
    events.Reopened,
    events.Replaced,
)
"""Events whose letters list the clocks; others have them if `status` asks for them."""


MOST_LINES = 45
"""Lines of text of a letter with a board."""


@dataclass(frozen=True, slots=True)
class LetterBody:
    """The content of a letter, for its text and its page.

    `lead` are its first sentences. `names` are those of the players in words about the boards, whose signs are
    `explained` or known. `proofs` are digests for later, which no one needs to read. The last board is only `beside`
    what the reader has asked for.
    """

    subject: str
    lead: str
    sections: tuple[LetterSection, ...]
    names: Mapping[str, str] = field(default_factory=dict)
    explained: bool = True
    proofs: tuple[str, ...] = ()
    beside: bool = False

    @property
    def depictions(self) -> tuple[Depiction, ...]:
        """The boards that are pictures on a page."""
        shown = (block for section in self.sections for block in section.blocks if isinstance(block, Depiction))
        return tuple(dict.fromkeys(shown))

    def as_text(self, game: str | None, foot: Collection[str]) -> list[str]:
        """The letter's lines; apart from the board's, which cannot be, none of them is a command.

        If there are more than fit on a screen, boards are low, or there is none beside what was asked for.
        """
        whole = [*self._lines(self.sections, game), *foot]
        if len(whole) <= MOST_LINES or not self.depictions:
            return whole
        low = [*self._lines(self.sections, game, low=True), *foot]
        if len(low) <= MOST_LINES or not self.beside:
            return low
        *_, board = (one for one in self.sections if any(isinstance(block, Depiction) for block in one.blocks))
        return [*self._lines((one for one in self.sections if one is not board), game, low=True), *foot]

    def _lines(self, sections: Iterable[LetterSection], game: str | None, *, low: bool = False) -> list[str]:
        lines = [*wrap_silently(self.lead, game)] if self.lead else []
        for section in sections:
            lines += section_text(section, game, low=low)
        return lines if self.lead else lines[1:]


def content_of(
    story: Story,
    report: LetterContent,
    taste: Taste,
    files: Collection[Attachment] = (),
    *,
    address: str,
    again: bool = False,
    known: bool = False,
    link: BoardLink | None = None,
) -> LetterBody:
    """The content of the letter about a story to its side, the board to the side's taste.

    `address` is the one to write to, and `link` leads to a page for moves. `again` is true if players may ask for a
    rematch by letter, `known` if this one has played the game here before.
    """
    state, side = story.state, report.side
    lead, names, first = lead_of(story, report), names_for(state, side), _is_first(story, side)
    explained = first or report.gist in (Gist.SHOWN, Gist.TRIED)
    view = taste.seat(side, state.position.sides)
    own = next((one for one in report.asked if isinstance(one, Diagram) and _is_sealed(one, state)), None)
    others = (one for one in report.asked if one != own)
    asked = [_drawn(one, state, view, taste, names) if isinstance(one, Diagram) else one for one in others]
    if own is not None and own.plies < len(state.plies):  # the round is over meanwhile
        own = None
    shown = _sealed(state, side, view, own) if own else _last(story, view)
    waits = state.invitation is not None and state.closed is None and not state.undrawn
    # While a game waits for others there is a picture of its start; text has the board once it begins.
    board: tuple[Block, ...] = (Depiction(state.position, view),) if waits else ()
    if shown is not None:
        board = board_blocks(shown, names, in_words=taste.words, explained=explained)
    moves = tuple(news_points(story, side, lead.event))
    if own is not None and shown is not None:
        made = move_points(dict(own.tried[-1]), shown.events, names, state.game)
        moves += tuple(phrase("done.alone", told=one) if shown.events else one for one in made)
    answers = tuple(_new_answers(report.answers, lead.happened, moves))
    rest = _notes(story, report, lead.event) if state.closed is None else _end(story, address, files, again=again)
    sections = (
        LetterSection(phrase("heading.other-letter") if report.gist is Gist.IGNORED else "", answers),
        LetterSection("", (BulletList(moves),) if moves else ()),
        LetterSection("", tuple(message_blocks(story, side))),
        *asked,
        *(_introduction(state, side, known=known) if first else ()),
        *_proposal(story, side),
        LetterSection("", tuple(how_to_answer(state, side, address, wanted=report.unsigned, link=link))),
        LetterSection("", (Paragraph(phrase("answer.address")), Link(address)) if report.gist in UNDONE else ()),
        *_undrawn(state, side),
        LetterSection("", board),
        *rest,
        LetterSection(phrase("heading.signing"), tuple(how_to_sign(state, side, wanted=report.unsigned)), minor=True),
    )
    told = " ".join(one for one in (lead.happened, *lead.tasks) if one)
    proofs = tuple(dict.fromkeys((*report.proofs, *proof_points(story, side))))
    beside = report.gist in (Gist.SHOWN, Gist.TRIED) and bool(report.asked)
    return LetterBody(lead.subject, told, sections, names, explained, proofs, beside)


def _new_answers(answers: Iterable[Block], happened: str, moves: Collection[str]) -> Iterator[Block]:
    """The answers without points that the beginning of the letter, or a move in it, has told already."""
    for block in answers:
        texts = block.texts if isinstance(block, BulletList) else ()
        new = tuple(text for text in texts if text != happened and not _is_receipt(text, moves))
        if new or not isinstance(block, BulletList):
            yield BulletList(new) if isinstance(block, BulletList) else block


def _is_receipt(text: str, moves: Collection[str]) -> bool:
    """True if a point only confirms a move that the letter has in words."""
    found = [one.partition("[")[2].partition("]")[0] for one in moves if one.startswith(phrase("clocks.you"))]
    return any(text == phrase(f"done.{name}", move=quote(one)) for one in found for name in ("moved", "moved-sealed"))


def _last(story: Story, view: str) -> Depiction | None:
    """The board after the story; None if there is none, or none to play on."""
    state = story.state
    if state.undrawn or story.is_called_off or state.invitation is not None:
        return None
    return Depiction(state.position, view, story.last_ply, state.outcome)


def _is_sealed(diagram: Diagram, state: State) -> bool:
    """True if a diagram is the one of a move that waits for the others."""
    before = position_after(state.game, state.options, state.plies[: diagram.plies])
    return bool(diagram.tried) and 0 < len(diagram.tried[-1]) < len(before.to_move)


def _sealed(state: State, side: str, view: str, own: Diagram) -> Depiction | None:
    """The board with a side's own sealed move."""
    ((_, move),) = own.tried[-1]
    made = moves_of(state.game, {side: move})
    before = position_after(state.game, state.options, state.plies[: own.plies])
    after = trial(before, side, made[side])
    return Depiction(before, view) if after is None else Depiction(after, view, before.events(made, after))


def _drawn(diagram: Diagram, state: State, view: str, taste: Taste, names: Mapping[str, str]) -> LetterSection:
    heading = phrase("heading.trial")
    if diagram.round is not None:
        heading = phrase("heading.board-after", round=diagram.round)
    position, changes = _after(state, (*state.plies[: diagram.plies], *map(dict, diagram.tried)))
    board = board_blocks(Depiction(position, view, changes), names, in_words=taste.words, label=heading)
    return LetterSection(heading, (*diagram.above, *board, *diagram.below))


def _after(state: State, plies: Sequence[events.Texts]) -> tuple[Position, tuple[Event, ...]]:
    """The position after plies of a game, and the changes by the last of them."""
    before = position_after(state.game, state.options, plies[:-1])
    if not plies:
        return before, ()
    moves = moves_of(state.game, plies[-1])
    after = before.play_unchecked(moves)
    return after, before.events(moves, after)


def _undrawn(state: State, side: str) -> Iterator[LetterSection]:
    """The reason why there is no board yet, and the choice of a side that has not accepted."""
    if state.invitation is None or state.closed is not None or not state.undrawn:
        return
    names = ("undrawn", "word") if side in state.invitation.missing else ("undrawn",)
    yield LetterSection("", tuple(Paragraph(phrase(f"board.{name}")) for name in names))


def _proposal(story: Story, side: str) -> Iterator[LetterSection]:
    """The terms offered to a side that is invited, and the engines of a game that the host has opened.

    A player who proposed or opened the game has had them in the answer to their letter.
    """
    state = story.state
    invited = state.invitation is not None and state.closed is None and state.invitation.by != side
    told = [*conditions(state.description, state.options, state.clock.terms)] if invited else []
    if invited or is_filed(story):
        engines = (one for one in state.position.sides if one in state.engine_sides)
        told += engine_lines(state.description, {one: state.engines[one].level for one in engines})
    yield LetterSection("", tuple(map(Paragraph, told)))


def _is_first(story: Story, side: str) -> bool:
    came = (entry.event for entry in story.entries if isinstance(entry.event, events.Replaced))
    return story.before is None or any(event.side == side for event in came)


def _introduction(state: State, side: str, *, known: bool) -> Iterator[LetterSection]:
    """The beginning of a player's first letter: what this is, and what the game is."""
    more, *aim = [phrase("lesson.known", title=state.description.title)] if known else lesson(state)
    after = [phrase("answer.binds")] if state.simultaneous and state.invitation is None else []
    if state.may_decline(side):
        after.append(phrase(f"answer.decline{'-signed' if side in state.keyring.keys else ''}"))
    yield LetterSection("", tuple(map(Paragraph, (*aim, " ".join((more, *after))))))


def _notes(story: Story, report: LetterContent, event: events.LogEvent | None) -> Iterator[LetterSection]:
    """The clocks where a letter is about them, and all that is out of the ordinary."""
    state, side, at = story.state, report.side, report.at
    first, joined = _is_first(story, side), state.invitation is not None and side in state.invitation.joined
    if joined or (isinstance(event, _ABOUT_CLOCKS) and not first):
        yield clocks_section(state, side, at)
        told = []
    else:
        said = expectations if first and not (state.alone and report.answers) else warnings
        told = [*said(state, side, at)]
    if side in state.agreed and not any(isinstance(entry.event, events.Offered) for entry in story.entries):
        told.append(as_told(state, "clocks.you-offer"))
    yield LetterSection("", (Paragraph(" ".join(told)),) if told else ())


def _end(story: Story, address: str, files: Collection[Attachment], *, again: bool) -> Iterator[LetterSection]:
    """The rest of a letter at the end of a game: next steps, files, and the log's check."""
    state = story.state
    if not story.ends:
        return
    many = "" if len(state.position.sides) == 2 else "-many"
    next_: list[Block] = [Paragraph(phrase(f"end.rematch{many}")), ready_reply(address, "rematch")] if again else []
    yield LetterSection("", (*next_, *(() if state.alone else (Paragraph(phrase("end.talk")),))))
    yield files_section(files)
    log = next((one.name for one in files if one.kind == "log"), f"{state.id}.jsonl")
    yield LetterSection("", (Paragraph(phrase("end.log", log=log)),), minor=True)
