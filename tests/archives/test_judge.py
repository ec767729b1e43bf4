"""The shard function: the expected verdicts, for any content of the shard."""

from __future__ import annotations

import json
import pickle

import pytest

from referee.archives.files import forms
from referee.archives.files.shards import Shard
from referee.archives.judge import CheckSettings, check_lines, check_shard
from referee.game import judge, loads
from referee.game.file.rounds import FEW
from referee.rules import GAMES
from tests.support.archives import BAD, lines, mixed
from tests.support.examples import sampled


@pytest.mark.parametrize("name", sampled(GAMES, 4))
def test_random_games_hold(name: str) -> None:
    made = lines(name, 20)
    (report,) = check_shard(Shard.of_lines(made), CheckSettings(each=True))
    assert (report.games, report.wrong, len(report.verdicts)) == (len(made), 0, len(made))
    for number, (line, verdict) in enumerate(zip(made, report.verdicts, strict=True), 1):
        judged = judge(loads(line))
        assert (verdict.line, verdict.id, verdict.plies) == (number, json.loads(line)["id"], judged.plies)
        assert verdict.outcome == (judged.outcome and judged.outcome.as_json())
        assert verdict.score == dict(judged.outcome.score if judged.outcome else judged.position.score)


@pytest.mark.slow
def test_a_bad_game_does_not_stop_the_rest() -> None:
    made = mixed(57)
    whole = check_lines(made, "a")
    alone = [one for number, line in enumerate(made, 1) if line for one in check_lines([line], "a", number)]
    assert whole == alone
    assert [one["ok"] for one in whole] == [line not in BAD for line in made if line]


def test_the_verdict_on_a_game_has_all_that_a_program_wants() -> None:
    (wrong,) = check_lines([BAD[0]], "club.jsonl", 17)
    assert {**wrong, "findings": [{**one, "suggestions": []} for one in wrong["findings"]]} == {
        "file": "club.jsonl",
        "line": 17,
        "id": "cell",
        "ok": False,
        "plies": 0,
        "outcome": None,
        "score": {"south": 0, "north": 0},
        "findings": [
            {
                "line": 17,
                "column": 33,
                "code": "unknown-cell",
                "message": "there is no cell A1: row A has the even columns",
                "suggestions": [],
            }
        ],
    }


def test_suggestions_are_made_for_the_first_lines_or_as_asked_for() -> None:
    for first, suggest, expected in ((100, None, True), (101, None, False), (101, True, True), (1, False, False)):
        (report,) = check_shard(Shard.of_lines([BAD[0], BAD[1]][:1], first=first), CheckSettings(suggest=suggest))
        assert bool(report.verdicts[0].findings[0].suggestions) == expected
    (report,) = check_shard(Shard.of_lines([BAD[1]]), CheckSettings(suggest=False))
    assert [one.suggestions for one in report.verdicts[0].findings] == [()]


@pytest.mark.slow
def test_where_time_matters_a_few_mistakes_are_enough() -> None:
    spoilt = lines("beams", 1)[0].replace(" P ", " X ")
    for suggest, expected in ((False, FEW), (True, spoilt.count(" X "))):
        (report,) = check_shard(Shard.of_lines([spoilt]), CheckSettings(suggest=suggest))
        codes = [one.code for one in report.verdicts[0].findings]
        assert codes.count("syntax") in (expected, expected + 1)
        assert report.verdicts[0].plies == 0


def test_a_fault_of_ours_costs_only_its_game(monkeypatch: pytest.MonkeyPatch) -> None:
    good = [*lines("beams", 3)]
    good[1] = good[1].replace('"moves"', ' "moves"')  # no fast lane takes this line

    def failing(text: str, *_: object, **__: object) -> object:
        if text == good[1]:
            raise ZeroDivisionError("by\nnothing")
        return loads(text)

    monkeypatch.setattr(forms, "loads", failing)
    (report,) = check_shard(Shard.of_lines(good))
    (verdict,) = report.verdicts
    assert (report.games, report.wrong, verdict.line, verdict.id) == (3, 1, 2, json.loads(good[1])["id"])
    assert verdict.findings[0].code == "internal"
    assert "(ZeroDivisionError: by)" in verdict.findings[0].message


@pytest.mark.slow
def test_reports_travel() -> None:
    report = check_shard(Shard.of_lines(mixed(30)), CheckSettings(trace=True, each=True))
    assert pickle.loads(pickle.dumps(report)) == report
    assert pickle.loads(pickle.dumps(check_shard)) is check_shard


def test_a_trace_has_a_checksum_for_every_ply() -> None:
    made = lines("laser-chess", 2)
    (report,) = check_shard(Shard.of_lines(made), CheckSettings(trace=True, each=True))
    assert [len(one.trace or ()) for one in report.verdicts] == [one.plies for one in report.verdicts]
    assert report.verdicts[0].as_json()["trace"] == list(report.verdicts[0].trace or ())
