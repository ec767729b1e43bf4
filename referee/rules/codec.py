"""Values as plain data for JSON and back, by the types of their fields; reading makes values and runs nothing."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin, get_type_hints

from referee.rules.frozen import Frozen, frozen_data

MOST_LEVELS = 16
"""Maximum levels of lists and objects in a mapping of anything; no game needs more than four."""

_MICROSECOND = timedelta(microseconds=1)


class Codec(NamedTuple):
    """Functions that write values of one type as plain data, read them again, and test data from outside."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]
    fits: Callable[[Any], bool]


def field_types(kind: type) -> dict[str, Any]:
    """The types of the fields of a class of values, by name."""
    hints = get_type_hints(kind, include_extras=True)
    return {one.name: hints[one.name] for one in fields(kind)}


class Codecs:
    """The codecs of types: of plain data, times, enumerations, classes of values, and collections of these.

    Args:
        words: classes whose values are written as a list of the word and the fields, so that unions can be read. The
            members of other unions are plain data, or one type and None.
    """

    def __init__(self, words: Mapping[str, type] = Frozen()) -> None:
        self._classes, self._words = words, {kind: word for word, kind in words.items()}
        self._known: dict[Any, Codec] = {**_SIMPLE}
        self._record_of = cache(lambda word: self._record(words[word]))
        self._worded = Codec(self._write_word, self._read_word, self._fits_word)

    def of(self, wanted: Any) -> Codec:  # noqa: ANN401 - a type
        """The codec of a type; TypeError if it has none."""
        if wanted not in self._known:
            self._known[wanted] = self._made(wanted)
        return self._known[wanted]

    def fields(self, kind: type, without: str = "") -> dict[str, Codec]:
        """The codecs of the fields of a class of values, but one, by name."""
        return {name: self.of(wanted) for name, wanted in field_types(kind).items() if name != without}

    def _made(self, wanted: Any) -> Codec:  # noqa: ANN401 - a type
        origin, inner = get_origin(wanted), get_args(wanted)
        if origin in (Union, UnionType):
            return self._union(inner)
        if wanted in self._words:
            return self._worded
        if isinstance(wanted, type) and hasattr(wanted, "__dataclass_fields__"):
            return self._record(wanted)
        if isinstance(wanted, type) and issubclass(wanted, enum.StrEnum):
            return Codec(_same, wanted, lambda said: any(said == one for one in wanted))
        if origin is Annotated:
            matches = inner[1].fullmatch
            return Codec(_same, _same, lambda said: isinstance(said, str) and matches(said) is not None)
        if origin is tuple:
            return _series(self.of(inner[0])) if inner[1:] == (...,) else _row([*map(self.of, inner)])
        if origin is frozenset:
            return _series(self.of(*inner))._replace(write=sorted, read=frozenset)
        if origin is not None and issubclass(Frozen, origin):
            return _mapping(self.of(inner[1]))
        raise TypeError(f"values of the type {wanted} cannot be written")

    def _union(self, members: tuple[Any, ...]) -> Codec:
        has_words, optional = not self._words.keys().isdisjoint(members), NoneType in members
        codecs = [self._worded] if has_words else [self.of(one) for one in members if one is not NoneType]

        def fits(said: object) -> bool:
            return (optional and said is None) or any(codec.fits(said) for codec in codecs)

        if all(_is_plain(one) for one in codecs):
            return Codec(_same, _same, fits)
        (kind,) = codecs
        return Codec(
            lambda value: None if value is None else kind.write(value),
            lambda said: None if said is None else kind.read(said),
            fits,
        )

    def _record(self, kind: type) -> Codec:
        codecs = self.fields(kind)
        changed = {name: codec.read for name, codec in codecs.items() if not _is_plain(codec)}
        return Codec(
            lambda value: {name: codec.write(getattr(value, name)) for name, codec in codecs.items()},
            lambda said: kind(**said | {name: read(said[name]) for name, read in changed.items()}),
            lambda said: (
                isinstance(said, dict)
                and said.keys() == codecs.keys()
                and all(codec.fits(said[name]) for name, codec in codecs.items())
            ),
        )

    def _write_word(self, value: object) -> list[Any]:
        word = self._words[type(value)]
        return [word, self._record_of(word).write(value)]

    def _read_word(self, said: Any) -> Any:  # noqa: ANN401 - plain data, and a value
        if not self._fits_word(said):
            raise ValueError("these data are no value of a class with a word")
        return self._record_of(said[0]).read(said[1])

    def _fits_word(self, said: Any) -> bool:  # noqa: ANN401 - plain data
        match said:
            case [str(word), data]:
                return word in self._classes and self._record_of(word).fits(data)
            case _:
                return False


def _same(value: Any) -> Any:  # noqa: ANN401 - whatever it is
    return value


def _is_plain(codec: Codec) -> bool:
    """True if values are written and read as they are."""
    return codec.read is _same


def _is_whole(value: object, levels: int = MOST_LEVELS - 1) -> bool:
    """True if JSON data in a mapping, which is a level itself, has no fractions and no more levels than these."""
    if isinstance(value, dict | list | tuple):
        inner = value.values() if isinstance(value, dict) else value
        return levels > 0 and all(_is_whole(one, levels - 1) for one in inner)
    return not isinstance(value, float)


_SIMPLE: Mapping[Any, Codec] = {
    str: Codec(_same, _same, lambda said: isinstance(said, str)),
    int: Codec(_same, _same, lambda said: type(said) is int),
    bool: Codec(_same, _same, lambda said: type(said) is bool),
    NoneType: Codec(_same, _same, lambda said: said is None),
    Any: Codec(_same, frozen_data, _is_whole),
    datetime: Codec(
        lambda at: at.astimezone(UTC).isoformat(),
        datetime.fromisoformat,
        lambda said: isinstance(said, str),
    ),
    timedelta: Codec(
        lambda length: length // _MICROSECOND,
        lambda said: timedelta(microseconds=said),
        lambda said: type(said) is int,
    ),
}


def _series(each: Codec) -> Codec:
    """Tuples of any length."""
    return Codec(
        list if _is_plain(each) else lambda values: [*map(each.write, values)],
        tuple if _is_plain(each) else lambda said: tuple(map(each.read, said)),
        lambda said: isinstance(said, list | tuple) and all(map(each.fits, said)),
    )


def _row(codecs: list[Codec]) -> Codec:
    """Tuples with one value of each type."""
    return Codec(
        lambda values: [codec.write(one) for codec, one in zip(codecs, values, strict=True)],
        lambda said: tuple(codec.read(one) for codec, one in zip(codecs, said, strict=True)),
        lambda said: (
            isinstance(said, list | tuple)
            and len(said) == len(codecs)
            and all(codec.fits(one) for codec, one in zip(codecs, said, strict=True))
        ),
    )


def _mapping(each: Codec) -> Codec:
    """Mappings of texts."""
    return Codec(
        dict if _is_plain(each) else lambda values: {name: each.write(one) for name, one in values.items()},
        Frozen if _is_plain(each) else lambda said: Frozen({name: each.read(one) for name, one in said.items()}),
        lambda said: isinstance(said, dict) and all(map(each.fits, said.values())),
    )
