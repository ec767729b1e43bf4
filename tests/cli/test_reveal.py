"""`referee reveal`: cards turn over with the secret, from the command line or the standard input."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import referee
from referee.cli import cli
from referee.game.amend.edit import add_ply


@pytest.mark.parametrize(("argument", "typed"), [("{secret}", ""), ("-", "{secret}\n")])
def test_cards_are_turned_over(argument: str, typed: str, tmp_path: Path) -> None:
    file, secret = _new(tmp_path)
    while sides := _position(file).to_move:
        (side,) = sides
        add_ply(file, {side: str(next(iter(_position(file).legal_moves(side))))})
    done = CliRunner().invoke(
        cli, ["reveal", str(file), argument.format(secret=secret)], input=typed.format(secret=secret)
    )
    assert done.exit_code == 0
    assert _position(file).to_move
    assert secret not in file.read_text(encoding="utf-8")


def _position(file: Path) -> referee.Position:
    *_, last = [None, *referee.read(file).replay()]
    return last.position if last else referee.read(file).start()


def test_another_secret_turns_nothing_over(tmp_path: Path) -> None:
    file, secret = _new(tmp_path)
    before = file.read_bytes()
    done = CliRunner().invoke(cli, ["reveal", str(file), secret[::-1]])
    assert isinstance(done.exception, referee.RefereeError)
    assert file.read_bytes() == before


def _new(folder: Path) -> tuple[Path, str]:
    """A new game of The Beam, and the secret for its referee alone."""
    file = folder / "game.yaml"
    done = CliRunner().invoke(cli, ["new", "the-beam", "-o", str(file)])
    return file, done.stderr.strip().rpartition(" ")[2]
