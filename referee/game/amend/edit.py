"""Edits of a game file: under a lock, proven before they are written, atomic, with everything else left alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from referee.errors import IllegalMove, NotationError, Span
from referee.game.amend.gate import Amendment, amend, revision
from referee.game.amend.header_lines import key_edit
from referee.game.amend.insertion import Edit, longer, moves_edit
from referee.game.file.ends import spoken_ending
from referee.game.file.gamefile import AnnotatedMove, GameFile, Ply, ply_at, with_ply
from referee.game.file.judge import Verdict


def add_ply(path: Path, texts: Mapping[str, str]) -> Ply:
    """Judge the moves of one ply, given as side -> text, and add them to a game file, or leave it unchanged.

    FileError if the file is wrong; RefereeError for a move, with the legal moves nearest to it as `suggestions`.
    """
    return ply_at(revision(path, _longer(texts)).game)


def longer_content(content: bytes, texts: Mapping[str, str]) -> tuple[Ply, bytes]:
    """The new ply and content of a game file's content, as by `add_ply`."""
    game, new = amend(content, "", _longer(texts))
    return ply_at(game), new


def _longer(texts: Mapping[str, str]) -> Amendment:
    def amended(game: GameFile, verdict: Verdict) -> tuple[GameFile, Edit | None]:
        if verdict.outcome is not None:
            message = f"the game is over ({verdict.outcome.termination}): no more moves can be made"
            raise IllegalMove("game-over", message)
        position = verdict.position
        moves = {}
        for side, text in texts.items():
            try:
                moves[side] = position.parse(side, text)
            except NotationError as error:
                if (said := spoken_ending(error.text, position.sides, side)) is None:
                    raise
                raise NotationError(said.message, text=error.text, span=Span(1, 1), suggestions=said.lines) from None
            except IllegalMove as error:
                message = f"{side}: {error.message}" if len(texts) > 1 else error.message
                raise IllegalMove(error.code, message, suggestions=error.suggestions) from None
        position.play(moves)
        made = tuple(AnnotatedMove(moves[side]) for side in position.sides if side in moves)
        wanted = with_ply(game, made)
        return wanted, moves_edit(game, lambda lines: longer(lines, game, tuple(str(one.move) for one in made)))

    return amended


def reveal(path: Path, secret: str) -> GameFile:
    """Write into a game file as much of its secret as the players may know by now; return the game.

    IllegalMove `no-secret`, OptionError for another game's secret, or RefereeError `layout`.
    """

    def told(game: GameFile, verdict: Verdict) -> tuple[GameFile, Edit | None]:
        kept = game.description.secret
        if kept is None:
            raise IllegalMove("no-secret", f"in {game.description.title} chance decides nothing")
        known = kept.known(game.options, secret, verdict.position)
        assert game.source is not None
        edit = None
        for name, value in known.items():
            edit = key_edit(game.source, ("options", name), value)
        return replace(game, options={**game.options, **known}), edit

    return revision(path, told).game
