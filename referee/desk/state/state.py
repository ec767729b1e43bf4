"""The state of a game on the desk: a fold of its log, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from referee.desk.log import events
from referee.desk.log.events import LOG_FORMAT, LogEvent, Texts
from referee.desk.log.log import Came, Entry
from referee.desk.log.seals import Promise
from referee.desk.log.signatures import Past
from referee.desk.log.terms import TIMEOUT
from referee.desk.state.clock import Clock
from referee.desk.state.engagements import Engagements, engagements_after
from referee.desk.state.invitations import Invitation
from referee.desk.state.keyrings import Keyring
from referee.desk.state.plans import Ahead, Deposit, Deposits, ahead_after, deposits_after, is_active
from referee.desk.state.talk import Talk
from referee.errors import RefereeError
from referee.game import AnnotatedMove, End, GameFile, Player, rounds_of
from referee.game.file.header import ENDINGS
from referee.notation.moves import parse_move
from referee.rules import Game, Outcome, Position, Termination, game_named

ABANDONED = "abandoned"
"""The end of a game that the host closed without a decision; a game file has no word for it."""

NO_BEGINNING = "a log begins with the opening of a game or the invitation to one, in a format that is known"


@dataclass(frozen=True)
class State:
    """A game after the last entry of its log, whose number, digest and time are `number`, `head` and `at`.

    `root` is the digest of the first entry, and `last` the event of the last one. `origin` is the invitation that the
    game began with, None if the host opened it, and `desk` is the desk's public key. `plies` have the moves by side
    that were made so far, `nonces` those of the sealed ones, and `begins` the digests of the entries with which the
    plies began; `begun` is that of the ply to be played, empty before the game is opened. `seals` are the sides'
    promises for that ply, and `told` are commitments to moves of it that the reopened end has revealed. `agreed` are
    the sides that offer or accept a draw. `holders` count who sat on each side before, and the ends of the game: each
    makes older tokens void. `letters` say when each letter came. `ahead` are the players' own seals for later plies.
    """

    id: str
    root: str
    number: int
    head: str
    at: datetime
    opened: datetime
    game: str
    rules: int
    title: str | None
    players: Texts
    options: Mapping[str, Any]
    options_at_start: Mapping[str, Any] = field(repr=False)
    last: LogEvent = field(repr=False)
    position: Position = field(repr=False)
    clock: Clock = field(repr=False)
    origin: Invitation | None = None
    desk: str | None = None
    begun: str = ""
    begins: tuple[str, ...] = ()
    plies: tuple[Texts, ...] = ()
    nonces: tuple[Texts, ...] = ()
    seals: Mapping[str, Promise] = field(default_factory=dict)
    agreed: frozenset[str] = frozenset()
    holders: Mapping[str, int] = field(default_factory=dict)
    talk: Talk = field(default_factory=Talk)
    told: frozenset[str] = frozenset()
    closed: events.Closed | None = None
    keyring: Keyring = field(default_factory=Keyring)
    letters: Texts = field(default_factory=dict)
    engines: Engagements = field(default_factory=dict)
    deposits: Deposits = ()
    ahead: tuple[Ahead, ...] = ()
    closings: int = 0

    @classmethod
    def start(cls, entry: Entry) -> State:
        """The state after the first entry of a log; RefereeError `log` if that begins no game."""
        event = entry.event
        if not isinstance(event, events.Opened | events.Invited) or event.log != LOG_FORMAT:
            raise RefereeError("log", NO_BEGINNING)
        origin: Invitation | None = None
        players: Texts
        if isinstance(event, events.Invited):
            origin = Invitation.start(event)
            players = {side: origin.name_of(side) for side in origin.seats}
        else:
            players = event.players
        return cls(
            id=entry.game,
            root=entry.digest,
            number=entry.number,
            head=entry.digest,
            at=entry.at,
            opened=entry.at,
            game=event.game,
            rules=event.rules,
            title=event.title,
            players=players,
            options=event.options,
            options_at_start=event.options,
            last=event,
            position=position_after(event.game, event.options, ()),
            clock=Clock.start(event, entry.at),
            holders=dict.fromkeys(players, 0),
            origin=origin,
            desk=event.desk,
            begun="" if origin else entry.digest,
            letters=_with_letter({}, entry.came),
        )

    @property
    def description(self) -> Game:
        """The game's sides, options and title."""
        return game_named(self.game)

    @property
    def invitation(self) -> Invitation | None:
        """The invitation, as long as the game is not opened; None from then on."""
        return None if self.begun else self.origin

    @property
    def undrawn(self) -> bool:
        """True if chance decides the start of the game and has not been drawn: `position` does not show it yet."""
        return self.invitation is not None and self.invitation.secret is not None

    @property
    def past(self) -> Past:
        """The past that a seal of the ply acknowledges."""
        return Past(self.root, self.begun)

    @property
    def ply(self) -> int:
        """The number of the next ply, from 1; that of the last one when the game is over."""
        return len(self.plies) + (self.closed is None)

    @property
    def turn(self) -> int:
        """The number of the ply that tokens are for now: the one after the last ply played."""
        return len(self.plies) + 1

    @cached_property
    def round(self) -> int:
        """The line of the move list for that ply."""
        made, size = sum(map(len, self.plies)), self.description.moves_per_round
        return made // size + 1 if self.closed is None else max(1, self.last_round)

    @property
    def last_round(self) -> int:
        """The line of the move list with the last move; 0 before the first one."""
        return -(-sum(map(len, self.plies)) // self.description.moves_per_round)

    @property
    def protocol(self) -> str:
        """Name and version of the rules, as seals have it."""
        return f"{self.game} {self.rules}"

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, or None while the game runs; the score is in the game's order, not in the log's."""
        if self.closed is None:
            return None
        score = {one: self.closed.score[one] for one in self.description.scores if one in self.closed.score}
        return Outcome(self.closed.winner, self.closed.how, score)

    @property
    def owing(self) -> frozenset[str]:
        """The sides whose move, or whose reveal of it, is due."""
        return frozenset(self.clock.turns)

    @property
    def simultaneous(self) -> bool:
        """True if the moves of this ply are made at once, so that they are sealed."""
        return len(self.position.to_move) > 1

    @property
    def engine_sides(self) -> frozenset[str]:
        """The sides on which an engine sits now."""
        return frozenset(side for side, engine in self.engines.items() if not engine.left)

    @property
    def alone(self) -> bool:
        """True if a single person plays with engines, which claim nothing, agree to nothing and read no messages."""
        return len(self.players) == len(self.engine_sides) + 1

    def plan(self, side: str) -> Deposit | None:
        """The plan that the desk will ask for a side's next move; None if there is none."""
        return next((one for one in reversed(self.deposits) if is_active(one, side)), None)

    @property
    def revealing(self) -> bool:
        """True if every side's move is in, so that those who sealed their own must reveal them."""
        return self.closed is None and bool(self.seals) and self.seals.keys() == self.position.to_move

    @property
    def everybody_moved(self) -> bool:
        """True if every side has made a move, so that the game can no longer be called off."""
        return {side for ply in self.plies for side in ply} >= self.players.keys()

    def may_decline(self, side: str) -> bool:
        """True if a side can still decline a game that the host opened: it has made no move, and sealed none."""
        moved = side in self.seals or any(side in ply for ply in self.plies)
        return self.origin is None and self.closed is None and not moved

    @property
    def silent(self) -> bool:
        """True if the players may not talk now."""
        return self.description.silent and self.closed is None

    @property
    def opening(self) -> bool:
        """True if all entries so far may come from the file that the game was opened with."""
        return self.number == len(self.plies) and self.at == self.opened

    def ended(self, how: str, by: str | None) -> Outcome:
        """The outcome if the game ends now: by its moves, or in a way that they do not show."""
        return self.position.outcome or self.position.ended(how, by)

    def claims(self, side: str, at: datetime) -> list[str]:
        """The ends that a side may claim at a time."""
        if self.closed:
            return []
        overdue = self.clock.overdue(at)
        return sorted(self.position.claims(side)) + ([TIMEOUT] if overdue and side not in overdue else [])

    def is_offered(self, side: str) -> bool:
        """True if a side has a draw offer to answer."""
        return self.closed is None and bool(self.agreed) and side not in self.agreed

    def standing(self, side: str) -> str:
        """The duty of a side: `invited`, `joined`, `to-move`, `to-reveal`, `sealed`, `waiting` or `over`."""
        if self.closed:
            return "over"
        if self.invitation is not None:
            return "invited" if side in self.invitation.missing else "joined"
        if side in self.owing:
            return "to-reveal" if side in self.seals else "to-move"
        return "sealed" if side in self.seals else "waiting"

    def after(self, entry: Entry) -> State:
        """The state after the next entry of the log, which is trusted: `audit` judges one that is not."""
        changed = self._after(entry)
        begins = isinstance(entry.event, events.Opened | events.Played | events.Reopened)
        return replace(
            changed,
            last=entry.event,
            number=entry.number,
            head=entry.digest,
            at=entry.at,
            opened=entry.at if isinstance(entry.event, events.Opened) else self.opened,
            begun=entry.digest if begins else self.begun,
            clock=self.clock.after(entry.event, entry.at),
            talk=self.talk.after(entry),
            keyring=self.keyring.after(entry, self.seals, self.position.sides),
            letters=_with_letter(self.letters, entry.came),
            engines=engagements_after(self.engines, entry.event),
            deposits=deposits_after(self.deposits, entry.event),
            ahead=ahead_after(self.ahead, entry.event),
        )

    def _after(self, entry: Entry) -> State:
        match event := entry.event:
            case events.Joined() | events.Left():
                return self._with_player(event, entry.came)
            case events.Engaged() if self.origin is not None:
                origin = self.origin.after(event)
                return replace(self, players={**self.players, event.side: origin.name_of(event.side)}, origin=origin)
            case events.Opened(options=options):
                start = position_after(self.game, options, ())
                return replace(self, options=options, options_at_start=options, position=start)
            case events.Rekeyed(desk=desk):
                return replace(self, desk=desk)
            case events.Resumed() if self.invitation is not None:
                return replace(self, origin=self.invitation.postponed(self.clock.pauses[-1].start, entry.at))
            case events.Submitted(side=side, commitment=commitment, head=head):
                note = entry.came.signature if entry.came else None
                key = self.keyring.keys.get(side)
                return self._with_seal(side, Promise(commitment, False, None, key, note or "", head))
            case events.Sealed(side=side, commitment=commitment, head=head):
                return self._with_seal(side, Promise(commitment, own=True, head=head))
            case events.Revealed(side=side, move=move, nonce=nonce):
                return self._with_seal(side, replace(self.seals[side], opened=(move, nonce)))
            case events.Played():
                return self.with_plies((event,), ())
            case events.Offered(side=side) | events.Accepted(side=side):
                return replace(self, agreed=self.agreed | {side})
            case events.Declined():
                return replace(self, agreed=frozenset())
            case events.Replaced(side=side, name=name):
                holders = {**self.holders, side: self.holders[side] + 1}
                named = {**self.players, side: name}
                return replace(self, players=named, holders=holders, agreed=self.agreed - {side})
            case events.Closed():
                # A player who was invited to a game that never began may still answer that letter.
                ended = 0 if self.invitation else 1
                holders = {side: number + ended for side, number in self.holders.items()}
                ends, options = self.closings + ended, self._with_secret(event.secret)
                return replace(self, closed=event, options=options, holders=holders, closings=ends)
            case events.Reopened():
                told = self.told | {seal.commitment for seal in self.seals.values() if not seal.own}
                return replace(self, closed=None, seals={}, agreed=frozenset(), told=told)
            case _:
                return self

    def _with_player(self, event: events.Joined | events.Left, came: Came | None) -> State:
        """The state after a player took or left a seat; an open seat that was left gets new tokens."""
        assert self.origin is not None
        side, holders, origin = event.side, self.holders, self.origin.after(event, came)
        if origin.seats[side] is None and side in origin.given_up:
            holders = {**holders, side: holders[side] + 1}
        return replace(self, players={**self.players, side: origin.name_of(side)}, holders=holders, origin=origin)

    def _with_seal(self, side: str, seal: Promise) -> State:
        return replace(self, seals={**self.seals, side: seal})

    def with_plies(self, played: Sequence[events.Played], begins: Sequence[str]) -> State:
        """The state after plies; the entries `begins` began all of them but the first.

        An offer lasts until another side has moved.
        """
        plies, options, agreed = (*self.plies, *(event.moves for event in played)), self.options, self.agreed
        for event in played:
            options = options if event.known is None else {**options, **event.known}
            agreed = agreed and frozenset(side for side in agreed if event.moves.keys() <= {side})
        if options is self.options:
            position = self.position
            for event in played:
                position = position.play_unchecked(moves_of(self.game, event.moves))
        else:
            position = position_after(self.game, options, plies)
        return replace(
            self,
            plies=plies,
            nonces=(*self.nonces, *(event.nonces for event in played)),
            begins=(*self.begins, self.begun, *begins),
            options=options,
            position=position,
            seals={},
            told=frozenset(),
            agreed=agreed,
        )

    def _with_secret(self, secret: str | None) -> Mapping[str, Any]:
        kept = self.description.secret
        if secret is None or kept is None:
            return self.options
        return {**self.options, **kept.known(self.options, self.seed(secret), self.position)}

    def seed(self, secret: str) -> str:
        """The seed that decides what is left to chance: the secret itself, or what the players gave to it as well."""
        if self.origin is None or self.origin.secret is None:
            return secret
        return self.origin.seed(secret, self.position.sides)

    def as_file(self) -> GameFile:
        """The public game as a game file, without addresses; its date is the day of the opening in UTC."""
        moves = [
            AnnotatedMove(parse_move(self.game, ply[side]))
            for ply in self.plies
            for side in self.position.sides
            if side in ply
        ]
        over, outcome = self.closed, self.outcome
        end = None
        if over and self.position.outcome is None and over.how != ABANDONED:
            # If the time of both sides was over at once, no side lost; a game file calls that an adjudication.
            both = over.how == Termination.TIMEOUT and over.by is None
            told = not both and over.how in ENDINGS
            end = End(Termination(over.how), over.by) if told else End(Termination.ADJUDICATION)
        return GameFile(
            self.game,
            rounds_of(moves, self.description.moves_per_round),
            rules=self.rules,
            id=self.id,
            date=self.opened.astimezone(UTC).date().isoformat(),
            event=self.title,
            players={side: Player(self.players[side]) for side in self.position.sides},
            options=self.options,
            ending=end,
            result=dict(outcome.score) if outcome and outcome.termination != ABANDONED else None,
        )


def _with_letter(letters: Texts, came: Came | None) -> Texts:
    return letters if came is None else {**letters, came.letter: came.server}


def moves_of(game: str, texts: Texts) -> dict[str, Any]:
    """The moves in canonical texts, by side."""
    return {side: parse_move(game, text) for side, text in texts.items()}


def position_after(game: str, options: Mapping[str, Any], plies: Iterable[Texts]) -> Position:
    """The position after plies that are known to be legal."""
    position = game_named(game).start(options)
    for texts in plies:
        position = position.play_unchecked(moves_of(game, texts))
    return position
