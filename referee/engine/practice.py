"""A game of one person against engines: the turn, the engines' answers, and their reasons."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Union

from referee.engine.choice import ponder
from referee.engine.levels import PROGRAM_LEVEL, level_text
from referee.engine.search.evaluation import SURE
from referee.engine.search.prospect import Prospect
from referee.errors import RefereeError
from referee.game import AnnotatedMove, End, GameFile, Player, Ply, new_game, ply_at
from referee.game.file.gamefile import with_ply
from referee.rules import Frozen, Game, Moves, Position, Termination, game_named, movers
from referee.terminal import join_words

if TYPE_CHECKING:
    from referee.engine.program import Opinion, Program

HINTING = 6
"""The level of hints."""

Intentions = Mapping[str, Union[Prospect, "Opinion"]]
"""The moves of engines with their expectations, by side."""

_NOTHING: Intentions = Frozen()

_ENGINE = re.compile(r"engine, level ([1-8])(?: \(\w+\))?|a program")


@dataclass(frozen=True)
class Practice:
    """A game with engines on all sides except the person's.

    Attributes:
        game: with the moves so far; the names of its players show which sides are engines.
        side: the person's side.
        level: that of the engines; 0 for a program of others.
        seed: the secret seed of the engines' moves.
        reasons: the engines' expectations of the moves that they have made here, by the number of the ply.
        program: the program that plays in place of the engines, if one does.
    """

    game: GameFile
    side: str
    level: int
    seed: str
    reasons: Mapping[int, Intentions] = field(default_factory=Frozen)
    program: Program | None = None

    @classmethod
    def opened(cls, name: str, options: Mapping[str, object], side: str, level: int, seed: str) -> Practice:
        """A practice from the start of a game; open coins and deals are drawn, and the file shows their results."""
        description = game_named(name)
        chosen = {**options, **description.flips(options)}
        if description.secret is not None:
            secret = description.secret.draw()
            chosen = {one: {"seed": secret} for one in description.chance} | chosen
        return cls.begun(new_game(name, chosen), side, level, seed)

    @classmethod
    def resumed(cls, game: GameFile, side: str | None, level: int, seed: str) -> Practice:
        """A practice that continues a game against the engines in it, on the free side.

        If there are none, new ones of a level take over all sides except one, from the last position on. That is a
        new game, without the players, the date and the id of the other one.

        Raises:
            RefereeError: `level`; the engines have different levels.
        """
        engines = engines_of(game)
        free = [one for one in game.description.sides if one not in engines]
        if engines and len(free) == 1:
            if len(levels := sorted({*engines.values()})) > 1:
                message = (
                    f"the engines in this file have levels {join_words(map(str, levels))}: only equal ones can go on"
                )
                raise RefereeError("level", message)
            if levels == [PROGRAM_LEVEL] and level != PROGRAM_LEVEL:
                raise RefereeError("level", "a program plays in this file: name it with --against program:COMMAND")
            return cls(game, free[0], next(iter(engines.values())), seed)
        own = side or (*free, *game.description.sides)[0]
        return cls.begun(replace(game, id=None, date=None, ending=None, result=None), own, level, seed)

    @classmethod
    def begun(cls, game: GameFile, side: str, level: int, seed: str) -> Practice:
        """A practice of a game, with engines as its only named players."""
        name = "a program" if level == PROGRAM_LEVEL else f"engine, level {level_text(level)}"
        engines = {one: Player(name) for one in game.description.sides if one != side}
        return cls(replace(game, players=engines), side, level, seed)

    @cached_property
    def ply(self) -> Ply:
        """The last ply."""
        return ply_at(self.game)

    @property
    def position(self) -> Position:
        """The position after the last ply."""
        return self.ply.position

    @property
    def is_over(self) -> bool:
        """True if no side can move: the game is over, or its file lacks the next result of chance."""
        return self.ply.outcome is not None or not self.position.to_move

    @property
    def is_own_turn(self) -> bool:
        """True if the person owes a move."""
        return not self.is_over and self.side in self.position.to_move

    @property
    def has_answers(self) -> bool:
        """True if an engine has moved in this game, here or before."""
        return any(side != self.side for ply in self.game.replay() for side in ply.moves)

    def answers(self) -> Intentions:
        """The moves of all engines that owe one; none of them knows a move of this ply."""
        due = [one for one in movers(self.position) if one != self.side]
        return {one: self._pondered(self.position, one, self.ply.number) for one in due}

    def moved(self, moves: Moves, answers: Intentions = _NOTHING) -> Practice:
        """The practice after the moves of one ply; `answers` are the engines' expectations of theirs."""
        self.position.play(moves)
        made = tuple(AnnotatedMove(moves[one]) for one in movers(self.position))
        reasons = Frozen({**self.reasons, self.ply.number + 1: answers})
        return replace(self, game=with_ply(self.game, made), reasons=reasons)

    def undone(self) -> Practice:
        """The practice before the person's last move or the end that they declared; the same if there is none.

        The engines get a new seed, so that a move that the person has seen does not show the next one.
        """
        if self.game.ending is not None:
            return replace(self, game=replace(self.game, ending=None))
        plies = self.game.plies
        own = [place for place, ply in enumerate(plies) if self.side in ply.moves]
        if not own:
            return self
        game = self.game.undo(len(plies) - own[-1])
        reasons = Frozen({number: reason for number, reason in self.reasons.items() if number <= own[-1]})
        return replace(self, game=game, seed=f"{self.seed} again", reasons=reasons)

    def ended(self, how: Termination) -> Practice:
        """The practice after the person's resignation, or their claim of a repetition, which must exist."""
        return replace(self, game=replace(self.game, ending=End(how, self.side)))

    def hint(self) -> Prospect:
        """The move of a strong engine for the person."""
        return ponder(self.position, self.side, HINTING, self.seed, sober=True)

    def last_reasons(self) -> Intentions:
        """The expectation of each engine of the last move that it has made here."""
        return {side: answer for _, answers in sorted(self.reasons.items()) for side, answer in answers.items()}

    def recalled_reasons(self) -> Intentions:
        """The same without kept reasons: the finding of each engine before its last move, if it is the same move."""
        last = {one: ply for ply in self.game.replay() for one in ply.moves if one != self.side}
        found = {one: self._pondered(ply.before, one, ply.number - 1) for one, ply in last.items()}
        return {one: answer for one, answer in found.items() if answer.move == last[one].moves[one]}

    def _pondered(self, position: Position, side: str, plies: int) -> Prospect | Opinion:
        """The finding of an engine, which has another seed in each ply, or of the program."""
        if self.program is not None:
            history = [ply.moves for ply in self.game.replay()][:plies]
            return self.program.ponder(position, side, history)
        return ponder(position, side, self.level, f"{self.seed} {plies}")


def moves_in(answers: Intentions) -> Moves:
    """The moves that engines will make."""
    return {side: answer.move for side, answer in answers.items()}


def prospect_text(game: Game, found: Prospect | Opinion) -> str:
    """An engine's expectation in words: its line, and the lead of its side, or the points of a team."""
    first, *others = map(str, found.line)
    line = ", then ".join([first, ", ".join(others)] if others else [first])
    if found.value is None:
        return line
    if abs(found.value) >= SURE:
        return f"{line} ({'wins' if found.value > 0 else 'loses'})"
    points = found.value / 100
    return f"{line} ({f'{points:.1f}' if game.scored else f'{points:+.2f}'} points)"


def engines_of(game: GameFile) -> dict[str, int]:
    """The engines' sides of a game, with their levels, by the names of their players."""
    named = {side: _ENGINE.fullmatch(player.name) for side, player in game.players.items()}
    return {side: int(match[1] or PROGRAM_LEVEL) for side, match in named.items() if match}
