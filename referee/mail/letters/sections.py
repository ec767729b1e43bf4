"""The parts of a letter that show a game: board, moves so far, legal moves, sealing, and how to answer."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from referee.desk import State
from referee.desk.law import attestations
from referee.desk.law.hands import has_hands
from referee.draw import drawing
from referee.draw.text import low_board, text_board
from referee.draw.words import by_name, capital, words
from referee.mail.intake.meanings import choices
from referee.mail.letters.format import blocks
from referee.mail.letters.format.blocks import Block, BulletList, Button, Depiction, Lines, Paragraph
from referee.mail.letters.format.language import phrase
from referee.mail.letters.format.plain import silent
from referee.mail.letters.format.text import quote, shorten, whole_sentence, wrap
from referee.mail.letters.story.status import clock_lines, expectations
from referee.mail.letters.story.story import as_told
from referee.rules import Outcome, Position, score_text
from referee.terminal import join_words

_MOST_MOVES = 200


def board_blocks(
    shown: Depiction, names: Mapping[str, str], *, in_words: bool, explained: bool = True, label: str = ""
) -> tuple[Block, ...]:
    """A board with the score and further lines of the position; or all of it in sentences.

    `names` are those of the players, and `label` is its name for screen readers. Unless it is `explained`, it lacks
    its captions and the meaning of its signs.
    """
    position, view = shown.position, shown.view
    if in_words:
        told = words(position, view, shown.events, outcome=shown.outcome)
        return shown, BulletList(tuple(whole_sentence(by_name(one, names)) for one in told))

    def named(lines: Iterable[str]) -> tuple[str, ...]:
        told = list[str]()
        for line in lines:
            if "'s" not in line:
                told.append(line)
            elif explained:  # a caption, which names a player, and is no command either
                told += silent((by_name(line, names),), position.game)
        return (*told, "") if told else ()

    def low() -> tuple[str, ...]:
        return named(low_board(position, view, shown.events, explained=explained))

    board = named(text_board(position, view, shown.events, explained=explained))
    label = label or phrase("board.label", view=names.get(view, view))
    return shown, blocks.TextBoard(board, label, low), _standing(position, shown.outcome, names)


def _standing(position: Position, outcome: Outcome | None, names: Mapping[str, str]) -> blocks.Rows:
    """The lines of a position, those of a side with its points."""
    score, rows, scored = outcome.score if outcome else position.score, list[tuple[str, str]](), set[str]()
    for heading, text in drawing(position.game).standing(position):
        name, _, verb = by_name(heading, names).rpartition(" ")
        side = heading.partition(" ")[0]
        if name and side in score:
            rows.append((f"{capital(name)} {score[side]}", f"{verb} {by_name(text, names)}"))
            scored.add(side)
        else:
            rows.append((capital(heading), by_name(text, names)))
    if scored != {*score}:
        rows.insert(0, (phrase("board.score"), capital(by_name(score_text(score), names))))
    width = max(len(heading) for heading, _ in rows) + 2
    lines = tuple(line for heading, text in rows for line in wrap(text, first=heading.ljust(width)))
    return blocks.Rows((), tuple(rows), lines)


def clocks_section(state: State, side: str, at: datetime) -> blocks.LetterSection:
    """The duties, deadlines and clocks of all sides, and what a timeout costs."""
    heading = phrase("heading.clocks" if state.invitation is None else "heading.clocks-invited")
    lines, told = tuple(clock_lines(state, side, at)), " ".join(expectations(state, side, at))
    return blocks.LetterSection(
        heading, (*([BulletList(lines)] if lines else ()), *([Paragraph(told)] if told else ()))
    )


def history(state: State) -> Block:
    """The moves so far, a round a line."""
    rounds = [" | ".join(str(noted.move) for noted in one.moves) for one in state.as_file().rounds]
    lines = tuple(f"{number:3d}.  {moves}" for number, moves in enumerate(rounds, 1))
    return blocks.Quote(lines) if lines else Paragraph(phrase("history.none"))


def legal_blocks(state: State, side: str, prefix: str) -> tuple[Block, ...]:
    """The legal moves of a side that begin like this."""
    prefix = " ".join(prefix.split())
    start = prefix.casefold()
    found = () if state.closed or state.undrawn else choices(state.position, side)
    fitting = [move for move in found if move.casefold().startswith(start)]
    if not found:
        return (Paragraph(phrase("legal.none")),)
    if not fitting:
        return (Paragraph(phrase("legal.unlike", number=len(found))),)
    which = "some" if len(fitting) > _MOST_MOVES else "like" if start else "all"
    head = phrase(f"legal.{which}", number=len(fitting), most=_MOST_MOVES, prefix=quote(shorten(prefix)))
    return Paragraph(head), blocks.ListedMoves(tuple(fitting[:_MOST_MOVES]))


def tries(moves: Iterable[str]) -> Iterator[blocks.Under]:
    """Suggestions for a move that was refused."""
    if told := [quote(move) for move in moves]:
        yield blocks.Under((phrase("not-done.try", moves=join_words(told, "or")),))


@dataclass(frozen=True, slots=True)
class BoardLink:
    """The page of a game; with the key of a side, `moves` is how it moves there: `compose` or `submit`."""

    address: str
    moves: str = "watch"


def how_to_answer(state: State, side: str, address: str, *, wanted: bool, link: BoardLink | None) -> Iterator[Block]:
    """The ways to answer the letter: by mail, and on the page; `wanted` is true if an act was not signed."""
    signed, standing = "-signed" if side in state.keyring.keys else "", state.standing(side)
    moves = link is not None and link.moves != "watch" and standing == "to-move"
    if standing == "invited":
        yield Paragraph(phrase(f"answer.invited{'-signed' if wanted else ''}"))
        yield from () if wanted else (ready_reply(address, "accept"), ready_reply(address, "decline"))
    elif standing == "to-move":
        example = quote(next((str(move) for move in state.position.legal_moves(side)), "..."))
        where = f"-{link.moves}" if link is not None and moves else ""
        yield Paragraph(phrase(f"answer.how{signed}{where}", example=example))
    elif standing == "to-reveal":
        yield Paragraph(phrase(f"answer.reveal{signed}"))
    if link is not None:
        if standing == "to-reveal":
            yield Paragraph(phrase("answer.page-reveal"))
        yield Button(link.address, phrase(f"button.{link.moves if moves else 'watch'}"), moves)
    if state.is_offered(side) and signed:
        yield Paragraph(as_told(state, "answer.draw-signed"))


def ready_reply(address: str, word: str) -> Button:
    """A button that begins a letter with a word; text has none."""
    return Button(f"mailto:{address}?body={word}", phrase(f"button.{word}"), word != "decline")


def how_to_seal(state: State, side: str, *, page: bool) -> Iterator[Block]:
    """What sealing is, and instructions to seal the next move without the referee; `page` is true if a page can."""
    yield Paragraph(phrase("sealing.about"))
    if not state.simultaneous or state.standing(side) != "to-move" or has_hands(state.description):
        yield Paragraph(phrase("sealing.not-now"))
        return
    signed = "-signed" if side in state.keyring.keys else ""
    yield Paragraph(phrase(f"sealing.how{signed}{'-page' if page and not signed else ''}"))
    yield _shell(attestations.command_lines(state, side, "seal --sign referee.key" if signed else "seal"))
    yield Paragraph(phrase(f"sealing.send{signed}"))


def plan_lines(plan: str | None) -> Block:
    """A plan in canonical text, each line in brackets, as no command; or that there is none."""
    if plan is None:
        return Paragraph(phrase("plan.none"))
    told = []
    for line in plan.splitlines():
        depth = " " * (len(line) - len(line.lstrip()))
        told += textwrap.wrap(quote(line.lstrip()), 66, initial_indent=depth, subsequent_indent=f"{depth}   ")
    return blocks.Quote(tuple(told))


def how_to_sign(state: State, side: str, *, wanted: bool) -> Iterator[Block]:
    """Instructions to act for a seat with a key; `wanted` is true if an act was not signed.

    An invitation can be accepted with a key, so the player of a seat without one may have to sign as well.
    """
    keyed = side in state.keyring.keys
    if state.closed is not None or not (keyed if state.invitation is None else wanted):
        return
    yield Paragraph(phrase("answer.signing" if keyed else "answer.signing-first"))
    yield _shell(attestations.command_lines(state, side))
    yield Paragraph(phrase("answer.signing-send"))


def _shell(command: Iterable[str]) -> Lines:
    *first, last = command
    return Lines((*(f"{line} \\" for line in first), last))
