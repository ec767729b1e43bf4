"""Classes of values: `dataclass` of the standard library, but quicker where a class is frozen.

A command meets dozens of such classes before it does anything. The standard library compiles six functions for each;
here they are one text, or need no compiling. They do the same.
"""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls: type | None = None, /, **options: bool) -> Any:  # noqa: ANN401 - a class or a decorator
        """The decorator of the standard library, with the same options."""
        if cls is None and options == {"frozen": True, "slots": True}:
            return partial(_frozen, slots=True)
        if cls is None and options == {"frozen": True}:
            return partial(_frozen, slots=False)
        return dataclasses.dataclass(cls, **options)


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
    return made


def _compiled(cls: type) -> dict[str, Any]:
    """The methods that must be fast, compiled at once."""
    fields = dataclasses.fields(cls)
    if not all(one.init and not one.kw_only for one in fields):
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
