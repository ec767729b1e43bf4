"""Games that a program changed: their findings point into no stale text, and their files can be read."""

from __future__ import annotations

from dataclasses import replace

import pytest

import referee
from referee import parse_move
from referee.errors import FileError
from referee.game import AnnotatedMove, GameFile, Round, loads
from referee.game.file.gamefile import End, Player
from referee.rules import Termination

GAME = loads("game: boundary\nmoves: |\n  1. P a1-b2 | P f1-e2\n  2. P b2-b3 | P e2-e3\n", "g.yaml")
FAR = AnnotatedMove(parse_move("boundary", "P a1-a4"))
FIRST, SECOND = GAME.rounds
HALF = replace(GAME, rounds=(Round(FIRST.moves[:1]),))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (replace(GAME, rounds=(*GAME.rounds, Round((FAR,)))), (3, 1, "round 3: ")),
        (replace(GAME, rounds=(FIRST, Round((FAR,)))), (2, 1, "round 2: ")),
        (replace(GAME, rounds=(Round((FAR,)), SECOND)), (1, 1, "round 1: ")),
        (replace(HALF, rounds=(Round((FIRST.moves[0], FAR)),)), (1, 1, "round 1: ")),
        (replace(GAME, rounds=(SECOND,)), (1, 1, "round 1: ")),
    ],
)
def test_a_changed_round_is_not_looked_for_in_the_old_text(changed: GameFile, said: tuple[int, int, str]) -> None:
    with pytest.raises(FileError) as caught:
        list(changed.replay())
    (finding,) = caught.value.findings
    line, column, begins = said
    assert (finding.line, finding.column, finding.excerpt) == (line, column, "")
    assert finding.message.startswith(begins)
    assert referee.judge(changed).findings == (finding,)


def test_a_round_that_is_as_it_was_keeps_its_place() -> None:
    wrong = loads("game: boundary\nmoves: |\n  1. P a1-b2 | P f1-e2\n  2. P a1-a4 | P e2-d3\n", "g.yaml")
    commented = Round((FIRST.moves[0]._replace(comments=("new",)), FIRST.moves[1]))
    (finding,) = referee.judge(replace(wrong, rounds=(commented, *wrong.rounds[1:]))).findings
    assert (finding.line, finding.column) == (4, 6)
    assert "P a1-a4" in finding.excerpt


def test_rules_and_players_are_judged_as_in_a_file() -> None:
    game = referee.new("boundary").play("P a1-b2")
    twice = str(replace(game, rules=99)).replace("a1-b2", "a1-b2 | P f1-zz")
    with pytest.raises(referee.FileError) as told:
        referee.loads(twice)
    assert [one.code for one in told.value.findings] == ["unknown-rules", "syntax"]
    for wrong in (replace(game, rules=99), replace(game, players={"west": Player("Ada")})):
        verdict = referee.judge(wrong)
        with pytest.raises(referee.FileError) as refused:
            referee.loads(str(wrong))
        assert (verdict.plies, verdict.ok) == (1, False)
        assert [(one.code, one.message) for one in verdict.findings] == [
            (one.code, one.message) for one in refused.value.findings
        ]


def test_an_end_and_a_result_are_judged_where_they_are_written() -> None:
    game = loads(
        "game: boundary\nend: {how: repetition, by: south}\nresult: {south: 99, north: 0}\n"
        "moves: 1. P a1-b2 | P f1-e2\n"
    )
    assert [(one.code, one.line) for one in referee.judge(game).findings] == [("end", 2), ("wrong-result", 3)]
    changed = replace(game, ending=End(Termination.REPETITION, "north"), result={"south": 98, "north": 0})
    assert [(one.code, one.excerpt) for one in referee.judge(changed).findings] == [("end", ""), ("wrong-result", "")]
    assert referee.judge(replace(game, ending=None, result={"south": 0, "north": 0})).findings == ()


@pytest.mark.parametrize(
    "end",
    [
        End(Termination.SCORE),
        End(Termination.RESIGNATION),
        End(Termination.RESIGNATION, "west"),
        End(Termination.NO_MOVE, "south"),
    ],
)
def test_an_end_that_cannot_be_is_a_finding_and_no_crash(end: End) -> None:
    changed = replace(GAME, ending=end)
    verdict = referee.judge(changed)
    assert [one.code for one in verdict.findings] == ["end"]
    assert verdict.outcome is None
    with pytest.raises(FileError) as caught:
        list(changed.replay())
    assert caught.value.code == "end"


@pytest.mark.parametrize(
    "game",
    [
        GameFile("beams", players={"west": Player("x")}),
        GameFile("beams", id="a\nb"),
        GameFile("beams", options={"colums": 3}),
        GameFile("beams", rules=99),
        GameFile("beams", result={"west": 3}),
        GameFile("chess"),
        GameFile("boundary", start_text="board"),
    ],
)
def test_values_that_no_file_may_hold_are_not_written(game: GameFile) -> None:
    with pytest.raises(FileError):
        referee.dumps(game)


def test_a_wrong_type_is_reported_with_the_expected_one() -> None:
    position = GAME.start()
    for ask in (
        lambda: referee.judge("g.yaml"),  # type: ignore[arg-type]
        lambda: referee.show(position),  # type: ignore[arg-type]
        lambda: referee.show(GAME, height='1"><script>'),  # type: ignore[arg-type]
        lambda: referee.frame("g.yaml"),  # type: ignore[arg-type]
        lambda: referee.frame(position),  # type: ignore[call-overload]
        lambda: referee.text(GAME, width="80"),  # type: ignore[arg-type]
        lambda: GAME.undo("1"),  # type: ignore[arg-type]
        lambda: GAME.variation("1"),  # type: ignore[arg-type]
        lambda: GAME.comment(3),  # type: ignore[arg-type]
        lambda: GAME.comment("better", "1"),  # type: ignore[arg-type]
        lambda: GAME.mark(None),  # type: ignore[arg-type]
    ):
        with pytest.raises(TypeError, match="expected"):
            ask()
