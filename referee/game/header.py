"""The header of a game file: which keys there are, and what each may hold."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from referee.errors import Finding
from referee.game.document import Document

LONGEST_TEXT = 200


def _one_line(text: str) -> str:
    if len(text) > LONGEST_TEXT:
        raise ValueError(f"at most {LONGEST_TEXT} characters fit here")
    if not text.strip() or not text.isprintable():
        raise ValueError("one line of text belongs here, without control characters")
    return text


Text = Annotated[str, AfterValidator(_one_line)]
Ending = Literal["resignation", "agreement", "repetition", "timeout", "adjudication"]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class PlayerModel(_Strict):
    """Who sits on a side."""

    name: Text
    email: Annotated[Text, Field(pattern=r"^[^@\s]+@[^@\s]+$")] | None = None


class EndModel(_Strict):
    """An end that the moves do not show."""

    how: Ending
    by: Text | None = None


class HeaderModel(_Strict):
    """A game file's keys; `moves` is read by the notation."""

    game: Text
    rules: int | None = None
    id: Text | None = None
    date: Text | None = None
    event: Text | None = None
    players: dict[str, PlayerModel] = Field(default_factory=dict)
    options: dict[str, Any] = Field(default_factory=dict)
    end: EndModel | None = None
    result: dict[str, int] | None = None
    moves: str = ""


_ADAPTER = TypeAdapter(HeaderModel)
_KEYS = {
    "": tuple(HeaderModel.model_fields),
    "players": tuple(PlayerModel.model_fields),
    "end": tuple(EndModel.model_fields),
}
_FIRST = "a game file begins with its game, such as 'game: beams'"
_KINDS = {
    "string": "text",
    "int": "a whole number",
    "dict": "a mapping of keys to values",
    "model": "a mapping of keys to values",
}


def header(document: Document) -> tuple[HeaderModel | None, tuple[Finding, ...]]:
    """The header of a document as far as it holds, and what is wrong with the rest of it.

    It is None only if there is no game in it at all.
    """
    if document.data is None:
        return None, (Finding("empty", f"nothing is in here; {_FIRST}"),)
    if not isinstance(document.data, dict):
        return None, (Finding("wrong-type", f"this is no mapping of keys to values; {_FIRST}"),)
    # An optional key that is written with nothing after it says nothing.
    data = {name: value for name, value in document.data.items() if value is not None or name == "game"}
    try:
        return _ADAPTER.validate_python(data), ()
    except ValidationError as error:
        findings = tuple(_findings(document, error))
        wrong = {fault["loc"][0] for fault in error.errors(include_url=False)}
    if "game" in wrong:
        return None, findings
    return _ADAPTER.validate_python({name: data[name] for name in data if name not in wrong}), findings


def _findings(document: Document, error: ValidationError) -> Iterator[Finding]:
    for fault in error.errors(include_url=False):
        key, kind = fault["loc"], fault["type"]
        name = key[-1] if key else ""
        if kind == "missing":
            yield document.finding("missing-key", f"the key '{name}' is missing", key[:-1])
        elif kind == "extra_forbidden":
            known = _KEYS.get(str(key[0]) if len(key) > 1 else "", ())
            message = f"there is no key {name!r} here; the keys are: {', '.join(known)}"
            near = tuple(get_close_matches(str(name), known, 1))
            yield document.finding("unknown-key", message, key, near)
        elif kind == "literal_error":
            expected = str(fault["ctx"]["expected"]).replace("'", "")
            yield document.finding("wrong-value", f"{name} must be {expected}, not {fault['input']!r}", key)
        elif kind.endswith("_type"):
            wanted = _KINDS.get(kind.removesuffix("_type"), "something else")
            hint = "; put it in quotes" if wanted == "text" and isinstance(fault["input"], int | float) else ""
            message = f"{name} must be {wanted}, not {_said(fault['input'])}{hint}"
            yield document.finding("wrong-type", message, key)
        elif kind == "string_pattern_mismatch":
            yield document.finding("wrong-value", f"{fault['input']!r} is not an e-mail address", key)
        else:
            reason = fault["msg"].removeprefix("Value error, ")
            yield document.finding("wrong-value", f"{name}: {reason}", key)


def _said(value: object) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return f"the number {value}"
        case str():
            return f"the text {value[:40]!r}"
        case list():
            return "a list"
        case _:
            return "a mapping"
