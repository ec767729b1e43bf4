"""Mistakes of a user of the package: `mypy --strict` finds each of these, by the code behind `E:`."""

from __future__ import annotations

import referee
from referee.rules.beams import Rotate

position = referee.start("beams")
step = referee.parse_move("laser-chess", "m e4-e5")
move = referee.parse_move("beams", "p m1 b3 12")
game = referee.loads("game: beams")

position.check("south", "P M1 B3 12")  # E: arg-type
position.check("south", step)  # E: arg-type
position.check(3, move)  # E: arg-type
position.play({"south": "P M1 B3 12"})  # E: dict-item
position.play({"south": step})  # E: dict-item
position.play(move)  # E: arg-type
position.legal_moves(12)  # E: arg-type
position.parse("south", move)  # E: arg-type
position.left = 3  # E: misc
position.stones[3] = move  # E: arg-type
print(position.no_such_thing)  # E: attr-defined
position.score["south"] = 3  # E: index
print(position.outcome.winner)  # E: union-attr
referee.parse_move("beams", move)  # E: call-overload
referee.start(12)  # E: call-overload
referee.start("beams", colums=3)  # E: call-overload
referee.start("beams", columns="3")  # E: call-overload
referee.start("laser-chess", mode="synchronous")  # E: call-overload
print(referee.start("beams").squares)  # E: attr-defined
referee.loads(b"game: beams")  # E: arg-type
referee.Outcome(None, "score", {})  # E: arg-type
for legal in position.legal_moves("south"):
    print(legal.piece)  # E: union-attr
turned: Rotate = position.parse("south", "r b3 l")  # E: assignment
game.options["mode"] = "synchronous"  # E: index
game.options["mode"].upper()  # E: attr-defined
print(game.rounds[0].moves[0].move.cell)  # E: attr-defined
position.facts()["score"] = {}  # E: index
for ply in game.replay():
    print(ply.noted)  # E: attr-defined
    ply.position.advance({})  # E: attr-defined
    ply.moves["south"] = move  # E: index
