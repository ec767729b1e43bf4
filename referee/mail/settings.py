"""A desk's settings: one YAML file in its folder, validated as game files are (docs/desk.md, "Settings")."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field, ValidationError, ValidationInfo, field_validator

from referee.desk import Terms
from referee.errors import FileError, RefereeError, shown
from referee.game.document import decode, parse, read_bytes
from referee.game.schema import Address, Keys, Strict, Text, findings
from referee.mail.intake.addresses import is_reachable, small

FILE = "desk.yaml"
"""The settings' name in a desk's folder."""

_SECRET = re.compile(r"://|password(?!-file)", re.IGNORECASE)
"""What a line with a password in it may have: no error shows one, since mail servers keep what a filter says."""


def _lines_of_terms(data: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        Terms.read(data)
    except RefereeError as error:
        raise ValueError(error.message) from None
    return data


def _host(text: str) -> str:
    if not text or any(not (char.isalnum() or char in ".-:[]") for char in text):
        raise ValueError("the name or address of a machine belongs here")
    return text


def _is_here(host: str) -> bool:
    """Whether a host is this machine, so that nothing that is said to it leaves it."""
    with suppress(ValueError):
        return ip_address(host.strip("[]")).is_loopback
    return small(host) == "localhost"


def _own(text: str) -> str:
    if "+" in text:
        raise ValueError("what stands behind a + is the game's and the seat's: the desk's own address has none")
    return text


def _identity(text: str) -> str:
    if not re.fullmatch(r"[0-9a-f]{16}", text):
        raise ValueError("a desk's id has 16 hexadecimal digits, as 'referee desk init' wrote them")
    return text


def _reachable(text: str) -> str:
    if not is_reachable(text):
        raise ValueError(f"letters cannot be sent to {shown(text)}")
    return text


Reachable = Annotated[Address, AfterValidator(_reachable)]
Own = Annotated[Reachable, AfterValidator(_own)]
Identity = Annotated[str, AfterValidator(_identity)]
Host = Annotated[str, AfterValidator(_host)]
Port = Annotated[int, Field(ge=1, le=65535)]
Clock = Annotated[dict[str, Any], AfterValidator(_lines_of_terms)]


class _Keyed(Strict):
    """Settings whose names have hyphens in the file."""

    model_config = ConfigDict(alias_generator=lambda name: name.replace("_", "-"))


class Listen(_Keyed):
    """Where `serve` takes letters in, by LMTP (RFC 2033)."""

    host: Host = "127.0.0.1"
    port: Port = 8024


class Server(_Keyed):
    """A mail server to log in to: with a password, from a file that nobody else may read."""

    host: Host = "127.0.0.1"
    security: Literal["none", "starttls", "tls"] = "none"
    user: Text | None = None
    password_file: Text | None = None

    @field_validator("user")
    @classmethod
    def _private(cls, user: str | None, found: ValidationInfo) -> str | None:
        """Refuse a login that everybody on the way could read."""
        host = found.data.get("host", "")
        if user is not None and found.data.get("security") == "none" and not _is_here(host):
            raise ValueError(f"'security: none' would show the password to everybody on the way to {host}: use tls")
        return user


class Send(Server):
    """The server that letters are handed to, by SMTP."""

    port: Port = 25


class Imap(Server):
    """A mailbox that letters are fetched from."""

    port: Port = 993
    security: Literal["none", "starttls", "tls"] = "tls"
    folder: Text = "INBOX"


class Trust(_Keyed):
    """Which of the mail servers on the way are believed, and what of them is required.

    `authserv` are the names under which the own server reports what it checked (RFC 8601). `received_by` is the
    own server that takes letters from outside: its Received line tells when a letter came, and reports count only
    above it. `hops` are own servers that pass letters on from there to the desk. `strips` says that the own server
    removes reports that others wrote in its name.
    """

    authserv: tuple[Text, ...] = Field(default=(), strict=False)
    require: Literal["nothing", "dmarc"] = "nothing"
    received_by: Host | None = None
    hops: tuple[Host, ...] = Field(default=(), strict=False)
    strips: bool = False


class Answers(_Keyed):
    """How many answers of each kind an address gets at most, and how many notes all strangers together.

    `unasked_a_day` limits answers to letters that ask for nothing the desk understands, or that anybody could have
    written; `alike_an_hour` those of them that say the same as the one before.
    """

    an_hour: Annotated[int, Field(ge=1, le=10_000)] = 30
    unasked_a_day: Annotated[int, Field(ge=0, le=100)] = 30
    alike_an_hour: Annotated[int, Field(ge=0, le=100)] = 3
    notes_an_hour: Annotated[int, Field(ge=0, le=10_000)] = 50
    notes_a_day: Annotated[int, Field(ge=0, le=10_000)] = 200


class Settings(_Keyed):
    """All settings of a desk."""

    address: Own
    name: Text = "The referee"
    host: Reachable | None = None
    ids: Host | None = None
    id: Identity | None = None
    store: Text = "desk.sqlite"
    pictures: bool = True
    megabytes_a_day: Annotated[int, Field(ge=1, le=10_000)] = 25
    clock: Clock = Field(default_factory=dict)
    listen: Listen = Listen()
    send: Send = Send()
    imap: Imap | None = None
    trust: Trust = Trust()
    answers: Answers = Answers()


def _aliases(model: type[Strict]) -> tuple[str, ...]:
    return tuple(field.alias or name for name, field in model.model_fields.items())


_KEYS: Keys = {
    "": _aliases(Settings),
    "listen": _aliases(Listen),
    "send": _aliases(Send),
    "imap": _aliases(Imap),
    "trust": _aliases(Trust),
    "answers": _aliases(Answers),
}


def read_settings(path: Path) -> Settings:
    """The settings in a file; FileError with all findings, each with line and column, and without a password."""
    document = parse(decode(read_bytes(path), str(path)))
    found = document.findings
    if not found:
        try:
            settings = Settings.model_validate(document.data)
        except ValidationError as error:
            found = tuple(findings(document, error, _KEYS))
        else:
            return settings
    raise FileError(
        str(path), tuple(replace(one, excerpt="") if _SECRET.search(one.excerpt) else one for one in found)
    )


def commented(address: str, store: str = "desk.sqlite", identity: str | None = None) -> str:
    """A new desk's settings: every setting with what it means, those that differ from their default set."""
    known = f'id: "{identity}"' if identity else '# id: "0123456789abcdef"'
    return f"""\
# The settings of a desk. Whatever begins with '#' is a comment; what stands in it is the default.

address: {address}
                        # where players write to. The mail server must hand over this address and every one with
                        # a tag, such as desk+spring-7.k2x@example.org (docs/desk.md tells how)
# name: The referee     # what stands beside the address in letters
# host: you@example.org # who keeps this desk: told to players who need help
# ids: example.org      # the domain of the desk's message ids; by default that of the address
{known}  # the id of the store: with any other one the desk refuses to work
{"# " if store == "desk.sqlite" else ""}store: {store}    # a file, seen from this folder, or postgresql://user@machine/database
# pictures: true        # letters show the board as a picture too, if the extra [pictures] is installed
# megabytes-a-day: 25   # for the letters of one sender; beyond that a long letter is not kept, and its sender is told

# clock:                # what a new game is played by, if 'referee desk open' says nothing else
#   days: 7             # for a move, to the same time of day
#   bank: 0             # hours beyond that, for the whole game
#   increment: 0        # hours that come into the bank with each move
#   vacation: 0         # days that a side may take off
#   reminders: [48, 12] # hours before a deadline
#   timeout: claim      # another side may claim the end; 'loss': it comes at once
#   zone: UTC           # such as Europe/Vienna

# listen:               # where 'referee desk serve' takes letters in, by LMTP
#   host: 127.0.0.1
#   port: 8024

# send:                 # the mail server that takes the desk's letters
#   host: 127.0.0.1
#   port: 25
#   security: none      # starttls, tls
#   user: desk
#   password-file: smtp-password    # in this folder; nobody else may read it

# imap:                 # only for 'referee desk receive --imap'
#   host: imap.example.org
#   port: 993
#   security: tls       # starttls, none
#   user: desk
#   password-file: imap-password
#   folder: INBOX

# trust:
#   authserv: [mx.example.org]      # the names by which your mail server signs Authentication-Results
#   require: nothing    # 'dmarc': only letters that it vouches for can move
#   received-by: mx.example.org     # the server of yours that takes letters from outside: its Received line tells
#                       # when a letter came, not the desk's clock. By default those of authserv, without the time
#   hops: [store.example.org]       # servers of yours that pass letters on from there to the desk
#   strips: false       # true: your mail server removes reports that others wrote in its name

# answers:              # limits, so that no two programs write to each other without end
#   an-hour: 30         # to one address, of each kind of answers
#   unasked-a-day: 30   # to one address, if a letter asks for nothing the desk understands, or has no key
#   alike-an-hour: 3    # of these, to letters that say the same
#   notes-an-hour: 50   # to people without a seat, all together; each of them gets one a day
#   notes-a-day: 200
"""
