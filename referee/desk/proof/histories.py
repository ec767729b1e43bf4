"""Histories of games, as logs or heads of letters have them, and the places where two of them part.

Two heads that one key has signed for one game and number prove that the desk has shown two histories. A log joins
heads of different numbers, as each of its digests covers all that came before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, product

from referee.desk.log import events
from referee.desk.log.heads import Head, HeadSource
from referee.desk.log.log import Entry, chain_faults, read_entry
from referee.errors import RefereeError, Refusal


@dataclass(frozen=True, slots=True)
class Chain:
    """The digests of a log by their numbers, and the public keys of the desk that it names."""

    game: str
    digests: tuple[str, ...]
    keys: tuple[str, ...] = ()

    def holds(self, head: Head) -> bool:
        """True if the log reaches as far as a head, and has it."""
        return head.number < len(self.digests) and self.digests[head.number] == head.digest

    def contradicts(self, head: Head) -> bool:
        """True if the log has another digest in the place of a head."""
        return head.game == self.game and head.number < len(self.digests) and not self.holds(head)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Evidence about a desk's games: heads of letters, or a log."""

    heads: tuple[Head, ...] = ()
    chain: Chain | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        """The known public keys of the desk."""
        return self.chain.keys if self.chain else ()

    @property
    def games(self) -> tuple[str, ...]:
        """The games of this history."""
        return tuple(sorted({head.game for head in self.heads} | ({self.chain.game} if self.chain else set())))

    def of(self, game: str) -> Evidence:
        """The part of this history about one game."""
        chain = self.chain if self.chain and self.chain.game == game else None
        return Evidence(tuple(head for head in self.heads if head.game == game), chain)

    @property
    def newest(self) -> Head:
        """The head that goes furthest, where this is the history of one game."""
        if self.chain is not None:
            return Head(self.chain.game, len(self.chain.digests) - 1, self.chain.digests[-1])
        return max(self.heads, key=lambda head: (-head.source, head.number))

    def at(self, number: int) -> str | None:
        """The digest with a number in the one game of this history; None if it is unknown."""
        if self.chain is not None:
            return self.chain.digests[number] if number < len(self.chain.digests) else None
        there = (head for head in self.heads if head.number == number)
        found = min(there, key=lambda head: head.source, default=None)
        return found.digest if found else None


@dataclass(frozen=True, slots=True)
class Fork:
    """Two histories of one game: they have different entries at the number of `second`, or before.

    `key` has signed the second head; None if no signature shows whose history that is. It is a proof if the same key
    has signed the first one; `joined` is true if only the log shows that the two contradict each other.
    """

    first: Head
    second: Head
    key: str | None = None
    proven: bool = False
    joined: bool = False


def chain_of(lines: Iterable[str]) -> Chain:
    """The digests of a log; RefereeError, with the code of an audit, if it does not hang together."""
    digests: list[str] = []
    keys: dict[str, None] = {}
    last: Entry | None = None
    for number, line in enumerate(lines, 1):
        try:
            entry = read_entry(line)
        except RefereeError as error:
            raise Refusal(error.code, f"line {number} of the log: {error.message}") from None
        for code, message in chain_faults(entry, last):
            raise Refusal(code, f"line {number} of the log: {message}")
        if isinstance(entry.event, events.Invited | events.Opened | events.Rekeyed) and entry.event.desk is not None:
            keys[entry.event.desk] = None
        digests.append(entry.digest)
        last = entry
    assert last is not None
    return Chain(last.game, tuple(digests), tuple(keys))


def fork_of(one: Evidence, other: Evidence, keys: Iterable[str] = ()) -> Fork | None:
    """The first place where two histories part, preferring a proof; None if they do not contradict.

    `keys` are the trusted public keys of the desk; without any, those of the logs count. Quoted heads count only if
    one of them has signed them.
    """
    chains = [history.chain for history in (one, other) if history.chain is not None]
    trusted = _trusted(one, other, keys)
    heads = counting(one, other, keys)
    signers = {head: key for head in heads for key in trusted if head.is_signed(key)}
    proofs = (*_pairs(signers), *(fork for chain in chains for fork in _joined(chain, signers)))
    forks = (*proofs, *([] if proofs else _differences(heads, chains, signers)))
    return min(forks, key=lambda fork: (fork.second.game, fork.second.number), default=None)


def counting(one: Evidence, other: Evidence, keys: Iterable[str] = ()) -> tuple[Head, ...]:
    """The heads of two histories that count: quoted ones only with a signature."""
    trusted = _trusted(one, other, keys)
    shown = dict.fromkeys((*one.heads, *other.heads))
    return tuple(
        head for head in shown if head.source is not HeadSource.QUOTATION or any(map(head.is_signed, trusted))
    )


def _trusted(one: Evidence, other: Evidence, keys: Iterable[str]) -> tuple[str, ...]:
    return tuple(keys) or tuple(dict.fromkeys((*one.keys, *other.keys)))


def _pairs(signers: Mapping[Head, str]) -> Iterator[Fork]:
    """Pairs of heads with one number that one key has signed."""
    for first, second in combinations(signers, 2):
        if _differ(first, second) and signers[first] == signers[second]:
            yield Fork(first, second, signers[first], proven=True)


def _joined(chain: Chain, signers: Mapping[Head, str]) -> Iterator[Fork]:
    """Pairs of a signed head of a log, and an earlier one by the same key that contradicts this log."""
    anchors = [head for head in signers if head.game == chain.game and chain.holds(head)]
    others = [head for head in signers if chain.contradicts(head)]
    for first, second in product(anchors, others):
        if second.number < first.number and signers[first] == signers[second]:
            yield Fork(first, second, signers[first], proven=True, joined=True)


def _differences(heads: Iterable[Head], chains: Iterable[Chain], signers: Mapping[Head, str]) -> Iterator[Fork]:
    """Differences without a proof: two heads, a head and a log, or two logs."""
    for first, second in combinations(heads, 2):
        if _differ(first, second):
            unsigned, other = sorted((first, second), key=lambda head: head in signers)
            yield Fork(unsigned, other, signers.get(other))
    for chain, head in product(chains, heads):
        if chain.contradicts(head):
            yield Fork(Head(chain.game, head.number, chain.digests[head.number]), head, signers.get(head))
    for mine, theirs in combinations(chains, 2):
        for number, digests in enumerate(zip(mine.digests, theirs.digests, strict=False)):
            if mine.game == theirs.game and digests[0] != digests[1]:
                yield Fork(Head(mine.game, number, digests[0]), Head(mine.game, number, digests[1]))
                break


def _differ(first: Head, second: Head) -> bool:
    return (first.game, first.number) == (second.game, second.number) and first.digest != second.digest
