"""The strength of the engines: each level against the one below it, and against random moves.

`python -m bench strength` plays few games of low levels. `python -m bench.strength` plays 200 games of each step, and
`python -m bench.strength boundary --levels 2 4 -n 60` fewer of some of them; each is printed as it ends. That takes
hours: the games are kept in the folder `strength` next to this file, and only missing ones are played. With `--table`
it prints the results of the kept games, as bench/RESULTS.md has them. PyPy plays the same games faster.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from bench.figures import Figure
from referee.archives.executors.executors import cores
from referee.engine import LEVELS, VERSION, choose
from referee.engine.match import Contest, MatchGame, MatchResult, play_match, played
from referee.engine.search.dice import Dice
from referee.rules import first_position, movers

RIVALS: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "beams-at-once": ("beams", {"mode": "asynchronous"}),
    "beams-in-turn": ("beams", {"mode": "synchronous"}),
    "boundary": ("boundary", {}),
    "laser-chess": ("laser-chess", {}),
}
TEAM = "the-beam"
FEW, HIGHEST = 20, 3
"""Games of each match, and the highest level, by default."""

WHOLE = 200
"""Games of each step that are wanted."""

STEP, BEGINNER, TEAM_GAIN = 0.65, 0.95, 1.3
"""Share against the level below, that of level 1 against random moves, and the best level's multiple of points."""

LONGEST_MOVE = 5.0
PLIES, EACH = 40, 4
"""The plies of the game with timed moves, and the plies from one of them to the next."""


KEPT = Path(__file__).with_name("strength")
"""The folder with games that were played, a file a match: the points of both and the plies."""

Play = Callable[[Contest, int, int], MatchResult]


class KeptGames:
    """Games that need not be played again: the same engines always make the same moves."""

    def __init__(self, folder: Path) -> None:
        """The games in a folder, whose files grow with each game; each is for one process at a time."""
        self._folder = folder

    def known(self, contest: Contest) -> MatchResult:
        """The result of the games of a match that were played already."""
        return MatchResult(contest, tuple(self._read(contest)))

    def play(self, contest: Contest, games: int, jobs: int) -> MatchResult:
        """The result of a match; only its missing games are played."""
        path, known = self._path(contest), self._read(contest)
        for game in played(contest, range(len(known), games), jobs):
            known.append(game)
            new = path.with_suffix(".new")
            new.write_text(f"{json.dumps([one[:3] for one in known])}\n", encoding="utf-8")
            new.replace(path)
        return MatchResult(contest, tuple(known[:games]))

    def _read(self, contest: Contest) -> list[MatchGame]:
        path = self._path(contest)
        return [MatchGame(*one) for one in json.loads(path.read_text(encoding="utf-8"))] if path.exists() else []

    def _path(self, contest: Contest) -> Path:
        """The file of a match, named after the version of the engines, the game, its options and the two players."""
        said = (VERSION, contest.game, *contest.options.values(), contest.first, contest.second)
        return self._folder / f"{'-'.join(map(str, said))}.json"


def table() -> Iterator[str]:
    """The rows of bench/RESULTS.md: the shares of the kept games, and their number where it is not `WHOLE`."""
    kept = KeptGames(KEPT)
    for level in range(1, len(LEVELS) + 1):
        cells = (kept.known(contest(name, level)) for name in RIVALS)
        yield f"| {level}, {_rival(level)} | {' | '.join(map(_cell, cells))} |"


def _cell(result: MatchResult) -> str:
    if not result.games:
        return ""
    share, number = result.share, len(result.games)
    said = f"{share.mean:.2f} ({share.low:.2f} to {share.high:.2f})"
    return said if number == WHOLE else f"{said}, {number}"


def figures(games: int = FEW, highest: int = HIGHEST) -> Iterator[Figure]:
    """The shares of games that stronger players win, the points of a team, and the longest moves."""
    for name in RIVALS:
        yield from steps(name, range(1, highest + 1), games, cores())
    yield team(highest, games, cores())
    for name in (*RIVALS, TEAM):
        yield longest_move(name, highest)


def steps(name: str, levels: Iterable[int], games: int, jobs: int, play: Play = play_match) -> Iterator[Figure]:
    """Each of some levels against the one below it, the lowest against chance."""
    for level in levels:
        result = play(contest(name, level), games, jobs)
        share, goal = result.share, STEP if level > 1 else BEGINNER
        said = f"{name}, {level} against {_rival(level)}"
        yield Figure(said, str(share), _counts(result), share.mean, f">= {goal}")


def contest(name: str, level: int) -> Contest:
    """A level against the one below it."""
    game, options = RIVALS[name]
    return Contest(game, str(level), _rival(level), options)


def _rival(level: int) -> str:
    """The opponent of a level: the one below it, or chance."""
    return str(level - 1) if level > 1 else "chance"


def _counts(result: MatchResult) -> str:
    games = len(result.games)
    plies = sum(one.plies for one in result.games) / games
    return f"{result.won} of {games}, {result.drawn} drawn, {plies:.0f} plies"


def team(level: int, deals: int, jobs: int, play: Play = play_match) -> Figure:
    """The points of a team of a level, and of a team of beginners with the same deals."""
    result = play(Contest(TEAM, str(level), "1", {}), deals, jobs)
    ours, beginners = result.points(0), result.points(1)
    name = f"{TEAM}, points of level {level} and 1, {deals} deals"
    return Figure(name, str(ours), str(beginners), ours.mean / beginners.mean, f">= {TEAM_GAIN}")


def longest_move(name: str, level: int) -> Figure:
    """The longest move of a level in a game of some plies."""
    game, options = RIVALS.get(name, (name, {}))
    seconds = max(_times(game, options, level))
    said = f"{name}, longest move of level {level}"
    return Figure(said, f"{seconds:.2f} s", f"{LONGEST_MOVE:.0f} s", seconds / LONGEST_MOVE, "<= 1.0")


def _times(game: str, options: Mapping[str, object], level: int) -> Iterator[float]:
    """Seconds of processor time that an engine needs in each of some positions of a game that chance plays."""
    position, dice = first_position(game, options), Dice("times")
    for ply in range(PLIES):
        for side in movers(position) if ply % EACH == 0 else ():
            begin = time.process_time()
            choose(position, side, level, "times")
            yield time.process_time() - begin
        position = position.play({side: position.any_move(side, dice.below) for side in movers(position)})
        if not position.to_move:
            return


def main() -> None:
    """Play the requested games of a step."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"{', '.join(RIVALS)} or {TEAM}; all if none is named"
    )
    parser.add_argument("-n", type=int, default=WHOLE, help="games of each match")
    parser.add_argument("--levels", type=int, nargs=2, default=(1, len(LEVELS)), metavar=("FROM", "TO"))
    parser.add_argument("-j", "--jobs", type=int, default=cores())
    parser.add_argument("--times", action="store_true", help="the longest move of each level, and no games")
    parser.add_argument("--table", action="store_true", help="the rows of bench/RESULTS.md, and no games")
    wanted = parser.parse_args()
    if wanted.table:
        print("\n".join(table()))
        return
    (lowest, highest), play = wanted.levels, KeptGames(KEPT).play
    for name in wanted.names or (*RIVALS, TEAM):
        if wanted.times:
            found: Iterable[Figure] = (longest_move(name, level) for level in range(lowest, highest + 1))
        elif name == TEAM:
            found = (team(highest, wanted.n, wanted.jobs, play),)
        else:
            found = steps(name, range(lowest, highest + 1), wanted.n, wanted.jobs, play)
        for figure in found:
            print(figure.as_line(), flush=True)


if __name__ == "__main__":
    main()
