"""Roots of days: a tree of SHA-256 over the heads of a desk's games, by id (spec/log.md, "Heads of a day")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from referee.desk.log.heads import Head, heads_in
from referee.desk.log.signatures import digest_of
from referee.errors import Refusal

_ROOT = re.compile(r"referee root 1 (2[0-9]{3}-[0-9]{2}-[0-9]{2}) ([1-9][0-9]{0,8}) ([0-9a-f]{64})")
_STEP = re.compile(r"(left|right) ([0-9a-f]{64})")
_FIRST = "referee proof 1"


class Sibling(NamedTuple):
    """A digest of the tree on the way up, and its side of ours: `left` or `right`."""

    side: str
    digest: str


@dataclass(frozen=True, slots=True)
class Root:
    """The root over the heads of all games of a desk at the end of a day in UTC; `games` counts them."""

    day: date
    games: int
    digest: str

    def __str__(self) -> str:
        return f"referee root 1 {self.day} {self.games} {self.digest}"


@dataclass(frozen=True, slots=True)
class Inclusion:
    """The way from the head of one game up to a root."""

    head: Head
    steps: tuple[Sibling, ...]
    root: Root

    @property
    def holds(self) -> bool:
        """True if the way leads to the root, from a place in a tree of as many games."""
        digest = _leaf(self.head)
        for side, other in self.steps:
            digest = _node(other, digest) if side == "left" else _node(digest, other)
        return digest == self.root.digest and _has_place([step.side for step in self.steps], self.root.games)

    def __str__(self) -> str:
        steps = (f"{step.side} {step.digest}" for step in self.steps)
        return "\n".join((_FIRST, str(self.head), *steps, str(self.root)))


def root_of(day: date, heads: Sequence[Head]) -> Root:
    """The root of a day over heads in the order of the games' ids; there is at least one."""
    *_, (top,) = _rows(heads)
    return Root(day, len(heads), top)


def inclusion_of(day: date, heads: Sequence[Head], game: str) -> Inclusion:
    """The way from one game's head up to the root over all heads."""
    place = [head.game for head in heads].index(game)
    head, steps = heads[place], []
    for row in _rows(heads):
        if place ^ 1 < len(row):
            steps.append(Sibling("left" if place % 2 else "right", row[place ^ 1]))
        place //= 2
    return Inclusion(head, tuple(steps), root_of(day, heads))


def read_root(line: str) -> Root:
    """The root in a line; RefereeError `proof` if there is none."""
    found = _ROOT.fullmatch(line.strip())
    try:
        if found is not None:
            return Root(date.fromisoformat(found[1]), int(found[2]), found[3])
    except ValueError:
        pass
    raise Refusal("proof", "expected the root of a day: 'referee root 1', the day, the number of games and 64 digits")


def read_inclusion(text: str) -> Inclusion:
    """The proof in a text; RefereeError `proof` if there is none."""
    first, *lines = text.strip().splitlines() or [""]
    if first.strip() != _FIRST or len(lines) < 2:
        raise Refusal("proof", f"expected '{_FIRST}', and below it a log head, steps and the root of a day")
    heads, steps = heads_in(lines[0]), [_STEP.fullmatch(line.strip()) for line in lines[1:-1]]
    if len(heads) != 1 or str(heads[0]) != lines[0].strip():
        raise Refusal("proof", "expected a log head below the first line: a game, a number and 64 digits")
    if not all(steps):
        raise Refusal("proof", "expected steps of 'left' or 'right' and 64 digits between the log head and the root")
    return Inclusion(heads[0], tuple(Sibling(*step.groups()) for step in steps if step), read_root(lines[-1]))


def _rows(heads: Sequence[Head]) -> Iterator[list[str]]:
    row = [_leaf(head) for head in heads]
    yield row
    while len(row) > 1:
        pairs = (row[place : place + 2] for place in range(0, len(row), 2))
        row = [_node(*pair) if len(pair) == 2 else pair[0] for pair in pairs]
        yield row


def _has_place(sides: list[str], leaves: int) -> bool:
    """True if one of this many leaves has siblings on these sides, on its way up."""
    widths = [leaves]
    while widths[-1] > 1:
        widths.append((widths[-1] + 1) // 2)
    place, left = 0, [*sides]
    for width in reversed(widths[:-1]):
        place *= 2
        if place + 1 < width:
            if not left:
                return False
            place += left.pop() == "left"
    return not left


def _leaf(head: Head) -> str:
    return digest_of("referee leaf 1", head.game, str(head.number), head.digest)


def _node(left: str, right: str) -> str:
    return digest_of("referee node 1", left, right)


def last_day(now: datetime) -> date:
    """The last day in UTC that is over."""
    return now.astimezone(UTC).date() - timedelta(days=1)
