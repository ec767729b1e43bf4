"""A year of a club, compressed: the capacity of its desk at the beginning, after some months, and at the end.

The months between are filled in (`bench.club`). In the windows everything is real but the clock, which is the club's
and goes faster than this machine's: workers take letters in by LMTP, judge them, remind players and end games whose
time is over, and a mail server gets the answers. PostgreSQL runs on this machine, too. Run it as
`python -m bench.year --help` says; `python -m bench.year --games 240 --an-hour 5 --windows 1 --workers 1
--letters 40 --seconds 2` takes less than a minute.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count, islice, product
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from bench.chronicle import Pace
from bench.club import Charter, members
from bench.hours import Hours
from bench.letters import SENDER, free_port, letter, running
from bench.scale import ASKING, HOUR, run, size_of
from referee.desk import acts, audit, write_time
from referee.desk.glances import Phase
from referee.desk.log.secrets import address_name
from referee.desk.store.projections.snapshots import zone_rules
from referee.mail.host.host import tick_games
from referee.mail.office import Office, create_office, office_in
from tests.support.postgres import server

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
MONTH = timedelta(days=30)
"""A month of the club, from midnight to midnight in UTC; twelve of them are a year of 360 days."""

POSTGRES = "-c fsync=on -c shared_buffers=2GB -c max_wal_size=3GB -c checkpoint_timeout=15min"
"""Settings of PostgreSQL for a machine with some memory."""

_TABLES = """
    select relname, n_live_tup, pg_table_size(relid) / 1000000, pg_indexes_size(relid) / 1000000, n_dead_tup,
    coalesce(last_autovacuum, last_vacuum)::timestamp(0) from pg_stat_user_tables order by 3 desc limit 10
"""

RUNS = 5
AUDITED = 200


def main(arguments: Sequence[str]) -> None:
    """Fill a desk month by month, and live some windows of its year."""
    parser = argparse.ArgumentParser("python -m bench.year", description=__doc__)
    parser.add_argument("--games", type=int, default=1_000, help="games that run at any time")
    parser.add_argument(
        "--an-hour", type=float, default=20, help="letters that come in an hour of the months filled in"
    )
    parser.add_argument(
        "--windows", type=int, nargs="+", default=[0, 1, 3, 6, 9, 12], help="months with all windows after them"
    )
    parser.add_argument("--glimpses", type=int, nargs="*", default=[], help="months with one window after them")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument(
        "--paces", type=int, nargs="*", default=[HOUR, 5 * HOUR], help="letters in an hour of a window"
    )
    parser.add_argument("--letters", type=int, default=300, help="letters that come as fast as they are taken")
    parser.add_argument("--seconds", type=float, default=20, help="how long windows of a pace last")
    parser.add_argument("--speed", type=float, default=10, help="how fast the club's clock goes in windows")
    parser.add_argument("--processes", type=int, default=2, help="processes that fill in months")
    wanted = parser.parse_args(arguments)
    with server(POSTGRES) as url, tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "desk"
        path = create_office(folder, "desk@example.org", url)
        text = "answers: {an-hour: 10000}\nmegabytes-a-day: 10000\n"
        path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")
        with office_in(folder) as office:
            pace = Pace.of(wanted.games, wanted.an_hour)
            charter = Charter(url, wanted.games, pace, BEGIN - timedelta(hours=1), office.desk.key.signer.public)
            say(f"{pace.mean / timedelta(hours=1):.0f} hours for a move in the mean, at most {pace.terms.days} days")
            office.desk.games.projections.expect_rules({pace.terms.zone: zone_rules(pace.terms.zone)})
            year = Year(office, wanted)
            with members(charter, wanted.processes) as filling:
                touched: Collection[str] = ()
                for month in sorted({*wanted.windows, *wanted.glimpses}):
                    begin, until = time.perf_counter(), BEGIN + month * MONTH
                    with year.filled_in():
                        letters = filling.live(until, touched)
                    taken = time.perf_counter() - begin
                    say(f"month {month}: {letters:,} letters filled in, the last in {taken:.0f} s")
                    touched = year.live(until, brief=month not in wanted.windows)
            year.end(until)


def say(text: str) -> None:
    """Print a line at once, with this machine's time."""
    print(f"{datetime.now():%H:%M:%S} {text}", flush=True)


