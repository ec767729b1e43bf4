"""Readings of openings (openings.yaml)."""

from __future__ import annotations

from operator import contains
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.desk.log.acts import Help
from referee.mail.intake.commands import read_commands
from referee.mail.intake.openings import LONGEST_OPENING, begins_opening, read_opening
from referee.mail.intake.requests import ForAll, Join, NewGame, Rematch
from referee.rules import GAMES, game_named
from referee.rules.description import Choice, Data, Number
from tests.support.corpus import HERE
from tests.support.tables import table

CASES: list[dict[str, Any]] = table(HERE / "openings.yaml")
PROSE = (
    "new job keeps me busy",
    "New ideas for our summer in Vienna",
    "play more boundary",
    "start again tomorrow",
    "I open a shop",
)


def test_openings() -> None:
    for case in CASES:
        assert begins_opening(case["text"].splitlines()[0]), case["shows"]
        opening, wanted = read_opening(case["text"]), case.get("faults", [])
        faults = opening.faults
        assert len(faults) == len(wanted), (case["shows"], faults)
        assert all(map(contains, faults, wanted)), (case["shows"], faults)
        if "line" in case:
            assert str(opening) == case["line"], case["shows"]
            assert read_opening(str(opening)) == opening, "its own line says the same"


def test_prose_opens_nothing() -> None:
    assert [line for line in PROSE if begins_opening(line)] == []


def test_a_whole_letter() -> None:
    """Lines around it are courtesies, other commands, or quotations."""
    mine = "Hi,\n\nnew boundary with ben@example.org\n3 days a move\n\nhelp\nThanks, Ada\n"
    text = f"{mine}\nOn Monday Ben wrote:\n> new beams\n"
    reading = read_commands(text, None, ["Ada Lovelace"], ["ada@example.net"])
    assert [str(said.command) for said in reading.commands] == ["new boundary with ben@example.org, days 3", "help"]
    assert isinstance(reading.commands[1].command, Help)
    assert reading.question is not None
    assert (reading.question.code, reading.binding) == ("apart", (reading.commands[1],))


def test_a_quoted_opening_is_asked_about() -> None:
    reading = read_commands("Ben <ben@example.org>\nnew boundary\n", None, [], ["ada@example.net"])
    assert ([*reading.commands], [str(one.command) for one in reading.doubted]) == ([], ["new boundary"])


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("join boundary-k4tz", Join("boundary-k4tz")),
        ("I join the game Boundary-K4TZ", Join("boundary-k4tz")),
        ("Rematch!", Rematch()),
        ("offer a rematch", Rematch()),
    ],
)
def test_requests(line: str, command: object) -> None:
    (said,) = read_commands(line, None).commands
    assert said.command == command


def test_requests_for_all_games() -> None:
    lines = (
        "withdraw all",
        "I withdraw from all my games",
        "vacation 5 all",
        "vacation 2027-08-01 2027-08-14 in all games",
    )
    found = [said.command for line in lines for said in read_commands(line, "beams").commands]
    assert [type(one) for one in found] == [ForAll] * 4
    assert [str(one) for one in found] == ["withdraw all"] * 2 + [
        "vacation 5 all",
        "vacation 2027-08-01 2027-08-14 all",
    ]


def test_a_letter_that_says_too_much() -> None:
    assert "more than" in read_opening("new boundary " + "x" * LONGEST_OPENING).faults[0]


@st.composite
def openings(draw: st.DrawFn) -> NewGame:
    """Openings without a fault."""
    game = game_named(draw(st.sampled_from(GAMES)))
    options: dict[str, object] = {}
    for option in game.options:
        match option:
            case Number(low=low, high=high):
                value: object = draw(st.integers(low, (high - 1) // 2 * 2)) | 1
            case Choice(values=values) | Data(names=values):
                value = draw(st.sampled_from(values)) if values else None
        if value is not None and draw(st.booleans()):
            options[option.name] = value
    rivals = tuple(f"friend{number}@example.org" for number in range(draw(st.integers(0, len(game.sides) - 1))))
    side = draw(st.sampled_from([None, *game.sides]))
    terms = draw(
        st.sampled_from([None, {}, {"days": 3}, {"bank": 240, "days": 0}, {"vacation": 14, "zone": "Europe/Vienna"}])
    )
    return NewGame(game.name, rivals, side, options, terms)


@given(openings())
def test_every_opening_is_read_from_its_line(opening: NewGame) -> None:
    found = read_opening(str(opening))
    if found.faults:
        assert "columns" in str(found.faults) or "first" in str(found.faults), "only options that do not go together"
    else:
        assert found == opening
