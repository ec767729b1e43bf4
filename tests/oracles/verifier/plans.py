"""Plans that players leave with the desk, as spec/log.md has them."""

from __future__ import annotations

import hmac
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import referee
from referee.notation.plans import follow, read_plan
from referee.rules import Move
from tests.oracles.verifier.form import Json, WrongError, hashed, hexadecimal, require

History = Sequence[Mapping[str, Move]]
Positions = Sequence[referee.Position]


@dataclass
class Left:
    """A plan, the plies whose moves it gave, and the one for which it had none."""

    side: str
    ply: int
    head: str
    promise: str
    plies: list[int] = field(default_factory=list)
    spent: int | None = None
    over: bool = False
    told: bool = False


class Plans:
    """The plans of a game, and the moves that players made in it."""

    def __init__(self) -> None:
        self.left: list[Left] = []
        self.heads: dict[tuple[int, str], str] = {}
        self.gave: dict[tuple[int, str], tuple[str, str | None]] = {}

    def judge_planned(self, body: Json, begin: str, keys: Collection[str]) -> None:
        """A side leaves a plan, or takes its last one back."""
        side, now = body["side"], self.of(body["side"])
        require(body["head"] == begin, "head")
        require(body["commitment"] is not None or now is not None, "order")
        if body["commitment"] is not None:
            require(hexadecimal(body["commitment"]), "commitment")
            require(side not in keys and sum(one.side == side for one in self.left) < 200, "order")
        self.end(side)
        if body["commitment"] is not None:
            self.left.append(Left(side, body["ply"], begin, body["commitment"]))

    def of(self, side: str) -> Left | None:
        """The plan of a side that is not over."""
        return next((one for one in self.left if one.side == side and not one.over), None)

    def end(self, side: str | None = None) -> None:
        """The plan of a side, or of all sides, is over."""
        for one in self.left:
            one.over = one.over or side in (None, one.side)

    def asked(self, movers: list[str], sealed: Collection[str], ply: int) -> str | None:
        """The side whose plan has to be asked now."""
        for side in movers:
            plan = self.of(side)
            if plan and side not in sealed and plan.ply < ply and ply not in plan.plies:
                return side
        return None

    def judge_asked(self, kind: str, side: str, ply: int) -> None:
        """The plan of a side gives its move, or none."""
        plan = self.of(side)
        assert plan is not None
        if kind == "followed":
            plan.plies.append(ply)
        else:
            plan.spent, plan.over = ply, True

    def note(self, ply: int, moves: Mapping[str, str], nonces: Mapping[str, str], begin: str) -> None:
        """Note revealed moves, those that were made, or sealed and not made, and their nonces."""
        for side, move in moves.items():
            self.gave.setdefault((ply, side), (move, nonces.get(side)))
            self.heads.setdefault((ply, side), begin)

    def untold(self) -> Left | None:
        """The next plan that has to be published when the game is over."""
        return next((one for one in self.left if not one.told), None)

    def judge_published(
        self, body: Json, names: tuple[str, str, str], history: History, positions: Positions
    ) -> None:
        """A plan is shown: the promised one, and the desk has done what it says.

        `names` are the game's id, the digest of entry 0 and the name of the rules. `positions` are those before the
        plies of `history`, and after the last.
        """
        plan = self.untold()
        require(plan is not None and plan.side == body["side"], "order")
        assert plan is not None
        game, root, rules = names
        promised = (game, root, plan.head, str(plan.ply), plan.side, rules, body["nonce"], body["plan"])
        require(hexadecimal(body["nonce"]) and hashed("referee plan 1", *promised) == plan.promise, "commitment")
        plan.told = True
        try:
            wish = read_plan(positions[0].game, body["plan"])
        except referee.RefereeError as error:
            raise WrongError("plan") from error
        require(str(wish) == body["plan"], "canonical")
        since = plan.ply
        for ply in [*plan.plies, *([] if plan.spent is None else [plan.spent])]:
            step = follow(wish, plan.side, positions[since - 1], history[since - 1 : ply - 1], positions[ply - 1])
            if ply == plan.spent:
                require(step is None, "plan")
                return
            move, nonce = self.gave[ply, plan.side]
            require(step is not None and str(step[0]) == move, "plan")
            assert step is not None
            lines = f"referee plan move 1\n{ply}\n{self.heads[ply, plan.side]}\n".encode()
            require(nonce in (None, hmac.digest(bytes.fromhex(body["nonce"]), lines, "sha256").hex()), "plan")
            since, wish = ply, step[1]
