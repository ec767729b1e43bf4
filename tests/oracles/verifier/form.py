"""The form of an entry, and its bytes: types, canonical JSON, digests, commitments, and The Beam's deal."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date, datetime
from hashlib import sha256
from itertools import pairwise
from typing import Any
from zoneinfo import available_timezones

ZONES = available_timezones()
ENTRY = {"at", "before", "body", "came", "digest", "game", "kind", "number"}
FORBIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff]")
Json = dict[str, Any]


class WrongError(Exception):
    """The first fault, by its code."""


def require(holds: bool, code: str) -> None:
    """Raise the code of a fault unless a condition holds."""
    if not holds:
        raise WrongError(code)


def text(value: object) -> bool:
    """Text."""
    return isinstance(value, str)


def whole(value: object) -> bool:
    """A whole number; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def hexadecimal(value: object) -> bool:
    """A digest, a commitment or a nonce."""
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None


def moment(value: object) -> bool:
    """A time as it is written in `at`."""
    if not isinstance(value, str) or not re.fullmatch(r"2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", value, re.ASCII):
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


def day(value: object) -> bool:
    """A date such as 2027-08-01."""
    if not isinstance(value, str) or not re.fullmatch(r"\d{4}-\d\d-\d\d", value, re.ASCII):
        return False
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def mapping(inner: Callable[[object], bool]) -> Callable[[object], bool]:
    """An object whose values are all of one type."""
    return lambda value: isinstance(value, dict) and all(map(inner, value.values()))


def listing(value: object) -> bool:
    """A list of texts."""
    return isinstance(value, list) and all(map(text, value))


def nullable(inner: Callable[[object], bool]) -> Callable[[object], bool]:
    """A type, or null."""
    return lambda value: value is None or inner(value)


def opening(value: object) -> bool:
    """A move and its nonce, in `unplayed`."""
    if not isinstance(value, dict) or set(value) != {"move", "nonce"}:
        return False
    return text(value["move"]) and hexadecimal(value["nonce"])


def thing(value: object) -> bool:
    """Any object that is nested sixteen levels deep at most."""
    return isinstance(value, dict) and is_flat(value, 16)


def is_flat(value: object, levels: int) -> bool:
    """True if lists and objects are nested `levels` deep at most."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return inner is None or (levels > 0 and all(is_flat(one, levels - 1) for one in inner))


def terms(value: object) -> bool:
    """The terms of a clock."""
    names = {"days", "bank", "increment", "most", "vacation", "reminders", "timeout", "zone"}
    if not isinstance(value, dict) or set(value) != names:
        return False

    def between(number: object, most: int, least: int = 0) -> bool:
        return isinstance(number, int) and whole(number) and least <= number <= most

    hours, zone = value["reminders"], value["zone"]
    return (
        between(value["days"], 366)
        and between(value["bank"], 9600)
        and between(value["increment"], 960)
        and (value["most"] is None or between(value["most"], 9600))
        and between(value["vacation"], 366)
        and isinstance(hours, list)
        and all(between(number, 2400, 1) for number in hours)
        and all(before > after for before, after in pairwise(hours))
        and value["timeout"] in ("claim", "loss")
        and isinstance(zone, str)
        and zone not in ("localtime", "posixrules", "Factory")
        and not zone.startswith(("posix/", "right/"))
        and zone in ZONES
        and (value["days"] > 0 or (value["bank"] > 0 and value["most"] != 0))
    )


def came(value: object) -> bool:
    """The letter of an act."""
    if not isinstance(value, dict) or set(value) != {"letter", "server", "provider", "signature"}:
        return False
    may = nullable(moment)(value["provider"]) and nullable(text)(value["signature"])
    return hexadecimal(value["letter"]) and moment(value["server"]) and may


def truth(value: object) -> bool:
    """True or false."""
    return isinstance(value, bool)


Types = dict[str, Callable[[object], bool]]
SEAL: Types = {"ply": whole, "side": text, "commitment": hexadecimal, "head": hexadecimal}
REVEAL: Types = {"ply": whole, "side": text, "move": text, "nonce": hexadecimal}
SIDE: Types = {"side": text}
BODIES: dict[str, Types] = {
    "opened": {
        "log": whole, "game": text, "rules": whole, "title": nullable(text), "players": mapping(text),
        "options": thing, "clock": nullable(thing), "owing": listing, "desk": nullable(text), "keys": mapping(text),
    },
    "submitted": SEAL,
    "sealed": SEAL,
    "ahead": SIDE | {"due": whole, "commitment": hexadecimal, "head": hexadecimal},
    "revealed": REVEAL,
    "failed": REVEAL | {"code": text},
    "played": {
        "ply": whole, "moves": mapping(text), "nonces": mapping(hexadecimal), "owing": listing,
        "known": nullable(thing),
    },
    "planned": {"ply": whole, "side": text, "commitment": nullable(hexadecimal), "head": hexadecimal},
    "followed": SIDE | {"ply": whole},
    "spent": SIDE | {"ply": whole},
    "published": SIDE | {"plan": text, "nonce": hexadecimal},
    "offered": SIDE,
    "accepted": SIDE,
    "declined": SIDE,
    "resigned": SIDE,
    "claimed": SIDE | {"what": text},
    "message": SIDE | {"text": text},
    "vacation": SIDE | {"first": day, "last": day},
    "reminded": SIDE | {"hours": whole, "deadline": moment},
    "extended": SIDE | {"hours": whole},
    "paused": {"reason": text},
    "resumed": {},
    "adjudicated": {"by": nullable(text), "reason": text},
    "replaced": SIDE | {"name": text, "key": nullable(text), "old": nullable(text)},
    "closed": {
        "how": text, "by": nullable(text), "winner": nullable(text), "score": mapping(whole),
        "unplayed": mapping(opening), "secret": nullable(text), "notes": nullable(mapping(text)),
        "addresses": nullable(mapping(listing)),
    },
    "reopened": {"reason": text},
    "keyed": SIDE | {"key": nullable(text), "old": nullable(text), "reason": text},
    "noted": {"ply": whole, "side": text, "signature": text},
    "invited": {
        "log": whole, "game": text, "rules": whole, "title": nullable(text), "options": thing,
        "clock": nullable(thing), "by": nullable(text), "seats": mapping(nullable(text)), "until": moment,
        "of": nullable(hexadecimal), "secret": nullable(hexadecimal), "desk": nullable(text),
    },
    "joined": SIDE | {"name": text, "key": nullable(text), "word": text},
    "engaged": SIDE | {"level": whole, "version": whole, "seed": hexadecimal},
    "disclosed": SIDE | {"seed": hexadecimal},
    "refused": SIDE | {"never": truth},
    "left": SIDE,
    "lapsed": {},
    "gave": SIDE | {"to": text, "hours": whole},
    "aborted": SIDE,
    "signed": {"desk": nullable(text), "old": nullable(text), "reason": text},
}  # fmt: skip


def is_line(value: str) -> bool:
    """A line of text, such as a name or a title."""
    return 1 <= len(value) <= 200 and value.strip() != "" and not FORBIDDEN.search(value)


def is_message(value: str) -> bool:
    """A message, with line feeds between its lines."""
    lines = value.split("\n")
    whole_lines = all(not FORBIDDEN.search(line) and line == line.rstrip() for line in lines)
    return 1 <= len(value) <= 8000 and value == value.strip() and whole_lines


def canonical(value: object) -> str:
    """The one way to write a value as JSON."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def refuse_number(number: str) -> None:
    """Fractions, exponents, NaN and infinities."""
    raise WrongError("json" if number[-1].isalpha() else "event")


