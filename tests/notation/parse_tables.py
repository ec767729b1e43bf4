"""The parse tables in grammar/tables/, made by lark; `python -m tests.notation.parse_tables` rewrites them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lark import Lark
from lark.grammar import Rule as LarkRule
from lark.grammar import Terminal
from lark.lexer import BasicLexer, ContextualLexer
from lark.parsers.lalr_analysis import ParseTableBase, Shift

from referee.data import data
from referee.notation.grammar import load
from referee.notation.tables import ParseTable, Rule

FOLDER = data("grammar") / "tables"
WHOLE = sorted(
    path.stem
    for path in data("grammar").glob("*.lark")
    if re.search(r"^[?!]?start\s*:", path.read_text(encoding="utf-8"), re.MULTILINE)
)


def made(grammar: str) -> ParseTable:
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
    return ParseTable(
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
    """The lexer of all terminals; none of them is a word that another one matches, which tables cannot express."""
    lexer = lark.parser.lexer
    assert isinstance(lexer, ContextualLexer)
    assert isinstance(lexer.root_lexer, BasicLexer)
    assert lexer.root_lexer.scanner
    assert not lexer.root_lexer.callback
    return lexer.root_lexer


def rule(one: LarkRule) -> Rule:
    """The action for a complete expansion, as lark's `ChildFilter` does it."""
    assert not one.options.keep_all_tokens
    parts: list[int | None] = []
    symbols = iter(enumerate(one.expansion))
    for is_missing in one.options.empty_indices or [False] * len(one.expansion):
        if is_missing:
            parts.append(None)
            continue
        index, symbol = next(symbols)
        if isinstance(symbol, Terminal):
            parts += [] if symbol.filter_out else [index]
        else:
            parts.append(~index if symbol.name.startswith("_") else index)
    is_plain = bool(one.options.expand1) and not one.alias
    return Rule(one.alias or one.origin.name, one.origin.name, len(one.expansion), parts, is_plain)


def text(grammar: str) -> str:
    """The file of a table: a line for each terminal, rule and state."""
    table = made(grammar)
    terminals = [f"{json.dumps(name)}: {json.dumps(one)}" for name, one in table.terminals.items()]
    parts = {
        "terminals": _block("{}", terminals),
        "ignored": json.dumps(table.ignored),
        "rules": _block("[]", map(json.dumps, table.rules)),
        "states": _block("[]", map(json.dumps, table.states)),
        "start": str(table.start),
        "end": str(table.end),
    }
    return f"{_block('{}', (f'{json.dumps(name)}: {part}' for name, part in parts.items()))}\n"


def path(grammar: str) -> Path:
    """The file of a grammar's table."""
    return FOLDER / f"{grammar}.json"


def _block(brackets: str, lines: Iterable[str]) -> str:
    return "\n".join([brackets[0], ",\n".join(lines), brackets[1]])


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in WHOLE:
        path(name).write_text(text(name), encoding="utf-8")
