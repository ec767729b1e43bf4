"""The parts of a letter that show a game: board, moves so far, legal moves, and how to answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from referee.desk import State
from referee.desk.law import attestations
from referee.desk.law.hands import has_hands
from referee.draw import drawing
from referee.draw.text import text_board
from referee.draw.words import words
from referee.mail.intake.meanings import choices
from referee.mail.letters.format import blocks
from referee.mail.letters.format.blocks import Block, Depiction, Lines, Paragraph, Points
from referee.mail.letters.format.language import phrase
from referee.mail.letters.format.text import quote, shorten, wrap
from referee.mail.letters.story.story import as_told, is_offered, names_of
from referee.rules import Outcome, Position, score_text
from referee.terminal import join_words

_MOST_MOVES = 200


def board_blocks(shown: Depiction, label: str, *, in_words: bool) -> tuple[Block, ...]:
    """A board with the score and further lines of the position; or all of it in sentences."""
    position, view = shown.position, shown.view
    if in_words:
        return shown, Points(words(position, view, outcome=shown.outcome))
    board = blocks.TextBoard((*text_board(position, view, shown.events), ""), label)
    return shown, board, _standing(position, shown.outcome)


def _standing(position: Position, outcome: Outcome | None) -> blocks.Rows:
    score = outcome.score if outcome else position.score
    rows = ((phrase("board.score"), score_text(score)), *drawing(position.game).standing(position))
    lines = (line for heading, text in rows for line in wrap(text, first=heading.ljust(14)))
    return blocks.Rows((), rows, tuple(lines))


def when(state: State) -> str:
    """The progress of a game in words."""
    if state.closed is not None:
        return phrase("when.end")
    if not state.plies:
        return phrase("when.start")
    whole = sum(map(len, state.plies)) % state.description.moves_per_round == 0
    sentence = "when.round" if whole else "when.within"
    return phrase(sentence, round=state.last_round, name=names_of(state, state.plies[-1]))


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
    """The page where a side can choose its moves, by a link with its key; `submits` if it can also make them."""

    address: str
    submits: bool


def how_to_answer(state: State, side: str, address: str, *, wanted: bool, link: BoardLink | None) -> Iterator[Block]:
    """The ways to answer the letter, and the address to write to; `wanted` is true if an act was not signed."""
    if state.closed is not None:
        return
    signed = "-signed" if side in state.keyring.keys else ""
    if is_offered(state, side):
        yield Paragraph(as_told(state, f"answer.draw{signed}"))
    if state.invitation is not None:
        if side in state.invitation.missing:
            yield Paragraph(phrase(f"answer.invited{'-signed' if wanted else ''}"))
    elif side in state.position.to_move and side not in state.seals:
        example = next((str(move) for move in state.position.legal_moves(side)), None)
        how = phrase(f"answer.how-such{signed}", example=quote(example)) if example else phrase(f"answer.how{signed}")
        yield Paragraph(how)
        if state.simultaneous:
            yield Paragraph(phrase("answer.binds"))
        yield from _on_page(link, signed or ("-submit" if link and link.submits else ""))
    elif side in state.owing:
        yield Paragraph(phrase(f"answer.reveal{signed}"))
        yield from _on_page(link, "-reveal")
    if state.may_decline(side) and not state.agreed:
        yield Paragraph(phrase(f"answer.decline{signed}"))
    yield Paragraph(phrase("answer.help"))
    yield Paragraph(phrase("answer.address"))
    yield blocks.Link(address)


def _on_page(link: BoardLink | None, how: str) -> Iterator[Block]:
    if link is not None:
        yield Paragraph(phrase(f"answer.page{how}"))
        yield blocks.Link(link.address)


def how_to_seal(state: State, side: str, link: BoardLink | None) -> Iterator[Block]:
    """Instructions to seal the next move without the referee."""
    if state.simultaneous and state.standing(side) == "to-move" and not has_hands(state.description):
        signed = "-signed" if side in state.keyring.keys else ""
        page = "-page" if link and link.submits and not signed else ""
        yield Paragraph(phrase(f"answer.sealing{signed}{page}"))
        yield _shell(attestations.command_lines(state, side, "seal --sign referee.key" if signed else "seal"))
        yield Paragraph(phrase(f"answer.sealing-send{signed}"))


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
