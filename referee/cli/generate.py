"""`referee generate`: random legal games."""

from __future__ import annotations

from functools import partial

import click

from referee.cli.options import chosen, game_option
from referee.cli.output import not_there
from referee.cli.suffixes import format_of
from referee.cli.working import engine_of, progress, work_options


@click.command(short_help="Make random legal games.")
@click.argument("game", callback=game_option)
@click.option("-n", "--games", type=click.IntRange(min=1), default=1, show_default=True, help="How many games.")
@click.option("--seed", default="0", show_default=True, help="The same seed gives the same games, everywhere.")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of the game.")
@click.option(
    "--plies",
    type=click.IntRange(min=0),
    default=300,
    show_default=True,
    help="Leave a game that has not ended after so many plies.",
)
@click.option("-o", "--output", default="-", help="The archive (.jsonl); .gz or .zst after it compresses it.")
@work_options
def generate(
    game: str,
    games: int,
    seed: str,
    options: tuple[str, ...],
    plies: int,
    output: str,
    jobs: int | None,
    engine: str,
    scheduler: str | None,
) -> None:
    """Make random legal games of GAME, as an archive: each move is a legal one, as likely as any other.

    Game number N depends on the seed, the options and N alone.
    """
    from referee.archive.compression import writing
    from referee.archive.generate import Generation, generate_batch, random_game
    from referee.errors import OptionError

    not_there(output)
    format_of(output, None, {".jsonl": "jsonl"}, default="jsonl", compressed=True)
    generation = Generation(game, seed, chosen(options), plies)
    try:
        random_game(generation, 1)
    except OptionError as error:
        raise click.UsageError(error.message) from None
    work = engine_of(jobs, engine, scheduler)
    with progress(games if games >= 1000 else 0, "generating") as bar, writing(output) as file:
        for (first, end), lines in work(partial(generate_batch, generation), generation.batches(games)):
            file.write(lines.encode())
            bar.update(end - first)
