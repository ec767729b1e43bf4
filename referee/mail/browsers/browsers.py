"""Moves, other acts and new games from paired browsers, each written down as a letter.

The key of a seat, from a link or from the desk, names the seat and its ply, as it does in a letter's address. If the
browser is paired with the seat's address, a submission becomes a letter (`statements`) and is handled as one.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.utils import formataddr
from typing import Any

from referee.desk import By, EngineFirstError, Seat, State, Submission, Table, acts, progress, seat_token
from referee.errors import Refusal
from referee.mail.addresses import small
from referee.mail.browsers import seats
from referee.mail.browsers.pairings import Pairings, expect_fresh, seat_of_link
from referee.mail.handlers.allowance import ANSWER, allowance
from referee.mail.handlers.arrival import has_acted, how_it_came
from referee.mail.handlers.permission import Asker, registered
from referee.mail.handlers.pipeline import attempt
from referee.mail.handlers.replies import done_text
from referee.mail.handlers.visit import TALK
from referee.mail.intake.commands import CommandLine
from referee.mail.intake.intent import in_full
from referee.mail.intake.letter import Letter, read_letter
from referee.mail.intake.requests import NewGame, Rematch
from referee.mail.intake.statements import statement
from referee.mail.letters.agenda import Listing
from referee.mail.letters.format.language import moment, phrase
from referee.mail.letters.story.story import names_of
from referee.mail.office import sides_of
from referee.mail.transport.receipt import receive
from referee.mail.watch import expect_steady
from referee.notation.plans.plan import LONGEST_PLAN
from referee.rules import game_named

LONGEST_LINES = 1_000
"""Maximum characters of a submission other than a plan: any move fits, with its signature."""

_PLAN = "plan\n"
"""The beginning of a plan, as a page sends it."""

_LONGEST_ONCE = 64

_ACTS = (
    acts.MakeMove
    | acts.Seal
    | acts.Reveal
    | acts.Plan
    | acts.OfferDraw
    | acts.Accept
    | acts.Decline
    | acts.Resign
    | acts.Claim
    | acts.Give
    | acts.Message
)
"""Acts that a page can submit."""

_MESSAGE = "message:"
"""The beginning of a message of any lines, as a page sends it."""

_NO_ACT = "expected one move or one act of the game, and nothing else"
_NO_OPENING = "expected one line that opens a game with engines, and nothing else"


@dataclass(frozen=True, slots=True)
class Browsers(Pairings):
    """Services of a desk by mail for its pages; `tokens` are the secrets in the cookies of one browser.

    `acted` is called after an act, so that engines and letters need not wait for the next look.
    """

    acted: Callable[[], object] = lambda: None

    def standing(self, tokens: Sequence[str], game: str, key: str, side: str = "") -> Mapping[str, object]:
        """The state of a browser's seat in a game, for its page; without a `key`, the one of its address.

        Only a paired browser gets the `key` of the seat, the move that the player has `chosen`, the `acts` that it
        may send, the other games in which it owes a move (`next`), and all of the player's plans (`plan`, `followed`
        and `spent`). RefereeError `unknown-game` or `no-seat`.
        """
        at, table, addresses = self.now(), self.office.desk.table(game), [*self.pairings(tokens)]
        seat = seat_of_link(table, key) if key else seats.own_seat(table, addresses, side)
        asked = self.awaits_code(tokens)
        if seat is None:
            return {"paired": False, "asked": asked, "side": None}
        said = {"asked": asked, **seats.seat_standing(table, seat.side)}
        fresh = key if seat.fresh else ""
        if small(table.address(seat.side)) not in addresses:
            return {"paired": False, **said, "key": fresh, "chosen": None, "acts": [], "next": None}
        if self.office.settings.web.link == "once":
            fresh = seat_token(self.office.desk.key, table.state, seat.side)
        mine = seats.seats_of(self.office, addresses, at)
        others = [one for one in mine if one.state.id != game and one.side in one.state.owing]
        return {
            "paired": True,
            **said,
            "key": fresh,
            "chosen": seats.chosen_move(table, seat.side),
            "acts": seats.open_acts(self.office, table, seat.side, at),
            "next": {"count": len(others), "game": others[0].state.id} if others else None,
            **seats.plan_standing(self.office, table.state, seat.side),
        }

    def submit(self, tokens: Sequence[str], game: str, key: str, text: str, once: str = "") -> Submission:
        """Carry out a submitted act as if it had come by letter; with `once`, the same one is done only once.

        RefereeError `not-paired`; `page-line` if it is not one act; `page-engine` while an engine seals its move;
        `page-waits` if the desk has stored it and not handled it yet; `clock-jump`; or as for the same letter. Except
        after `page-waits`, nothing is kept.
        """
        at, text = self.now(), text.replace("\r\n", "\n")
        expect_steady(self.office, at)
        table = self.office.desk.table(game)
        seat = seat_of_link(table, key)
        paired = self.pairings(tokens).get(small(table.address(seat.side)))
        if paired is None:
            message = "this browser may not move for you yet: type the code that the desk sends you"
            raise Refusal("not-paired", message)
        expect_fresh(seat)
        longest = len(_PLAN) + LONGEST_PLAN if text.startswith(_PLAN) else LONGEST_LINES
        if len(text) > longest or not all(char.isprintable() or char in "\t\r\n" for char in text):
            raise Refusal("page-line", _NO_ACT)
        address, to = table.address(seat.side), self.office.seat_address(table.state, seat.side)
        once = once[:_LONGEST_ONCE] or secrets.token_hex()
        name = self.office.desk.key.mark(f"once/{game}/{key}/{once}")
        raw = statement(self.office, game, address, to, _as_letter(text), at, name, paired.at)
        letter = read_letter(raw, self.office.mailbox)
        command = _only_command(letter, table.state, text)
        if isinstance(command.command, Rematch):
            seats.expect_rematch(self.office, table, seat.side, at)
            name = self._changed(raw, at, to, address)
            table = self.office.desk.table(name)
            sentence = "acted.begun" if table.state.invitation is None else "acted.asked"
            done = phrase(sentence, game=name, side=sides_of(table, address)[0])
            return Submission(done, lambda: (False, None), name)
        done = self._judged(table, seat, letter, command, at)
        self._changed(raw, at, to, address)
        return Submission(done, lambda: seats.answered(self.office.desk.state(game), seat.side, seat.ply))

    def look(self, tokens: Sequence[str]) -> Mapping[str, Any]:
        """The reader of a page: the number of `players`, a `name`, and how many seats owe a move (`waiting`).

        `seats` are the games and sides of the player, those that owe a move first. `browsers` are all paired ones:
        `since` when, and whether it is this one (`here`).
        """
        at, addresses, digests = self.now(), [*self.pairings(tokens)], {self.digest(token) for token in tokens}
        mine = seats.seats_of(self.office, addresses, at)
        known = [one for each in addresses for one in self.office.desk.people.browsers(each, at)]
        return {
            "players": len(addresses),
            "name": _name(mine) or "".join(addresses[:1]).partition("@")[0],
            "waiting": sum(one.side in one.state.owing for one in mine),
            "seats": [(one.state.id, one.side) for one in mine],
            "browsers": [{"since": moment(one.at), "here": one.token in digests} for one in known],
        }

    def open(self, tokens: Sequence[str], text: str) -> Mapping[str, str]:
        """Open a game with engines as a letter would; return what was `done`, the `game`, and the `seat`.

        The seat is the part of its link after the #. RefereeError `not-paired`; `page-line` if the text is not one
        line that opens a game against engines alone; or as `submit`.
        """
        at, office = self.now(), self.office
        expect_steady(office, at)
        paired = self.pairings(tokens)
        if len(paired) != 1:
            raise Refusal("not-paired", "this browser may not open games for you: send this line by mail")
        ((found, pairing),) = paired.items()
        if len(text) > LONGEST_LINES or not text.isprintable():
            raise Refusal("page-line", _NO_OPENING)
        address = registered(office, found)
        sender = formataddr((_name(seats.seats_of(office, [found], at)), address))
        raw = statement(office, "", sender, office.settings.address, text, at, secrets.token_hex(16), pairing.at)
        reading = read_letter(raw, office.mailbox).reading(None)
        said = reading.commands[0].command if len(reading.commands) == 1 else None
        if reading.failed or reading.unknown or reading.questions or reading.stop or not isinstance(said, NewGame):
            raise Refusal("page-line", _NO_OPENING)
        if said.faults or said.rivals or len(said.engines) != len(game_named(said.game).sides) - 1:
            raise Refusal("page-line", _NO_OPENING)
        asker = Asker(address, "", office.desk.catalogue.is_seated(small(address)), proven=True)
        seats.expect_welcome(office, asker, dict(zip("abcd", said.engines, strict=False)), (), at)
        game = self._changed(raw, at, office.settings.address, address)
        table = office.desk.table(game)
        side = sides_of(table, found)[0]
        seat = (office.page_address(table.state, side) or "").partition("#")[2]
        return {"done": f"Your game {game} has begun: you are {side}.", "game": game, "seat": seat}

    def _changed(self, raw: bytes, at: datetime, to: str, address: str) -> str:
        """Handle a submission as a letter; return the game that it changed."""
        stored = receive(self.office, raw, at, recipient=to, sender=address)
        attempt(self.office, stored, at)
        self.acted()
        if not (games := self.office.desk.catalogue.games_changed_by(stored.digest, small(address))):
            raise Refusal("page-waits", "the desk has kept what you sent, and its answer comes by mail")
        return games[0]

    def _judged(self, table: Table, seat: Seat, letter: Letter, said: CommandLine, at: datetime) -> str:
        """The effect that a letter would have, in a sentence; RefereeError if it would be refused."""
        state, act = table.state, said.command
        assert isinstance(act, _ACTS)
        if has_acted(table.secrets, seat.side, letter):
            raise Refusal("page-done", "the desk has this already")
        if isinstance(act, acts.Decline) and not state.agreed:
            raise Refusal("no-offer", "no other side has made an offer that waits for an answer")
        allowed = allowance(self.office, table.address(seat.side), ANSWER, at)
        if isinstance(act, TALK) and allowed.left <= 0:
            message = f"this was very much within an hour: please wait until {moment(allowed.until)}"
            raise Refusal("too-often", message)
        full = in_full(state, letter, act)
        wanted = acts.SignedAct(full, said.signature) if said.signature else full
        try:
            came = how_it_came(self.office, letter, at)
            result = progress.done(table.act(By(seat.side, seat.ply), [wanted], at, came=came))
        except EngineFirstError:
            raise Refusal("page-engine", "an engine is choosing its move: please try again in a moment") from None
        if not result.entries:
            raise Refusal("page-done", "the desk has this already")
        (answer,), after = result.answers, result.state
        if answer.code != "moved":
            return done_text(answer, after)
        waits = answer.data["commitment"] is not None and answer.data["ply"] > len(after.plies)
        told = phrase("acted.moved", move=answer.data["move"])
        return f"{told} {phrase('acted.sealed', names=names_of(after, after.owing))}" if waits else told


def _name(mine: Sequence[Listing]) -> str:
    """A player's name in one of their seats; empty if they have taken none."""
    return next((one.state.players[one.side] for one in mine if one.state.standing(one.side) != "invited"), "")


def _as_letter(text: str) -> str:
    """The lines of a letter that say what a page sends."""
    begins = text[: len(_MESSAGE)].casefold() == _MESSAGE
    return str(acts.Message(text[len(_MESSAGE) :].strip())) if begins else text


def _only_command(letter: Letter, state: State, text: str) -> CommandLine:
    """The one act in a submission; RefereeError `page-line` if there is none, or it would not be read whole."""
    reading = letter.reading(state.game)
    if reading.failed:
        raise reading.failed[0].error
    clear = not (reading.unknown or reading.questions or reading.stop)
    said = reading.commands[0] if len(reading.commands) == 1 and clear else None
    if said is None or not isinstance(said.command, _ACTS | Rematch):
        raise Refusal("page-line", _NO_ACT)
    if isinstance(said.command, acts.Message) and str(said.command) != _as_letter(text):
        raise Refusal("page-line", "a message cannot have the line 'end', or lines that look like a quotation")
    return said