class Year:
    """The windows of a year."""

    def __init__(self, office: Office, wanted: argparse.Namespace) -> None:
        """The windows of a club."""
        self._office, self._wanted = office, wanted
        self._url = office.settings.store
        self._chance, self._ids = random.Random(2), count()

    @contextmanager
    def filled_in(self) -> Iterator[None]:
        """Fill in months without full pages in PostgreSQL's journal, which are the largest part of it."""
        self._alter("set full_page_writes = off")
        try:
            yield
        finally:
            self._alter("reset full_page_writes")
        self._sql("checkpoint")

    def live(self, at: datetime, *, brief: bool) -> Collection[str]:
        """Live the windows that begin at a time, or one of them; return the games with new events."""
        self._sql("analyze")
        running = len(self._office.desk.catalogue.in_phase(Phase.RUNNING))
        say(f"  {size_of(self._url) / 1e9:.2f} GB, {running:,} games run")
        self._timed("the root of the day before", lambda: self._office.desk.days.end_day(at))
        say(f"  by the clock before the window: {tick_games(self._office, at)} entries")
        self._timed("a tick with nothing due", lambda: tick_games(self._office, at), RUNS)
        games, clock = self._running(), at
        windows = [*product(self._wanted.workers, (None, *self._wanted.paces))]
        for workers, pace in windows[len(windows) // 2 :][:1] if brief else windows:
            real = pace and pace * self._wanted.speed
            number = round(real / 3600 * self._wanted.seconds) if real else self._wanted.letters
            some = [*islice(self._letters(games), number)]
            hours = self._hours(clock, self._wanted.speed)
            course = run(self._office.folder, self._url, some, workers, real, pictures=False, command=hours.command)
            ticks, clock = self._ticks(clock), hours.now()
            how = f"{pace:,} an hour" if pace else "as fast as possible"
            say(f"  {workers} workers, {how:>19}: {course}; by the clock: {ticks}")
        return self._retired(at, clock)

    def _retired(self, since: datetime, at: datetime) -> list[str]:
        """The games with events since a time; those that still run are ended without letters."""
        found = self._sql("select game, phase from standing where at >= %s", write_time(since))
        for game, phase in found:
            if phase == Phase.RUNNING:
                self._office.desk.order(game, acts.Adjudicate(None, "the window is over"), at)
        return [game for game, _ in found]

    def end(self, at: datetime) -> None:
        """Measure the waits of the host and readers on the present desk."""
        hours, folder = self._hours(at + timedelta(hours=12), 1), self._office.folder
        path, port, pages = folder / "desk.yaml", free_port(), free_port()
        more = f"listen: {{port: {port}}}\nsend: {{port: {free_port()}}}\n"
        more += f"pages: http://127.0.0.1:{pages}\nweb: {{port: {pages}}}\n"
        path.write_text(path.read_text(encoding="utf-8") + more, encoding="utf-8")
        begin = time.perf_counter()
        with running(hours.command("desk", "serve", "--trust-clock", "--desk", str(folder)), port):
            say(f"serve takes letters after {time.perf_counter() - begin:.1f} s")
            game = next(self._running())
            for what in (
                "/",
                "/games/running",
                f"/g/{game}",
                f"/p/Player%20{game.split('-')[-2]}%20{self._office.desk.state(game).position.sides[0]}",
            ):
                self._timed(f"the page {what}", partial(_fetched, pages, what), RUNS)
        for words in (("status",), ("status", game), ("log", game)):
            command = hours.command("desk", *words, "--desk", str(folder))
            self._timed(f"desk {' '.join(words)}", partial(_lines, command))
        faults = 0
        for name in self._chance.sample(self._office.desk.catalogue.ids(), AUDITED):
            faults += bool(audit(entry.as_line() for entry in self._office.desk.log(name)).findings)
        say(f"{faults} of {AUDITED} games have findings in their audit")
        say("table | rows | MB | indexes, MB | dead rows | last vacuum")
        for row in self._sql(_TABLES):
            say(" | ".join(map(str, row)))

    def _letters(self, games: Iterator[str]) -> Iterator[tuple[str, str, bytes]]:
        """A letter from each side to move in some games, and now and then a question; with an id."""
        for name in games:
            held = self._office.desk.games.held(name)
            state = held.state
            if state is None:
                continue
            for side in sorted(state.owing):
                one = next(self._ids)
                text = "board" if one % ASKING == 0 else str(state.position.any_move(side, self._chance.randrange))
                to = self._office.seat_address(state, side)
                raw = letter(to, text, f"w{one}").replace(SENDER.encode(), held.secrets[address_name(side)].encode())
                yield f"w{one}@players.example", to, raw

    def _running(self) -> Iterator[str]:
        """The games that run, each once."""
        games = self._office.desk.catalogue.in_phase(Phase.RUNNING)
        self._chance.shuffle(games)
        return iter(games)

    def _ticks(self, since: datetime) -> str:
        """The events of the clock since a time."""
        found = self._sql(
            "select kind, count(*) from standing join event using (game) where standing.at > %s and event.at > %s "
            "and came = 'null' and kind in ('reminded', 'closed') group by kind order by kind",
            *[write_time(since)] * 2,
        )
        return ", ".join(f"{number} {kind}" for kind, number in found) or "nothing"

    def _hours(self, begin: datetime, speed: float) -> Hours:
        return Hours(begin, time.time(), speed)

    def _timed(self, what: str, work: Callable[[], object], runs: int = 1) -> None:
        """Print the median time of some work, and its result."""
        taken, came = list[float](), None
        for _ in range(runs):
            begin = time.perf_counter()
            came = work()
            taken.append(time.perf_counter() - begin)
        say(f"  {what}: {statistics.median(taken) * 1000:.1f} ms{'' if came is None else f' ({came})'}")

    def _alter(self, change: str) -> None:
        """Change a setting of PostgreSQL."""
        self._sql(f"alter system {change}")
        self._sql("select pg_reload_conf()")

    def _sql(self, statement: str, *values: str) -> list[Any]:
        """The rows that a statement gives, by itself."""
        import psycopg

        with psycopg.connect(self._url, autocommit=True) as connection:
            cursor = connection.execute(statement, values)
            return cursor.fetchall() if cursor.description else []


def _fetched(port: int, path: str) -> str:
    with urlopen(f"http://127.0.0.1:{port}{path}") as answer:
        return f"{len(answer.read()) / 1000:,.0f} kB"


def _lines(command: list[str]) -> str:
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return f"{done.stdout.count(chr(10)):,} lines"


if __name__ == "__main__":
    main(sys.argv[1:])
