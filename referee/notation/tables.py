"""Parse tables that lark makes of the grammars, kept in grammar/tables/, so that reading a text needs no lark.

`python -m tests.notation.parse_tables` writes them. A text that does not fit goes to lark, which explains the error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from referee.data import data

_END = "$END"


class Word(str):
    """The text of a terminal, with its terminal and its column (from 1) like a token of lark."""

    __slots__ = ("column", "type")

    column: int
    type: str


class Rule(NamedTuple):
    """An expansion of a rule: the method that makes its value, the rule as states know it, and the values that count.

    `parts` are indices of values, their complement (~) for a list of parts, or None for a missing optional one.
    """

    name: str
    origin: str
    size: int
    parts: Sequence[int | None]
    is_plain: bool


class ParseTable(NamedTuple):
    """The LALR(1) table of a grammar; `ignored` are the terminals between others, `end` is the last state.

    `states` have the action at a terminal or after a rule: go to the state of that number, or, if it is negative,
    complete the rule whose complement it is.
    """

    terminals: Mapping[str, str]
    ignored: Sequence[str]
    rules: Sequence[Rule]
    states: Sequence[Mapping[str, int]]
    start: int
    end: int


def table_of(grammar: str) -> ParseTable:
    """The table of a grammar in grammar/."""
    content = json.loads((data("grammar") / "tables" / f"{grammar}.json").read_text(encoding="utf-8"))
    return ParseTable(**content | {"rules": [Rule(*rule) for rule in content["rules"]]})


class TableParser:
    """A parser by table; the methods of `maker` make its values, one for each rule and some terminals."""

    def __init__(self, table: ParseTable, maker: object) -> None:
        self.table = table
        self._maker = maker
        self._terminals = {name: getattr(maker, name, None) for name in table.terminals}
        self._scanners: dict[int, re.Pattern[str]] = {}

    def parse(self, text: str) -> Any | None:  # noqa: ANN401 - what the maker makes
        """The value of a text; None if it does not fit the grammar."""
        found = self._run(text)
        return None if isinstance(found, int) else found[0]

    def misfit(self, text: str) -> int | None:
        """The column (from 1) at which a text ceases to fit the grammar, as in lark; None for one that fits."""
        found = self._run(text)
        return found if isinstance(found, int) else None

    def _run(self, text: str) -> list[Any] | int:
        """The value of a text, alone in a list; or the column at which it ceases to fit."""
        states, values, place = [self.table.start], list[Any](), 0
        while True:
            kind, word = _END, ""
            if place < len(text):
                found = self._scanner(states[-1]).match(text, place)
                if found is None or found.lastgroup is None:
                    return place + 1
                kind, word, column, place = found.lastgroup, found[0], place + 1, found.end()
                if kind in self.table.ignored:
                    continue
            while (action := self.table.states[states[-1]].get(kind)) is not None and action < 0:
                self._complete(self.table.rules[~action], states, values)
                if kind == _END and states[-1] == self.table.end:
                    return values
            if action is None:
                return column if kind != _END else len(text.rstrip()) + 1
            states.append(action)
            values.append(self._value(kind, word, column))

    def _scanner(self, state: int) -> re.Pattern[str]:
        """The expression for the terminals that may follow a state, and blanks."""
        if state not in self._scanners:
            table = self.table
            taken = {*table.states[state], *table.ignored}
            groups = (f"(?P<{name}>{one})" for name, one in table.terminals.items() if name in taken)
            self._scanners[state] = re.compile("|".join(groups))
        return self._scanners[state]

    def _value(self, kind: str, text: str, column: int) -> Any:  # noqa: ANN401 - what the maker makes
        word = Word(text)
        word.type, word.column = kind, column
        make = self._terminals[kind]
        return word if make is None else make(word)

    def _complete(self, rule: Rule, states: list[int], values: list[Any]) -> None:
        """Replace the parts of a rule by its value."""
        first = len(values) - rule.size
        taken = values[first:]
        parts: list[Any] = []
        for part in rule.parts:
            if part is not None and part < 0:
                if parts:
                    parts += taken[~part]
                else:  # it has no other owner, and a copy for each word of a long line would take quadratic time
                    parts = taken[~part]
            else:
                parts.append(None if part is None else taken[part])
        del values[first:], states[first + 1 :]
        if rule.is_plain and len(parts) == 1:
            values += parts
        else:
            values.append(parts if rule.name.startswith("_") else getattr(self._maker, rule.name)(*parts))
        states.append(self.table.states[states[-1]][rule.origin])
