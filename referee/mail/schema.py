"""Schemas of settings: frozen dataclasses, whose fields say what fits, and the reading of data by them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from difflib import get_close_matches
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, dataclass_transform, get_args, get_origin

from referee.errors import Finding, shown
from referee.game.file.document import Document, KeyPath
from referee.game.file.header import Fault, address_fault, described, line_fault, wrong_type
from referee.rules.codec import field_types

_KINDS: Mapping[object, tuple[type | UnionType, str]] = {
    str: (str, "text"),
    int: (int, "a whole number"),
    bool: (bool, "true or false"),
    tuple: (list | tuple, "a list"),
    Mapping: (dict, "a mapping of keys to values"),
}


class Bounds(NamedTuple):
    """The bounds of a whole number."""

    least: int
    most: int


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Schema:
    """Settings that belong together. They have no other keys; in the file, keys have hyphens."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True)(cls)

    def conflicts(self) -> Iterator[tuple[KeyPath, str]]:
        """The settings that do not fit together: the key of one, and the reason."""
        return iter(())


SchemaT = TypeVar("SchemaT", bound=Schema)
Reason = Callable[[Any], str]
"""The reason why a value does not fit; empty if it does."""


def expecting(fits: Callable[[str], object], message: str) -> Reason:
    """The reason why a text does not fit: the message, with the text for `{}`."""
    return lambda text: "" if fits(text) else message.format(shown(text))


def one_or_more(values: tuple[object, ...]) -> str:
    """The reason why a list does not fit that must not be empty; one text alone counts as a list of it."""
    return "" if values else "expected at least one"


TextLine = Annotated[str, line_fault]
EmailAddress = Annotated[str, address_fault]


def read_schema(schema: type[SchemaT], document: Document) -> SchemaT | tuple[Finding, ...]:
    """The settings of a document, or the findings about all that does not fit, each with its place."""
    faults: list[Fault] = []
    read: SchemaT = _read(schema, document.data, (), faults)
    return tuple(_finding(document, fault) for fault in faults) or read


def keys(schema: type[Schema]) -> dict[str, tuple[Any, object]]:
    """Key of each setting -> the type of its value, and the default; dataclasses.MISSING if it needs a value."""
    types = field_types(schema)
    return {
        one.name.replace("_", "-"): (types[one.name], one.default)
        for one in fields(schema)  # type: ignore[arg-type] # schemas are dataclasses
    }


def _read(kind: Any, data: Any, key: KeyPath, faults: list[Fault]) -> Any:  # noqa: ANN401 - data of any kind
    """The value of a kind that data at a key have; adds the faults, if there are any."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _fitting(inner[0], kind.__metadata__, data, key, faults)
    if origin in (Union, UnionType):
        (some,) = {*inner} - {NoneType}
        return None if data is None else _read(some, data, key, faults)
    if kind is Any or (origin is Literal and data in inner):
        return data
    if origin is Literal:
        *others, last = inner
        message = f"{key[-1]} must be {', '.join(others)} or {last}, not {shown(data)}"
        faults.append(Fault(key, "wrong-value", message, data))
        return None
    expected, words = _KINDS.get(origin or kind, _KINDS[Mapping])
    fits = isinstance(data, expected) and not (kind is int and isinstance(data, bool))
    if not fits:
        faults.append(Fault(key, "wrong-type", wrong_type(key[-1] if key else "", words, data), data))
        return None
    if origin is tuple:
        return tuple(_read(inner[0], one, (*key, number), faults) for number, one in enumerate(data))
    if origin is Mapping:
        named, value = inner
        return {_read(named, one, (*key, one), faults): _read(value, data[one], (*key, one), faults) for one in data}
    return data if kind in _KINDS else _settings(kind, data, key, faults)


def _fitting(kind: Any, fits: tuple[Bounds | Reason, ...], data: Any, key: KeyPath, faults: list[Fault]) -> Any:  # noqa: ANN401
    """The value of a kind within bounds and without a reason against it."""
    before = len(faults)
    value = _read(kind, [data] if one_or_more in fits and isinstance(data, str) else data, key, faults)
    if len(faults) == before:
        for fit in fits:
            if isinstance(fit, Bounds):
                bound = f"at least {fit.least}" if value < fit.least else f"at most {fit.most}"
                right = fit.least <= value <= fit.most
                message = "" if right else f"{key[-1]} must be {bound}, not {described(value)}"
            else:
                message = f"{key[-1]}: {reason}" if (reason := fit(value)) else ""
            if message:
                faults.append(Fault(key, "wrong-value", message, data))
                break
    return value


def _settings(schema: type[Schema], data: Mapping[str, object], key: KeyPath, faults: list[Fault]) -> Schema | None:
    before, known = len(faults), keys(schema)
    for name, (_, default) in known.items():
        if default is MISSING and name not in data:
            faults.append(Fault(key, "missing-key", f"the key '{name}' is missing", data))
    for name, value in data.items():
        if name not in known:
            message = f"there is no key {shown(name)} here; the keys are: {', '.join(known)}"
            faults.append(Fault((*key, name), "unknown-key", message, value, tuple(known)))
    values = {
        name.replace("-", "_"): _read(kind, data[name], (*key, name), faults)
        for name, (kind, _) in known.items()
        if name in data
    }
    if len(faults) > before:
        return None
    made = schema(**values)
    faults += [Fault((*key, *place), "wrong-value", message, data) for place, message in made.conflicts()]
    return made


def _finding(document: Document, fault: Fault) -> Finding:
    near = tuple(get_close_matches(str(fault.key[-1]).casefold(), fault.known, 1)) if fault.known else ()
    return document.finding(fault.code, fault.message, fault.key, near)
