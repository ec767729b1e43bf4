"""The gate before the pages: clients and their allowances; and the headers of answers."""

from __future__ import annotations

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from referee.web.clients import Allowances, Networks, client_of

RATE = 5.0
"""Requests a second of a client in the long run."""

BURST = 100.0
"""Maximum requests of a client at once."""

LARGEST_HEAD = 16_384
"""Maximum bytes of a request's head."""

_LONGEST_TARGET = 1_000
"""Maximum characters of a path with its query."""

PAGE_POLICY = (
    "default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The content security policy of pages without a form."""

FORM_POLICY = PAGE_POLICY.replace("form-action 'none'", "form-action 'self'")
"""The policy of a page whose form only asks for another page."""

PAGE_HEADERS = {
    "content-security-policy": PAGE_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class PageGate:
    """Lets requests through to the pages, except too frequent and too large ones."""

    def __init__(self, app: ASGIApp, trusted: Networks, allowances: Allowances) -> None:
        self._app, self._trusted, self._allowances = app, trusted, allowances

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request (ASGI)."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope["state"] = {**scope.get("state", {}), "client": client_of(scope, self._trusted)}
        await (self._refusal(scope) or self._app)(scope, receive, send)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        if wait := self._allowances.take(scope["state"]["client"]):
            after = {"retry-after": str(int(wait) + 1)}
            return PlainTextResponse("too many requests: please wait a little\n", 429, after)
        if len(scope["path"]) + len(scope["query_string"]) > _LONGEST_TARGET:
            return PlainTextResponse("this address is too long\n", 414)
        if sum(len(name) + len(value) for name, value in scope["headers"]) > LARGEST_HEAD:
            return PlainTextResponse("this request has too large a head\n", 431)
        if {b"content-length", b"transfer-encoding"} <= {name for name, _ in scope["headers"]}:
            # A proxy with another end of the body would take the rest for another request (RFC 9112, section 6.3).
            return PlainTextResponse("this request says twice where it ends\n", 400, {"connection": "close"})
        return None
