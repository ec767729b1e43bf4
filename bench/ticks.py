"""The clock of a large desk: a tick with nothing due, and ticks with something due in some of the games."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bench.figures import Figure
from referee.desk import Terms
from referee.game import GameFile
from referee.mail.host.host import tick_games
from referee.mail.office import Office, create_office, office_in

GAMES = 10_000
DUE = (100, 400)
"""Number of games with something due at once."""

TICKS = 9
MOST = 50
"""Milliseconds that a tick with nothing due may take."""

BEGIN = datetime(2027, 3, 1, tzinfo=UTC)
_LATER = timedelta(days=30)


def figures() -> Iterator[Figure]:
    """Milliseconds of a tick among GAMES running games."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        create_office(folder, "desk@example.org", "desk.sqlite")
        with office_in(folder) as office:
            _open(office)
            idle = [_ticking(office, BEGIN + timedelta(minutes=minute))[0] for minute in range(1, TICKS + 1)]
            median = statistics.median(idle)
            yield Figure(
                f"a tick, {GAMES:,} games, nothing due", f"{median:.1f} ms", f"{MOST} ms", median / MOST, "<= 1.0"
            )
            each = []
            for number, due in enumerate(DUE, 1):
                taken, reminded = _ticking(office, BEGIN + number * _LATER)
                assert reminded == due
                each.append(taken / due)
                yield Figure(
                    f"a tick with {due} reminders due",
                    f"{taken:.0f} ms",
                    f"{each[-1]:.2f} ms each",
                    each[-1] / each[0],
                    "~ 1.0",
                )


def _open(office: Office) -> None:
    """Open all games: some have something due after a while, most have nothing due for a year."""
    days = [30 * number for number, due in enumerate(DUE, 1) for _ in range(due)]
    for number in range(GAMES):
        terms = Terms.read({"days": days[number] if number < len(days) else 365, "reminders": [], "timeout": "claim"})
        office.desk.open(f"game-{number}", GameFile("boundary"), BEGIN, terms=terms)


def _ticking(office: Office, at: datetime) -> tuple[float, int]:
    """The milliseconds of a tick, and the number of its events."""
    begin = time.perf_counter()
    events = tick_games(office, at)
    return (time.perf_counter() - begin) * 1000, events
