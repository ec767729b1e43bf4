"""The end of a printed report is read, also where all players are one team."""

from __future__ import annotations

from referee.notes.reader.markup import without_board
from tests.support.rows import each

ENDS = {
    "result        the team scored 16 points": "team wins by score",
    "result        the team scored 1 point (timeout)": "team wins by timeout",
    "result        team wins (score)": "team wins by score",
    "result        south wins (resignation)": "south wins by resignation",
    "result        a draw (agreement)": "draw by agreement",
}


@each(ENDS)
def test_the_end_of_a_printed_report_is_a_line_of_notes(line: str) -> None:
    report = ["The Beam: round 12, after ply 24", "", " board", "", line, "", "1. A M1 4 | P / 1,1"]
    assert without_board(report)[-1] == ENDS[line]
