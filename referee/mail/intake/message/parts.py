"""The parts of a letter, and the text in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message

from referee.mail.intake.message.headers import decode_words, guard, one_line
from referee.mail.intake.message.html import beginning, text_of
from referee.mail.intake.message.limits import Limits, first_excess, text_excess
from referee.mail.intake.message.text import decode_text, unflow

_TEXT_NAMES = (".txt", ".text", ".moves")


@dataclass(frozen=True, slots=True)
class Body:
    """The content of a letter.

    `text` is the text part, or the HTML part as text if there is no text part; `other` is the text that a reader of
    HTML sees. `attached` is the small text attachment, if there is exactly one. `types` are the types of all parts.
    `report` is the type of a multipart/report. `excess` is the reason why the desk read no further.
    """

    text: str = ""
    other: str = ""
    attached: str = ""
    types: tuple[str, ...] = ("text/plain",)
    report: str = ""
    excess: str = ""


def body_of(message: Message, limits: Limits) -> Body:
    """The text of a parsed letter; only `excess` if it has too many parts."""
    parts: list[Message] = []
    for part, depth in _walk(message):
        parts.append(part)
        if len(parts) > limits.parts:
            return Body(excess=f"the letter has more than {limits.parts} parts")
        if depth > limits.depth:
            return Body(excess=f"the letter's parts are nested more than {limits.depth} deep")
    types = tuple(_type(part) for part in parts)
    report = _param(message, "report-type") if types[0] == "multipart/report" else ""
    texts, said = _texts(parts, limits)
    text, other = _text(message, texts)
    if said := said or text_excess(text, limits):
        return Body(types=types, report=report, excess=said)
    moves = [part for part in parts if _type(part) == "text/plain" and _name(part).casefold().endswith(_TEXT_NAMES)]
    small = _decode(moves[0]) if len(moves) == 1 else ""
    return Body(
        text=text,
        other=text if text_excess(other, limits) else other,
        attached=small if len(small) <= limits.attachment else "",
        types=types,
        report=report,
    )


def _walk(message: Message) -> Iterator[tuple[Message, int]]:
    """The parts of a letter from the top, each with its depth; an enclosed letter counts as one part."""
    waiting = [(message, 0)]
    while waiting:
        part, depth = waiting.pop()
        yield part, depth
        waiting += [(child, depth + 1) for child in reversed(_children(part))]


def _children(part: Message) -> list[Message]:
    if not part.is_multipart() or not _type(part).startswith("multipart/"):
        return []
    return [child for child in part.get_payload() if isinstance(child, Message)]


def _texts(parts: list[Message], limits: Limits) -> tuple[dict[Message, str], str]:
    """The text of each part that has some, and the excess in them."""
    texts: dict[Message, str] = {}
    chars, page, tags = 0, limits.page, limits.tags
    for part in parts:
        if part.is_multipart() or _is_attachment(part):
            continue
        content = _decode(part)
        if _type(part) == "text/html":
            html = beginning(content, page, tags)
            page, tags = page - len(html), tags - html.count("<")
            texts[part] = text_of(html)
            continue
        chars += len(content)
        if said := first_excess([("characters of text", chars, limits.text)]):
            return {}, said
        flowed = _param(part, "format").casefold() == "flowed"
        texts[part] = unflow(content, delsp=_param(part, "delsp").casefold() == "yes") if flowed else content
    return texts, ""


def _text(part: Message, texts: dict[Message, str]) -> tuple[str, str]:
    """The text of a part, and that for a reader of HTML."""
    kind = _type(part)
    found = [(_type(child), *_text(child, texts)) for child in _children(part)]
    found = [texts for texts in found if texts[1].strip()]
    if kind == "multipart/alternative" and found:
        plain = next((texts for texts in found if texts[0] == "text/plain"), found[0])
        return plain[1], found[-1][2]
    if found:
        return "\n".join(text for _, text, _ in found), "\n".join(other for _, _, other in found)
    text = texts.get(part, "")
    return text, text


def _decode(part: Message) -> str:
    payload = guard(lambda one: one.get_payload(decode=True), part, None)
    return decode_text(payload, _param(part, "charset")) if isinstance(payload, bytes) else ""


def _type(part: Message) -> str:
    return guard(lambda one: one.get_content_type(), part, "application/octet-stream")


def _param(part: Message, name: str) -> str:
    value = guard(lambda one: one.get_param(name), part, None)
    return str(value[2] if isinstance(value, tuple) else value or "")


def _name(part: Message) -> str:
    return one_line(guard(decode_words, guard(lambda one: one.get_filename(), part, None) or "", ""))


def _is_attachment(part: Message) -> bool:
    """True if a part is an attachment by its disposition, name or type."""
    if (kind := _type(part)).startswith("multipart/"):
        return False
    enclosed = guard(lambda one: one.get_content_disposition(), part, None) == "attachment"
    return enclosed or bool(_name(part)) or kind not in ("text/plain", "text/html")
