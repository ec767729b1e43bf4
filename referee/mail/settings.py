"""A desk's settings: one YAML file in its folder, checked as strictly as game files (docs/desk.md, "Settings")."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, dataclass, field, fields, replace
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Literal

from referee.desk import Terms
from referee.errors import FileError, RefereeError, shown
from referee.game.document import KeyPath, decode_utf8, parse_document, read_bytes
from referee.game.header import LINE, address_fault
from referee.game.schema import (
    FLAG,
    Misfit,
    Reason,
    Schema,
    anything,
    findings,
    keys,
    list_of,
    mapping_of,
    one_of,
    optional,
    scalar,
    whole,
)
from referee.mail.intake.addresses import is_reachable, small
from referee.rules.frozen import Frozen

FILE = "desk.yaml"
"""The name of the settings in a desk's folder."""

_SECRET = re.compile(r"://|password(?!-file)", re.IGNORECASE)
"""The sign of a line with a password: no error shows such a line, since mail servers keep what a filter says."""


def _reach_fault(text: str) -> str | None:
    return None if is_reachable(text) else f"letters cannot be sent to {shown(text)}"


def _pattern(expression: str, wanted: str) -> Reason:
    """Why a text is not the one that is wanted."""
    return lambda text: None if re.fullmatch(expression, text) else f"expected {wanted}"


def _terms(data: Any, key: KeyPath) -> Sequence[Misfit]:  # noqa: ANN401 - plain data
    """The kind of the terms of a clock."""
    if faults := mapping_of(anything)(data, key):
        return faults
    try:
        Terms.read(data)
    except RefereeError as error:
        return (Misfit(key, "wrong-value", f"{key[-1]}: {error.message}"),)
    return ()


_HOST = scalar(str, "text", _pattern(r"(?:[^\W_]|[.:\[\]-])+", "the name or address of a machine"))
_ID = scalar(str, "text", _pattern("[0-9a-f]{16}", "16 hexadecimal digits, as 'referee desk init' wrote them"))
_NO_PLUS = _pattern("[^+]*", "an address without a +: the part behind a + names the game and the seat")
_PORT = whole(1, 65535)
_SECURITY = one_of(("none", "starttls", "tls"))


def _setting(kind: Schema, default: Any = MISSING) -> Any:  # noqa: ANN401 - as `field`
    """A setting of a kind; without a default it is required."""
    return field(default=default, metadata={"kind": kind})


def _kind(model: type) -> Schema:
    """The kind of a section: its settings under their names in the file, which have hyphens."""
    known = {one.name.replace("_", "-"): one for one in fields(model)}
    required = [name for name, one in known.items() if one.default is MISSING]
    return keys({name: one.metadata["kind"] for name, one in known.items()}, required)


def _private(model: type[Server]) -> Schema:
    """The kind of a section with a login, which nobody on the way may read."""

    def faults(value: Any, key: KeyPath) -> Sequence[Misfit]:  # noqa: ANN401 - plain data
        if found := _kind(model)(value, key):
            return found
        server = _made(model, value)
        if server.user is None or server.security != "none" or _is_here(server.host):
            return ()
        why = f"'security: none' would show the password to others on the way to {server.host}: use tls"
        return (Misfit((*key, "user"), "wrong-value", f"user: {why}"),)

    return faults


def _is_here(host: str) -> bool:
    """Whether a host is this machine: then no password travels."""
    with suppress(ValueError):
        return ip_address(host.strip("[]")).is_loopback
    return small(host) == "localhost"


@dataclass(frozen=True, slots=True)
class Listen:
    """The address at which `serve` takes letters by LMTP (RFC 2033)."""

    host: str = _setting(_HOST, "127.0.0.1")
    port: int = _setting(_PORT, 8024)


@dataclass(frozen=True, slots=True)
class Server:
    """A mail server; the password for a login is in a file that nobody else may read."""

    host: str = _setting(_HOST, "127.0.0.1")
    security: Literal["none", "starttls", "tls"] = _setting(_SECURITY, "none")
    user: str | None = _setting(optional(LINE), None)
    password_file: str | None = _setting(optional(LINE), None)


@dataclass(frozen=True, slots=True)
class Send(Server):
    """The server that takes the desk's letters, by SMTP."""

    port: int = _setting(_PORT, 25)


