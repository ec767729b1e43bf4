"""The statistics of an archive as one self-contained HTML page with plots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from html import escape

from referee.archive.stats import GameStats, Stats

MOST_BARS = 40
"""Maximum bars of a histogram."""

_WIDTH, _HEIGHT, _ROW, _LABEL = 640, 160, 22, 220

_STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
svg { max-width: 100%; height: auto; }
rect { fill: #2a6f97; } text { fill: currentColor; font-size: 12px; }
table { border-collapse: collapse; } td, th { padding: .15rem .8rem .15rem 0; text-align: left; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
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
    yield histogram(stats.plies, "Games by number of plies")
    yield "<h3>Results</h3>"
    yield bar_chart(stats.results, "Games by result")
    yield _table("Option", stats.by_option, sorted(stats.results))
    for side, counts in sorted(stats.pieces.items()):
        yield f"<h3>Pieces that {escape(side)} moved</h3>"
        yield bar_chart(counts, f"Moves of {side} by piece")
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


def histogram(counts: Counter[int], title: str) -> str:
    """A histogram of numbers; with many of them, neighbours share a bar."""
    low, high = min(counts), max(counts)
    wide = -(-(high - low + 1) // MOST_BARS)
    groups: Counter[int] = Counter()
    for number, times in counts.items():
        groups[(number - low) // wide] += times
    most = max(groups.values())
    step = _WIDTH / ((high - low) // wide + 1)
    shapes = []
    for group, times in sorted(groups.items()):
        start, end = low + group * wide, min(high, low + (group + 1) * wide - 1)
        said = f"{start}: {times:,}" if start == end else f"{start} to {end}: {times:,}"
        tall = times / most * (_HEIGHT - 40)
        shapes.append(
            f'<rect x="{group * step:.1f}" y="{_HEIGHT - 20 - tall:.1f}" width="{max(1, step - 1):.1f}" '
            f'height="{tall:.1f}"><title>{said}</title></rect>'
        )
    labels = (
        f'<text x="0" y="{_HEIGHT - 5}">{low}</text>'
        f'<text x="{_WIDTH}" y="{_HEIGHT - 5}" text-anchor="end">{high}</text><text x="0" y="12">{most:,}</text>'
    )
    return _svg(_HEIGHT, title, (*shapes, labels))


def bar_chart(counts: Counter[str], title: str) -> str:
    """A bar for each name, the most frequent first, with its share."""
    total, most = max(1, counts.total()), max(counts.values(), default=1)
    shapes = []
    for row, (name, times) in enumerate(counts.most_common()):
        y = row * _ROW
        wide = times / most * (_WIDTH - _LABEL - 130)
        shapes.append(
            f'<text x="{_LABEL - 8}" y="{y + 15}" text-anchor="end">{escape(name)}</text>'
            f'<rect x="{_LABEL}" y="{y + 3}" width="{wide:.1f}" height="{_ROW - 6}"/>'
            f'<text x="{_LABEL + wide + 6:.1f}" y="{y + 15}">{times:,} ({times / total:.1%})</text>'
        )
    return _svg(max(1, len(counts)) * _ROW, title, shapes)


def _svg(height: int, title: str, shapes: Iterable[str]) -> str:
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" role="img">'
        f"<title>{escape(title)}</title>{''.join(shapes)}</svg>"
    )
