"""`referee match`: two players meet in many games."""

from __future__ import annotations

from collections.abc import Iterator

import click

from referee.archives.executors.executors import cores
from referee.cli.play.programs import PROGRAM, warn_unprotected
from referee.cli.shell.errors import WRONG
from referee.cli.shell.options import game_options
from referee.cli.shell.output import progress
from referee.cli.shell.parameters import game_option, jobs_option, number_option, setting_option
from referee.engine.match import MOST_MATCH_PLIES, Contest, MatchResult, played
from referee.terminal import visible


@click.command("match")
@click.argument("first")
@click.argument("second")
@game_option("The game they play.", required=True)
@setting_option("An option of that game.")
@number_option("-n", "--number", default=20, says="How many games.")
@click.option("--seed", default="match", show_default=True, help="What chance in all games follows from.")
@number_option("--plies", default=MOST_MATCH_PLIES, says="Plies after which a game is a draw.")
@jobs_option()
def match_command(
    first: str,
    second: str,
    game: str,
    options: tuple[str, ...],
    number: int,
    seed: str,
    plies: int,
    jobs: int | None,
) -> int:
    """Let two players meet in many games.

    FIRST and SECOND are levels of engines, such as 4 or steady, `chance`, or `program:` and a command that makes
    moves. They change sides after each game. In a game for a team each plays all sides, for points, in the same
    deals. The score has its 95 % confidence interval.
    Exit status: 0 games were played; 1 a program has failed in every game.
    """
    if any(one.startswith(PROGRAM) for one in (first, second)):
        warn_unprotected()
    contest = Contest(game, first, second, game_options(options), seed, plies)
    games = []
    with progress(number, "playing") as advance:
        for one in played(contest, range(number), min(jobs or cores(), number)):
            games.append(one)
            advance(1)
    for line in _told(MatchResult(contest, tuple(games))):
        click.echo(line)
    if not all(one.fault for one in games):
        return 0
    click.echo("program: every game ended because a program failed: see that it starts and answers", err=True)
    return WRONG


def _told(result: MatchResult) -> Iterator[str]:
    contest, number = result.contest, len(result.games)
    first, second = visible(contest.first), visible(contest.second)
    if first == second:
        first, second = f"{first} (FIRST)", f"{second} (SECOND)"
    games = "1 game" if number == 1 else f"{number} games"
    if contest.is_shared:
        yield f"{games}; points of {first}: {result.points(0)}, of {second}: {result.points(1)}"
    else:
        yield f"{games}: {first} won {result.won}, {second} won {result.lost}, drawn {result.drawn}"
        yield f"share of {first}: {result.share}"
    each = 2 if contest.is_shared else 1
    yield f"plies a game: {sum(one.plies for one in result.games) / (each * number):.0f}"
    for place, one in enumerate(result.games, 1):
        if one.fault:
            yield f"game {place}: {visible(one.fault)}"
