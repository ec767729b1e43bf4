"""Files with letters left out, doubled, changed and swapped: always a verdict, never a crash or a changed file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from referee.errors import FileError, RefereeError
from referee.game import loads
from referee.game.amend.edit import add_ply
from referee.game.file.dumper import to_json
from referee.game.file.judge import judge
from referee.game.file.loader import dumps
from tests.game.findings import cases
from tests.support.archives import report
from tests.support.examples import examples
from tests.support.game_files import game_files
from tests.support.strategies import mutated

TEXTS = st.one_of(
    game_files().map(dumps), game_files().map(to_json), st.sampled_from([case.file for case in cases()])
)


@pytest.mark.slow
@given(mutated(TEXTS))
@examples(4, quick=12)
def test_a_damaged_file_is_judged_or_refused_with_places_in_it(text: str) -> None:
    try:
        game = loads(text, "file")
    except FileError as error:
        findings = error.findings
    else:
        findings = judge(game).findings
        assert loads(dumps(game)) == loads(to_json(game)) == game
    lines = text.split("\n")
    assert list(findings) == sorted(findings, key=lambda one: (one.line, one.column))
    for one in findings:
        assert one.code
        assert one.message
        assert 1 <= one.line <= len(lines)
        assert 1 <= one.column <= len(lines[one.line - 1]) + 1
        json.dumps(one.as_json(), ensure_ascii=False).encode()
        one.as_text("file").encode()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "game.yaml"


@given(content=st.binary(max_size=60) | mutated(TEXTS).map(lambda text: text.encode("utf-8", "surrogatepass")))
@examples(1.5, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_damaged_file_is_added_to_or_stays_as_it_is(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    before = report(file)
    assert before.summary.exit_status in (0, 1, 2)
    try:
        add_ply(file, {"south": "P S M2", "north": "P S M2"})
    except RefereeError:
        assert file.read_bytes() == content
    else:
        assert before.ok
        after = report(file)
        assert (after.ok, after.summary.plies) == (True, before.summary.plies + 1)
