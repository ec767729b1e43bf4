"""Letters as evidence: each act of a log compared with its letter, and the signers of the letters.

Nothing secret is needed: the move that a letter submits is compared with the one that the log reveals later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from hashlib import sha256
from itertools import chain, islice

from referee.desk import Came, Entry, Head, LogEvent, State, acting_side, each_once, events, read_time
from referee.desk.law.disclosure import Findings
from referee.desk.law.plans import left_before
from referee.desk.law.recomputation import moves_told
from referee.mail.addresses import Mailbox, small, split_tag, told_by
from referee.mail.evidence.destinations import Destinations, addressed, seats_named
from referee.mail.evidence.mailboxes import NO_DESK, kept_letters, own_heads, with_other_line_ends
from referee.mail.evidence.signers import Keys, Proof, is_ambiguous, signed_by
from referee.mail.evidence.sources import engines_asked, is_for_all, petitions, plans, says, submits
from referee.mail.intake.classification import classify
from referee.mail.intake.commands import CommandLine, Reading
from referee.mail.intake.intent import within_limits
from referee.mail.intake.letter import ADDRESSED, Letter, read_letter
from referee.mail.intake.meanings import meant_by, understood
from referee.mail.intake.message.text import LetterLine
from referee.mail.intake.message.trace import times_taken
from referee.mail.intake.requests import PassOn
from referee.mail.intake.statements import claims_page

_MOST_EARLIER = 40
"""Maximum letters before a bare answer that are searched for the one that it is about."""


@dataclass(slots=True)
class SideLetters:
    """The letters of a side: their number, their senders, and their signers.

    `longest` is the longest time from the signature of the sender's domain to the desk's server.
    """

    letters: int = 0
    longest: timedelta = timedelta()
    senders: dict[str, None] = field(default_factory=dict)
    signed: Counter[str] = field(default_factory=Counter)


class LetterEvidence:
    """Mailboxes that are asked about each entry of a log, in their order.

    `acts` counts the entries that came by letter, and `found` those whose letter is here; `missing` are the others.
    `unsent` counts acts of players without a letter; engines write none. `untied` are the acts whose letter no
    signature ties to the seat. `accounts` are by side. `begun` is true if a player's provider has signed a letter
    with which the game began, and `addresses` has the recipients of the letters. `heads` are the log heads in those
    letters of the mailboxes that claim to be the desk's. `ambiguous` are the names with two different keys.
    """

    def __init__(self, mailboxes: Iterable[bytes], keys: Keys) -> None:
        self.acts, self.found, self.unsent = 0, 0, 0
        self.missing: list[Entry] = []
        self.untied: list[Entry] = []
        self.begun = False
        self.addresses = Destinations()
        self._engines: list[int] | None = None
        self.accounts: dict[str, SideLetters] = {}
        self._raw: dict[str, bytes] = {}
        self._changed: set[str] = set()
        heads: list[Head] = []
        for content in mailboxes:
            heads += own_heads(content, keys)
            self._keep(content)
        self.heads: tuple[Head, ...] = each_once(heads)
        self.ambiguous = tuple(name for name, records in keys.items() if is_ambiguous(records))
        self._keys = keys
        self._last, self._newest = "", 0
        self._used: dict[str, set[str]] = {}
        self._copies: dict[tuple[str, str], str] = {}
        self._senders: dict[str, str] = {}
        self._tied: set[tuple[str, str]] = set()
        self._submitted: dict[str, frozenset[str]] = {}
        self._planned: list[frozenset[str] | None] = []

    def _keep(self, content: bytes) -> None:
        """Keep the letters of a mailbox by their digests, also with their line ends as before a conversion."""
        for kept, name in kept_letters(content):
            digest = sha256(kept).hexdigest()
            self._raw[digest] = kept
            if name == digest:
                continue
            self._raw.update((sha256(raw).hexdigest(), raw) for raw in with_other_line_ends(kept))
            if name:
                self._changed.add(name)

    def __call__(self, state: State | None, entry: Entry) -> Findings:
        """Findings `letter` or `dkim` about a possible entry."""
        for message in (*self._untold(entry.event), *self._unasked(entry.event)):
            yield "letter", message
        if isinstance(entry.event, events.Closed) and state is not None:
            yield from (("letter", message) for message in self.addresses.told(state, entry.event))
        if isinstance(entry.event, events.Rekeyed):
            self.addresses.renewals += 1
        if isinstance(entry.event, events.Planned) and entry.event.commitment is not None:
            self._planned.append(None)
        if entry.came is not None:
            self.acts += 1
            raw = self._raw.get(entry.came.letter)
            if raw is not None:
                self.found += 1
                yield from self._judged(state, entry, entry.came, raw)
            elif entry.came.letter in self._changed:
                yield "letter", "the letter of this act was changed: it has another digest now"
            else:
                self.missing.append(entry)
            self._last = entry.came.letter
        elif isinstance(entry.event, events.Own) or (
            # A move made in turn, or filed when the game was opened.
            state is not None and isinstance(entry.event, events.Played) and not state.seals
        ):
            self.unsent += state is None or not (
                acting_side(entry.event) in state.engine_sides or left_before(state, entry.event)
            )
        if isinstance(entry.event, events.Played):
            self._newest = entry.number
        if isinstance(entry.event, events.Replaced | events.Left):
            self._senders.pop(entry.event.side, None)

    def _unasked(self, event: LogEvent) -> Iterator[str]:
        """Faults of the engines of a game that a letter has proposed: the letter names their levels."""
        match event:
            case events.Engaged(level=level) if self._engines is not None:
                if level in self._engines:
                    self._engines.remove(level)
                else:
                    yield f"the letter that proposes the game asks for no engine of level {level}"
            case events.Opened() if self._engines:
                yield "the letter that proposes the game asks for an engine that has no seat"

    def _judged(self, state: State | None, entry: Entry, came: Came, raw: bytes) -> Findings:
        side = acting_side(entry.event)
        mailbox = _mailbox_of(raw, entry.game)
        letter = read_letter(raw, mailbox)
        reading = letter.reading(state.game if state is not None else None)
        verdict, messages = classify(letter, mailbox), list[str]()
        if not verdict.reads:
            messages.append(f"its letter can bring no act: {verdict.reason}")
        if came.provider is not None and read_time(came.provider) not in times_taken(letter.headers):
            messages.append(f"no server says in its letter that it took it at {came.provider}")
        messages += self._sent_by_others(side, letter)
        if isinstance(entry.event, events.Invited):
            self._engines = engines_asked(entry.event, reading)
        asks = petitions(state, entry.event, letter, reading)
        named = bool(addressed(letter))
        if asks or is_for_all(reading):
            messages += self.addresses.to_desk(state, entry, side, letter)
        elif state is not None:
            reading, named = within_limits(reading), letter.tag in seats_named(letter, entry.game, mailbox).values()
            if letter.tag is None and not any(split_tag(one)[1] for one in addressed(letter)):
                messages += self._answering(state, entry, came, side, letter)
            else:
                messages += self.addresses.to_seat(state, entry, side, letter, mailbox)
        if not asks:
            if came.letter in self._used and came.letter != self._last:
                messages.append("its letter has acted before, and another one since")
            messages += self._used_copy(side, letter)
            messages += self._unsaid(state, entry, came, letter, reading)
        yield from (("letter", message) for message in messages)
        if side not in self._used.setdefault(came.letter, set()):
            self._used[came.letter].add(side)
            yield from self._signed(side, raw, letter, named, came)
        if (came.letter, side) in self._tied:
            self.begun = self.begun or isinstance(entry.event, events.Invited | events.Joined)
        elif not _is_attested(entry):
            self.untied.append(entry)

    def _sent_by_others(self, side: str, letter: Letter) -> Iterator[str]:
        """A fault if a letter comes from another address than the earlier ones of its side."""
        sender = small(letter.senders[0].address) if len(letter.senders) == 1 else ""
        before = self._senders.setdefault(side, sender)
        if not sender:
            yield "its letter has not one sender"
        elif sender != before:
            yield f"its letter comes from {sender}, and those of {side} come from {before}"

    def _used_copy(self, side: str, letter: Letter) -> Iterator[str]:
        """A fault if another copy of a letter has acted: servers write above each, and may change blanks."""
        marks = [(side, mark) for mark in letter.marks]
        if any(self._copies.get(mark, letter.digest) != letter.digest for mark in marks):
            yield "a copy of its letter has acted before"
        self._copies.update(dict.fromkeys(marks, letter.digest))

    def _answering(self, state: State, entry: Entry, came: Came, side: str, letter: Letter) -> Iterator[str]:
        """Faults of a letter to no seat: by its references it must be about this ply of its side."""
        told = (told_by(reference) for reference in letter.references)
        seats = [one.seat for one in told if one and one.game == entry.game and one.number >= self._newest]
        if side not in seats and came.letter not in self._used:
            yield "its letter was written to no seat of this game, and answers no letter to one about this ply"
        yield from self.addresses.to_desk(state, entry, side, letter)

    def _unsaid(
        self, state: State | None, entry: Entry, came: Came, letter: Letter, reading: Reading
    ) -> Iterator[str]:
        """A fault if no line of a letter gives an act."""
        if state is None:
            yield "its letter asks for no such game"
            return
        meant = self._meanings(state, acting_side(entry.event), came, letter, reading)
        match entry.event:
            case events.Submitted(side=side):
                self._submitted[side] = frozenset(chain.from_iterable(submits(state, side, one) for one in meant))
                if not self._submitted[side]:
                    yield "its letter has no legal move for this ply"
            case events.Planned(commitment=str()):
                self._planned[-1] = frozenset(chain.from_iterable(plans(state, one) for one in meant))
                if not self._planned[-1]:
                    yield "its letter has no plan"
            case events.Played(moves=moves):
                for side, move in moves.items():
                    meant = self._meanings(state, side, came, letter, reading)
                    if not any(move in submits(state, side, one) for one in meant):
                        yield f"its letter does not have the move {move}"
            case event:
                if not any(says(state, event, letter, one, came, entry.at) for one in meant):
                    yield "no line of its letter says this"

    def _meanings(self, state: State, side: str, came: Came, letter: Letter, reading: Reading) -> Iterator[Reading]:
        """A letter's reading, and what else it may stand for: a bare answer refers to an earlier letter."""
        yield (found := understood(state, side, reading))
        refers = bool(found.answer) or any(isinstance(one.command, PassOn) for one in found.commands)
        for earlier in (None, *(self._earlier(state, came, letter) if refers else ())):
            for command in meant_by(state, side, found, earlier):
                said = CommandLine(command, LetterLine(1, "", ""))
                yield replace(found, commands=(said,), question=None, doubted=())

    def _earlier(self, state: State, came: Came, letter: Letter) -> Iterator[Reading]:
        """The letters next to one in the mailboxes from the same sender; mailboxes have either order."""
        digests = [*self._raw]
        here = digests.index(came.letter)
        near = sorted(digests, key=lambda digest: abs(digests.index(digest) - here))
        for raw in islice((self._raw[digest] for digest in near[1:]), _MOST_EARLIER):
            other = read_letter(raw, _mailbox_of(raw, state.id))
            if other.senders == letter.senders:
                yield within_limits(other.reading(state.game))

    def _untold(self, event: LogEvent) -> Iterator[str]:
        """Faults of submitted moves, and of plans, that an event reveals otherwise."""
        if isinstance(event, events.Published) and self._planned:
            if (given := self._planned.pop(0)) is not None and event.plan not in given:
                yield f"the letter in which {event.side} left a plan does not have this one"
        elif isinstance(event, events.Played | events.Closed):
            told = moves_told(event)
            for side, given in self._submitted.items():
                if side in told and told[side] not in given:
                    yield f"the letter in which {side} submitted a move does not have {told[side]}"
            self._submitted.clear()

    def _signed(self, side: str, raw: bytes, letter: Letter, named: bool, came: Came) -> Findings:
        """Count a letter and its signer; a wrong signature is a finding.

        `named` is true if the letter itself names the seat, or the desk if it need not name a seat.
        """
        signed = signed_by(raw, letter, self._keys)
        if signed.proof is Proof.SIGNED and not named:
            # Only the envelope names the seat, and the host writes that.
            signed = replace(signed, proof=Proof.PARTIAL)
        if signed.proof is Proof.SIGNED:
            self._tied.add((came.letter, side))
        if signed.proof is Proof.NONE and claims_page(raw):
            signed = replace(signed, proof=Proof.PAGE)
        account = self.accounts.setdefault(side, SideLetters())
        account.letters += 1
        account.signed[str(signed)] += 1
        account.senders.update(dict.fromkeys(small(one.address) for one in letter.senders))
        if signed.at is not None:
            account.longest = max(account.longest, read_time(came.server) - signed.at)
        if signed.proof is Proof.WRONG:
            yield "dkim", f"the signature of {signed.domain} does not fit its letter: something in it was changed"


def _is_attested(entry: Entry) -> bool:
    """True if a key already in force for the seat has signed an act."""
    match entry.event:
        case events.Joined():
            return False
        case events.Keyed(old=old):
            return old is not None
        case _:
            return entry.came is not None and entry.came.signature is not None


def _mailbox_of(raw: bytes, game: str) -> Mailbox:
    """The desk's addresses among the recipients of a letter about a game."""
    headers = read_letter(raw, NO_DESK).headers
    for one in headers.addresses(*ADDRESSED):
        plain, tag = split_tag(one.address)
        if tag.partition(".")[0] == game:
            return Mailbox(plain, plain.rpartition("@")[2])
    return NO_DESK
