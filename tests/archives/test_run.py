"""Whole runs: the output is the same without and with any interruption."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

import referee.archives.files.shards as cutting
from referee.archives.executors.executors import Executor, one_process
from referee.archives.judge import CheckSettings
from referee.archives.printer import Printer
from referee.archives.run import Journal, run
from referee.archives.verdict import Summary
from referee.errors import FileError
from tests.support.archives import archive, mixed
from tests.support.examples import sampled

HOW: tuple[dict[str, bool], ...] = ({}, {"objects": True}, {"objects": True, "each": True}, {"each": True})


class Page:
    """An output in memory."""

    def __init__(self, text: str = "") -> None:
        self.text = text

    def put(self, text: str) -> None:
        self.text += text

    def flush(self) -> int:
        return len(self.text)


def until(stop: int | None) -> Executor:
    """The executor of one process, interrupted after `stop` shards."""

    def executor(function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
        for number, pair in enumerate(one_process(function, items)):
            if number == stop:
                raise KeyboardInterrupt
            yield pair

    return executor


def checked(
    files: list[str],
    how: dict[str, bool],
    stop: int | None = None,
    path: Path | None = None,
    page: Page | None = None,
) -> tuple[str, Summary]:
    """The output and counts of a run at its end or interruption."""
    journal = None if path is None else Journal(path, {"files": files})
    page = page or Page()
    page.text = page.text[: journal.size] if journal else page.text
    summary = Summary()
    settings = CheckSettings(each=how.get("each", False))
    with closing(Printer(page.put, **how)) as printer, suppress(KeyboardInterrupt):
        ways: dict[str, Any] = {"flush": page.flush, "journal": journal}
        for summary in run(files, settings, until(stop), printer, **ways):  # noqa: B007
            pass
    return page.text, summary


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Two archives, a game and a file that is not there, in a dozen shards."""
    monkeypatch.setattr(cutting, "MOST_IN_A_SHARD", 9)
    made = mixed(70)
    one = archive(tmp_path / "one.jsonl", made[:50])
    two = archive(tmp_path / "two.jsonl", made[50:])
    game = tmp_path / "game.json"
    game.write_text(made[0], encoding="utf-8")
    return [str(path) for path in (one, game, tmp_path / "missing", two)]


@pytest.mark.parametrize("stops", [(4,), pytest.param(range(10), marks=pytest.mark.slow)], ids=["some", "all"])
@pytest.mark.parametrize("how", sampled(HOW[::-1], 4), ids=str)
def test_an_interrupted_run_goes_on_where_it_stopped(
    files: list[str], how: dict[str, bool], stops: Sequence[int], tmp_path: Path
) -> None:
    whole, summary = checked(files, how)
    for stop in stops:
        path, page = tmp_path / f"journal-{stop}", Page()
        said, so_far = checked(files, how, stop, path, page)
        assert whole.startswith(said)
        assert so_far.games <= summary.games
        page.put("half of what was interrupted")
        said, _ = checked(files, how, 2, path, page)
        assert whole.startswith(said)
        assert checked(files, how, None, path, page) == (whole, summary)
        assert checked(files, how, 0, path, page) == (whole, summary)


@pytest.mark.slow
def test_a_journal_that_was_cut_short_is_used_as_far_as_it_is_whole(files: list[str], tmp_path: Path) -> None:
    whole, summary = checked(files, {})
    path, page = tmp_path / "journal", Page()
    checked(files, {}, 6, path, page)
    path.write_bytes(path.read_bytes()[:-9])
    assert checked(files, {}, None, path, page) == (whole, summary)


@pytest.mark.slow
@pytest.mark.parametrize(
    "damaged",
    sampled(
        [
            "{}",
            "[]",
            "1",
            '{"shard": 1, "checksum": 1, "report": [], "written": "x"}',
            '{"report": [{}]}',
            "[" * 9999,
        ],
        3,
    ),
)
def test_a_journal_is_used_up_to_a_line_that_is_damaged(files: list[str], tmp_path: Path, damaged: str) -> None:
    whole, summary = checked(files, {})
    path, page = tmp_path / "journal", Page()
    checked(files, {}, 4, path, page)
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[3] = damaged
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    assert checked(files, {}, None, path, page) == (whole, summary)


def test_the_journal_of_another_run_is_refused(files: list[str], tmp_path: Path) -> None:
    path = tmp_path / "journal"
    for content in (None, "no journal\n", '{"files": []}\n', "half a line"):
        if content is None:
            checked(files, {}, 3, path)
        else:
            path.write_text(content, encoding="utf-8")
        with pytest.raises(FileError) as caught:
            checked(files[1:], {}, None, path)
        assert (caught.value.code, caught.value.unreadable) == ("another-run", True)


def test_archives_that_have_changed_are_noticed(files: list[str], tmp_path: Path) -> None:
    path = tmp_path / "journal"
    checked(files, {}, 3, path)
    first = Path(files[0])
    first.write_text(first.read_text(encoding="utf-8").replace("P ", "P  ", 1), encoding="utf-8")
    with pytest.raises(FileError, match="archive-changed"):
        checked(files, {}, None, path)


@pytest.mark.slow
def test_objects_of_files_have_all_their_findings(files: list[str]) -> None:
    text, summary = checked(files, {"objects": True})
    objects = [json.loads(line) for line in text.splitlines()]
    assert [one["file"] for one in objects] == files
    assert [one["ok"] for one in objects] == [False, True, False, False]
    assert sum(len(one["findings"]) for one in objects) == summary.codes.total()
    assert sum(one["plies"] for one in objects) == summary.plies


def test_the_summary_counts_games_plies_verdicts_and_codes(files: list[str]) -> None:
    _, summary = checked(files, {})
    counted = summary.as_json()
    games = len([line for line in mixed(70) if line]) + 2
    assert (counted["files"], counted["games"], counted["unreadable"], summary.exit_status) == (4, games, 1, 2)
    assert counted["ok"] + counted["wrong"] + counted["unreadable"] == games
    assert sum(counted["ends"].values()) == counted["ok"]
    assert counted["codes"]["unreadable"] == 1
    lines = summary.as_text().splitlines()
    assert lines[0].startswith(f"{games} games, {summary.plies:,} plies in 4 files: {counted['ok']} ok, ")
    assert [line.partition(":")[0] for line in lines[1:]] == ["ends", "findings"]
