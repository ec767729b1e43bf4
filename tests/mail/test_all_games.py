"""Acts in all games of a player by one letter, also if the desk fails on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from referee.desk import Desk, Progress
from referee.mail.handlers.pipeline import handle_waiting
from tests.support.correspondence import text
from tests.support.friends import ADA, CLEO, DAN, SETTINGS, begun, friends


@pytest.mark.slow
def test_all_games_at_once(tmp_path: Path) -> None:
    with friends(tmp_path, f"{SETTINGS}clock: {{vacation: 20}}\n") as post:
        begun(post)
        post.write(CLEO, f"new boundary with {ADA}")
        post.answer(ADA, "accept")
        post.answer(ADA, "vacation 5 all")
        assert Counter(kind for name in post.games for kind in post.kinds(name))["vacation"] == 2
        assert post.said(ADA).count("Your vacation is from") == 2
        post.write(ADA, "withdraw all")
        assert Counter(kind for name in post.games for kind in post.kinds(name))["resigned"] == 0, "a proof is asked"
        told = len(post.letters[ADA])
        post.answer(ADA, "accept")
        assert Counter(kind for name in post.games for kind in post.kinds(name))["resigned"] == 2
        letters = [" ".join(text(one).split()) for one in post.letters[ADA][told:]]
        assert ["resigned" in str(one["Subject"]) for one in post.letters[ADA][told:]] == [False, True, True]
        assert letters[0].count(": You have resigned.") == 2, "one letter about all, and the last one of each game"
        post.write(ADA, "withdraw all")
        assert "(no-games)" in post.said(ADA)
        post.holds()


@pytest.mark.parametrize("done", [1, pytest.param(3, marks=pytest.mark.slow)])
def test_after_a_crash_all_games_are_reported_once(
    done: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Acts in some games, before the desk failed at another, are in the answer, and are not done again."""
    with friends(tmp_path, f"{SETTINGS}clock: {{vacation: 20}}\n") as post:
        begun(post)
        post.write(CLEO, f"new boundary with {ADA}")
        post.answer(ADA, "accept")
        post.write(DAN, f"new the beam with {ADA}")
        post.answer(ADA, "accept")
        for words, said in (("vacation 5 all", "Your vacation is"), ("withdraw all", "You have resigned")):
            had = len(post.letters[ADA])
            with monkeypatch.context() as patch:
                patch.setattr(Desk, "act", _failing_after(done))
                post.answer(ADA, words)
            post.at += timedelta(minutes=2)
            handle_waiting(post.office, post.at)
            post.collect()
            (answer,) = [one for one in post.letters[ADA][had:] if one["Subject"] == "Your letter to the referee"]
            told = " ".join(text(answer).split())
            assert told.count(said) == 2
            assert all(f"- {name}: " in told for name in post.games)
        kinds = Counter(kind for name in post.games for kind in post.kinds(name))
        assert (kinds["vacation"], kinds["resigned"], kinds["left"], kinds["refused"]) == (2, 2, 1, 0)
        post.holds()


def _failing_after(number: int) -> Callable[..., Progress]:
    act, left = Desk.act, [None] * number

    def failing(*args: Any, **options: Any) -> Progress:  # noqa: ANN401 - whatever the desk is given
        result = act(*args, **options)
        left.pop()
        assert left, "the desk fails"
        return result

    return failing


@pytest.mark.slow
def test_repeated_confirmations_are_answered_within_limits(tmp_path: Path) -> None:
    with friends(tmp_path, f"{SETTINGS}answers: {{an-hour: 3}}\n") as post:
        begun(post)
        post.write(ADA, "withdraw all", vouched=False)
        secret = str(post.letters[ADA][-1]["Reply-To"])
        told = [len(post.write(ADA, "accept", to=secret, vouched=False)) for _ in range(6)]
        assert sum(told[1:]) < 4
        assert post.kinds()[-2:] == ["resigned", "closed"]


@pytest.mark.slow
def test_two_workers_at_one_letter_tell_what_it_did(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with friends(tmp_path) as post:
        begun(post)
        act = Desk.act

        def second(*args: Any, **options: Any) -> Progress:  # noqa: ANN401 - whatever the desk is given
            act(*args, **options)
            return act(*args, **options)

        monkeypatch.setattr(Desk, "act", second)
        post.answer(ADA, "withdraw all")
        (told,) = [one for one in post.letters[ADA] if one["Subject"] == "Your letter to the referee"]
        assert "You have resigned" in text(told)
        assert post.kinds()[-2:] == ["resigned", "closed"]


@pytest.mark.slow
def test_letters_with_an_effect_are_always_answered(tmp_path: Path) -> None:
    with friends(tmp_path, f"{SETTINGS}answers: {{an-hour: 1}}\n") as post:
        begun(post)
        for words in (f"new boundary with {ADA}", "vacation 5 all", "withdraw all"):
            post.answer(ADA, words)
        assert ": You have resigned." in " ".join(" ".join(map(text, post.letters[ADA])).split())
