"""A desk's settings: one YAML file in its folder, checked as strictly as game files.

The table in docs/desk.md, "Settings", has the meaning of each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from referee.desk import Terms
from referee.desk.log.signatures import is_key
from referee.errors import FileError, RefereeError
from referee.game import decode_utf8, parse_document, read_bytes
from referee.game.file.document import KeyPath
from referee.mail.addresses import is_party, is_reachable, small
from referee.mail.schema import Bounds, EmailAddress, Schema, TextLine, expecting, one_or_more, read_schema
from referee.rules import Frozen

FILE = "desk.yaml"
"""The name of the settings in a desk's folder."""

_SECRET = re.compile(r"://|password(?!-file)", re.IGNORECASE)
"""Signs of a line with a password: no error shows such a line, because mail servers keep a filter's messages."""


def _terms_fault(data: Mapping[str, Any]) -> str:
    """The reason why terms do not hold; empty if they do."""
    try:
        Terms.read(data)
    except RefereeError as error:
        return error.message.removeprefix("the clock: ")
    return ""


def is_here(host: str) -> bool:
    """True if a host is this machine: then no password travels."""
    with suppress(ValueError):
        return ip_address(host.strip("[]")).is_loopback
    return small(host) == "localhost"


def _is_network(text: str) -> bool:
    with suppress(ValueError):
        return bool(ip_network(text))
    return False


_PLUS = "expected an address without a +: the part after a + names the game and the seat"
_WEB_ADDRESS = re.compile(r"https?://[A-Za-z0-9.-]+(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~-]+)*/?").fullmatch
_HOST = re.compile(r"(?:[^\W_]|[-.:\[\]])+")
_KEY = "expected the 64 hexadecimal digits of a public key, as 'referee desk key' shows them"
_DOMAIN = "expected a domain such as example.org, not {}"
_DIGITS = "expected 16 hexadecimal digits, as 'referee desk init' wrote them"

Reachable = Annotated[EmailAddress, expecting(is_reachable, "letters cannot be sent to {}")]
OwnAddress = Annotated[Reachable, expecting(lambda text: "+" not in text, _PLUS)]
Identity = Annotated[str, expecting(re.compile("[0-9a-f]{16}").fullmatch, _DIGITS)]
PublicKey = Annotated[str, expecting(is_key, _KEY)]
Host = Annotated[str, expecting(_HOST.fullmatch, "expected the name or address of a machine")]
Port = Annotated[int, Bounds(1, 65535)]
AddressOrDomain = Annotated[TextLine, expecting(is_party, "expected an address such as ada@example.org, or a domain")]
Domain = Annotated[TextLine, expecting(lambda text: "@" not in text and is_party(text), _DOMAIN)]
Hosts = Annotated[tuple[Host, ...], one_or_more]
"""Endings of the names of a provider's servers: one text, or a list of them."""

Network = Annotated[TextLine, expecting(_is_network, "expected an address or a network such as 10.0.0.0/8, not {}")]
WebAddress = Annotated[TextLine, expecting(_WEB_ADDRESS, "expected an address such as https://desk.example.org")]

ClockTerms = Annotated[Mapping[str, Any], _terms_fault]


class Listen(Schema):
    """The address at which `serve` takes letters by LMTP (RFC 2033)."""

    host: Host = "127.0.0.1"
    port: Port = 8024


class Metrics(Schema):
    """The loopback port at which `serve` publishes its numbers, over HTTP."""

    port: Port


class Web(Schema):
    """The web pages, served to a reverse proxy."""

    host: Host = "127.0.0.1"
    port: Port = 8080
    proxies: tuple[Network, ...] = ("127.0.0.1", "::1")
    moves: Literal["mail", "compose", "submit"] = "mail"
    link: Literal["once", "each-move"] = "once"


class Server(Schema):
    """A mail server; the password for a login is in a private file."""

    host: Host = "127.0.0.1"
    port: Port
    security: Literal["none", "starttls", "tls"] = "none"
    user: TextLine | None = None
    password_file: TextLine | None = None
    ca_file: TextLine | None = None

    def conflicts(self) -> Iterator[tuple[KeyPath, str]]:
        """Refuse a login that others on the way could read."""
        if self.user is not None and self.security == "none" and not is_here(self.host):
            yield ("user",), f"'security: none' would show the password to others on the way to {self.host}: use tls"


class Send(Server):
    """The server that takes the desk's letters, by SMTP."""

    port: Port = 25


class Imap(Server):
    """A mailbox to fetch letters from."""

    port: Port = 993
    security: Literal["none", "starttls", "tls"] = "tls"
    folder: TextLine = "INBOX"
    every: Annotated[int, Bounds(1, 86_400)] = 60


