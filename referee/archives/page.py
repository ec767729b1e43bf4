"""The statistics of an archive as one HTML page of tables with bars, which needs nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from html import escape

from referee.archives.stats import GameStats, Stats

MOST_BARS = 40
"""Maximum rows of lengths."""

_STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } td, th { padding: .15rem .8rem .15rem 0; text-align: left; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
td.bar { width: 20rem; } td.bar div { height: .8rem; background: #2a6f97; }
code { font-size: .9em; }
"""


def as_page(stats: Stats, most: int) -> str:
    """The page, with the `most` frequent openings of each game."""
    sections = [part for name, one in sorted(stats.games.items()) for part in _section(name, one, most)]
    wrong = f"<pre>{escape(chr(10).join(stats.left.as_text()))}</pre>" if stats.left.games else ""
    total = sum(one.games for one in stats.games.values())
    return "\n".join(
        (
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width">\n<title>Statistics of an archive</title>',
            f"<style>{_STYLE}</style>\n</head>\n<body>",
            f"<h1>{total:,} games</h1>{wrong}",
            *sections,
            "</body>\n</html>\n",
        )
    )


def _section(name: str, stats: GameStats, most: int) -> Iterator[str]:
    yield f"<h2>{escape(name)}: {stats.games:,} games</h2>"
    yield "<h3>Length</h3>"
    yield (
        f"<p>{min(stats.plies)} to {max(stats.plies)} plies, median {stats.length(0.5)}, mean {stats.mean:.1f}.</p>"
    )
    yield _bars("Plies", "Games", intervals(stats.plies).items())
    yield "<h3>Results</h3>"
    yield _bars("Result", "Games", stats.results.most_common())
    yield _table("Option", stats.by_option, sorted(stats.results))
    for side, counts in sorted(stats.pieces.items()):
        yield f"<h3>Pieces that {escape(side)} moved</h3>"
        yield _bars("Piece", "Moves", counts.most_common())
    if stats.openings:
        yield "<h3>Openings</h3>"
        rows = "".join(
            f'<tr><td class="number">{games:,}</td><td><code>{escape(opening)}</code></td></tr>'
            for opening, games in stats.openings.most_common(most)
        )
        yield f'<table><tr><th class="number">Games</th><th>Opening</th></tr>{rows}</table>'


def _table(title: str, counts: dict[str, Counter[str]], columns: list[str]) -> str:
    if not counts:
        return ""
    heads = "".join(f'<th class="number">{escape(column)}</th>' for column in columns)
    rows = "".join(
        f"<tr><td>{escape(name)}</td>"
        + "".join(f'<td class="number">{counts[name][column]:,}</td>' for column in columns)
        + "</tr>"
        for name in sorted(counts)
    )
    return f"<table><tr><th>{escape(title)}</th>{heads}</tr>{rows}</table>"


def intervals(counts: Counter[int]) -> dict[str, int]:
    """Counts of numbers, the smallest first; where there are many, neighbours share an interval: "5 to 8"."""
    low, high = min(counts), max(counts)
    wide = -(-(high - low + 1) // MOST_BARS)
    groups: Counter[int] = Counter()
    for number, times in counts.items():
        groups[low + (number - low) // wide * wide] += times
    last = {start: min(high, start + wide - 1) for start in sorted(groups)}
    return {str(start) if start == end else f"{start} to {end}": groups[start] for start, end in last.items()}


def _bars(name: str, unit: str, counts: Iterable[tuple[str, int]]) -> str:
    """A table with a row for each name: its count, its share, and a bar."""
    rows = list(counts)
    total, most = sum(times for _, times in rows), max((times for _, times in rows), default=0)
    heads = f'<th>{name}</th><th class="number">{unit}</th><th class="number">Share</th><th></th>'
    body = "".join(
        f'<tr><td>{escape(one)}</td><td class="number">{times:,}</td><td class="number">{times / total:.1%}</td>'
        f'<td class="bar"><div style="width: {times / most:.1%}"></div></td></tr>'
        for one, times in rows
    )
    return f"<table><tr>{heads}</tr>{body}</table>"