@dataclass(frozen=True, slots=True)
class Imap(Server):
    """A mailbox to fetch letters from."""

    port: int = _setting(_PORT, 993)
    security: Literal["none", "starttls", "tls"] = _setting(_SECURITY, "tls")
    folder: str = _setting(LINE, "INBOX")


@dataclass(frozen=True, slots=True)
class Trust:
    """Which mail servers the desk believes, and what it requires of them.

    `authserv` are the names under which the host's own server reports its checks (RFC 8601). `received_by` is the
    host's server that takes letters from outside: its Received line tells when a letter came, and reports count only
    above it. `hops` are the host's servers that pass letters on from there to the desk. `strips` says that the host's
    server removes reports that others wrote in its name.
    """

    authserv: tuple[str, ...] = _setting(list_of(LINE), ())
    require: Literal["nothing", "dmarc"] = _setting(one_of(("nothing", "dmarc")), "nothing")
    received_by: str | None = _setting(optional(_HOST), None)
    hops: tuple[str, ...] = _setting(list_of(_HOST), ())
    strips: bool = _setting(FLAG, False)


@dataclass(frozen=True, slots=True)
class Answers:
    """The most answers of each kind for one address, and the most notes for all strangers together.

    `unasked_a_day` limits answers to letters that ask for nothing the desk understands, or that anybody could have
    written; `alike_an_hour` limits those of them that say the same as the one before.
    """

    an_hour: int = _setting(whole(1, 10_000), 30)
    unasked_a_day: int = _setting(whole(0, 100), 30)
    alike_an_hour: int = _setting(whole(0, 100), 3)
    notes_an_hour: int = _setting(whole(0, 10_000), 50)
    notes_a_day: int = _setting(whole(0, 10_000), 200)


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a desk."""

    address: str = _setting(scalar(str, "text", address_fault, _reach_fault, _NO_PLUS))
    name: str = _setting(LINE, "The referee")
    host: str | None = _setting(optional(scalar(str, "text", address_fault, _reach_fault)), None)
    ids: str | None = _setting(optional(_HOST), None)
    id: str | None = _setting(optional(_ID), None)
    store: str = _setting(LINE, "desk.sqlite")
    pictures: bool = _setting(FLAG, True)
    megabytes_a_day: int = _setting(whole(1, 10_000), 25)
    clock: Mapping[str, Any] = _setting(_terms, Frozen())
    listen: Listen = field(default=Listen(), metadata={"kind": _kind(Listen)})
    send: Send = field(default=Send(), metadata={"kind": _private(Send)})
    imap: Imap | None = field(default=None, metadata={"kind": optional(_private(Imap))})
    trust: Trust = field(default=Trust(), metadata={"kind": _kind(Trust)})
    answers: Answers = field(default=Answers(), metadata={"kind": _kind(Answers)})


_SECTIONS = {"listen": Listen, "send": Send, "imap": Imap, "trust": Trust, "answers": Answers}


def _made(model: Any, data: Mapping[str, Any]) -> Any:  # noqa: ANN401 - a section and its class
    """A section of valid data."""
    return model(**{name.replace("-", "_"): value for name, value in data.items()})


def read_settings(path: Path) -> Settings:
    """The settings in a file; FileError with all findings, each with line and column, and without a password."""
    document = parse_document(decode_utf8(read_bytes(path), str(path)))
    data = document.data
    found = document.findings or findings(document, _kind(Settings)(data, ()))
    if found:
        hidden = (replace(one, excerpt="") if _SECRET.search(one.excerpt) else one for one in found)
        raise FileError(str(path), tuple(hidden))
    given = {name: model for name, model in _SECTIONS.items() if data.get(name) is not None}
    sections = {name: _made(model, data[name]) for name, model in given.items()}
    settings: Settings = _made(Settings, {**data, **sections})
    return settings


def template(address: str, store: str = "desk.sqlite", identity: str | None = None) -> str:
    """The settings of a new desk, with every setting explained; the defaults are comments."""
    text = Path(__file__).with_name("template.yaml").read_text(encoding="utf-8")
    known = f'id: "{identity}"' if identity else '# id: "0123456789abcdef"'
    return text.format(address=address, id=known, store=f"{'# ' if store == 'desk.sqlite' else ''}store: {store}")
