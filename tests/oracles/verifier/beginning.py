"""The beginning of a game: the invitation, the players who have joined, and the opening."""

from __future__ import annotations

from datetime import datetime, timedelta

import referee
from tests.oracles.verifier.clock import Clocks, Turn
from tests.oracles.verifier.desk_key import DeskKey
from tests.oracles.verifier.engines import Engines
from tests.oracles.verifier.form import Json, WrongError, canonical, hexadecimal, is_line, require, terms
from tests.oracles.verifier.keys import Keys
from tests.oracles.verifier.plans import Plans

ROUNDS = 12
ACTS = {
    "submitted", "sealed", "ahead", "revealed", "failed", "planned", "offered", "accepted", "declined", "resigned",
    "claimed", "message", "vacation", "joined", "refused", "left", "gave", "aborted", "keyed",
}  # fmt: skip
SIDES = {
    "beams": ("south", "north"),
    "boundary": ("south", "north"),
    "laser-chess": ("blue", "red"),
    "the-beam": ("p1", "p2", "p3", "p4"),
}


def plainly_written(deal: Json) -> bool:
    """True if a deal is written as a desk writes it: small digits, and the columns of a colour in order."""
    return hexadecimal(deal["commitment"]) and all(columns == sorted(columns) for columns in deal["discs"].values())


