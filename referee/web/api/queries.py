"""The parameters of requests besides the body; an unknown one is refused."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Request
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from referee.desk import digits
from referee.errors import RefereeError, shown
from referee.web.api.tasks import GameSource

_NAME = 100
_POSITION = 1000
_MOVE = 500
_MOST_MOVES = 8
_OPTION = 1000
_MOST_OPTIONS = 20

_LISTS = ("move", "option")
"""Parameters that can be given more than once."""


def _one_a_side(moves: list[str]) -> list[str]:
    sides = [_side_and_move(one)[0] for one in moves]
    if len(set(sides)) != len(sides):
        raise ValueError("expected one move for each side")
    return moves


def _head(text: str) -> str:
    found = digits(text)
    if found is None:
        raise ValueError("expected the 64 hexadecimal digits of a log head")
    return found


SideName = Annotated[str, Field(max_length=_NAME)]
_View = Annotated[
    SideName | None, Field(description="The side whose view of the board is shown; by default the first.")
]


def each_once(request: Request) -> None:
    """Refuse a parameter that is repeated, of which only one would count; RefereeError `parameter`."""
    for name in request.query_params:
        if name not in _LISTS and len(request.query_params.getlist(name)) > 1:
            raise RefereeError("parameter", f"{shown(name)} is given more than once")


class _Query(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class GameQuery(_Query):
    """Parameters of a game, for a body that is no game file."""

    game: str | None = Field(None, max_length=_NAME, description="The game of a bare move list, or of `position`.")
    position: str | None = Field(
        None, max_length=_POSITION, description="The position in which that game begins, as one line of text."
    )

    option: Annotated[list[Annotated[str, Field(max_length=_OPTION)]], Field(max_length=_MOST_OPTIONS)] = Field(
        default_factory=list,
        description="An option of `game`, such as `columns=17`, its value as in a game file; once for each.",
    )

    def source(self, content: bytes) -> GameSource:
        """The game of a request with this body."""
        return GameSource(content, self.game, self.position, tuple(self.option))


class CheckQuery(GameQuery):
    """Parameters of a check."""

    file: str = Field(
        "", max_length=_NAME, description="What to call the file in the answer; its suffix counts as in `check`."
    )
    suggest: bool | None = Field(None, description="Look for moves to suggest in all games, or in none.")


class PositionQuery(GameQuery):
    """Parameters of a position."""

    ply: int | None = Field(None, ge=0, le=1_000_000, description="The position after this ply; 0 is the start.")


class SvgQuery(PositionQuery):
    """Parameters of a picture."""

    view: _View = None


class PngQuery(SvgQuery):
    """Parameters of a picture in pixels."""

    width: int = Field(1000, ge=16, le=2000, description="The width in pixels.")
    paper: Literal["light", "dark"] = Field("light", description="The colour of the paper.")


class LegalQuery(GameQuery):
    """Parameters of a list of legal moves."""

    side: SideName | None = Field(None, description="Only the moves of this side.")
    prefix: str = Field("", max_length=_MOVE, description="Only moves that begin like this.")


class PlayQuery(GameQuery):
    """Parameters of a ply."""

    move: Annotated[list[Annotated[str, Field(max_length=_MOVE)]], AfterValidator(_one_a_side)] = Field(
        min_length=1,
        max_length=_MOST_MOVES,
        description="A side and its move, such as `south P M1 A2 12`; once for each side that moves.",
    )

    @property
    def moves(self) -> dict[str, str]:
        """Side -> move."""
        return dict(_side_and_move(one) for one in self.move)


class LogQuery(_Query):
    """Parameters of an audit."""

    head: Annotated[str, AfterValidator(_head)] | None = Field(
        None, description="The log head of a letter: the log must reach at least that far."
    )


class BoardQuery(_Query):
    """Parameters of the picture of a desk's game."""

    view: _View = None


def _side_and_move(text: str) -> tuple[str, str]:
    side, _, move = text.strip().partition(" ")
    return side, move
