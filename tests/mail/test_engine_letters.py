"""Letters about engines: to people who ask for one in vain, and to those who play with engines alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.engine_rooms import engines_move
from tests.support.friends import ADA, BEN, SETTINGS, friends


@pytest.mark.parametrize(
    ("settings", "line", "said"),
    [
        ("engines: {cores: 0}", "new boundary with engine:1", "Engines do not play at this desk. (no-engines)"),
        ("engines: {level: 3}", "new boundary with engine:4", "a level from 1 (Beginner) to 3 (Casual). (level)"),
        ("engines: {each: 0}", "new boundary with engine:4", "already have 0 running games with engines"),
        ("", "new boundary with engine:9", "An engine has a level from 1 (Beginner) to 8 (Master), not 9"),
        ("engines: {level: 2}", "new boundary with engine:9", "Write for example [new boundary with engine:2]"),
        ("engines: {cores: 0}", "new boundary with engine:9", "Write for example [new boundary with ben@example.org"),
        ("", f"new boundary with {BEN} and engine:9", "Write for example [new boundary with ben@example.org"),
        ("", "new boundery with engine:3", "perhaps you mean boundary"),
        ("", "new boundary with two engines", "it takes at most one other"),
        ("", f"new boundary with {BEN} and the engine", "it takes at most one other"),
    ],
)
def test_engines_that_cannot_be_had(tmp_path: Path, settings: str, line: str, said: str) -> None:
    with friends(tmp_path, f"{SETTINGS}{settings}\n") as post:
        post.write(ADA, line)
        assert said in post.said(ADA)
        assert post.games == []


@pytest.mark.slow
def test_a_single_person_is_offered_nothing_that_engines_do_not_do(tmp_path: Path) -> None:
    with friends(tmp_path, SETTINGS) as post:
        post.write(ADA, "new beams with engine:1, as south")
        engines_move(post.office, post.at)
        post.answer(ADA, "help")
        for line, offered in {
            "[legal]": True,
            "[offer draw]": False,
            "[claim]": False,
            "[give 3 days]": False,
        }.items():
            assert (line in post.said(ADA)) == offered, line
        post.answer(ADA, "message\nGood morning!\nend")
        assert "Your message is in the game's log. Engines do not read it." in post.said(ADA)
        post.answer(ADA, "resign")
        assert "rematch" in post.said(ADA)
        assert "To write to the others" not in post.said(ADA)