class Trust(Schema):
    """Trusted mail servers, as `Mailbox` describes them, and the checks required of them."""

    authserv: tuple[TextLine, ...] = ()
    require: Literal["nothing", "dmarc"] = "nothing"
    received_by: Host | None = None
    hops: tuple[Host, ...] = ()
    strips: bool = False


class Answers(Schema):
    """Maximum answers of each kind for one address, and maximum notes for all strangers together."""

    an_hour: Annotated[int, Bounds(1, 10_000)] = 30
    unasked_a_day: Annotated[int, Bounds(0, 100)] = 30
    alike_an_hour: Annotated[int, Bounds(0, 100)] = 3
    notes_an_hour: Annotated[int, Bounds(0, 10_000)] = 50
    notes_a_day: Annotated[int, Bounds(0, 10_000)] = 200


class Invitations(Schema):
    """Maximum letters in a day to invited people, and to senders who have to confirm their letters."""

    lapse: Annotated[int, Bounds(1, 60)] = 7
    a_day: Annotated[int, Bounds(0, 10_000)] = 100
    sender_a_day: Annotated[int, Bounds(0, 1_000)] = 10
    address_a_day: Annotated[int, Bounds(0, 100)] = 3
    domain_a_day: Annotated[int, Bounds(0, 10_000)] = 30


class Engines(Schema):
    """Limits of engines, and the host's program that plays."""

    cores: Annotated[int, Bounds(0, 64)] = 1
    each: Annotated[int, Bounds(0, 1_000)] = 10
    level: Annotated[int, Bounds(1, 8)] = 8
    program: TextLine | None = None


class Settings(Schema):
    """All settings of a desk."""

    address: OwnAddress
    formerly: tuple[OwnAddress, ...] = ()
    name: TextLine = "The referee"
    host: Reachable | None = None
    ids: Host | None = None
    id: Identity | None = None
    public_key: PublicKey | None = None
    store: TextLine = "desk.sqlite"
    pictures: bool = True
    attach: tuple[Literal["game", "log", "record", "sheet"], ...] = ("game", "log", "record", "sheet")
    outage: Annotated[int, Bounds(1, 24)] = 1
    megabytes_a_day: Annotated[int, Bounds(1, 10_000)] = 25
    clock: ClockTerms = Frozen()
    open: Literal["host", "players", "known", "vouched"] = "host"
    known: tuple[AddressOrDomain, ...] = ()
    never: tuple[AddressOrDomain, ...] = ()
    dkim: Literal["keep", "ignore"] = "keep"
    selectors: tuple[Host, ...] = ()
    providers: Mapping[Domain, Hosts] = Frozen()
    invitations: Invitations = Invitations()
    listen: Listen = Listen()
    metrics: Metrics | None = None
    pages: WebAddress | None = None
    web: Web = Web()
    send: Send = Send()
    imap: Imap | None = None
    trust: Trust = Trust()
    answers: Answers = Answers()
    engines: Engines = Engines()

    @property
    def addresses(self) -> tuple[str, ...]:
        """All addresses of the desk: the present one, and the former ones, the oldest first."""
        return tuple(dict.fromkeys((self.address, *self.formerly)))

    def conflicts(self) -> Iterator[tuple[KeyPath, str]]:
        """Refuse to trust senders whom no server vouches for, and to show others the secrets of browsers."""
        if self.open == "vouched" and not self.trust.authserv:
            yield ("open",), "'open: vouched' needs the name of the server that vouches, under 'trust', 'authserv'"
        address = urlsplit(self.pages or "")
        if self.web.moves == "submit" and address.scheme == "http" and not is_here(address.hostname or ""):
            yield ("web", "moves"), "'moves: submit' needs pages at an address that begins with https://"


def read_settings(path: Path) -> Settings:
    """The settings in a file; FileError with all findings, each with line and column, and without a password."""
    document = parse_document(decode_utf8(read_bytes(path), str(path)))
    found = document.findings
    if not found:
        read = read_schema(Settings, document)
        if isinstance(read, Settings):
            return read
        found = read
    safe = (replace(one, excerpt="") if _SECRET.search(one.excerpt) else one for one in found)
    raise FileError(str(path), tuple(sorted(safe, key=lambda one: (one.line, one.column))))


def template(address: str, store: str, identity: str, key: str) -> str:
    """A new desk's settings, the defaults as comments; `identity` is the store's, `key` the public key."""
    text = Path(__file__).with_name("template.yaml").read_text(encoding="utf-8")
    place = f"{'# ' if store == 'desk.sqlite' else ''}store: {store}"
    return text.format(address=address, id=identity, key=key, store=place)
