"""Games to make records of: long ones, and ones with malicious players."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import referee
from referee.game import AnnotatedMove, GameFile, Player, Round
from referee.rules.beams import Rotate

BEGINNERS = Path("games/beams/beginners.yaml")
HOSTILE = [
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "<!-- <script>",
    "]]>",
    "</textarea></title></style></svg>",
    '"\'` onload=alert(1) x="',
    "&lt;b&gt; &amp;",
    "{{ 7 * 7 }} {% raw %}",
    "\u202eabc عربى",
    "Łukasz 陳",
]

VARIED = """\
game: boundary
rules: 1
options: {first: south}
moves: |
  1. P a1-b2 | P f1-e2
  2. P b2-b3
variations:
  - moves: |
      1. ... | P f1-e1 !? {safer}
      2. P b2-b1
    variations:
      - moves: |
          {or}
          2. P b2-c2 {bold}
  - moves: |
      2. ... | P e2-e1
"""
"""A game with variations, one of which has its own."""


def hostile(text: str, example: Path = BEGINNERS) -> GameFile:
    """A game with this text in every place that players can fill."""
    game = referee.read(example)
    rounds = tuple(
        Round(tuple(AnnotatedMove(one.move, one.mark, (text,)) for one in line.moves), (text,))
        for line in game.rounds
    )
    players = {side: Player(text, "somebody@example.org") for side in ("south", "north")}
    return replace(game, players=players, event=text, id=text, date=text, rounds=rounds, trailing_comments=(text,))


def long_game(plies: int) -> GameFile:
    """A game of synchronous beams at random, with a rotation now and then, so that the hands last."""
    chance, position = random.Random(4), referee.start("beams", mode="synchronous")
    moves: list[AnnotatedMove] = []
    while len(moves) < plies:
        (side,) = position.to_move
        legal = list(position.legal_moves(side))
        turns = [move for move in legal if isinstance(move, Rotate)]
        move = chance.choice(turns if turns and len(moves) % 6 > 3 else legal)
        position = position.play({side: move})
        moves.append(AnnotatedMove(move))
    rounds = tuple(Round(tuple(moves[first : first + 2])) for first in range(0, plies, 2))
    return GameFile("beams", rounds, options={"mode": "synchronous"})
