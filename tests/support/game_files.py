"""Game files for hypothesis: headers and comments as odd as people's, moves from random play."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

from referee.game import AnnotatedMove, End, GameFile, Player, Round
from referee.game.file.document import HIDDEN
from tests.support.strategies import random_play

MARKS = ("", "!", "?", "!?", "?!", "!!", "??")
WORDS_OF_YAML = (
    *(
        "no",
        "Yes",
        "on",
        "y",
        "N",
        "null",
        "Null",
        "~",
        "true",
        "1.5",
        "1e3",
        "012",
        "0x1F",
        "1_000",
        "12:30",
        ".inf",
    ),
    *(
        "2027-01-01",
        "2027-01-01 12:30:00",
        "-",
        "- a",
        "? a",
        "a: b",
        "a:",
        "#",
        "a #b",
        "'",
        '"',
        "\\",
        "\\n",
        "=",
        "<<",
    ),
    *(
        "{a: b}",
        "[",
        "}",
        "]",
        "!tag",
        "&a",
        "*a",
        "|",
        ">",
        "%YAML",
        "@a",
        "`",
        "---",
        "...",
        " a",
        "a ",
        ", ",
        "a{b",
    ),
    *("\u00e9\u00df\u4e2d\u6587", "\U0001f600", "\u05d0\u05d1", "a\u0301", "\u200d", "\u00a0", "a\u3000b", "\ufffd"),
    *("{", ";", "!?", "P S A2 | R", "1."),
)
ANY_TEXT = st.one_of(
    st.sampled_from(WORDS_OF_YAML), st.text(max_size=12), st.text("no:#'\"{}|;\\ \t\u2028\x85\x07-", max_size=8)
)


def as_line(text: str) -> str:
    """A text without characters that a line cannot have; one letter if nothing is left."""
    line = HIDDEN.sub("", text)
    return line if line.strip() else "a"


LINES = ANY_TEXT.map(as_line)
COMMENTS = LINES.map(str.strip)
BRACED = COMMENTS.map(lambda text: text.replace("}", "]"))
ADDRESSES = st.sampled_from(("a@b", "ada@example.org", "'a b'@c".replace(" ", ""), '"x"@y', "no:1@[::1]", "#{a}@b,c"))
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"mode": "synchronous", "first": "north", "pieces": "beginner"},
    {"columns": 9, "rows": 12, "barriers": "facing"},
)


@cache
def played(variant: int, seed: int) -> tuple[tuple[Any, ...], ...]:
    """The moves of each of the first plies of a random game."""
    return tuple(tuple(ply.moves.values()) for ply in random_play("beams", seed, OPTIONS[variant], 7))


@cache
def starts(variant: int) -> tuple[str | None, ...]:
    """No start of its own, and the texts of some positions of those games."""
    plies = random_play("beams", 0, OPTIONS[variant], 7)
    return (None, *(str(ply.after) for ply in plies))


@st.composite
def rounds(draw: st.DrawFn, variant: int) -> tuple[Round, ...]:
    """A few rounds of random play, marked and commented."""
    plies = played(variant, draw(st.integers(0, 3)))
    moves = [move for ply in plies[: draw(st.integers(0, 7))] for move in ply]
    made = []
    for start in range(0, len(moves), 2):
        pair = moves[start : start + 2]
        noted = [
            AnnotatedMove(move, draw(st.sampled_from(MARKS)), tuple(draw(st.lists(BRACED, max_size=2))))
            for move in pair
        ]
        if draw(st.booleans()):
            noted[-1] = noted[-1]._replace(comments=(*noted[-1].comments, draw(COMMENTS)))
        made.append(Round(tuple(noted), tuple(draw(st.lists(COMMENTS, max_size=2)))))
    return tuple(made)


@st.composite
def game_files(draw: st.DrawFn) -> GameFile:
    """Any game file of beams that can be read."""
    variant = draw(st.integers(0, len(OPTIONS) - 1))
    sides = ("south", "north")
    side = st.none() | st.sampled_from(sides)
    player = st.builds(Player, LINES, st.none() | ADDRESSES)
    ends = st.builds(
        End, st.sampled_from(("resignation", "agreement", "repetition", "timeout", "adjudication")), side
    )
    return GameFile(
        game="beams",
        rounds=draw(rounds(variant)),
        rules=draw(st.sampled_from((None, 1))),
        id=draw(st.none() | LINES),
        date=draw(st.none() | LINES),
        event=draw(st.none() | LINES),
        players=draw(st.dictionaries(st.sampled_from(sides), player)),
        options=OPTIONS[variant],
        start_text=draw(st.sampled_from(starts(variant))),
        ending=draw(st.none() | ends),
        result=draw(st.none() | st.dictionaries(st.sampled_from(sides), st.integers(-9, 99))),
        trailing_comments=tuple(draw(st.lists(COMMENTS, max_size=2))),
    )