class Beginning(Clocks):
    """The state of a game that may not have begun yet."""

    def __init__(self, entry: Json) -> None:
        body = entry["body"]
        require(body["log"] == 1, "log")
        require(body["game"] in SIDES, "unknown-game")
        require(body["rules"] == 1, "rules")
        require(body["title"] is None or is_line(body["title"]), "text")
        self.id: str = entry["game"]
        self.name: str = body["game"]
        self.sides = SIDES[self.name]
        self.invited: Json | None = body if entry["kind"] == "invited" else None
        names = body["seats"] if self.invited else body["players"]
        require(set(names) == set(self.sides), "players")
        require(all(is_line(name) for name in names.values() if name is not None), "text")
        require(body["clock"] is None or terms(body["clock"]), "clock")
        self.options: Json = body["options"]
        require("deal" in self.options or self.name != "the-beam" or self.invited is not None, "option")
        self.root: str = entry["digest"]
        self.keyring = Keys(entry)
        self.engines = Engines(self.id, self.sides)
        self.plans = Plans()
        self.ahead: dict[tuple[str, int], Json] = {}  # own seals of later plies, by side and ply
        self.heads: dict[str, str] = {}  # that a seal acknowledges
        self.taking = True  # whether an engine may take a seat now
        self.joined: dict[str, Json] = {}
        self.history: list[dict[str, str]] = []
        self.position = self.replayed("option")
        super().__init__(body["clock"], self.sides, datetime.fromisoformat(entry["at"]))
        self.opened = self.now
        self.seals: dict[str, tuple[str, str]] = {}  # kind and commitment
        self.reveals: dict[str, tuple[str, str]] = {}  # move and nonce
        self.told: set[str] = set()  # commitments of this ply whose moves were revealed
        self.agreed: set[str] = set()  # sides with a valid offer of a draw, or agreement to one
        self.letters: dict[str, str] = {}  # when each letter came
        self.seated: dict[str, str] = {}  # whose seat each letter has taken
        self.must: tuple[str, str | None] | None = None  # the kind that has to follow, with a `how` or a side
        self.by: str | None = None  # for the `closed` that has to follow
        self.closed: Json | None = None
        self.importing = True
        self.is_secret, self.open, self.begin = False, False, ""  # not open: before `opened`
        self.desk_key = DeskKey(self.id, body.get("desk"))
        self.check_came(entry)
        self.keyring.check_signature(entry, "", 1, None)
        if self.invited:
            self.judge_invited(self.invited)
        else:
            self.begin_game(entry)

    def begin_game(self, entry: Json) -> None:
        """The game begins."""
        body = entry["body"]
        require(body["desk"] == self.desk_key.key, "key")
        require(body["keys"] == self.keyring.keys, "key")
        require(body["owing"] == self.to_move(), "owing")
        self.open, self.opened, self.begin = True, self.now, entry["digest"]
        self.keyring.spent = set()
        self.begin_turns()
        self.is_secret = self.name == "the-beam" and self.deal_is_secret()
        if self.name == "the-beam" and not self.is_secret:
            deal = self.options["deal"]
            require("seed" in deal or len(deal.get("decks", [[]])[0]) == ROUNDS, "known")

    def check_came(self, entry: Json) -> None:
        """Check that only a player's act comes by letter, and at its time."""
        kind, body, how = entry["kind"], entry["body"], entry.get("came")
        if how is None:
            require(kind != "failed", "came")
            require(kind != "invited" or not body["by"], "came")
            return
        require(kind in ACTS or (kind == "played" and not self.at_once) or (kind == "invited" and body["by"]), "came")
        took = datetime.fromisoformat(how["server"])
        require(datetime.fromisoformat(entry["at"]) == (took if kind == "invited" else max(took, self.now)), "time")
        letter, server = how["letter"], how["server"]
        if kind == "joined" and letter in self.seated:
            require(body["side"] == self.seated[letter], "came")
            require(server >= self.letters[letter], "time")
        else:
            require(self.letters.get(letter, server) == server, "time")
        if kind == "joined":
            self.seated[letter] = body["side"]
        self.letters[letter] = server

    def judge_invited(self, body: Json) -> None:
        """A game is proposed."""
        require(body["by"] is None or body["by"] in self.sides, "side")
        require(body["by"] is None or body["seats"][body["by"]] is not None, "invitation")
        self.until = datetime.fromisoformat(body["until"])
        require(self.now < self.until <= self.now + timedelta(days=366), "invitation")
        drawn = self.name == "the-beam" and "deal" not in self.options
        require((body["secret"] is not None) is drawn, "secret")
        if self.name == "the-beam" and not drawn:
            deal = self.options["deal"]
            require("seed" in deal or len(deal.get("decks", [[]])[0]) == ROUNDS, "known")
        if body["by"]:
            self.must = ("joined", body["by"])

    def judge_before(self, entry: Json) -> None:
        """An entry before the game is opened."""
        assert self.invited
        kind, body, invited = entry["kind"], entry["body"], self.invited
        side, (must, self.must) = body.get("side", ""), (self.must, None)
        match kind:
            case "joined":
                require(side not in self.taken and must in (None, ("joined", side)), "order")
                require(invited["seats"][side] in (None, body["name"]), "invitation")
                require(is_line(body["name"]) and (body["word"] == "" or is_line(body["word"])), "text")
                require(len(body["word"]) <= 100, "text")
                require(entry["came"] is not None, "came")
                self.joined[side] = body
                self.keyring.set_key(side, body["key"])
                self.taking = entry["number"] == 1 and side == invited["by"]
                self.open_if_full()
            case "signed":
                self.desk_key.judge(entry)
            case "paused":
                require(body["reason"] == "" or is_line(body["reason"]), "text")
                require(not self.paused, "order")
                self.pauses.append((self.now, None))
            case "resumed":
                require(self.paused, "order")
                begin, _ = self.pauses[-1]
                self.pauses[-1] = (begin, self.now)
                self.until = max(self.until + (self.now - begin), self.now + timedelta(days=1))
            case "refused":
                require(side not in self.taken and invited["seats"][side] is not None, "order")
                self.must, self.by = ("closed", "abandoned"), None
            case "left":
                require(self.joined.pop(side, None) is not None, "order")
                self.keyring.set_key(side, None)
                if side == invited["by"]:
                    self.must, self.by = ("closed", "abandoned"), None
            case "keyed":
                require(side in self.joined, "order")
                self.keyring.judge_keyed(body, "", by_letter=entry["came"] is not None)
            case "lapsed":
                require(self.now >= self.until and not self.paused, "order")
                self.must, self.by = ("closed", "abandoned"), None
            case "opened":
                require(self.taken == set(self.sides), "order")
                terms = ("log", "game", "rules", "title", "clock")
                same = all(canonical(body[name]) == canonical(invited[name]) for name in terms)
                names = {side: self.joined.get(side, {}).get("name", invited["seats"][side]) for side in self.sides}
                require(same and body["players"] == names, "invitation")
                told = {name: value for name, value in body["options"].items() if name in invited["options"]}
                new = {"deal"} if invited["secret"] else set()
                require(canonical(told) == canonical(invited["options"]), "invitation")
                require(set(body["options"]) == set(told) | new, "invitation")
                self.options = body["options"]
                self.position = self.replayed("option")
                require(not new or self.deal_is_secret(), "known")
                self.begin_game(entry)
            case _:
                require(kind == "closed", "order")
                self.judge_closed(body, must)
        self.keyring.check_signature(entry, "", 1, None)

    def judge_engaged(self, body: Json, before: datetime) -> None:
        """An engine takes a seat where the game begins, at the time of the entry before."""
        require(self.taking and self.now == before, "order")
        seats = self.invited["seats"] if self.invited else dict.fromkeys(self.sides, "")
        by_host = not self.invited or self.invited["by"] is None
        self.engines.judge_engaged(body, seats, self.joined, by_host=by_host)
        self.timeless = self.engines.sitting
        if not self.open:
            self.open_if_full()

    def open_if_full(self) -> None:
        """The game is opened once every seat is taken."""
        if self.taken == set(self.sides):
            self.must = ("opened", None)

    def let_leave(self, side: str) -> None:
        """Note a new player of a side, whose turn begins if the former one was an engine."""
        if side in self.engines.sitting:
            self.engines.sitting.remove(side)
            if side in self.turns:
                self.turns[side] = Turn(self.now)
                self.begin_again()

    def must_disclose(self) -> None:
        """The seed of the next engine has to follow."""
        side, plan = self.engines.untold(), self.plans.untold()
        self.must = ("disclosed", side) if side else ("published", plan.side) if plan else None

    @property
    def taken(self) -> set[str]:
        """The sides whose seats are taken before the game begins."""
        return {*self.joined, *self.engines.engaged}

    def deal_is_secret(self) -> bool:
        """True if the deal of The Beam is revealed bit by bit."""
        deal = self.options["deal"]
        if not isinstance(deal, dict) or set(deal) != {"commitment", "discs", "decks"}:
            return False
        return all(len(deck) == 1 for deck in deal["decks"])

    def replayed(self, code: str) -> referee.Position:
        """The position from the options and all moves."""
        try:
            position = referee.start(self.name, **self.options)
        except (referee.RefereeError, TypeError) as error:
            raise WrongError(code) from error
        for moves in self.history:
            position = position.play({side: referee.parse_move(self.name, move) for side, move in moves.items()})
        return position

    def to_move(self) -> list[str]:
        """The sides that are to move, in the order of the game's sides."""
        return [side for side in self.sides if side in self.position.to_move]

    def begin_turns(self) -> None:
        """A turn for each side that is to move, or the end, if the rules end the game."""
        self.seals, self.reveals = {}, {}
        self.turns = {side: Turn(self.now) for side in self.to_move()}
        if self.position.outcome:
            self.must, self.by = ("closed", self.position.outcome.termination), None

    @property
    def at_once(self) -> bool:
        """True if moves are made at once, and so have to be sealed."""
        return len(self.position.to_move) > 1

    def judge_closed(self, body: Json, must: tuple[str, str | None] | None) -> None:
        """The end and its result."""
        raise NotImplementedError
