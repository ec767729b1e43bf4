"""`referee explain`: any code in words, with an example."""

from __future__ import annotations

import click

from referee.cli.shell.candidates import codes
from referee.cli.shell.parameters import game_option
from referee.cli.shell.screen import screen
from referee.codes import catalogue, entry_text, explanations_of
from referee.terminal import visible_lines


@click.command("explain")
@click.argument("code", required=False, shell_complete=codes)
@game_option("Of the codes of rules, only those of this game.")
def explain_command(code: str | None, game: str | None) -> None:
    """Explain a code, with an example.

    CODE is in every error of the referee, a desk or the audit of a log. The output also names the page of the
    documentation. Without CODE it lists all codes.
    """
    if code is None:
        screen().page(catalogue().splitlines())
        return
    entries = (entry_text(chapter, one) for chapter, one in explanations_of(code, game))
    screen().page(visible_lines("\n\n".join(entries)).splitlines())
