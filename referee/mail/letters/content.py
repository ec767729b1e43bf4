"""The content of a letter about a game, from the most to the least important: lead, board, news, clocks, digests."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from referee.desk import State
from referee.desk.log import events
from referee.desk.state.state import moves_of, position_after
from referee.mail.letters.attachments import Attachment, files_section
from referee.mail.letters.format.blocks import Block, Depiction, Lines, Paragraph, Points, Rows, Section
from referee.mail.letters.format.language import phrase
from referee.mail.letters.format.plain import blocks_text, section_text, silent
from referee.mail.letters.format.taste import Taste
from referee.mail.letters.format.text import wrap
from referee.mail.letters.lessons import lesson
from referee.mail.letters.sections import BoardLink, board_blocks, how_to_answer, how_to_seal, how_to_sign, when
from referee.mail.letters.story.draft import Diagram, Gist, LetterContent
from referee.mail.letters.story.lead import lead_of
from referee.mail.letters.story.news import message_blocks, news_points, proof_points
from referee.mail.letters.story.status import clock_lines, conditions, engine_lines, expectations
from referee.mail.letters.story.story import Story, as_told, is_filed
from referee.rules import Event, Position


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a letter, for its text and its page.

    `lead` are its first sentences, `above` and `below` are before and after the board. There is no board before
    chance has decided on it, nor of a game that never began or is called off at its start.
    """

    subject: str
    lead: tuple[str, ...]
    above: tuple[Section, ...]
    board: Section | None
    below: tuple[Section, ...]

    @property
    def sections(self) -> tuple[Section, ...]:
        """All sections in their order."""
        return tuple(one for one in (*self.above, self.board, *self.below) if one is not None)

    @property
    def depictions(self) -> tuple[Depiction, ...]:
        """The boards that are pictures on a page."""
        shown = (block for section in self.sections for block in section.blocks if isinstance(block, Depiction))
        return tuple(dict.fromkeys(shown))

    def as_text(self, game: str | None) -> Iterator[str]:
        """The letter's lines; apart from the board's, which cannot be, none of them is a command."""
        yield from silent((line for sentence in self.lead for line in wrap(sentence)), game)
        for section in self.sections:
            yield from section_text(section, game)


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
) -> Content:
    """The content of the letter about a story to its side, the board to the side's taste.

    `address` is the one to write to, and `link` leads to a page for moves. `again` is true if players may ask for a
    rematch by letter, `known` if this one has played the game here before.
    """
    state, side = story.state, report.side
    lead = lead_of(story, report)
    shown, view = report.gist in (Gist.SHOWN, Gist.TRIED), taste.seat(side, state.position.sides)
    asked = tuple(_drawn(one, state, view, taste) if isinstance(one, Diagram) else one for one in report.asked)
    proposal = (*_proposal(state, side), *_opponents(story))
    how = how_to_answer(state, side, address, wanted=report.unsigned, link=link)
    answer = Section(phrase("heading.answer"), tuple(how))
    first, news = _is_first(story, side), tuple(news_points(story, side, lead.event))
    adds = [*blocks_text(report.answers, None)] != [*blocks_text([Points((lead.happened,))], None)]
    return Content(
        lead.subject,
        tuple(one for one in (lead.happened, *lead.tasks) if one),
        (
            Section(
                phrase("heading.other-letter" if report.gist is Gist.IGNORED else "heading.letter"),
                report.answers if adds else (),
            ),
            Section(phrase("heading.messages"), tuple(message_blocks(story, side))),
            *(asked if shown else ()),
            *(_introduction(state, side, (*proposal, answer), known=known) if first else ()),
        ),
        _board(story, view, in_words=taste.words),
        (
            *_undrawn(state, side),
            *(() if first else proposal),
            Section(phrase("heading.happened"), (Points(news),) if news else ()),
            *(() if shown else asked),
            *(() if first else (answer,)),
            *(_end(story, files, again=again) if state.closed is not None else (_clocks(story, report),)),
            Section(phrase("heading.signing"), tuple(how_to_sign(state, side, wanted=report.unsigned)), minor=True),
            Section(phrase("heading.sealing"), tuple(how_to_seal(state, side, link)), minor=True),
            _proofs((*report.proofs, *proof_points(story, side))),
        ),
    )


def _board(story: Story, view: str, *, in_words: bool) -> Section | None:
    """The board as a side sees it, with the score and further lines; or all of it in sentences."""
    state = story.state
    if state.undrawn or story.is_called_off or (state.invitation is not None and state.closed is not None):
        return None
    heading = as_told(state, "heading.board", when=when(state), side=view)
    shown = Depiction(state.position, view, story.last_ply, state.outcome)
    return Section(heading, board_blocks(shown, heading, in_words=in_words))


def _drawn(diagram: Diagram, state: State, view: str, taste: Taste) -> Section:
    heading = phrase("heading.trial")
    if diagram.round is not None:
        heading = as_told(state, "heading.board-after", round=diagram.round, side=view)
    position, changes = _after(state, (*state.plies[: diagram.plies], *map(dict, diagram.tried)))
    board = board_blocks(Depiction(position, view, changes), heading, in_words=taste.words)
    return Section(heading, (*diagram.above, *board, *diagram.below))


