"""The page's audit with letters agrees with `referee audit` with --heads and --letters."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.mail.evidence.testimony import LETTER_CALLS
from referee.web.onepage.bridge import CALLS, answer_page
from tests.support.command_line import Run, referee
from tests.support.kept_letters import keep_letters
from tests.support.rows import each


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a log and letters."""
    return keep_letters(tmp_path_factory.mktemp("kept"))


def file_of(path: Path) -> dict[str, str]:
    return {"name": str(path), "content": path.read_bytes().decode("latin-1")}


def on_page(kept: Path, heads: tuple[str, ...], letters: tuple[str, ...], **asked: object) -> Any:  # noqa: ANN401
    beside = [name for one in letters for name in (one, f"{one}.keys") if (kept / name).exists()]
    given = {
        "text": (kept / "log").read_text(encoding="utf-8"),
        "name": str(kept / "log"),
        "heads": [file_of(kept / name) for name in heads],
        "letters": [file_of(kept / name) for name in beside],
        **asked,
    }
    return json.loads(answer_page(json.dumps({"call": "letters", "with": given}), LETTER_CALLS))


def by_command(kept: Path, heads: tuple[str, ...], letters: tuple[str, ...], *options: str) -> Run:
    named = [
        *(word for name in heads for word in ("--heads", kept / name)),
        *(word for name in letters for word in ("--letters", kept / name)),
    ]
    return referee("audit", kept / "log", *named, *options)


@each(
    [
        (("mine",), (), False),
        (("lines", "mine"), (), False),
        (("false",), (), False),
        *(
            (heads, letters, strict)
            for heads, letters in (
                ((), ("all",)),
                ((), ("south",)),
                (("mine",), ("south", "mine")),
                ((), ("nothing",)),
            )
            for strict in (False, True)
        ),
    ]
)
def test_a_log_is_compared_with_letters_as_the_command_does(
    row: tuple[tuple[str, ...], tuple[str, ...], bool], kept: Path
) -> None:
    heads, letters, strict = row
    options = ("--strict",) if strict else ()
    run = by_command(kept, heads, letters, *options)
    told = on_page(kept, heads, letters, strict=bool(options))
    assert (told["said"], told["status"]) == (run.out, run.status)
    assert run.out


def test_the_log_head_of_a_letter_can_be_given_too(kept: Path) -> None:
    head = json.loads((kept / "log").read_text(encoding="utf-8").splitlines()[2])["digest"]
    run = by_command(kept, ("mine",), (), "--head", head)
    told = on_page(kept, ("mine",), (), head=head)
    assert (told["said"], told["status"], "came later" in run.out) == (run.out, run.status, True)


@pytest.mark.parametrize(
    ("heads", "letters", "code"),
    [(("nothing",), (), "no-heads"), ((), ("strangers.keys",), "file")],
)
def test_files_without_evidence_are_refused(
    kept: Path, heads: tuple[str, ...], letters: tuple[str, ...], code: str
) -> None:
    assert on_page(kept, heads, letters)["error"]["code"] == code
    assert by_command(kept, heads, letters).status != 0


def test_a_digest_that_is_none_is_refused(kept: Path) -> None:
    assert on_page(kept, ("mine",), (), head="abc")["error"]["code"] == "wrong-paste"


def test_letters_are_a_question_of_their_own() -> None:
    assert not {*LETTER_CALLS} & {*CALLS}
