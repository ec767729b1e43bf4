"""`referee plan`: a plan of conditional moves, judged and asked before it is left with a desk."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from referee.cli.shell.candidates import files, sides
from referee.game import ply_at, read
from referee.notation.plans import Plan, follow, judge, read_plan
from referee.rules import Move, Position, movers
from referee.terminal import visible_lines

_LONGEST = 20_000
"""Maximum characters that are read of a plan."""


@click.command("plan")
@click.argument("file", type=click.Path(path_type=Path), shell_complete=files)
@click.argument("side", shell_complete=sides)
@click.argument("plan", required=False)
@click.option("--after", metavar="MOVE", help="Your own move, which the plan follows.")
@click.option(
    "--reply", "replies", multiple=True, metavar="MOVE", help="A move of the others: what does the plan do?"
)
def plan_command(file: Path, side: str, plan: str | None, after: str | None, replies: tuple[str, ...]) -> None:
    """Judge a plan of conditional moves.

    FILE is the game as it stands. PLAN is what SIDE would write below its move in a letter, such as `if M g8-g7 then
    M d2-d3`; without it, it is read from the standard input. It is printed as the desk would read it, and with
    --reply, one for each move of the others, with its answers.
    """
    game = read(file)
    position = ply_at(game).position
    found = read_plan(game.game, plan if plan is not None else sys.stdin.read(_LONGEST))
    own = None if after is None else position.parse(side, after)
    alone = own is not None and len(position.to_move) == 1
    judge(found, position.play({side: own}) if alone and own is not None else position, side)
    click.echo(visible_lines(str(found)))
    for answer in _answers(found, position, side, own, replies):
        click.echo(answer)


def _answers(plan: Plan, before: Position, side: str, own: Move | None, replies: tuple[str, ...]) -> Iterator[str]:
    """Each reply with what the plan does, as far as it does anything."""
    position = before
    plies: list[dict[str, Move]] = []
    waiting = list(replies)
    made = {} if own is None else {side: own}
    while waiting or made.keys() == position.to_move:
        missing = [one for one in movers(position) if one not in made]
        if missing:
            made[missing[0]] = position.parse(missing[0], waiting.pop(0))
            continue
        position, plies, made = position.play(made), [*plies, made], {}
        if side not in position.to_move:
            continue
        step = follow(plan, side, before, plies, position)
        said = " ".join(str(move) for ply in plies for one, move in ply.items() if one != side)
        yield f"{said}: {'no move, and the plan is over' if step is None else step[0]}"
        if step is None:
            return
        before, plies = position, []
        made, plan = {side: step[0]}, step[1]
