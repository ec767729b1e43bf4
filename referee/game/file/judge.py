"""The verdict on a whole game: every move, then the end and the result of its file; and its legal moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from referee.errors import FileError, Finding, IllegalMove, NotationError, RefereeError, expect, shown
from referee.game.file.dumper import as_mapping
from referee.game.file.ends import BY_A_SIDE
from referee.game.file.gamefile import GameFile
from referee.game.file.header import ENDINGS, misfits
from referee.game.file.variations import judge_variations
from referee.notation.moves import continuations, known_move
from referee.rules import Move, Outcome, Position, Termination, cursor_at, movers
from referee.terminal import join_words


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a game: the number of valid plies, the findings, and the position after those plies.

    `outcome` is None while the game runs, and after a refused move.

    >>> import referee
    >>> verdict = referee.judge(referee.read("games/laser-chess/curiosity.yaml"))
    >>> verdict.ok, verdict.outcome.winner
    (True, 'blue')
    """

    plies: int
    findings: tuple[Finding, ...]
    position: Position
    outcome: Outcome | None

    @property
    def ok(self) -> bool:
        """True if nothing is wrong."""
        return not self.findings


def judge(game: GameFile, *, suggest: bool = True) -> Verdict:
    """The verdict on a game: its moves up to the first refused one, or else all, its end, result and variations.

    Players and rules are reported if its game does not have such sides, or such a version.

    `suggest` asks for legal moves near to the refused one; there may be thousands to choose from.

    Raises:
        NotationError, OptionError: the game cannot start, as by `GameFile.start`.
        TypeError: it is not a game file.

    >>> import referee
    >>> game = referee.loads("{game: boundary, result: {south: 9, north: 0}, moves: 1. P a1-b2 | P f1-e2}")
    >>> verdict = referee.judge(game)
    >>> verdict.plies, [finding.code for finding in verdict.findings]
    (2, ['wrong-result'])
    """
    expect(GameFile, game, "a game file, such as read or loads gives")
    here, plies, unfit = cursor_at(game.start()), 0, tuple(_misfits(game))
    try:
        for _ in game.turns(here, suggest=suggest):
            plies += 1
    except FileError as error:
        return Verdict(plies, (*unfit, *error.findings), here.position, None)
    outcome, findings = ending(game, here.position)
    if game.variations:
        findings += (*judge_variations(game, suggest=suggest),)
    return Verdict(plies, (*unfit, *findings), here.position, outcome)


def _misfits(game: GameFile) -> Iterator[Finding]:
    """The findings about players and rules that the game does not have; a file with these cannot be read."""
    for fault in misfits(replace(game, ending=None, result=None), game.description):
        yield _finding(game, fault.code, fault.message, str(fault.key[0]))


def ending(game: GameFile, position: Position) -> tuple[Outcome | None, tuple[Finding, ...]]:
    """The outcome after the last ply, and the findings about end and result; an end that is wrong ends nothing."""
    wrong = _end_findings(game, position)
    outcome = position.outcome if wrong else game.outcome_at(position)
    return outcome, (*wrong, *_result_findings(game, position, outcome))


def _end_findings(game: GameFile, position: Position) -> tuple[Finding, ...]:
    end = game.ending
    if end is None:
        return ()
    sides = join_words(position.sides, "or")
    if position.outcome is not None:
        message = f"the moves themselves end the game ({position.outcome.termination}); leave 'end' out"
    elif end.how not in ENDINGS:
        message = f"no game file can say that its game ended by {end.how}"
    elif end.by is not None and end.by not in position.sides:
        message = f"there is no side {shown(end.by)}; say {sides}"
    elif end.how in BY_A_SIDE and end.by is None:
        message = f"say whose {end.how} it is: by: {sides}"
    elif end.how == Termination.REPETITION and end.how not in position.claims(end.by or ""):
        message = f"{end.by} cannot claim a repetition here"
    else:
        return ()
    return (_finding(game, "end", message, "end"),)


def _result_findings(game: GameFile, position: Position, outcome: Outcome | None) -> tuple[Finding, ...]:
    if game.result is None:
        return ()
    score = dict(outcome.score if outcome else position.score)
    if dict(game.result) == score:
        return ()
    found = wrong_result(score)
    return (_finding(game, found.code, found.message, "result", found.suggestions),)


def wrong_result(score: Mapping[str, int]) -> Finding:
    """The finding about a result that is not the score, without its place."""
    found = ", ".join(f"{side}: {points}" for side, points in score.items())
    message = f"the moves give a different result: {{{found}}}"
    return Finding("wrong-result", message, suggestions=(f"result: {{{found}}}",))


def _finding(game: GameFile, code: str, message: str, key: str, suggestions: tuple[str, ...] = ()) -> Finding:
    source, header = game.source, as_mapping(replace(game, rounds=(), variations=()))
    if source is None or _without_nulls(source.mapping.get(key)) != _without_nulls(header.get(key)):
        return Finding(code, message, suggestions=suggestions)
    return source.finding(code, message, (key,), suggestions)


def _without_nulls(value: object) -> object:
    """A mapping without the keys that hold nothing; any other value as it is."""
    return {key: one for key, one in value.items() if one is not None} if isinstance(value, Mapping) else value


def completions(game: GameFile, side: str | None = None, prefix: str = "") -> Mapping[str, Iterable[Move]]:
    """Side -> legal moves after the last ply, of one side or of all that are to move.

    A move begins with `prefix` if it has the same words in any case; the prefix's last word may be cut short, and a
    first word that notation can do without may be missing. A whole legal move is found however it is written.
    FileError if the game is wrong; NotationError, or IllegalMove `game-over`, `not-your-turn` or `no-legal-move`.
    """
    verdict = judge(game)
    if verdict.findings:
        raise FileError(game.file, verdict.findings)
    if verdict.outcome is not None:
        raise IllegalMove("game-over", f"the game is over ({verdict.outcome.termination}): there is no legal move")
    position = verdict.position
    if not position.to_move or (side is not None and side not in position.to_move):
        raise position.out_of_turn(side or "")
    due = (side,) if side else movers(position)
    moves = {one: position.legal_moves(one) for one in due}
    if not prefix.strip():
        return moves
    whole = known_move(game.game, prefix)  # perhaps legal but not listed: another move leads to the same position
    found = {}
    for one, legal in moves.items():
        accepted = [whole] if whole is not None and whole in legal else []
        found[one] = [move for move in legal if _begins(game.game, move, prefix)] or accepted
    if not any(found.values()):
        raise _nothing(game.game, prefix, [move for one in due for move in position.legal_moves(one)])
    return found


def _begins(game: str, move: Move, prefix: str) -> bool:
    text = str(move)
    _, _, short = text.partition(" ")
    return _has_words(text, prefix) or (_has_words(short, prefix) and known_move(game, short) == move)


def _has_words(text: str, prefix: str) -> bool:
    words, begun = text.casefold().split(), prefix.casefold().split()
    cut = len(begun) - 1
    return len(words) > cut and words[:cut] == begun[:cut] and words[cut].startswith(begun[cut])


def _nothing(game: str, prefix: str, moves: list[Move]) -> RefereeError:
    """The error that no legal move begins like this: it is not notation, or the rules forbid all such moves."""
    from referee.notation.spoken import suggested

    near = suggested(game, prefix, moves)
    try:
        continuations(game, prefix)
    except NotationError as error:
        return error.with_suggestions(near)
    return IllegalMove("no-legal-move", f"no legal move begins with {shown(prefix)}", suggestions=near)
