"""Notes in which a word changes what the rest says (twists.yaml): read right, or with the right question."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from referee.game.notes import Imported, import_notes, note_lines

TWISTS = yaml.safe_load(Path(__file__).with_name("twists.yaml").read_text(encoding="utf-8"))


def end_of(found: Imported) -> str | None:
    """How a game ended, and by whom."""
    end = found.game.end
    return None if end is None else f"{end.how} by {end.by}" if end.by else str(end.how)


@pytest.mark.parametrize("case", TWISTS["cases"], ids=lambda case: case["shows"])
def test_a_twist_is_read_right_or_asks_the_right_question(case: dict[str, Any]) -> None:
    base = TWISTS["bases"].get(case.get("base"), {"text": "", "moves": []})
    found = import_notes(note_lines(base["text"] + case["text"] + "\n", "notes"))
    moves = [str(one.move) for each in found.game.rounds for one in each.moves]
    assert moves == case.get("moves", base["moves"])
    assert end_of(found) == case.get("end")
    assert found.is_sure == case.get("sure", True)
    assert any(case.get("says", "") in one.message for one in found.remarks)
    assert found.game.options.items() >= case.get("options", {}).items()
    if "choices" in case:
        assert list(found.doubts[0].choices) == case["choices"]
