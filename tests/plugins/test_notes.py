"""Notes of Three Crows, which has no code for notes, are read like those of any game."""

from __future__ import annotations

from referee.notes import import_notes, note_lines

NOTES = """Three Crows, an autumn evening
Round 1: fly to tree 2 / hop to tree 6, F 10
Round 2: wait / W / stay (lazy)
"""


def test_notes_of_a_game_of_another_package_are_read() -> None:
    found = import_notes(note_lines(NOTES, "notes"))
    moves = [[str(one.move) for one in each.moves] for each in found.game.rounds]
    assert (found.game.game, moves) == ("three-crows", [["F 2", "F 6", "F 10"], ["W", "W", "W"]])
    assert found.is_sure
