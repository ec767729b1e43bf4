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


def chosen(options: tuple[str, ...]) -> dict[str, Any]:
    """Options given as KEY=VALUE; a value is read as it would be in a game file."""
    from referee.game.document import parse

    values = {}
    for option in options:
        key, equals, text = option.partition("=")
        if not equals:
            raise click.BadParameter(f"{option!r} is not KEY=VALUE", param_hint="--option")
        document = parse(f"value: {text}")
        if document.findings or not isinstance(document.data, dict):
            raise click.BadParameter(f"{option!r}: the value cannot be read", param_hint="--option")
        values[key] = document.data.get("value")
    return values
