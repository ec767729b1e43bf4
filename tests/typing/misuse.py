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

played = referee.new("boundary").play("P a1-b2")
referee.new(game)  # E: call-overload
referee.new("beams", players=["Ada", "Ben"])  # E: call-overload
referee.new("beams", players={"south": 3})  # E: dict-item
referee.new("beams", position=position)  # E: call-overload
referee.new("beams", date=20270301)  # E: call-overload
referee.new("beams", colums=17)  # E: call-overload
referee.new("beams", mode="at once")  # E: call-overload
referee.new("boundary", first="red")  # E: call-overload
referee.new("laser-chess", first="red")  # E: call-overload
referee.new("laser-chess", kings="turns", players={"red": "Ada"})  # E: call-overload
played.play(3)  # E: arg-type
played.play(["P f1-e2"])  # E: arg-type
played.undo("2")  # E: arg-type
played.end(by="south")  # E: call-arg
played.end("resignation", by=2)  # E: arg-type
played.end(None)  # E: arg-type
played.comment(3)  # E: arg-type
played.comment("good", ply="1")  # E: arg-type
played.mark(1)  # E: arg-type
played.mark("!", sides="south")  # E: call-arg
played.variation()  # E: call-arg
played.variation(at="2")  # E: arg-type
played.lines[0] = played  # E: index
played.whole = played  # E: misc
played.ending = None  # E: misc
print(played.outcome.winner)  # E: union-attr
print(played.plies()[0])  # E: operator
referee.read(3)  # E: arg-type
referee.dumps(position)  # E: arg-type
referee.judge("game: beams")  # E: arg-type
print(referee.judge(played).winner)  # E: attr-defined
referee.svg("beams")  # E: arg-type
referee.svg(position, size="400")  # E: arg-type
referee.svg(position, colours="blue")  # E: arg-type
referee.svg(position, highlight=3)  # E: arg-type
referee.png(position, size=None)  # E: arg-type
referee.text(position, unicode="yes")  # E: arg-type
referee.png(position).decode().save("board.png")  # E: attr-defined
referee.archive(3)  # E: arg-type
referee.archive("games.jsonl").write(position)  # E: arg-type
for found in referee.archive("games.jsonl"):
    print(found.rounds[0].move)  # E: attr-defined
referee.GAMES.append("hex")  # E: attr-defined
referee.games()[0].title = "Hex"  # E: misc
raise referee.IllegalMove("occupied")  # E: call-arg
