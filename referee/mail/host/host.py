"""Orders of the host and the clock for the games of a desk by mail, with letters to the players."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from functools import partial

from referee.desk import Answer, EngineSeats, Key, Order, Outgoing, Progress, State, Terms, acts
from referee.engine.levels import PROGRAM_LEVEL
from referee.errors import Refusal, shown
from referee.game import GameFile, is_text
from referee.mail.addresses import is_reachable, person
from referee.mail.handlers.notifications import notifications, resent
from referee.mail.handlers.roundup import queue_roundups
from referee.mail.host.outages import wake
from referee.mail.host.program_seat import program_words
from referee.mail.letters.story.draft import Gist
from referee.mail.office import FILED_KINDS, Office


def open_game(
    office: Office,
    name: str,
    game: GameFile,
    at: datetime,
    *,
    terms: Terms | None,
    addresses: Mapping[str, str],
    secret: str | None = None,
    engines: EngineSeats | None = None,
) -> State:
    """Open a game under an id, and send every side its invitation; `engines` are levels by the sides that they take.

    FileError if the moves of the game's file are wrong; RefereeError `game-id` if it is none, or is taken; `address`
    if a side has none that letters can be sent to, or the desk's own; `no-engines`; `program` if the settings name no
    program, but one is to play; and as `Desk.open` does.
    """

    def invitations(result: Progress) -> tuple[Outgoing, ...]:
        reached = {notice.side: notice.address for notice in result.notices}
        for side in result.state.position.sides:
            if engines and side in engines:
                continue
            if (address := reached.get(side)) is None:
                raise Refusal("address", f"{side} has no player with an address: the desk plays games by e-mail")
            _refuse_unreachable(office, address)
        return notifications(office, result, at)

    if engines and not office.settings.engines.cores:
        raise Refusal("no-engines", "engines do not play at this desk: its settings give them no core")
    if engines and PROGRAM_LEVEL in engines.values():
        program_words(office.settings.engines.program)
    return office.desk.open(
        name, game, at, terms=terms, addresses=addresses, secret=secret, engines=engines, writer=invitations
    )


def several_seats(office: Office, name: str) -> list[tuple[str, ...]]:
    """The sides that one person has in a game, for each person with more than one."""
    table = office.desk.table(name)
    people: dict[str, tuple[str, ...]] = {}
    for side in table.state.position.sides:
        if address := table.address(side):
            people[person(address)] = (*people.get(person(address), ()), side)
    return [sides for sides in people.values() if len(sides) > 1]


def order_by_host(office: Office, name: str, wanted: Order, at: datetime, *, reason: str = "") -> Answer:
    """Do an order of the host in a game; every side gets a letter.

    `reason` goes into the letters. Orders whose reason belongs in the log have one of their own. RefereeError
    `unknown-game`, `reason` if it is not a line of text, or why the order is refused; then nothing has changed.
    """
    _expect_line(reason)
    if isinstance(wanted, acts.Replace) and wanted.address is not None:
        _refuse_unreachable(office, wanted.address)
    wake(office, at)
    writer = partial(notifications, office, at=at, reason=reason)
    (answer,) = office.desk.order(name, wanted, at, writer=writer).answers
    return answer


def tick_games(office: Office, at: datetime) -> int:
    """Do everything due by the clock in running games, such as reminders; return the number of events.

    The daily letters are queued, too, and the day before gets its root. Waiting letters are handled first: they came
    in time. While one must be tried again by the desk's own fault, or another worker still handles its own, no time
    passes.
    """
    if found := office.desk.catalogue.playable(office.desk.inbox.awaited_packages()):
        office.desk.inbox.wake(found, at)
    _handle_waiting(office, at)
    if office.desk.inbox.postponed(at) or office.desk.inbox.waiting(at, 1):
        return 0
    entries = office.desk.tick(at, writer=partial(notifications, office, at=at))
    queue_roundups(office, at)
    office.desk.days.end_day(at)
    return entries


def renew_key(office: Office, at: datetime, because: Gist = Gist.NEW_KEY, reason: str = "") -> int:
    """Draw a new key for the desk, and send it to every player of a running game; return the number of letters.

    It is for a desk restored from a backup: everything published since then must open nothing, and its tokens must
    move nothing. Only the letters that have waited until now may still bring such a token. `because` is the letters'
    beginning, `reason` goes into the logs; RefereeError `reason` if it is not a line of text.
    """
    _expect_line(reason)
    wake(office, at, trusted=True)
    former = office.desk.key
    office.desk.keep_addresses(at)
    office.desk.keys.renew(Key.drawn())
    with office.desk.keys.honouring(former):
        _handle_waiting(office, at)
    return office.desk.tell_key(former, reason, at, writer=partial(notifications, office, at=at, renewed=because))


def resend(office: Office, name: str, side: str | None, at: datetime, *, reason: str = "") -> list[str]:
    """Send a side, or every side, its last letter again, with the same message id.

    With a `reason` the letter explains why it comes again. RefereeError `unknown-game`, `unknown-side`, or `reason`.
    """
    _expect_line(reason)
    table = office.desk.table(name)
    if side is not None:
        table.state.position.expect_side(side)
    addresses = {one: table.address(one) for one in (table.state.position.sides if side is None else (side,))}
    changed, outbox = partial(resent, reason=reason), office.desk.outbox
    return [one for one, address in addresses.items() if address and outbox.again(name, address, at, changed)]


def retry(office: Office, digests: Collection[str], at: datetime) -> int:
    """Try letters again that were set aside: those whose digests begin like this, or all; return their number.

    RefereeError `unknown-letter` if a name fits none of them; then none is tried.
    """
    aside = [letter.digest for letter, _ in office.desk.inbox.aside()]
    for digest in digests:
        if not any(one.startswith(digest) for one in aside):
            raise Refusal("unknown-letter", f"no letter {shown(digest)} was set aside")
    return sum(office.desk.inbox.retry(digest, at) for digest in digests or ("",))


def acknowledge(office: Office, digests: Collection[str], at: datetime) -> tuple[int, int]:
    """Take filed letters whose digests begin like this off the list of `status`; without any, all that it lists.

    Without digests, the letters out that were given up are no longer counted either. Nothing is deleted. Return the
    numbers of both. RefereeError `unknown-letter` if no filed letter has this name; then nothing has changed.
    """
    filed = [digest for digest, _ in office.desk.inbox.filed(FILED_KINDS)]
    for digest in digests:
        if not any(one.startswith(digest) for one in filed):
            raise Refusal("unknown-letter", f"no filed letter {shown(digest)} is listed")
    number = sum(office.desk.inbox.acknowledge(digest, at) for digest in digests or ("",))
    return number, 0 if digests else office.desk.outbox.acknowledge(at)


def _handle_waiting(office: Office, at: datetime) -> None:
    if office.desk.inbox.waiting(at, 1):
        from referee.mail.handlers.pipeline import handle_waiting  # most orders of the host read no letter

        handle_waiting(office, at)


def _expect_line(reason: str) -> None:
    if reason and not is_text(reason):
        raise Refusal("reason", f"a reason is a line of text, not {shown(reason)}")


def _refuse_unreachable(office: Office, address: str) -> None:
    if not is_reachable(address):
        raise Refusal("address", f"letters cannot be sent to {shown(address)}")
    if office.mailbox.owns(address):
        raise Refusal("address", f"{shown(address)} is the desk's own address: a player needs another one")
