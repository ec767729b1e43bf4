"""Reports of mail servers about undelivered letters: in a standard report (RFC 3464), or in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32

from referee.mail.intake.classification import is_by_server
from referee.mail.intake.letter import Letter
from referee.mail.intake.message.headers import as_header_text, guard, one_line
from referee.mail.intake.message.text import decode_text

REPORTED = 300
"""Maximum characters kept of a server's message."""

_READ = 64_000
"""Bytes of a report in words that are read."""

_UNKNOWN = {"failed": "5.0.0", "delayed": "4.0.0"}
_STATUS = re.compile(r"(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?![\d.])")
_CODE = re.compile(r"(?<![\d.])([45])\d\d(?=[ -]|$)")
_TYPE = re.compile(r"^[a-z0-9-]{1,30}\s*;\s*", re.IGNORECASE)
_ENCLOSED = re.compile(
    r"^(?:-+ ?(?:this is a copy of|original message|returned message|below this line)"
    r"|content-type: (?:message/rfc822|text/rfc822-headers))",
    re.IGNORECASE | re.MULTILINE,
)
_parse = BytesParser(policy=compat32).parsebytes


def report_of(letter: Letter, raw: bytes) -> str | None:
    """The report in a letter to a return address; None if it reports no failure, as a vacation note.

    It is a status code (RFC 3463), which begins with 4 or 5 for a failure for now or for good, and the server's
    message. `raw` are the bytes of the letter, which its limits have been compared with.
    """
    if not letter.excess and "message/delivery-status" in letter.body.types:
        return next(_reports(guard(_parse, raw, Message())), None)
    return _in_words(letter, raw, by_server=is_by_server(letter))


def _reports(message: Message) -> Iterator[str]:
    """The failures in a standard report, one for each recipient; the delays come last."""
    blocks = guard(_blocks, message, list[Message]())
    for action in _UNKNOWN:
        for block in blocks:
            if _field(block, "action").casefold() == action:
                said = _TYPE.sub("", _field(block, "diagnostic-code"))
                status = _written_status(_field(block, "status")) or _status_in(said) or _UNKNOWN[action]
                if action == "delayed":
                    status = f"4{status[1:]}"
                yield f"{status} {said[:REPORTED]}".rstrip()


def _blocks(message: Message) -> list[Message]:
    """The blocks of fields in the report; the letter that came back is not looked into."""
    waiting, found = [message], list[Message]()
    while waiting:
        part = waiting.pop()
        payload = part.get_payload()
        content = [one for one in payload if isinstance(one, Message)] if isinstance(payload, list) else []
        if part.get_content_type() == "message/delivery-status":
            found += content
        elif part.get_content_maintype() == "multipart":
            waiting += reversed(content)
    return found


def _field(block: Message, name: str) -> str:
    return one_line(as_header_text(str(guard(lambda one: one.get(name), block, None) or "")))


def _in_words(letter: Letter, raw: bytes, *, by_server: bool) -> str | None:
    """The failure in the first line with a status code, above the letter that came back.

    Vacation notes have an empty return path, too, so there a status code must have all three numbers.
    """
    below = raw[:_READ].replace(b"\r\n", b"\n").partition(b"\n\n")[2]
    text = decode_text(below) if letter.excess else letter.body.text
    enclosed = _ENCLOSED.search(text)
    for line in map(one_line, (text[: enclosed.start()] if enclosed else text).splitlines()):
        status = _status_in(line) if by_server else _written_status(line) if letter.return_path == "" else None
        if status:
            return f"{status} {line[:REPORTED]}".rstrip()
    return None


def _written_status(text: str) -> str | None:
    found = _STATUS.search(text)
    return found[0] if found else None


def _status_in(text: str) -> str | None:
    """The status code in a text, by itself or from the code of an SMTP reply."""
    reply = _CODE.search(text)
    return _written_status(text) or (f"{reply[1]}.0.0" if reply else None)
