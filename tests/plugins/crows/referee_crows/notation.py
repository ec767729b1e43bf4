"""The notation of Three Crows (crows.lark)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lark import Token, Transformer, v_args

from referee.plugin import Fields, Part
from referee_crows.position import ROUNDS, SIDES, TREES, CrowsPosition, Fly, Wait

GRAMMAR = Path(__file__).with_name("crows.lark")
WORDS = {"_FLY": "F to fly", "_WAIT": "W to wait", "TREE": "a tree: 1 to 12"}
BEGINNINGS = {"F": "fly|go|hop", "W": "wait|stay|rest"}
PARTS = {r"tree (\d+)": r"\1"}
FIELDS = ("nuts", "crows", "taken", "round")


@v_args(inline=True)
class ToMove(Transformer[Token, Fly | Wait]):
    """One method a rule or terminal of the grammar; none of them raises."""

    def fly(self, tree: int) -> Fly:
        return Fly(tree)

    def wait(self) -> Wait:
        return Wait()

    def TREE(self, text: Token) -> int:
        return int(text)


def position_fields(position: CrowsPosition) -> Mapping[str, str]:
    """What each field says of a position."""
    rows = position.nuts, position.crows, position.taken, (position.round,)
    return {name: " ".join(map(str, row)) for name, row in zip(FIELDS, rows, strict=True)}


def position_options(fields: Fields) -> Mapping[str, tuple[object, Part]]:
    """None: how many nuts there were at the start no longer matters."""
    return {}


def position_from(fields: Fields, start: CrowsPosition) -> CrowsPosition:
    """The position that the fields say."""
    nuts, crows = _numbers(fields["nuts"], TREES, 0, 9), _numbers(fields["crows"], len(SIDES), 1, TREES)
    taken, (number,) = _numbers(fields["taken"], len(SIDES), 0, 108), _numbers(fields["round"], 1, 1, ROUNDS + 1)
    return CrowsPosition(nuts, crows, taken, number)


def _numbers(part: Part, many: int, low: int, high: int) -> tuple[int, ...]:
    if len(part.words()) != many:
        raise part.expected(f"{many} numbers")
    return tuple(word.number(low, high, "a number") for word in part.words())
