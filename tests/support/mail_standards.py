"""Checks of a letter's bytes by the standards of mail: RFC 2045, RFC 2047 and RFC 5322."""

from __future__ import annotations

import re
from email import message_from_bytes
from email.policy import compat32

_ENCODED = re.compile(rb"=\?[^?\s]+\?[bq]\?[^?\s]*\?=", re.IGNORECASE)
_ADDRESSED = re.compile(r".*<[^<>@\s]+@[^<>@\s]+>", re.DOTALL)
_ID = re.compile(r"<[^<>@\s]+@[^<>@\s]+>")


def expect_standard(raw: bytes) -> None:
    """Lines with encoded words have at most 76 characters, these words 75; ids have a domain, pictures are inline."""
    head = raw.partition(b"\r\n\r\n")[0]
    assert not [line for line in head.split(b"\r\n") if len(line) > (76 if _ENCODED.search(line) else 998)], head
    assert not [word for word in _ENCODED.findall(head) if len(word) > 75]
    message = message_from_bytes(raw, policy=compat32)
    assert _ADDRESSED.fullmatch(message["To"]), message["To"]
    assert re.search(rb"^Message-ID: <", head, re.MULTILINE), "an id that is folded is no id for many programs"
    for part in message.walk():
        if part.get("Content-Transfer-Encoding", "7bit").lower() in ("base64", "quoted-printable"):
            assert max(map(len, str(part.get_payload()).splitlines()), default=0) <= 76
        if part.get_content_maintype() == "image":
            assert _ID.fullmatch(part["Content-ID"])
            assert part.get_content_disposition() == "inline"
