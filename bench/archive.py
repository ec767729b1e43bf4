"""Archives: checked, generated, refused line by line; beside python-chess."""

from __future__ import annotations

import multiprocessing
import random
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from bench.ended import ended_games, moves_of
from bench.figures import Figure, rate
from bench.peers import PAIRS, Job, compared, compared_with_all, maker, peer, peer_without_notation, peer_without_tree
from referee.archives.executors.executors import processes
from referee.archives.files.compression import writer
from referee.archives.files.shards import Shard, shards
from referee.archives.generate import Generation, generate_batch, random_game
from referee.archives.judge import CheckSettings, check_shard
from referee.game import to_json

GAMES = 600
LARGE = 200_000
MOST = 16
"""Maximum MiB of memory that a worker may need beyond its start."""

CHECKED: tuple[tuple[str, dict[str, str], str], ...] = (
    ("beams", {"mode": "asynchronous"}, ">= 15"),
    ("beams", {"mode": "synchronous"}, ">= 15"),
    ("boundary", {}, ">= 10"),
    ("the-beam", {}, ">= 6"),
    ("laser-chess", {}, ">= 10"),
)
"""The games whose archives are checked, their options, and the goal beside python-chess with a tree."""

BESIDE: tuple[tuple[str, Callable[[], Job]], ...] = (
    ("with a tree", peer),
    ("without a tree", peer_without_tree),
    ("by push_uci", peer_without_notation),
)
"""Ways of python-chess to judge games."""

QUIET = CheckSettings(suggest=False)


def figures() -> Iterator[Figure]:
    """All figures of archives."""
    with tempfile.TemporaryDirectory() as folder:
        peers = [made() for _, made in BESIDE]
        for name, options, goal in CHECKED:
            said = "".join(f", {value}" for value in options.values())
            found = compared_with_all(checking(name, options), peers, PAIRS, time.process_time)
            goals = (goal, *["none of its own"] * (len(BESIDE) - 1))
            for (how, _), (mine, theirs, ratio), least in zip(BESIDE, found, goals, strict=True):
                what = f"check an archive, {name}{said}; chess {how}"
                yield Figure(what, rate(mine), rate(theirs), ratio, least)
        mine, theirs, ratio = compared(generating(Path(folder) / "made.jsonl"), maker(), PAIRS, time.process_time)
        yield Figure("random games, beams; chess", rate(mine), rate(theirs), ratio, "none of its own")
        yield from _bad_lines()
        path = Path(folder) / "large.jsonl"
        write_large(path)
        yield from _memory(path)


def checking(name: str, options: Mapping[str, str]) -> Job:
    """Games that end: JSON, notation, every move judged and played, the end and the result; in one process."""
    games = ended_games(name, options, GAMES, "bench")
    shard = Shard.of_lines(map(to_json, games))

    def work() -> None:
        (report,) = check_shard(shard, QUIET)
        assert not report.wrong

    return Job(f"check, {name}", moves_of(games), work)


def generating(path: Path) -> Job:
    """Random games made and written, in one process."""
    generation = Generation("beams", "made")
    moves = moves_of([random_game(generation, number) for number in range(1, 201)])

    def work() -> None:
        with writer(str(path)) as file:
            for batch in generation.batches(200):
                file.write(generate_batch(generation, batch).encode())

    return Job("generate", moves, work)


_MISTAKES: dict[str, Callable[[str, int], str]] = {
    "an illegal move": lambda text, at: text[:at] + re.sub(r"(P \w+) \w+", r"\1 A1", text[at:], count=1),
    "not notation": lambda text, at: f"{text[:at]}X{text[at:]}",
    "no move is notation": lambda text, _: re.sub(r"(P \w+) [A-Z]", r"\1 ?", text),
    "not JSON": lambda text, at: text[:at],
    "a wrong result": lambda text, at: re.sub(r'"south": \d+', '"south": 99', text),
    "an unknown key": lambda text, at: text.replace('"id"', '"idea"'),
}
"""Ways to spoil a game, at a place where a move begins."""


def _bad_lines() -> Iterator[Figure]:
    """A bad line of an archive beside a good one: games with one mistake, at a random place."""
    games = list(map(to_json, ended_games("beams", {"mode": "asynchronous"}, 200, "bench")))
    good = Shard.of_lines(games)
    good_work = partial(check_shard, good, QUIET)
    for what, spoilt in _MISTAKES.items():
        chance = random.Random(5)
        lines = [spoilt(text, _some_move(text, chance)) for text in games]
        lines = [text if _is_wrong(text) else spoilt(text, _first_move(text)) for text in lines]
        bad = Shard.of_lines(lines)
        (report,) = check_shard(bad, QUIET)
        assert report.wrong > 0.9 * report.games, (what, report.wrong)
        jobs = Job(what, len(games), partial(check_shard, bad, QUIET)), Job("good", len(games), good_work)
        mine, theirs, ratio = compared(*jobs)
        yield Figure(f"a bad line: {what}", f"{1e6 / mine:.0f} us", f"{1e6 / theirs:.0f} us", 1 / ratio, "<= 3")


def _is_wrong(text: str) -> bool:
    (report,) = check_shard(Shard.of_lines([text]), QUIET)
    return bool(report.wrong)


def _some_move(text: str, chance: random.Random) -> int:
    places = [found.start() for found in re.finditer(r"(?<=[ |]) P ", text)]
    return chance.choice(places) + 1


def _first_move(text: str) -> int:
    return text.index("P ", text.index('"moves"'))


def write_large(path: Path) -> None:
    """A large archive; making it is not measured."""
    generation = Generation("beams", "large")
    with writer(str(path)) as file:
        for _, text in processes(partial(generate_batch, generation), generation.batches(LARGE), 2):
            file.write(text.encode())


def _memory(path: Path) -> Iterator[Figure]:
    """The growth of a worker's memory once everything is loaded and the first game is judged."""
    for games in (100, LARGE):
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            start, peak = pool.apply(_peak, (str(path), games))
        grown = (peak - start) / 1024
        said = f"a worker's memory over its start, {games:,} games"
        yield Figure(said, f"{grown:.1f} MiB", f"{MOST} MiB", grown / MOST, "<= 1.0")


def _peak(path: str, games: int) -> tuple[int, int]:
    """The greatest memory of this process in KiB, after one game, and after all."""
    seen = start = 0
    for shard in shards([path]):
        (part,) = shard.parts
        texts = tuple(part.texts)[: games - seen]
        if not seen:
            check_shard(replace(shard, parts=(part._replace(texts=texts[:1]),)), QUIET)
            start = greatest_memory()
        check_shard(replace(shard, parts=(part._replace(texts=texts),)), QUIET)
        seen += len(texts)
        if seen >= games:
            break
    return start, greatest_memory()


def greatest_memory() -> int:
    """The greatest memory that this process has had, in KiB."""
    # The value of `getrusage` includes the parent before this process became another program.
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:"))