def _after(state: State, plies: Sequence[events.Texts]) -> tuple[Position, tuple[Event, ...]]:
    """The position after plies of a game, and the changes by the last of them."""
    before = position_after(state.game, state.options, plies[:-1])
    if not plies:
        return before, ()
    moves = moves_of(state.game, plies[-1])
    after = before.play_unchecked(moves)
    return after, before.events(moves, after)


def _undrawn(state: State, side: str) -> Iterator[Section]:
    """The reason why there is no board yet, and the choice of a side that has not accepted."""
    if state.invitation is None or state.closed is not None or not state.undrawn:
        return
    names = ("undrawn", "word") if side in state.invitation.missing else ("undrawn",)
    yield Section(phrase("heading.undrawn"), tuple(Paragraph(phrase(f"board.{name}")) for name in names))


def _proposal(state: State, side: str) -> Iterator[Section]:
    """The terms offered to a side that is invited; the proposer has had them in the answer to their letter."""
    if state.invitation is not None and state.closed is None and state.invitation.by != side:
        conditions_told = conditions(state.description, state.options, state.clock.terms)
        told = (*conditions_told, *engine_lines(state.description, _engine_levels(state)))
        yield Section(phrase("heading.proposal"), _told(told))


def _opponents(story: Story) -> Iterator[Section]:
    """The engines of a game that the host has opened; a player who opened it has had that in the answer."""
    state = story.state
    if is_filed(story) and state.engine_sides:
        yield Section(phrase("heading.engines"), _told(tuple(engine_lines(state.description, _engine_levels(state)))))


def _engine_levels(state: State) -> dict[str, int]:
    return {side: state.engines[side].level for side in state.position.sides if side in state.engine_sides}


def _is_first(story: Story, side: str) -> bool:
    came = (entry.event for entry in story.entries if isinstance(entry.event, events.Replaced))
    return story.before is None or any(event.side == side for event in came)


def _introduction(state: State, side: str, offer: tuple[Section, ...], *, known: bool) -> Iterator[Section]:
    """The beginning of a player's first letter: what this is, the `offer`, how to answer, and the game's rules."""
    title = state.description.title
    if not known:
        yield Section(phrase("heading.about"), (Paragraph(phrase("news.referee")),))
    yield from offer
    told = (phrase("lesson.known", title=title),) if known else lesson(state, side)
    yield Section(phrase("heading.lesson", title=title), tuple(map(Paragraph, told)))


def _proofs(proofs: tuple[str, ...]) -> Section:
    told = (Points(tuple(dict.fromkeys(proofs))), Paragraph(phrase("proof.why"))) if proofs else ()
    return Section(phrase("heading.proofs"), told, minor=True)


def _clocks(story: Story, report: LetterContent) -> Section:
    state, side, at = story.state, report.side, report.at
    clocks = tuple(clock_lines(state, side, at))
    awaited = [*expectations(state, side, at)]
    if side in state.agreed and not any(isinstance(entry.event, events.Offered) for entry in story.entries):
        awaited.append(as_told(state, "clocks.you-offer"))
    heading = phrase("heading.clocks" if state.invitation is None else "heading.clocks-invited")
    return Section(heading, (*((Points(clocks),) if clocks else ()), *_told(tuple(awaited))))


def _end(story: Story, files: Collection[Attachment], *, again: bool) -> Iterator[Section]:
    """The rest of a letter at the end of a game: score by round, files, next steps, and the log's check."""
    state = story.state
    if not story.ends:
        return
    yield _score_by_round(state)
    yield files_section(files)
    rematch = "end.rematch" if len(state.position.sides) == 2 else "end.rematch-many"
    chances = [phrase(rematch)] if again else []
    if not state.alone:
        chances.append(phrase("end.talk"))
    if chances:
        yield Section(phrase("heading.next"), _told(tuple(chances)))
    log = next((one.name for one in files if one.kind == "log"), None)
    sealed = "-sealed" if any(state.nonces) or state.seals else ""
    told = (phrase(f"end.log-attached{sealed}" if log else f"end.log{sealed}"), phrase("end.audit"))
    command = (f"    referee audit {log or f'{state.id}.jsonl'} \\", f"      --head {state.head}")
    parts: tuple[Block, ...] = (*map(Paragraph, told), Lines(command), Paragraph(phrase("end.more")))
    yield Section(phrase("heading.end"), parts, minor=True)


def _score_by_round(state: State) -> Section:
    """The score after each round that changed it; nothing if only one did."""
    head = tuple(state.position.score)
    rows: list[tuple[str, ...]] = []
    for ply in state.as_file().replay():
        row = (str(ply.round), *(str(ply.position.score[one]) for one in head))
        if rows and rows[-1][0] == row[0]:
            rows.pop()
        if not rows or rows[-1][1:] != row[1:]:
            rows.append(row)
    if len([row for row in rows if any(points != "0" for points in row[1:])]) < 2:
        return Section(phrase("heading.score"), ())
    table = Rows((phrase("end.round"), *head), tuple(rows))
    left_out = (Paragraph(phrase("end.left-out")),) if len(rows) < state.last_round else ()
    return Section(phrase("heading.score"), (*left_out, table))


def _told(texts: tuple[str, ...]) -> tuple[Block, ...]:
    return (Points(texts),) if len(texts) > 1 else tuple(map(Paragraph, texts))
