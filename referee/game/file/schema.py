"""The header of a game file as a schema, which explains what is wrong with an invalid one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from referee.errors import Finding, shown
from referee.game.file.document import Document
from referee.game.file.header import ENDINGS, LONGEST_TEXT, is_address, is_text
from referee.game.file.mistakes import near_value


def _text(text: str) -> str:
    if len(text) > LONGEST_TEXT:
        raise ValueError(f"expected at most {LONGEST_TEXT} characters")
    if not is_text(text):
        raise ValueError("expected one line of text, without hidden characters")
    return text


def expecting(fits: Callable[[str], object], message: str) -> AfterValidator:
    """A validator of texts: it refuses one that does not fit, and names it in place of `{}` in the message."""

    def validate(text: str) -> str:
        if not fits(text):
            raise ValueError(message.format(shown(text)))
        return text

    return AfterValidator(validate)


TextLine = Annotated[str, AfterValidator(_text)]
EmailAddress = Annotated[str, expecting(is_address, "{} is not an e-mail address")]


class StrictModel(BaseModel):
    """Strict data: no unknown keys, no conversion between types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _PlayerModel(StrictModel):
    """The player of a side."""

    name: TextLine
    email: EmailAddress | None = None


class _EndModel(StrictModel):
    """An end that the moves do not show."""

    how: Literal[tuple(map(str, ENDINGS))]  # type: ignore[valid-type]
    by: TextLine | None = None


class _HeaderModel(StrictModel):
    """A game file's keys; `start` and `moves` are read by the notation."""

    game: TextLine
    rules: int | None = None
    id: TextLine | None = None
    date: TextLine | None = None
    event: TextLine | None = None
    players: dict[str, _PlayerModel] = Field(default_factory=dict)
    options: dict[str, Any] = Field(default_factory=dict)
    start: str | None = None
    end: _EndModel | None = None
    result: dict[str, int] | None = None
    moves: str = ""


SchemaKeys = Mapping[str, tuple[str, ...]]
"""The known keys: those at the top under "", those below a key under that key."""

_ADAPTER = TypeAdapter(_HeaderModel)
_KEYS: SchemaKeys = {
    "": tuple(_HeaderModel.model_fields),
    "players": tuple(_PlayerModel.model_fields),
    "end": tuple(_EndModel.model_fields),
}
_NO_GAME = "the key 'game'"
_BOUNDS = {"less_than_equal": ("le", "at most"), "greater_than_equal": ("ge", "at least")}
_KINDS = {
    "string": "text",
    "int": "a whole number",
    "tuple": "a list",
    "dict": "a mapping of keys to values",
    "model": "a mapping of keys to values",
}


def explained(document: Document, data: dict[str, Any]) -> tuple[tuple[Finding, ...], set[str]]:
    """The findings about the data of a header, and the top-level keys that they concern."""
    try:
        _ADAPTER.validate_python(data)
    except ValidationError as error:
        faults = error.errors(include_url=False)
        wrong = {str(fault["loc"][0]) for fault in faults}
        found = [
            replace(one, suggestions=near_value(data, fault["loc"], fault["input"]) or one.suggestions)
            for one, fault in zip(schema_findings(document, error, _KEYS), faults, strict=True)
        ]
        # A game under another key is one mistake.
        if any("game" in one.suggestions for one in found if one.code == "unknown-key"):
            found = [one for one in found if one.code != "missing-key" or not one.message.startswith(_NO_GAME)]
        return tuple(found), wrong
    return (), set()


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
            hint = "; put it in quotes" if wanted == "text" and isinstance(fault["input"], int | float) else ""
            message = f"{name or 'all of it'} must be {wanted}, not {_said(fault['input'])}{hint}"
            yield document.finding("wrong-type", message, key)
        elif kind in _BOUNDS:
            bound, words = _BOUNDS[kind]
            message = f"{name} must be {words} {fault['ctx'][bound]}, not {_said(fault['input'])}"
            yield document.finding("wrong-value", message, key)
        else:
            reason = fault["msg"].removeprefix("Value error, ")
            # What several keys together get wrong names the one to look at.
            place = (*key, *fault.get("ctx", {}).get("place", ()))
            yield document.finding("wrong-value", f"{name}: {reason}" if name else reason, place)


def _said(value: object) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return f"the number {shown(value)}"
        case str():
            return f"the text {shown(value)}"
        case list() | tuple():
            return "a list"
        case _:
            return "a mapping"
