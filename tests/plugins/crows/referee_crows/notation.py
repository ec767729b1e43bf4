"""The notation of Three Crows (crows.lark)."""

from __future__ import annotations

from pathlib import Path

from lark import Token, Transformer, v_args

from referee_crows.position import Fly, Move, Wait

GRAMMAR = Path(__file__).with_name("crows.lark")
WORDS = {"_FLY": "F to fly", "_WAIT": "W to wait", "TREE": "a tree: 1 to 12"}
BEGINNINGS = {"F": "fly|go|hop", "W": "wait|stay|rest"}
PARTS = {r"tree (\d+)": r"\1"}


@v_args(inline=True)
class ToMove(Transformer[Token, Move]):
    """One method a rule or terminal of the grammar; none of them raises."""

    def fly(self, tree: int) -> Move:
        """A flight, to a tree that there is or not."""
        return Fly(tree)

    def wait(self) -> Move:
        """No flight."""
        return Wait()

    def TREE(self, text: Token) -> int:
        """A tree's number."""
        return int(text)
