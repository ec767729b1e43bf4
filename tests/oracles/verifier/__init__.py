"""A second verifier of the desk's logs, written from spec/log.md alone.

It shares nothing with the auditor of the package: digests, canonical JSON, the state of the game, clock, chance and
ends are written again here, as plainly as on the page. Only the rules of the games (positions, legal moves, notation)
and the moves that engines find are those of the package. It stops at the first fault.
"""

from __future__ import annotations

from tests.oracles.verifier.form import WrongError, digest, read, require
from tests.oracles.verifier.game import Game

__all__ = ["verify"]


def verify(text: str) -> list[tuple[int, str]]:
    """The line and the code of the first fault of a log, or nothing."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")
    game: Game | None = None
    head, number = "0" * 64, 0
    for number, line in enumerate(lines, 1):
        try:
            entry = read(line)
            require(number > 1 or entry["kind"] in ("opened", "invited"), "log")
            require(entry["number"] == number - 1 and entry["before"] == head, "chain")
            require(game is None or entry["game"] == game.id, "chain")
            require(entry["digest"] == digest(entry), "digest")
            if game is None:
                game = Game(entry)
            else:
                game.judge(entry)
        except WrongError as wrong:
            return [(number, str(wrong))]
        head = entry["digest"]
    if game and (game.must or game.keyring.due):
        return [(number, "cut")]
    return [(line, "engine") for line in game.engines.wrong()][:1] if game else []
