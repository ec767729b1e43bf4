"""Classes of values: `dataclass` and `replace` of the standard library, but quicker where a class is frozen.

A command meets dozens of such classes before it does anything. The standard library compiles six functions for each;
here they are one text, or need no compiling. They do the same. A large value that changes with each entry of a log is
copied in one piece, and not field by field.
"""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass", "replace"]

if TYPE_CHECKING:
    from dataclasses import dataclass, replace
else:

    def dataclass(cls: type | None = None, /, **options: bool) -> Any:  # noqa: ANN401 - a class or a decorator
        """The decorator of the standard library, with the same options."""
        if cls is None and options == {"frozen": True, "slots": True}:
            return partial(_frozen, slots=True)
        if cls is None and options == {"frozen": True}:
            return partial(_frozen, slots=False)
        return dataclasses.dataclass(cls, **options)

    def replace(value: Any, /, **changes: Any) -> Any:  # noqa: ANN401 - a value of the same class
        """A copy of a value with other fields, as by the standard library."""
        kind = type(value)
        initialise, size = _PLAIN.get(kind, _OTHER)
        if kind.__init__ is initialise:
            held = {**vars(value), **changes}
            if len(held) == size:
                made = object.__new__(kind)
                object.__setattr__(made, "__dict__", held)
                return made
        return dataclasses.replace(value, **changes)


_OTHER = (None, 0)
_PLAIN: dict[type, tuple[Any, int]] = {}
"""The classes whose values are nothing but a dict of their fields, with what makes one, and the number of fields.

A value that holds anything more, such as a cached property, has a longer dict and is not copied in one piece.
"""


class _Factory:
    """The default in a signature of what is made anew for each value."""

    def __repr__(self) -> str:
        return "<factory>"


_FACTORY = _Factory()


def _frozen(cls: type, *, slots: bool) -> type:
    if any(map(dataclasses.is_dataclass, cls.__bases__)):
        return dataclasses.dataclass(frozen=True, slots=slots)(cls)
    made: type = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
    made.__dataclass_params__.frozen = True  # type: ignore[attr-defined]
    for name, method in (_compiled(made) | _shared(made)).items():
        if vars(made).get(name) is None:  # None is the hash of a class that defines when it is equal
            setattr(made, name, method)
    if not slots and not hasattr(made, "__post_init__"):
        _PLAIN[made] = (vars(made)["__init__"], len(dataclasses.fields(made)))
    return made


def _compiled(cls: type) -> dict[str, Any]:
    """The methods that must be fast, compiled at once."""
    fields = dataclasses.fields(cls)
    meant = [str(one) for one in vars(cls).get("__annotations__", {}).values()]
    if any("InitVar" in one for one in meant) or not all(one.init and not one.kw_only for one in fields):
        raise TypeError(f"every field of {cls.__qualname__} must be a parameter, by place or name")
    known: dict[str, Any] = {"_set": object.__setattr__}
    parameters, body = [], []
    for one in fields:
        name, given = one.name, one.name
        if one.default_factory is not dataclasses.MISSING:
            known[f"_made_{name}"] = one.default_factory
            known[f"_default_{name}"] = _FACTORY
            given = f"_made_{name}() if {name} is _default_{name} else {name}"
        elif one.default is not dataclasses.MISSING:
            known[f"_default_{name}"] = one.default
        parameters.append(f"{name}=_default_{name}" if f"_default_{name}" in known else name)
        body.append(f" _set(self, {name!r}, {given})")
    if hasattr(cls, "__post_init__"):
        body.append(" self.__post_init__()")
    compared = [one.name for one in fields if one.compare]
    hashed = [one.name for one in fields if (one.compare if one.hash is None else one.hash)]
    methods: dict[str, Any] = {}
    text = f"""
def __init__({", ".join(["self", *parameters])}):
{chr(10).join(body) or " pass"}
def __eq__(self, other):
 if other.__class__ is self.__class__:
  return {_tuple("self", compared)} == {_tuple("other", compared)}
 return NotImplemented
def __hash__(self):
 return hash({_tuple("self", hashed)})
"""
    exec(text, known | {"__name__": cls.__module__}, methods)
    for name, method in methods.items():
        method.__qualname__ = f"{cls.__qualname__}.{name}"
    methods["__init__"].__annotations__ = {one.name: one.type for one in fields} | {"return": None}
    return methods


def _tuple(value: str, names: list[str]) -> str:
    return f"({''.join(f'{value}.{name},' for name in names)})"


def _shared(cls: type) -> dict[str, Any]:
    """The methods that need no compiling."""
    names = tuple(one.name for one in dataclasses.fields(cls))
    said = tuple(one.name for one in dataclasses.fields(cls) if one.repr)

    def __repr__(self: object) -> str:  # noqa: N807
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in said)
        return f"{type(self).__qualname__}({values})"

    def refuse(self: object, name: str, *value: object) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot {'assign to' if value else 'delete'} field {name!r}")
        (object.__setattr__ if value else object.__delattr__)(self, name, *value)

    methods = {"__repr__": __repr__, "__setattr__": refuse, "__delattr__": refuse}
    if "__slots__" not in vars(cls):
        return methods

    def __getstate__(self: object) -> list[Any]:  # noqa: N807
        return [getattr(self, name) for name in names]

    def __setstate__(self: object, state: list[Any]) -> None:  # noqa: N807
        for name, value in zip(names, state, strict=True):
            object.__setattr__(self, name, value)

    return methods | {"__getstate__": __getstate__, "__setstate__": __setstate__}
