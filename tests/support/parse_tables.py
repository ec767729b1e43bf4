"""The parse tables in grammar/tables/, made by lark; `python -m tests.support.parse_tables` writes them anew."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from lark import Lark
from lark.grammar import Rule as LarkRule
from lark.lexer import BasicLexer, ContextualLexer
from lark.parsers.lalr_analysis import ParseTableBase, Shift

from referee.data import data
from referee.notation.grammar import load
from referee.notation.tables import Rule, Table

FOLDER = data("grammar") / "tables"
GRAMMARS = sorted(
    path.stem
    for path in data("grammar").glob("*.lark")
    if re.search(r"^[?!]?start\s*:", path.read_text(encoding="utf-8"), re.MULTILINE)
)


def made(grammar: str) -> Table:
    """The table that lark makes of a grammar."""
    lark = load(grammar)
    table = lark.parser.parser._parse_table
    states = _in_order(table)
    number = {state: place for place, state in enumerate(states)}
    rules = lark.rules
    actions = [
        {name: number[to] if action is Shift else ~rules.index(to) for name, (action, to) in sorted(one.items())}
        for one in map(table.states.__getitem__, states)
    ]
    return Table(
        terminals={one.name: one.pattern.to_regexp() for one in root_lexer(lark).terminals},
        ignored=lark.ignore_tokens,
        rules=[rule(one) for one in rules],
        states=actions,
        start=number[table.start_states["start"]],
        end=number[table.end_states["start"]],
    )


def _in_order(table: ParseTableBase[Any]) -> list[Any]:
    """The states of a table from the first on, in an order that is the same each time."""
    states = [table.start_states["start"]]
    for state in states:
        goals = [to for _, (action, to) in sorted(table.states[state].items()) if action is Shift]
        states += [to for to in dict.fromkeys(goals) if to not in states]
    return states


def root_lexer(lark: Lark) -> BasicLexer:
    """The lexer of all terminals; none of them is a word that another one also matches, which tables cannot say."""
    lexer = lark.parser.lexer
    assert isinstance(lexer, ContextualLexer)
    assert isinstance(lexer.root_lexer, BasicLexer)
    assert lexer.root_lexer.scanner
    assert not lexer.root_lexer.callback
    return lexer.root_lexer


def rule(one: LarkRule) -> Rule:
    """What to do when an expansion is complete: as lark's `ChildFilter` does."""
    parts: list[int | None] = []
    symbols = iter(enumerate(one.expansion))
    for is_missing in one.options.empty_indices or [False] * len(one.expansion):
        if is_missing:
            parts.append(None)
            continue
        index, symbol = next(symbols)
        if symbol.is_term and symbol.filter_out and not one.options.keep_all_tokens:
            continue
        parts.append(~index if not symbol.is_term and symbol.name.startswith("_") else index)
    is_plain = bool(one.options.expand1) and not one.alias
    return Rule(one.alias or one.origin.name, one.origin.name, len(one.expansion), parts, is_plain)


def text(grammar: str) -> str:
    """The file of a table: a line for each terminal, rule and state."""
    table = made(grammar)
    lines = [
        f'"terminals": {{\n{_lines(f"{_json(name)}: {_json(one)}" for name, one in table.terminals.items())}\n}}',
        f'"ignored": {_json(table.ignored)}',
        f'"rules": [\n{_lines(map(_json, table.rules))}\n]',
        f'"states": [\n{_lines(map(_json, table.states))}\n]',
        f'"start": {table.start}',
        f'"end": {table.end}',
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def path(grammar: str) -> Path:
    """Where the table of a grammar is kept."""
    return FOLDER / f"{grammar}.json"


def _json(value: object) -> str:
    return json.dumps(value)


def _lines(lines: object) -> str:
    return ",\n".join(lines)  # type: ignore[arg-type]


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in GRAMMARS:
        path(name).write_text(text(name), encoding="utf-8")
