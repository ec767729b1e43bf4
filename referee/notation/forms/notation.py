"""The notation of a game without a grammar of its own: its moves by their forms.

A form has words, signs, and names of fields in braces. A field is a square, a whole number, an enumeration or a
literal; `Annotated[int, "a tree: 1 to 12"]` names it in messages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from types import SimpleNamespace
from typing import Annotated, Any, NamedTuple, get_args, get_origin

from referee.notation.fields import parse_square
from referee.notation.forms.columns import choices, position_notation
from referee.rules import Game, Move
from referee.rules.codec import field_types
from referee.rules.contract import blanks
from referee.rules.frozen import Frozen
from referee.rules.squares import Square

_PIECE = re.compile(r"\{(?P<field>\w+)\}|(?P<word>\w+)|(?P<sign>[^\w\s])")
_OPTIONAL = "-"
"""A sign of forms that may be left out."""


class GrammarText(NamedTuple):
    """A grammar that is in no file."""

    text: str


class _Terminal(NamedTuple):
    """A terminal of a grammar, with its name in messages, and with what makes its value if it has one."""

    name: str
    pattern: str
    says: str
    value: Callable[[str], object] | None = None


def notation_of(game: Game) -> SimpleNamespace:
    """The parts of a notation module, made of the moves and positions that a game starts with."""
    start = game.start({})
    kinds: tuple[type[Move], ...] = start.kinds
    forms = {f"move{number}": (kind, tuple(_terminals(kind))) for number, kind in enumerate(kinds)}
    terminals: dict[str, _Terminal] = {}
    for one in (one for _, parts in forms.values() for one in parts):
        said = terminals.get(one.name, one).says
        terminals[one.name] = one if one.says in said else one._replace(says=f"{said}, or {one.says}")
    makers: dict[str, Callable[..., object]] = {
        rule: partial(_made, kind, blanks(kind.form)[1]) for rule, (kind, _) in forms.items()
    }
    values = {one.name: one.value for one in terminals.values() if one.value is not None}
    return SimpleNamespace(
        GRAMMAR=GrammarText(_grammar({rule: parts for rule, (_, parts) in forms.items()}, terminals.values())),
        WORDS=Frozen({one.name: one.says for one in terminals.values()}),
        BEGINNINGS=Frozen(
            {parts[0].name[1:]: _spoken(kind) for kind, parts in forms.values() if parts[0].value is None}
        ),
        PARTS=Frozen[str, str](),
        ToMove=type("ToMove", (), {name: staticmethod(make) for name, make in (makers | values).items()}),
        **position_notation(game, start),
    )


def _grammar(rules: Mapping[str, tuple[_Terminal, ...]], terminals: Iterable[_Terminal]) -> str:
    lines = [f"?start: {' | '.join(rules)}"]
    for rule, parts in rules.items():
        names = (f"[{one.name}]" if one.pattern == re.escape(_OPTIONAL) else one.name for one in parts)
        lines.append(f"{rule}: {' '.join(names)}")
    lines += [f"{one.name}: /{one.pattern.replace('/', chr(92) + '/')}/i" for one in terminals]
    return "\n".join([*lines, "%import shared.BLANKS", "%ignore BLANKS", ""])


def _made(kind: type[Move], names: tuple[str, ...], *values: object) -> Move:
    return kind(**dict(zip(names, values, strict=True)))


def _doc(kind: type[Move]) -> str:
    """The beginning of a class's docstring, as it goes on in a sentence."""
    first = re.split(r"[.;:\n]", kind.__doc__ or "", maxsplit=1)[0]
    return first[:1].lower() + first[1:]


def _spoken(kind: type[Move]) -> str:
    """The everyday words of a move as a pattern; ValueError for one that is none."""
    try:
        re.compile(kind.spoken)
    except re.error as error:
        raise ValueError(f"`spoken` of {kind.__name__} is no regular expression: {error}") from None
    return kind.spoken or _doc(kind).partition(" ")[0]


def _terminals(kind: type[Move]) -> Iterator[_Terminal]:
    """The terminals of a form, in order."""
    if not kind.form:
        raise TypeError(f"{kind.__name__} needs a form, such as 'P {{square}}', or its game a module with a grammar")
    hints = field_types(kind)
    for found in _PIECE.finditer(kind.form):
        if (name := found["field"]) and name not in hints:
            raise TypeError(f"{kind.__name__} has no field {name}, which its form names")
        if name:
            yield _terminal(kind, name, hints[name])
        elif word := found["word"]:
            says = f"the word {word}" if found.start() else f"{word} to {_doc(kind)}"
            yield _Terminal(f"_{word.upper()}", rf"{word}\b", says)
        else:
            sign = found["sign"]
            yield _Terminal(f"_SIGN{ord(sign)}", re.escape(sign), "a hyphen" if sign == "-" else f"the sign {sign}")


def _terminal(kind: type[Move], name: str, hint: Any) -> _Terminal:  # noqa: ANN401 - a type
    """The terminal of a field."""
    says = ""
    if get_origin(hint) is Annotated:
        hint, says = get_args(hint)
    if hint is Square:
        return _Terminal("SQUARE", "[a-z][0-9]{1,2}(?![0-9])", says or "a square such as c3", parse_square)
    if hint is int:
        return _Terminal("NUMBER", r"[0-9]{1,4}\b", says or f"the {name}, a number", int)
    values = choices(hint)
    if values is None:
        raise TypeError(f"{kind.__name__}.{name}: expected a square, an int, an enumeration or a literal, not {hint}")
    words = {str(value).casefold(): value for value in values}
    pattern = "|".join(rf"{re.escape(word)}(?!\w)" for word in sorted(words, key=len, reverse=True))
    said = says or f"the {name}: {', '.join(map(str, values))}"
    return _Terminal(f"{name.upper()}_OF_{len(words)}", f"({pattern})", said, lambda text: words[text.casefold()])
