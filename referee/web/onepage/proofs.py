"""Proofs on the page, from JSON to JSON: logs audited, moves sealed and signed, as by the commands of these names."""

from __future__ import annotations

import io
import re
import shlex
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from typing import NoReturn

from referee.desk import act_text, acts, audit, log_lines, signed_words
from referee.desk.law.summary import audit_lines
from referee.desk.log import seals
from referee.desk.proof.seat_terms import expect_seat, head_of, seat_past
from referee.errors import Refusal
from referee.notation.moves import parse_move
from referee.web.onepage.study import PageData

_CLAIMS = acts.Claim("timeout"), acts.Claim("repetition")
_SIGNABLE: Mapping[str, acts.Act] = {
    str(act): act for act in (acts.Resign(), acts.OfferDraw(), acts.Accept(), acts.Abort(), *_CLAIMS)
}
"""Acts that a player can sign in addition to moves and seals, by their lines."""

_COMMAND = re.compile(r"\breferee (?:seal|sign) (.*)")
_BREAK = re.compile(r"\\?\s+")
_ELSEWHERE = ("nonce", "sign", "key")
"""Options that the page ignores: it draws the nonce, and asks for the file of a key."""


def _audited(text: str, name: str = "pasted", head: str = "") -> PageData:
    report = audit(log_lines(io.BytesIO(text.encode("utf-8", "surrogatepass")), name), head_of(head))
    lines = [*audit_lines(report, name)]
    return {"said": "".join(f"{line}\n" for line in lines), "status": int(bool(report.findings))}


def _sealed(
    game: str, ply: int, side: str, rules: str, move: str, nonce: str, opening: str = "", head: str = ""
) -> PageData:
    """The lines that seal and reveal a move, as in `referee seal`.

    `signable` are the texts of both lines for the player's key, if the letter shows the basis of a signature.
    """
    name = _expected(game, ply, side, rules)
    drawn = seals.digits(nonce)
    if drawn is None:
        raise Refusal("no-nonce", "expected a nonce of 64 hexadecimal digits")
    text, past = str(parse_move(name, move)), seat_past(opening, head)
    lines = seals.seal_lines(game, ply, side, rules, text, bytes.fromhex(drawn), past)
    signable = [] if past is None else [act_text(game, past, ply, side, line) for line in lines]
    return {"move": text, "seal": lines[0], "reveal": lines[1], "signable": signable}


def _signable(game: str, ply: int, side: str, rules: str, line: str, opening: str = "", head: str = "") -> PageData:
    """The line above a signature, as in `referee sign`, and the text for the player's key."""
    name, past = _expected(game, ply, side, rules), seat_past(opening, head)
    if past is None:
        raise Refusal("wrong-paste", "a signature needs --opening and --head: copy both from the letter")
    act = _SIGNABLE.get(" ".join(line.split()).casefold()) or acts.MakeMove(str(parse_move(name, line)))
    return {"line": str(act), "text": act_text(game, past, ply, side, signed_words(act))}


def _expected(game: str, ply: int, side: str, rules: str) -> str:
    """The name of the game, after a check of seat and ply."""
    if ply < 1:
        raise Refusal("wrong-paste", "expected a ply from 1 on")
    return expect_seat(game, side, rules)


def _seat(command: str) -> PageData:
    """The `seat` and its ply in a command `referee seal` or `referee sign` of a letter, and the `move` in it or "".

    A browser that pastes into one line replaces line ends by blanks, so a backslash before one is dropped too.
    """
    found = _COMMAND.search(_BREAK.sub(" ", command))
    try:
        said = _Command().parse_intermixed_args(shlex.split(found[1] if found else ""))
    except ValueError:
        message = "expected the whole command of a letter, which begins with: referee seal, or referee sign"
        raise Refusal("wrong-paste", message) from None
    seat = {name: getattr(said, name) for name in ("game", "ply", "side", "rules", "opening", "head")}
    return {"seat": seat, "move": said.move}


class _Command(ArgumentParser):
    """The words after `referee seal` or `referee sign`, in any order that the command line allows."""

    def __init__(self) -> None:
        super().__init__(add_help=False, allow_abbrev=False)
        self.add_argument("game")
        self.add_argument("ply", type=int)
        self.add_argument("side")
        self.add_argument("move", nargs="?", default="")
        for name in ("rules", "opening", "head", *_ELSEWHERE):
            self.add_argument(f"--{name}", default="")

    def error(self, message: str) -> NoReturn:
        """Raise ValueError instead of ending the process."""
        raise ValueError(message)


PROOF_CALLS: Mapping[str, Callable[..., PageData]] = {
    "audit": _audited,
    "seal": _sealed,
    "sign": _signable,
    "seat": _seat,
}
