"""`referee game`: write the package of a game of your own."""

from __future__ import annotations

import re
from pathlib import Path

import click

from referee.cli.shell.groups import CommandGroup
from referee.errors import shown
from referee.game import unwritten
from referee.game.file.document import existing
from referee.rules import all_games

_SKELETON = Path(__file__).with_name("skeleton")
_NAME = re.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*")


@click.group("game", cls=CommandGroup)
def game_group() -> None:
    """Write the package of a game of your own.

    Every command knows the game once its package is installed.
    """


@game_group.command("new")
@click.argument("name")
@click.option(
    "-o", "--output", "folder", type=click.Path(path_type=Path), help="The new folder, by default named as the game."
)
def new_package(name: str, folder: Path | None) -> None:
    """Write a package with a small game that works.

    The game is called NAME. Put your own rules into it.
    """
    if not _NAME.fullmatch(name):
        raise click.BadParameter(f"{shown(name)} cannot name a game: expected small letters, digits and hyphens")
    if name in all_games():
        raise click.BadParameter(f"there is a game {shown(name)} already")
    folder = folder or Path(name)
    try:
        folder.mkdir(parents=True)
        for source in sorted(_SKELETON.rglob("*.txt")):
            file = folder / _filled(str(source.relative_to(_SKELETON).with_suffix("")), name)
            file.parent.mkdir(exist_ok=True)
            file.write_text(_filled(source.read_text(encoding="utf-8"), name), encoding="utf-8")
    except FileExistsError:
        raise existing(folder) from None
    except OSError as error:
        raise unwritten(folder, error) from None
    click.echo(f"wrote {folder}: pip install -e {folder} pytest, and then pytest {folder}")


def _filled(text: str, name: str) -> str:
    """A text of the skeleton for a game of this name."""
    title = name.replace("-", " ").title()
    words = {
        "TITLE_CLASS": title.replace(" ", ""),
        "TITLE": title,
        "NAME": name,
        "PACKAGE": f"referee_{name.replace('-', '_')}",
        "DISTRIBUTION": f"referee-{name}",
    }
    for word, said in words.items():
        text = text.replace(word, said)
    return text
