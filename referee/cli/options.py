"""What several commands take from their command line."""

from __future__ import annotations

from typing import Any

import click


def game_option(_context: click.Context, _parameter: click.Parameter, name: str | None) -> str | None:
    """Refuse the name of a game that there is not."""
    from referee.rules import GAMES

    if name is not None and name not in GAMES:
        raise click.BadParameter(f"there is no game {name!r}; the games are: {', '.join(GAMES)}")
    return name


def position_option(command: Any) -> Any:  # noqa: ANN401 - a command is decorated
    """Add --position to a command."""
    says = "The position in which a game of --game begins, as one line of text."
    return click.option("--position", "start_text", metavar="TEXT", help=says)(command)


def chosen(options: tuple[str, ...]) -> dict[str, Any]:
    """Options given as KEY=VALUE; a value is read as it would be in a game file."""
    values = {}
    for option in options:
        key, equals, text = option.partition("=")
        if not equals:
            raise click.BadParameter(f"{option!r} is not KEY=VALUE", param_hint="--option")
        values[key] = value_of(key, text)
    return values


def value_of(key: str, text: str) -> Any:  # noqa: ANN401 - plain data of any shape
    """The value that a text has in a game file."""
    from referee.game.document import parse

    document = parse(f"value: {text}")
    if document.findings:
        raise click.BadParameter(f"{key}: {document.findings[0].message}")
    if not isinstance(document.data, dict) or document.data.keys() != {"value"}:
        raise click.BadParameter(f"{key}: {text!r} is no value")
    return document.data["value"]
