"""The command `referee`: thin shells over the library, loaded when they run.

Each module holds the commands of one subject, `play` and `desk` those of a room. All stand on `shell`, which knows
the terminal, the options and the errors.
"""

from __future__ import annotations

import atexit
import gc
import os
import shlex
import sys
from collections.abc import Sequence
from importlib import import_module
from io import StringIO, TextIOWrapper
from pathlib import Path
from typing import Any

import click

from referee.cli.shell.errors import UNUSABLE, WRONG, told
from referee.cli.shell.groups import COMPLETION_VARIABLE, LazyGroup, lazy_commands
from referee.cli.shell.screen import Screen, fitted, terminal_options
from referee.errors import FileError, PackageFault, RefereeError
from referee.terminal import visible_lines

_LOST = {"no-scheduler", "worker-lost"}
"""Codes of errors that are not about a game."""

_MANY_OBJECTS = 200_000
"""New objects before a garbage collection; the imports of a command make many of them, but no garbage."""

TOP_COMMANDS = lazy_commands(
    "referee.cli",
    {
        "Play": {
            "play.play play": "Play against an engine.",
            "play.duel duel duel_group": "Play with a friend by messages alone.",
            "play.match match": "Let two players meet in many games.",
            "desk desk": "Run whole correspondences by e-mail.",
            "game game game_group": "Write the package of a game of your own.",
        },
        "Judge": {
            "check check": "Judge game files, move lists, archives and folders.",
            "games new": "Write a game file for a new game.",
            "games move": "Judge a move and add it to a game file.",
            "games legal": "List legal moves, or complete a move.",
            "plans plan": "Judge a plan of conditional moves.",
            "games reveal": "Reveal what the players may know of a game's secret.",
            "edit edit": "Amend a game file.",
            "edit diff": "Show how two versions of a game differ.",
            "notes import": "Make a game file from notes as people keep them.",
            "explain explain": "Explain a code, with an example.",
        },
        "Show": {
            "boards report": "Show a position: board, counters and score.",
            "boards record": "Make a page, a picture, a score sheet or a book of games.",
            "boards print": "Make a set to print and play with, at true size.",
            "play.annotate annotate annotate_game": "Let an engine comment a game.",
            "page page": "Make the referee in one page, or check one.",
            "serve serve serve_api": "Answer other programs over HTTP.",
        },
        "Many games": {
            "archives generate": "Make random legal games.",
            "archives convert": "Write games in another form.",
            "archives stats": "Count lengths, results, openings and pieces.",
            "explore explore": "Make a page of opening moves with results.",
            "play.puzzles puzzles": "Find puzzles in games.",
        },
        "Proof": {
            "desk.proof audit": "Check a game's whole log: digests, commitments, every verdict.",
            "desk.histories gossip": "Print the one line that two players compare.",
            "desk.histories fork": "Prove that a desk has shown two histories of one game.",
            "desk.roots proof": "Prove, or check, that a day's root covers a game.",
            "keys key own_key": "Make and keep a key of your own.",
            "desk.proof seal": "Seal a move on your own machine.",
            "desk.proof sign": "Sign a move, or another line of a letter, with your own key.",
        },
        "Help": {
            "shell.completion completion": "Print the script with which a shell completes commands.",
            "shell.manual man": "Print a manual page, or write all of them.",
        },
    },
)


class _Commands(LazyGroup):
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Print the first steps if there is no argument."""
        if not args and not ctx.resilient_parsing:
            click.echo(fitted(visible_lines(_welcome_text()), sys.stderr), err=True)
            ctx.exit(UNUSABLE)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - as click has it
        """Run a command; a reader that closes the pipe is no failure, unlike in click."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            sys.stdout = None
            raise click.exceptions.Exit(0) from None


def _welcome_text() -> str:
    """The output of `referee` alone: some commands to try, and where to go on."""
    from referee.rules import GAMES, all_games, game_named

    game, folder = game_named(GAMES[0]), Path(os.path.realpath(Path.cwd()))
    example = sorted(game.examples.glob("*.yaml"))[0]
    shortest = example.relative_to(folder) if example.is_relative_to(folder) else example
    lines = {
        f"referee report {shlex.quote(str(shortest))}": "look at a game that has been played",
        f"referee play {game.name}": "play against an engine; 'legal' lists moves, 'hint' names a good one",
        f"referee new {game.name} -o my-game.yaml": "write a game file of your own",
        "referee check my-game.yaml": "judge it; 'referee legal' lists moves, 'referee move' adds one",
    }
    steps = "".join(f"  {command}\n      {says}\n" for command, says in lines.items())
    return (
        "referee judges abstract board games that are written down move by move.\nBegin with:\n\n"
        f"{steps}\nGames: {', '.join(all_games())}. All commands: referee --help"
    )


@click.group(
    cls=_Commands,
    table=TOP_COMMANDS,
    params=terminal_options(hidden=False),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="referee", prog_name="referee")
def cli() -> None:
    """Referee abstract board games by notation: judge, apply and report moves.

    Exit status: 0 all is well; 1 a game, a move or a list is wrong; 2 wrong usage, or a file that cannot be
    read.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command, print errors for people, and leave with the exit status."""
    gc.set_threshold(_MANY_OBJECTS)
    # No garbage collection at the end: the process frees all memory at once.
    atexit.register(gc.freeze)
    if isinstance(sys.stdout, TextIOWrapper):
        # A character that the terminal lacks, or one in a file name that is not text, is shown by its number.
        sys.stdout.reconfigure(errors="backslashreplace")
    if COMPLETION_VARIABLE in os.environ:
        import_module("referee.cli.shell.completion").answer(cli)
    screen = Screen()
    try:
        status = cli.main(arguments, prog_name="referee", standalone_mode=False, obj=screen)
        sys.exit(status if isinstance(status, int) else 0)
    except click.exceptions.Abort:
        sys.exit(130)
    except click.ClickException as error:
        told_by_click = StringIO()
        error.show(told_by_click)
        said = visible_lines(told_by_click.getvalue())
        said = said.replace("Error:", screen.pen(sys.stderr)("Error:", "error"), 1)
        click.echo(fitted(said, sys.stderr), err=True, nl=False, color=True)
        sys.exit(UNUSABLE)
    except (RefereeError, PackageFault) as error:
        click.echo(fitted(told(error, screen.pen(sys.stderr)), sys.stderr), err=True, color=True)
        unusable = error.unreadable if isinstance(error, FileError) else error.code in _LOST
        sys.exit(UNUSABLE if unusable else WRONG)
    except OSError as error:
        # The library raises FileError for the files it reads: only the output is left.
        click.echo(f"the output cannot be written: {(error.strerror or '').lower()}", err=True)
        sys.stdout = None
        sys.exit(UNUSABLE)
