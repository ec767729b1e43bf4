"""A mapping that nobody can change, for what positions hand out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Frozen(dict[Key, Value]):
    """A dict that stays as it was made: it reads as fast as any other, and a copy of it is a plain dict.

    It can be hashed if its values can, and pickled, which a MappingProxyType cannot.
    """

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return Frozen, (dict(self),)

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("a position is a value: what it holds cannot be changed")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse


def frozen(mapping: Mapping[Key, Value]) -> Frozen[Key, Value]:
    """A mapping as one that nobody can change."""
    return mapping if isinstance(mapping, Frozen) else Frozen(mapping)
