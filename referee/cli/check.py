"""`referee check`: judge files."""

from __future__ import annotations

import json

import click

from referee.cli.options import chosen, game_option


@click.command(short_help="Judge game files, move lists and archives.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--game", callback=game_option, help="Read each FILE as a bare move list of this game.")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of that game.")
@click.option("--format", "form", type=click.Choice(["text", "jsonl"]), default="text", show_default=True)
@click.pass_context
def check(
    context: click.Context, files: tuple[str, ...], game: str | None, options: tuple[str, ...], form: str
) -> None:
    """Judge every move of game files, move lists and archives.

    A FILE is a game file (YAML or JSON), an archive of games (JSON Lines), or, with --game, a bare move list;
    - is the standard input. All findings are told with line and column.
    """
    from referee.archive import check_files

    if options and game is None:
        raise click.UsageError("--option belongs to a bare move list: say --game too")
    status = 0
    for one in check_files(files, game, chosen(options)):
        click.echo(json.dumps(one.as_json(), ensure_ascii=False) if form == "jsonl" else one.as_text())
        status = max(status, one.exit_status)
    context.exit(status)
