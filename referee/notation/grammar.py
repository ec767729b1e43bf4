"""Lark grammars: loading one, and turning its errors into sentences with a place."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lark import Lark, Transformer, v_args
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken
from lark.parsers.lalr_analysis import Shift

from referee.data import data
from referee.errors import NotationError, Span
from referee.notation.forms.notation import GrammarText

NOTHING_MORE = "nothing more belongs here"
"""End of a sentence about more text after a whole one."""

_STRANGE_BLANKS = {"Zs", "Zl", "Zp", "Cf"}


def load(grammar: str | Path | GrammarText, maker: type | None = None, *, more: str = "") -> Lark:
    """The parser of a grammar in grammar/, of a file or of a text, and of `more` rules; `maker` makes its values."""
    folder = data("grammar")
    if isinstance(grammar, GrammarText):
        text, paths = grammar.text, [str(folder)]
    else:
        file = grammar if isinstance(grammar, Path) else folder / f"{grammar}.lark"
        text, paths = file.read_text(encoding="utf-8"), [str(file.parent), str(folder)]
    make: Any = maker
    if maker is not None and not issubclass(maker, Transformer):
        methods = {name: value for name, value in vars(maker).items() if not name.startswith("__")}
        make = v_args(inline=True)(type(maker.__name__, (Transformer,), methods))
    return Lark(text + more, parser="lalr", transformer=make and make(), import_paths=paths)


def notation_error(
    error: UnexpectedInput, text: str, words: Mapping[str, str], *, whole: str, accepts: set[str] | None = None
) -> NotationError:
    """The error of a parser over one line of text, as a sentence; `words` name terminals, `whole` the text."""
    if accepts is None:
        accepts = accepted(getattr(error, "interactive_parser", None))
    expected = _expectation(accepts, words)
    if isinstance(error, UnexpectedEOF) or (isinstance(error, UnexpectedToken) and error.token.type == "$END"):
        column = len(text.rstrip()) + 1
        return NotationError(f"the {whole} ends too early; {expected}", text=text, span=Span(1, column))
    column = max(error.column, 1)
    if isinstance(error, UnexpectedCharacters) and (strange := _strange(text[column - 1])):
        return NotationError(strange, text=text, span=Span(1, column))
    word = text[column - 1 :].split()[0] if text[column - 1 :].split() else text[column - 1 : column]
    shown = word if len(word) <= 20 else word[:20] + "..."
    return NotationError(f"{shown!r} does not fit; {expected}", text=text, span=Span(1, column))


def accepted(parser: Any) -> set[str]:  # noqa: ANN401 - lark's interactive parser has no types
    """The terminals that an interactive parser accepts next; none without a parser."""
    if parser is None:
        return set()
    state = parser.parser_state
    return {
        name for name in parser.choices() if name.isupper() and _fits(name, [*state.state_stack], state.parse_conf)
    }


def _fits(name: str, stack: list[Any], parsing: Any) -> bool:  # noqa: ANN401 - lark's parser has no types
    """True if a terminal may follow these states. The parser's own `accepts` copies all of it for each terminal."""
    while (step := parsing.states[stack[-1]].get(name)) is not None:
        action, rule = step
        if action is Shift:
            return True
        del stack[len(stack) - len(rule.expansion) :]
        stack.append(parsing.states[stack[-1]][rule.origin.name][1])
        if name == "$END" and stack[-1] == parsing.end_state:
            return True
    return False


def _expectation(names: set[str], words: Mapping[str, str]) -> str:
    if not names - {"$END"}:
        return NOTHING_MORE
    said = [words[name] for name in words if name in names]
    if "$END" in names:
        said.append("nothing more")
    return f"expected {' or '.join(said)}"


def _strange(char: str) -> str | None:
    """A sentence about a character that only looks right, such as a smart quote; None for an ordinary one."""
    if char.isascii() and char.isprintable():
        return None
    name = unicodedata.name(char, "a control character").lower()
    code = f"U+{ord(char):04X}"
    if unicodedata.category(char) in _STRANGE_BLANKS:
        return f"a special blank ({name}, {code}); use an ordinary blank"
    return f"no notation uses this character ({name}, {code}); use plain letters, digits and signs"
