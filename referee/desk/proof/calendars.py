"""OpenTimestamps calendars, which bring digests into the Bitcoin block chain; their answers are not trusted."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from http.client import HTTPException, HTTPMessage
from http.server import BaseHTTPRequestHandler
from threading import Thread
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from opentimestamps.calendar import DEFAULT_AGGREGATORS, DEFAULT_CALENDAR_WHITELIST

from referee.desk.proof.stamps import CalendarRequest
from referee.terminal import visible

POOLS: tuple[str, ...] = tuple(DEFAULT_AGGREGATORS)
"""Public servers that hand a digest to calendars, as the library of OpenTimestamps names them."""

_LOOPBACK = re.compile(r"http://(127\.0\.0\.1|localhost)(:[0-9]{1,5})?(/[\w./-]*)?", re.ASCII)
_SAFE = re.compile(r"https://[\w.-]+(:[0-9]{1,5})?(/[\w./-]*)?", re.ASCII)
_LARGEST = 10_000
"""Bytes of an answer; a usual one has a few hundred, and one with a way to a block less than two thousand."""

_LONGEST = 120


@dataclass(frozen=True, slots=True)
class CalendarAnswer:
    """The result of a request: content, a trouble in words, or the message of a calendar without a block yet."""

    request: CalendarRequest
    content: bytes = b""
    trouble: str = ""
    waits: str = ""


def is_calendar(address: str) -> bool:
    """True if an address can be a calendar's: https, or http on this machine, without a query."""
    return len(address) <= 200 and bool(_SAFE.fullmatch(address) or _LOOPBACK.fullmatch(address))


def is_known(address: str, named: Sequence[str]) -> bool:
    """True if a calendar may be asked: it is one of the public ones, or among those that the user has named."""
    return is_calendar(address) and (address in (*named, *POOLS) or address in DEFAULT_CALENDAR_WHITELIST)


def ask(requests: Sequence[CalendarRequest], seconds: float) -> list[CalendarAnswer]:
    """The answers to all requests, which are made at once, within a number of seconds."""
    found: dict[CalendarRequest, CalendarAnswer] = {}
    # Nothing but another thread bounds the whole time of a request; one that hangs ends with the process.
    threads = [Thread(target=_note, args=(found, one, seconds), daemon=True) for one in requests]
    end = time.monotonic() + seconds
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, end - time.monotonic()))
    late = f"did not answer within {seconds:g} seconds"
    return [found.get(one) or CalendarAnswer(one, trouble=late) for one in requests]


class _NoRedirects(HTTPRedirectHandler):
    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> None:
        """None: an answer of another server is not the calendar's."""


def _note(found: dict[CalendarRequest, CalendarAnswer], request: CalendarRequest, seconds: float) -> None:
    found[request] = _answer(request, seconds)


def _answer(request: CalendarRequest, seconds: float) -> CalendarAnswer:
    place = f"timestamp/{request.digest.hex()}" if request.taken else "digest"
    local = ProxyHandler({} if request.calendar.startswith("http:") else None)
    sent = Request(
        f"{request.calendar.rstrip('/')}/{place}",
        data=None if request.taken else request.digest,
        headers={"Accept": "application/vnd.opentimestamps.v1", "User-Agent": "referee"},
    )
    try:
        with build_opener(local, _NoRedirects()).open(sent, timeout=seconds) as answer:
            content = answer.read(_LARGEST + 1)
    except HTTPError as error:
        if request.taken and error.code == 404:
            return CalendarAnswer(request, waits=_words(error))
        error.close()
        reason = BaseHTTPRequestHandler.responses.get(error.code, ("an unknown status", ""))[0]
        return CalendarAnswer(request, trouble=f"answered {error.code} ({reason})")
    except (OSError, HTTPException) as error:
        cause = error.reason if isinstance(error, URLError) else error
        why = getattr(cause, "strerror", None) or str(cause) or type(cause).__name__
        return CalendarAnswer(request, trouble=f"cannot be asked: {visible(why)}")
    if len(content) > _LARGEST:
        return CalendarAnswer(request, trouble="answered with too much")
    return CalendarAnswer(request, content)


def _words(error: HTTPError) -> str:
    """The message of a calendar without a timestamp: it waits for a block, or does not know the digest."""
    try:
        with error:
            said = error.read(_LONGEST).decode("ascii", "replace")
    except (OSError, HTTPException):
        said = ""
    return visible(said.strip()) or "nothing yet"