def read(line: str) -> Json:
    """An entry from its line, in the right form and the right bytes."""
    require(len(line.encode("utf-8", "surrogatepass")) <= 2**20, "event")
    try:
        entry = json.loads(line, parse_float=refuse_number, parse_constant=refuse_number)
    except (ValueError, RecursionError) as error:
        raise WrongError("json") from error
    require(not re.search("[\ud800-\udfff]", canonical(entry)), "json")  # half a surrogate pair
    require(isinstance(entry, dict) and set(entry) == ENTRY, "event")
    require(entry["came"] is None or came(entry["came"]), "event")
    game_id = entry["game"] if text(entry["game"]) else ""
    require(re.fullmatch("[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?", game_id) is not None, "event")
    require(whole(entry["number"]) and moment(entry["at"]), "event")
    require(hexadecimal(entry["before"]) and hexadecimal(entry["digest"]), "event")
    require(text(entry["kind"]) and entry["kind"] in BODIES, "event")
    body, types = entry["body"], BODIES[entry["kind"]]
    require(isinstance(body, dict) and set(body) == set(types), "event")
    require(all(right(body[name]) for name, right in types.items()), "event")
    require(canonical(entry) == line, "canonical")
    return dict(entry)


def digest(entry: Json) -> str:
    """The digest of an entry."""
    rest = {name: value for name, value in entry.items() if name != "digest"}
    return hashed("referee event 1", canonical(rest))


def hashed(*lines: str) -> str:
    """SHA-256 over lines."""
    return sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def deal_of(seed: str) -> Json:
    """Discs and decks of The Beam, as rules/the-beam.md has them."""
    block = -1

    def below(limit: int) -> int:
        nonlocal block
        while True:
            block += 1
            number = int.from_bytes(sha256(f"{seed}:{block}".encode()).digest()[:8], "big")
            if number < 2**64 - 2**64 % limit:
                return number % limit

    def shuffled(cards: list[int]) -> list[int]:
        for index in range(len(cards) - 1, 0, -1):
            other = below(index + 1)
            cards[index], cards[other] = cards[other], cards[index]
        return cards

    discs = {colour: sorted(shuffled([1, 2, 3, 4, 5, 6])[:3]) for colour in ("yellow", "blue", "green", "red")}
    pack = shuffled([number for number in (1, 2, 3, 4, 5, 6) for _ in range(4)])
    return {"discs": discs, "decks": [pack[:12], pack[12:]]}
