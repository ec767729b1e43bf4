"""Schemas of settings, and the findings about data that does not fit them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError

from referee.errors import Finding, shown
from referee.game.file.document import Document
from referee.game.file.header import address_fault, described, line_fault, wrong_type


def _without_fault(reason: Callable[[str], str]) -> AfterValidator:
    """A validator of texts, which refuses those that have a fault."""

    def validate(text: str) -> str:
        if said := reason(text):
            raise ValueError(said)
        return text

    return AfterValidator(validate)


def expecting(fits: Callable[[str], object], message: str) -> AfterValidator:
    """A validator of texts: it refuses one that does not fit, and puts it into the message for `{}`."""
    return _without_fault(lambda text: "" if fits(text) else message.format(shown(text)))


TextLine = Annotated[str, _without_fault(line_fault)]
EmailAddress = Annotated[str, _without_fault(address_fault)]


class StrictModel(BaseModel):
    """Strict data: no unknown keys, no conversion between types; keys have hyphens in the file."""

    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, alias_generator=lambda name: name.replace("_", "-")
    )


SchemaKeys = Mapping[str, tuple[str, ...]]
"""The known keys: those at the top under "", those below a key under that key."""

_BOUNDS = {"less_than_equal": ("le", "at most"), "greater_than_equal": ("ge", "at least")}
_KINDS = {
    "string": "text",
    "int": "a whole number",
    "tuple": "a list",
    "dict": "a mapping of keys to values",
    "model": "a mapping of keys to values",
}


def schema_findings(document: Document, error: ValidationError, keys: SchemaKeys) -> Iterator[Finding]:
    """A schema's findings about the data of a document, each with its place."""
    for fault in error.errors(include_url=False):
        key, kind = fault["loc"], fault["type"]
        name = key[-1] if key else ""
        if kind == "missing":
            yield document.finding("missing-key", f"the key '{name}' is missing", key[:-1])
        elif kind == "extra_forbidden":
            known = keys.get(str(key[0]) if len(key) > 1 else "", ())
            message = f"there is no key {shown(name)} here; the keys are: {', '.join(known)}"
            near = tuple(get_close_matches(str(name).casefold(), known, 1))
            yield document.finding("unknown-key", message, key, near)
        elif kind == "literal_error":
            expected = str(fault["ctx"]["expected"]).replace("'", "")
            yield document.finding("wrong-value", f"{name} must be {expected}, not {shown(fault['input'])}", key)
        elif kind.endswith("_type"):
            wanted = _KINDS.get(kind.removesuffix("_type"), "something else")
            yield document.finding("wrong-type", wrong_type(name, wanted, fault["input"]), key)
        elif kind in _BOUNDS:
            bound, words = _BOUNDS[kind]
            message = f"{name} must be {words} {fault['ctx'][bound]}, not {described(fault['input'])}"
            yield document.finding("wrong-value", message, key)
        else:
            reason = fault["msg"].removeprefix("Value error, ")
            # An error about several keys together names the one to look at.
            place = (*key, *fault.get("ctx", {}).get("place", ()))
            yield document.finding("wrong-value", f"{name}: {reason}" if name else reason, place)
