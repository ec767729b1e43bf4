"""Letters for those who want to check a log: a player's own at any time, those of all sides after the end.

Next to the mailbox are the DKIM keys of the letters, as DNS returned them when the letters came.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from email import message_from_bytes
from pathlib import Path
from typing import NamedTuple

from referee.desk import Entry, Incoming, acting_side, events, seat_token
from referee.desk.log.secrets import meant_name
from referee.errors import FileError, Refusal
from referee.game.amend.gate import create_private
from referee.mail.addresses import small
from referee.mail.evidence.mailboxes import as_mailbox
from referee.mail.evidence.signers import BESIDE, key_lines
from referee.mail.intake.letter import read_letter
from referee.mail.intake.message.headers import guard
from referee.mail.intake.message.trace import key_names
from referee.mail.office import Office, sides_of

_BREAKS = re.compile(r"[=>\s]+")
"""Characters within a link that was broken, quoted or encoded."""


class Handover(NamedTuple):
    """Letters of a game, and the numbers of others: with sealed moves, lost, or with a live reply address."""

    letters: tuple[Incoming, ...]
    sealed: int
    lost: int
    acting: int


def letters_to_give(office: Office, game: str, side: str | None, *, unseal: bool = False) -> Handover:
    """The letters that have done something in a game, or those of a side, in the order of the log.

    Letters of the ply that is being played are left out where its moves are sealed, unless `unseal` is true. Before
    the end, so are those of the seat's earlier players. After it, letters for others are left out while they reveal a
    valid secret: the address or link of a seat, in another game or in this one since its end, or a calendar.
    RefereeError `unknown-game` or `unknown-side`; `still-running` if all letters are asked for before the end.
    """
    state = office.desk.state(game)
    if side is not None:
        state.position.expect_side(side)
    if side is None and state.closed is None:
        message = f"{game} is not over, so the letters of other sides stay private: name a --side"
        raise Refusal("still-running", message)
    log = office.desk.log(game)
    since = -1 if state.closed else max((one.number for one in log if _gives_up(one, side)), default=-1)
    came = [one for one in log[since + 1 :] if one.came and side in (None, acting_side(one.event))]
    sealed: set[str] = set()
    if not unseal and state.closed is None:
        hidden = [one for one in came if isinstance(one.event, events.Submitted) and one.event.ply == state.ply]
        sealed = {one.came.letter for one in hidden if one.came}
    secrets = office.desk.table(game).secrets  # some letters answer a question about an earlier one
    acted = [one.came.letter for one in came if one.came and one.came.letter not in sealed]
    digests = dict.fromkeys(one for name in acted for one in (secrets.get(meant_name(name)), name) if one)
    letters = [office.desk.inbox.letter(digest) for digest in digests]
    found = tuple(one for one in letters if one is not None)
    for_others = state.closed is not None and (side is None or any(_gives_up(one, side) for one in log))
    given = tuple(one for one in found if not (for_others and _gives_away(office, game, one)))
    return Handover(given, len(sealed), len(letters) - len(found), len(found) - len(given))


def write(office: Office, path: Path, letters: tuple[Incoming, ...]) -> int:
    """Write letters as a mailbox, and their keys into a file next to it, both private; return the number of keys.

    FileError `exists` or `unwritable`; then neither file is left behind.
    """
    names = {name for one in letters for name in key_names(read_letter(one.raw, office.mailbox).headers)}
    keys = office.desk.domain_keys.of(names)
    lines = "".join(f"{line}\n" for line in key_lines(keys))
    create_private(path, b"".join(as_mailbox(letters)))
    try:
        create_private(path.with_name(f"{path.name}{BESIDE}"), lines.encode())
    except FileError:
        path.unlink()
        raise
    return len(keys)


def _gives_up(entry: Entry, side: str | None) -> bool:
    return isinstance(entry.event, events.Replaced | events.Left) and entry.event.side == side


def _gives_away(office: Office, game: str, one: Incoming) -> bool:
    """True if a letter of a game lets its readers act for a seat now, or see another player's deadlines."""
    texts = [*_texts(office, one.raw)]
    senders = (sender.address for sender in read_letter(one.raw, office.mailbox).senders)
    table = office.desk.table(game)
    keys = [*_live_keys(office, {*senders, *map(table.address, table.state.position.sides)})]
    # Mail programs break links anywhere, and some put them into links of their own.
    if any(key in squeezed for squeezed in (_BREAKS.sub("", text) for text in texts) for key in keys):
        return True
    tags = {tag for text in texts for tag in office.mailbox.tags_in(text)}
    return any(
        office.desk.catalogue.rules(tag.game) is not None and office.desk.table(tag.game).seat(tag.key) is not None
        for tag in tags
    )


def _live_keys(office: Office, addresses: Iterable[str]) -> Iterator[str]:
    """The keys of all seats that people have now, which are in links as well, and those of their calendars."""
    key = office.desk.key
    for address in map(small, addresses):
        yield key.calendar(address)
        for name in office.desk.catalogue.all_games_of(address):
            table = office.desk.table(name)
            yield from (seat_token(key, table.state, side) for side in sides_of(table, address))


def _texts(office: Office, raw: bytes) -> Iterator[str]:
    """All texts of a letter, as it came and as it is read, with its attachments."""
    letter = read_letter(raw, office.mailbox)
    yield from (raw.decode("latin-1"), letter.body.text, letter.body.other)
    yield from (address for _, address in letter.headers.addresses("delivered-to", "to", "cc", "reply-to"))
    for part in message_from_bytes(raw).walk():
        content = guard(lambda one: one.get_payload(decode=True), part, None)
        if isinstance(content, bytes):
            yield content.decode("latin-1")
