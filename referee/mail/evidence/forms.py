"""The form of a letter: whether its text shows by itself how it is to be read.

Some mail servers do not sign the fields that define that. With other fields the same signed text can be read as
another one: an attached part, or the second half of a broken line, then appears alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from email import message_from_bytes
from email.message import Message

_BARE = ("", "7bit", "8bit")
_FOLDED = ("quoted-printable", "base64")


def is_plain_form(fields: Sequence[tuple[bytes, bytes]], body: bytes) -> bool:
    """True if the fields about a letter's text only repeat what the text itself shows."""
    names = [name.lower() for name, _ in fields]
    if max(names.count(b"content-type"), names.count(b"content-transfer-encoding")) > 1:
        return False
    said = (name + b":" + value for name, value in fields if name.lower().startswith(b"content-"))
    form: Message = message_from_bytes(b"".join(said))
    lines = [line.rstrip() for line in body.strip().splitlines()]
    boundary = form.get_boundary()
    if form.get_content_maintype() == "multipart":
        marks = [b"--%s%s" % ((boundary or "").encode(errors="replace"), end) for end in (b"", b"--")]
        return bool(boundary) and [*lines[:1], *lines[-1:]] == marks
    if form.get_content_type() != "text/plain" or body.lstrip().startswith((b"--", b"<")):
        return False
    encoding = str(form.get("content-transfer-encoding", "")).strip().lower()
    return encoding in _FOLDED or (encoding in _BARE and not any(line.endswith(b"=") for line in lines))
