"""Data that cannot be changed, for the content of values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from types import NoneType
from typing import TYPE_CHECKING, Any, Never, Self, TypeVar

KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")
ClassT = TypeVar("ClassT", bound=type)

_new, _fill = dict.__new__, dict.update
_PLAIN = (str, int, float, NoneType)
_LEAVES = frozenset(_PLAIN)


class Frozen(dict[KeyT, ValueT]):
    """A dict that cannot be changed, as quick to read, and with a plain dict as its copy; it can be pickled."""

    __slots__ = ()

    if not TYPE_CHECKING:

        def __new__(cls, given: object = (), /, **named: object) -> Self:  # noqa: D102
            made = _new(cls)
            _fill(made, given, **named)
            return made

        # `__new__` has done all: another call of `__init__` must change nothing.
        __init__ = object.__init__

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[type[Frozen[KeyT, ValueT]], tuple[dict[KeyT, ValueT]]]:
        return Frozen, (dict(self),)

    # No argument fits Never, so a type checker finds each attempt.
    def _refuse(self, *_: Never, **__: Never) -> None:
        raise TypeError("this mapping belongs to a value and cannot be changed; dict(…) gives a copy that can")

    __setitem__ = __delitem__ = __ior__ = _refuse  # type: ignore[assignment]
    clear = pop = popitem = setdefault = update = _refuse  # type: ignore[assignment]


def frozen_data(value: object) -> Any:  # noqa: ANN401 - data of the same shape
    """Plain data made unchangeable: mappings become Frozen and lists become tuples, all the way down."""
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, (dict, Mapping)):
        return Frozen({key: one if type(one) in _LEAVES else frozen_data(one) for key, one in value.items()})
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        return tuple(map(frozen_data, value))
    return value


_AS_IT_IS = frozenset((str, int, NoneType, tuple, Frozen))
"""Types of arguments that need no freezing."""


def freezing(kind: ClassT) -> ClassT:
    """Class decorator: freeze mappings and lists passed to the constructor."""
    initialise: Callable[..., None] = kind.__init__  # type: ignore[misc] # of the very class

    @wraps(initialise)
    def frozen_first(self: object, *values: object, **named: object) -> None:
        initialise(
            self,
            *[value if type(value) in _AS_IT_IS else frozen_data(value) for value in values],
            **{name: value if type(value) in _AS_IT_IS else frozen_data(value) for name, value in named.items()},
        )

    kind.__init__ = frozen_first  # type: ignore[misc]
    return kind
