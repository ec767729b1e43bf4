"""The parts of a letter that show a game: board, moves so far, legal moves, and what players can write."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from referee.desk import State
from referee.draw import drawing
from referee.mail.letters.text import fence, items, quote, wrap
from referee.rules import Event, Position, score_text
from referee.terminal import counted

_MOST_MOVES = 200
"""Maximum legal moves that are listed."""


def board(state: State, side: str, events: tuple[Event, ...] = ()) -> list[str]:
    """The board as a side sees it, the score, and what else there is to tell of the position."""
    draw = drawing(state.game)
    outcome = state.outcome
    score = outcome.score if outcome else state.position.score
    told = [("score", score_text(score)), *draw.standing(state.position)]
    lines = [line.rstrip() for line in draw.board(state.position, view=side, unicode=False, events=events)]
    return [*lines, "", *(line for heading, text in told for line in wrap(text, first=heading.ljust(14)))]


def when(state: State) -> str:
    """How far a game has come, in words."""
    return f"after {counted(len(state.plies), 'ply', 'plies')}" if state.plies else "at the start"


def history(state: State) -> list[str]:
    """The moves so far, a round a line."""
    rounds = [" | ".join(str(noted.move) for noted in one.moves) for one in state.as_file().rounds]
    return fence(f"{number:3d}.  {moves}" for number, moves in enumerate(rounds, 1)) or ["No move has been made yet."]


@lru_cache(maxsize=4)
def choices(position: Position, side: str) -> tuple[str, ...]:
    """A side's legal moves; on a large board there are tens of thousands, and one letter may need them often."""
    return tuple(map(str, position.legal_moves(side)))


def legal_section(state: State, side: str, prefix: str) -> list[str]:
    """The legal moves of a side that begin like this."""
    start = " ".join(prefix.split()).casefold()
    found = () if state.closed else choices(state.position, side)
    fitting = [move for move in found if move.casefold().startswith(start)]
    if not found:
        return ["You have no move to make now."]
    if not fitting:
        return wrap(f"None of your {len(found)} legal moves begins like this.")
    some = f", of which the first {_MOST_MOVES}" if len(fitting) > _MOST_MOVES else ""
    return [f"{len(fitting)} legal moves{some}:", *fence(wrap("; ".join(map(quote, fitting[:_MOST_MOVES]))))]


def how_to_answer(state: State, side: str) -> Iterator[str]:
    """What a player can do with the letter."""
    if state.closed is not None:
        return
    if side in state.position.to_move and side not in state.seals:
        example = next((str(move) for move in state.position.legal_moves(side)), None)
        such = f", such as {quote(example)} without the brackets" if example else ""
        yield from wrap(f"Reply to this letter and write your move on a line of its own{such}.")
        if state.simultaneous:
            yield from wrap(
                "It stays sealed until every move of the round is in, and your first valid move binds you. To keep "
                "it from the host as well, seal it on your own machine:"
            )
            yield f"    referee seal --rules '{state.protocol}' {state.id} {state.ply} {side}"
            yield from wrap("and send only the first line that this prints.")
    elif side in state.owing:
        yield from wrap(
            "Reply to this letter with a line that says reveal, your move, and your nonce: the one that "
            "'referee seal' told you to keep."
        )
    yield from wrap("Write [help] for a list of everything that you can write.")


def help_lines(state: State) -> list[str]:
    """Everything that players can write in a letter."""
    talk = [] if state.silent else [("[message]", "then your lines, then [end]: they go to the others")]
    moves = " | ".join(["..."] * state.description.moves_per_round)
    trials = (
        [("[try]", f"and a round, such as {quote(f'try {state.round}. {moves}')}: the board after it, nothing made")]
        if state.description.trials
        else []
    )
    known = [
        ("your move", "with or without the round's number before it"),
        ("[offer draw]", "also: [accept], [decline]"),
        ("[resign]", "to give up"),
        ("[claim]", "an end that is open to you, such as a timeout or a repetition"),
        *talk,
        ("[seal]", "and a commitment: a move that you keep to yourself for now"),
        ("[reveal]", "with the move and its nonce, once you are asked for it"),
        ("[board]", "the board as it stands; also: [history], [status]"),
        ("[board 7]", "the board after round 7"),
        *trials,
        ("[rules]", "the rules of the game; also: [notation], and the name of another game after either"),
        ("[games]", "your games here, each with an address to write to"),
        ("[legal]", "your legal moves, or those that begin like the words after it"),
        ("[vacation]", "and a number of days, or two dates such as 2027-08-01 2027-08-14"),
    ]
    notes = (
        "The brackets are not part of what you write.",
        "I do not read quoted lines; you can write between them or below them. I read nothing below the two hyphens "
        "of a signature, or below a quotation without marks. Below somebody else's address I ask before I do "
        "anything.",
        "A line that I do not understand changes nothing, and my answer lists it.",
        "The log head at the foot of a letter stands for all that happened so far. Once you have the game's log from "
        "the host, 'referee audit' with --head and that log head shows whether anything was changed or cut off.",
    )
    told = (line for word, says in known for line in wrap(says, first=f"  {word:17}"))
    return [*told, *items(notes)]
