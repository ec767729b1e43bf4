"""The state of a game, and whether an entry may come next."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from hashlib import sha256

import referee
from referee.rules import Move
from tests.oracles.verifier.addresses import judge_told
from tests.oracles.verifier.beginning import Beginning, plainly_written
from tests.oracles.verifier.clock import Turn
from tests.oracles.verifier.engines import BY_PEOPLE
from tests.oracles.verifier.form import (
    Json,
    WrongError,
    canonical,
    deal_of,
    hashed,
    hexadecimal,
    is_line,
    is_message,
    require,
)
from tests.oracles.verifier.keys import is_key


class Game(Beginning):
    """The state of a game, as the entries up to here have led to it."""

    @property
    def ply(self) -> int:
        """The number of the ply that is due."""
        return len(self.history) + 1

    def judge(self, entry: Json) -> None:
        """Judge the next entry, and let it happen."""
        kind, body, now = entry["kind"], entry["body"], datetime.fromisoformat(entry["at"])
        self.line = entry["number"] + 1
        require(now >= self.now, "time")
        if self.keyring.due:
            self.judge_noted(entry)
            return
        if self.must:
            require(kind in self.must[0].split(), "order")
            require(now == self.now, "time")
        self.check_came(entry)
        before, self.now = self.now, now
        taking, self.taking = self.taking, False
        self.importing = self.importing and kind == "played" and now == self.opened
        if self.closed:
            require(self.open and kind in ("message", "reopened", "disclosed", "published"), "order")
        elif not self.open:
            if not self.must and now >= self.until and not self.paused:
                require(kind == "lapsed", "order")
            require("side" not in body or body["side"] in self.sides, "side")
            if kind == "engaged":
                self.taking = taking
                self.judge_engaged(body, before)
            else:
                self.judge_before(entry)
            return
        elif not self.must and self.is_loss and self.over():
            require(kind == "closed", "order")
            self.must, self.by = ("closed", "timeout"), self.first_over()
        require("side" not in body or body["side"] in self.sides, "side")
        require("ply" not in body or body["ply"] == self.ply, "order")
        require("reason" not in body or body["reason"] == "" or is_line(body["reason"]), "text")
        begin, ply, movers = self.begin, self.ply, self.to_move()
        side, (must, self.must) = body.get("side", ""), (self.must, None)
        if kind in BY_PEOPLE:
            first = self.engines.next_to_seal(movers, self.seals) if self.at_once and not self.closed else None
            self.engines.judge_act(entry, side, first)
        match kind:
            case "engaged":
                self.taking = taking
                self.judge_engaged(body, before)
            case "disclosed":
                require(self.closed is not None, "order")
                self.engines.judge_disclosed(body)
                self.must_disclose()
            case "planned":
                self.plans.judge_planned(body, self.begin, self.keyring.keys)
            case "followed" | "spent":
                require(side == self.plan_asked(), "order")
                self.plans.judge_asked(kind, side, self.ply)
                if kind == "followed":
                    self.must = ("submitted" if self.at_once else "played", side)
            case "published":
                require(self.closed is not None, "order")
                self.judge_published(body)
                self.must_disclose()
            case "ahead":
                require(body["head"] == self.begin, "head")
                require(self.at_once and self.ply < body["due"] <= self.ply + 20, "order")
                self.ahead[side, body["due"]] = body
            case "sealed" if must:
                left = self.ahead.pop((side, self.ply), None)
                require(side == must[1] and left is not None, "order")
                assert left is not None
                require((body["commitment"], body["head"]) == (left["commitment"], left["head"]), "order")
                require(entry["came"] is None, "came")
                self.seal(body, kind, left=True)
            case "submitted" | "sealed":
                if must:
                    require(side == must[1], "order")
                    require(entry["came"] is None, "came")
                self.seal(body, kind)
            case "revealed":
                self.judge_revealed(body)
            case "failed":
                self.judge_failed(body)
            case "played":
                require(must is None or must[1] is None or entry["came"] is None, "came")
                self.judge_played(body)
            case "offered":
                require(not self.agreed, "order")
                self.agreed = {side}
                self.plans.end()
            case "accepted":
                require(bool(self.agreed) and side not in self.agreed, "order")
                self.agreed.add(side)
                if self.agreed == set(self.sides):
                    self.must, self.by = ("closed", "agreement"), None
            case "declined":
                require(bool(self.agreed - {side}), "order")
                self.agreed = set()
            case "resigned":
                self.must, self.by = ("closed", "resignation"), side
            case "claimed":
                self.judge_claimed(body)
            case "message":
                require(self.name != "the-beam" or self.closed is not None, "order")
                require(is_message(body["text"]), "text")
            case "vacation":
                self.judge_vacation(body)
            case "reminded":
                self.judge_reminded(body, must)
            case "extended":
                self.more_time(side, body["hours"])
            case "gave":
                require(body["to"] in self.sides, "side")
                require(body["to"] != side, "clock")
                self.more_time(body["to"], body["hours"])
            case "aborted":
                require({side for moves in self.history for side in moves} != set(self.sides), "order")
                self.must, self.by = ("closed", "abandoned"), None
            case "paused":
                require(not self.paused, "order")
                self.pauses.append((now, None))
                self.plans.end()
            case "resumed":
                require(self.paused, "order")
                self.pauses[-1] = (self.pauses[-1][0], now)
            case "adjudicated":
                require(body["by"] is None or body["by"] in self.sides, "side")
                self.must, self.by = ("closed", "adjudication"), body["by"]
            case "signed":
                self.desk_key.judge(entry)
            case "replaced":
                require(is_line(body["name"]), "text")
                self.judge_replaced(body)
                self.agreed.discard(side)
                self.plans.end(side)
                self.forget_ahead(side)
            case "keyed":
                self.keyring.judge_keyed(body, begin, by_letter=entry["came"] is not None)
                self.plans.end(side)
                self.forget_ahead(side)
            case "closed":
                self.judge_closed(body, must)
            case "reopened":
                self.judge_reopened(body)
            case _:
                raise WrongError("order")
        self.keyring.check_signature(entry, begin, ply, movers[0] if len(movers) == 1 else None)
        if kind in ("played", "reopened"):
            self.begin = entry["digest"]
            self.keyring.spent = set()
        if not self.must and not self.closed and not self.importing and self.is_loss and self.over():
            self.must, self.by = ("closed", "timeout"), self.first_over()
        if not self.must and not self.keyring.due and not self.closed:
            self.must_go_on()

    def must_go_on(self) -> None:
        """A seal that was left for this ply has to follow, or the answer of a plan."""
        engine = self.engines.next_to_seal(self.to_move(), self.seals) if self.at_once else None
        left = [side for side in self.to_move() if side not in self.seals and (side, self.ply) in self.ahead]
        if left and not engine:
            self.must = ("sealed", left[0])
        elif asked := self.plan_asked():
            self.must = ("followed spent", asked)

    def forget_ahead(self, side: str) -> None:
        """The seals that a side has left do not count any more."""
        self.ahead = {left: body for left, body in self.ahead.items() if left[0] != side}

    def plan_asked(self) -> str | None:
        """The side whose plan has to be asked now."""
        engine = self.engines.next_to_seal(self.to_move(), self.seals) if self.at_once else None
        if self.closed or engine or not self.begin:
            return None
        return self.plans.asked(self.to_move(), self.seals, self.ply)

    def judge_published(self, body: Json) -> None:
        """A plan is shown, and asked again in each position in which the desk has asked it."""
        position = referee.start(self.name, **self.options)
        positions, history = [position], []
        for texts in self.history:
            history.append({side: referee.parse_move(self.name, move) for side, move in texts.items()})
            position = position.play(history[-1])
            positions.append(position)
        self.plans.judge_published(body, (self.id, self.root, f"{self.name} 1"), history, positions)

    def judge_noted(self, entry: Json) -> None:
        """The signatures of the moves that were submitted, right after these were made."""
        body, side = entry["body"], entry["body"].get("side")
        require(entry["kind"] == "noted", "order")
        require(datetime.fromisoformat(entry["at"]) == self.now, "time")
        require(side in self.sides, "side")
        require(body["ply"] == len(self.history) and side == next(iter(self.keyring.due)), "order")
        self.check_came(entry)
        note, lines = self.keyring.due.pop(side)
        self.keyring.judge_note(side, body["signature"], lines, note)
        if not self.keyring.due and not self.must:
            self.must_go_on()

    def judge_replaced(self, body: Json) -> None:
        """The key of a seat goes with its player."""
        key, side = body.get("key"), body["side"]
        require(key is None or is_key(key), "key")
        self.keyring.judge_old(side, key, body.get("old"), self.begin)
        self.keyring.set_key(side, key)
        self.let_leave(side)

    def more_time(self, side: str, hours: int) -> None:
        """Give a side with a duty more time for it."""
        require(side in self.turns and 1 <= hours <= 2400, "clock")
        self.turns[side].hours += hours
        self.turns[side].failure = None

    def seal(self, body: Json, kind: str, *, left: bool = False) -> None:
        """Note a sealed move; after the last one the reveals begin, or the ply is due."""
        side = body["side"]
        require(self.at_once and side in self.turns and side not in self.seals, "order")
        require(body["commitment"] not in self.told, "commitment")
        require(body["head"] == self.begin or left, "head")
        self.heads[side] = body["head"]
        self.seals[side] = (kind, body["commitment"])
        self.moved(side)
        if side in self.engines.sitting:
            self.begin_again()
        if not self.turns:  # the last seal is in
            self.turns = {side: Turn(self.now) for side, (kind, _) in self.seals.items() if kind == "sealed"}
            if not self.turns:
                self.must = ("played", None)

    def reveals_begun(self) -> bool:
        """True if every side that is to move has a seal."""
        return self.at_once and set(self.seals) == set(self.to_move())

    def in_order(self) -> list[str]:
        """The sides with a duty, in the order of their reminders."""
        return sorted(self.turns) if self.reveals_begun() else [*self.turns]

    def read_move(self, written: str) -> Move:
        """A move in canonical notation."""
        try:
            move = referee.parse_move(self.name, written)
        except referee.RefereeError as error:
            raise WrongError(error.code) from error
        require(str(move) == written, "canonical")
        return move

    def refusal(self, side: str, written: str) -> str | None:
        """The code for which the rules refuse a move, or None."""
        try:
            self.position.check(side, self.read_move(written))
        except referee.RefereeError as error:
            return error.code
        return None

    def check_move(self, side: str, written: str) -> None:
        """A move has to be one that the side may make."""
        code = self.refusal(side, written)
        if code:
            raise WrongError(code)

    def opens(self, side: str, move: str, nonce: str) -> bool:
        """True if move and nonce open the commitment of a side."""
        name = ("referee seal 2", self.id, self.root, self.heads[side])
        promised = hashed(*name, str(self.ply), side, f"{self.name} 1", move, nonce)
        return promised == self.seals[side][1]

    def judge_revealed(self, body: Json) -> None:
        """Judge a reveal of the sealed move."""
        side, move, nonce = body["side"], body["move"], body["nonce"]
        require(self.reveals_begun() and side in self.turns, "order")
        self.read_move(move)
        require(self.opens(side, move, nonce), "commitment")
        require(self.refusal(side, move) is None, "commitment")
        self.reveals[side] = (move, nonce)
        if self.clock:
            self.banks[side] = self.left(side)
        del self.turns[side]
        if not self.turns:
            self.must = ("played", None)

    def judge_failed(self, body: Json) -> None:
        """Judge a reveal of another move, or of an illegal one."""
        side, move, nonce = body["side"], body["move"], body["nonce"]
        require(self.reveals_begun() and side in self.turns and not self.turns[side].failure, "order")
        self.read_move(move)
        code = self.refusal(side, move) if self.opens(side, move, nonce) else "mismatch"
        require(code == body["code"], "commitment")
        self.turns[side].failure = self.now
        if self.is_loss:
            self.must, self.by = ("closed", "timeout"), side

    def judge_played(self, body: Json) -> None:
        """The moves of a ply."""
        moves, nonces = body["moves"], body["nonces"]
        require(set(moves) == set(self.to_move()) != set(), "order")
        for side, move in moves.items():
            self.check_move(side, move)
        at_once, sealed = self.at_once, self.at_once and not self.importing
        self.engines.note(self.line, self.ply, self.position, moves, at_once=at_once)
        if sealed:
            require(self.reveals_begun() and not self.turns, "commitment")
            require(set(nonces) == set(moves), "commitment")
            for side, move in moves.items():
                require(self.opens(side, move, nonces[side]), "commitment")
                require(self.reveals.get(side, (move, nonces[side])) == (move, nonces[side]), "commitment")
        else:
            require(nonces == {}, "commitment")
            for side in moves:
                self.moved(side)
        if sealed:
            self.keyring.end_ply(self.to_move(), moves, self.begin, self.ply)
        self.plans.note(self.ply, moves, nonces, self.begin)
        self.history.append(moves)
        self.ahead = {left: body for left, body in self.ahead.items() if left[1] >= self.ply}
        self.told = set()
        self.position = self.replayed("order")
        require(not (at_once and self.importing and self.position.outcome), "order")
        self.judge_known(body["known"], body["owing"])
        require(body["owing"] == self.to_move(), "owing")
        self.agreed = {side for side in self.agreed if set(moves) <= {side}}
        self.begin_turns()

    def judge_known(self, known: Json | None, owing: list[str]) -> None:
        """Judge the part of the deal that is revealed with a ply, and the position that follows from it."""
        rounds, half = divmod(len(self.history), 2)
        if not self.is_secret or half or self.position.outcome:
            require(known is None, "known")
        elif known is None:
            raise WrongError("known")
        else:
            before, after = self.options["deal"], known.get("deal")
            require(set(known) == {"deal"} and isinstance(after, dict), "known")
            assert isinstance(after, dict)
            require(set(after) == set(before), "known")
            decks = after["decks"]
            require(isinstance(decks, list) and len(decks) == 2, "known")
            require(all(isinstance(deck, list) and len(deck) == rounds + 1 for deck in decks), "known")
            same = {**after, "decks": [deck[:-1] for deck in decks]}
            require(canonical(same) == canonical(before) and plainly_written(after), "known")
            self.options = {**self.options, "deal": after}
            self.position = self.replayed("known")

    def judge_claimed(self, body: Json) -> None:
        """A timeout or a repetition."""
        side, what, over = body["side"], body["what"], self.over()
        if what == "timeout":
            require(bool(over) and side not in over, "claim")
            self.must, self.by = ("closed", "timeout"), self.first_over()
        else:
            require(what == "repetition" and what in self.position.claims(side), "claim")
            self.must, self.by = ("closed", "repetition"), side

    def judge_vacation(self, body: Json) -> None:
        """Days off."""
        first, last = date.fromisoformat(body["first"]), date.fromisoformat(body["last"])
        today, earlier = self.now.astimezone(self.zone).date(), self.vacations[body["side"]]
        require(self.clock is not None and today <= first <= last <= today + timedelta(days=366), "clock")
        require(all(last < start or end < first for start, end, _ in earlier), "clock")
        days = sum((end - start).days + 1 for start, end, _ in [*earlier, (first, last, self.now)])
        require(self.clock is not None and days <= self.clock["vacation"], "clock")
        earlier.append((first, last, self.now))

    def judge_reminded(self, body: Json, must: tuple[str, str | None] | None) -> None:
        """The reminder that is due first; if others are due too, the next one has to follow."""
        side, possible = body["side"], self.reminders(self.in_order())
        require(must is None or must[1] == side, "order")
        require(possible.get(side) == (body["deadline"], body["hours"]), "clock")
        require(next(iter(possible)) == side, "clock")
        self.turns[side].reminders.append((body["deadline"], body["hours"]))
        for other in self.reminders(self.in_order()):
            self.must = ("reminded", other)
            break

    def judge_closed(self, body: Json, must: tuple[str, str | None] | None) -> None:
        """The end and its result."""
        require(body["how"] == (must[1] if must else "abandoned"), "end")
        loser = self.by if must else None
        winner, score = None, dict(self.position.score)
        if self.position.outcome:
            winner, score = self.position.outcome.winner, dict(self.position.outcome.score)
        elif len(self.sides) == 2 and loser and body["how"] != "repetition":
            winner = next(side for side in self.sides if side != loser)
            if self.name in ("boundary", "laser-chess"):
                score = {side: int(side == winner) for side in self.sides}
        require(body["by"] == loser, "end")
        require((body["winner"], body["score"]) == (winner, score), "outcome")
        kept = {side for side, (kind, _) in self.seals.items() if kind == "submitted"}
        require(set(body["unplayed"]) == kept, "commitment")
        for side, opened in body["unplayed"].items():
            self.read_move(opened["move"])
            require(self.opens(side, opened["move"], opened["nonce"]), "commitment")
            self.check_move(side, opened["move"])
        self.judge_notes(body.get("notes"), body["unplayed"])
        self.judge_secret(body["secret"])
        judge_told(body.get("addresses"), due=self.open)
        unplayed = {side: opened["move"] for side, opened in body["unplayed"].items()}
        self.engines.note(self.line, self.ply, self.position, unplayed, at_once=True)
        self.plans.note(
            self.ply, unplayed, {side: opened["nonce"] for side, opened in body["unplayed"].items()}, self.begin
        )
        self.plans.end()
        self.ahead = {}
        self.closed = body
        if self.open:
            self.must_disclose()

    def judge_notes(self, told: Json | None, unplayed: Json) -> None:
        """The signatures of the moves that were submitted with a key and never made."""
        due = self.keyring.notes
        require(told != {} and set(told or {}) == set(due), "signature")
        for side, note in due.items():
            lines = self.keyring.act(self.begin, self.ply, side, f"move {unplayed[side]['move']}")
            self.keyring.judge_note(side, (told or {})[side], lines, note)

    def judge_secret(self, seed: str | None) -> None:
        """Check that the seed is the promised one, and that everything revealed before follows from it."""
        if not self.is_secret:
            require(seed is None, "secret")
            return
        require(seed is not None, "secret")
        if self.invited and self.invited["secret"]:
            require(
                hexadecimal(seed) and hashed("referee secret 1", self.id, str(seed)) == self.invited["secret"],
                "secret",
            )
            words = [self.joined[side]["word"] for side in self.sides if side in self.joined]
            seed = hashed("referee seed 1", str(seed), *words)
        told, deal = self.options["deal"], deal_of(str(seed))
        require(sha256(str(seed).encode()).hexdigest() == told["commitment"], "secret")
        require(canonical(told["discs"]) == canonical(deal["discs"]), "secret")
        rounds = len(told["decks"][0])
        require(canonical(told["decks"]) == canonical([deck[:rounds] for deck in deal["decks"]]), "secret")

    def judge_reopened(self, body: Json) -> None:
        """The game goes on in the position in which it was closed."""
        require(self.closed is not None and self.closed["how"] not in ("agreement", "repetition"), "order")
        require(self.closed is not None and self.closed["secret"] is None and bool(self.to_move()), "order")
        require(not self.engines.sitting, "order")
        if self.paused:
            self.pauses[-1] = (self.pauses[-1][0], self.now)
        self.closed, self.agreed = None, set()
        self.keyring.notes = {}
        self.told |= {promise for kind, promise in self.seals.values() if kind == "submitted"}
        self.begin_turns()
