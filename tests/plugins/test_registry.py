"""Games of other packages: found by their entry points, and none of them breaks another."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import referee
from referee.cli import cli
from referee.errors import PackageFault, RefereeError
from referee.rules import GAMES, all_games, game_named

Offers = Callable[..., None]


def refusal(name: str) -> tuple[str, str]:
    try:
        game_named(name)
    except (RefereeError, PackageFault) as error:
        return error.code, error.message
    pytest.fail(f"{name} can be used")


def test_a_game_of_another_package_is_one_of_the_games() -> None:
    assert all_games() == (*GAMES, "hex", "three-crows")
    assert game_named("three-crows").title == "Three Crows"
    assert referee.start("three-crows").to_move == {"amber", "jade", "violet"}


def test_an_error_about_an_unknown_game_lists_all_games() -> None:
    assert refusal("chess") == ("unknown-game", f"there is no game 'chess'; the games are: {', '.join(all_games())}")


def test_a_package_cannot_take_the_name_of_a_game_of_ours(offers: Offers) -> None:
    offers("rays", "beams = referee_crows:GAME", "other = nowhere:GAME")
    ours = game_named("beams")
    with pytest.warns(RuntimeWarning, match="rays 1.0 offers a game 'beams', which referee already has"):
        assert all_games() == (*GAMES, "hex", "other", "three-crows")
    assert game_named("beams") is ours
    assert ours.title == "Beams, Boosters and Barriers"


def test_two_packages_cannot_offer_the_same_game(offers: Offers) -> None:
    offers("more-crows", "three-crows = referee_crows:GAME")
    code, message = refusal("three-crows")
    assert code == "broken-game"
    assert "more-crows 1.0" in message
    assert "referee-crows 1.0" in message
    assert message.endswith("both offer a game 'three-crows': keep one of them")
    assert game_named("boundary").name == "boundary"


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("nowhere:GAME", "the game broken of rubbish 1.0 cannot be used: ModuleNotFoundError"),
        ("referee_crows:NOTHING", "cannot be used: AttributeError"),
        (
            "referee_crows:Path",
            "rubbish 1.0 offers a game 'broken', but referee_crows:Path is not a Game of that name",
        ),
        ("referee_crows:GAME", "referee_crows:GAME is not a Game of that name"),
    ],
)
def test_a_broken_package_is_named_and_breaks_nothing_else(offers: Offers, value: str, says: str) -> None:
    offers("rubbish", f"broken = {value}")
    code, message = refusal("broken")
    assert (code, says in message) == ("broken-game", True), message
    for name in (*GAMES, "three-crows"):
        assert referee.start(name).to_move
    shown = CliRunner().invoke(cli, ["new", "--help"])
    assert shown.exit_code == 0
    assert "broken       This game cannot be loaded." in shown.output
    assert "three-crows  Three Crows" in shown.output
    refused = CliRunner().invoke(cli, ["new", "broken"])
    assert refused.exit_code == 2
    assert says.split(":")[0] in refused.output
    assert CliRunner().invoke(cli, ["new", "beams"]).exit_code == 0


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("title=5", "TypeError: expected a text as title, not 5"),
        ("sides=None", "TypeError: expected a tuple as sides"),
        ("sides=('p 1', 'p2')", "'p 1' cannot be a side or an option"),
        ("sides=('north-east', 'south')", "'north-east' cannot be a side or an option"),
        ("sides=('id', 'south')", "'id' cannot be a side or an option"),
        ("options=('x',)", "TypeError: expected options, not 'x'"),
        ("versions=()", "expected at least one version"),
        (
            "api=0",
            "the game odd of odd 1.0 names no version of it, such as api=1",
        ),
        (
            "api=2",
            "referee has version 1 of the plug-in API, and the game odd of odd 1.0 is for version 2 of it",
        ),
        ("ends='won'", "TypeError: expected a tuple as ends"),
        ("secret='yes'", "TypeError: expected a Secret or None as secret"),
        ("silent='yes'", "TypeError: expected True or False as silent"),
        ("examples='games'", "TypeError: expected a path as examples"),
        ("moves_per_round=0", "at least one move in a round"),
        ("presets={'small': None}", "TypeError: expected a mapping as the preset small"),
        ("presets={'small': {'size': 3}}", "the preset small has an option that the game has not: size"),
    ],
)
def test_an_impossible_game_is_reported(offers: Offers, tmp_path: Path, change: str, says: str) -> None:
    code = "from dataclasses import replace\nimport referee_crows\n"
    (tmp_path / "odd.py").write_text(
        f"{code}GAME = replace(referee_crows.GAME, name='odd', {change})\n", encoding="utf-8"
    )
    offers("odd", "odd = odd:GAME")
    said = refusal("odd")
    sys.modules.pop("odd", None)
    assert (said[0], says in said[1]) == ("broken-game", True), said[1]


def test_a_package_that_ends_the_process_is_reported(offers: Offers, tmp_path: Path) -> None:
    (tmp_path / "leaving.py").write_text("import sys\nsys.exit(3)\n", encoding="utf-8")
    offers("leaving", "leaving = leaving:GAME")
    assert refusal("leaving")[0] == "broken-game"


def test_our_own_games_are_found_without_a_look_at_other_packages() -> None:
    code = "import sys, referee; referee.start('beams'); print('importlib.metadata' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"
