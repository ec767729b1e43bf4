"""Game files cost time in proportion to their length, with any content, and never more than their limits."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest

from referee.archives.files.shards import FilePart, GameText, Shard
from referee.archives.judge import CheckSettings, check_shard
from referee.errors import FileError
from referee.game import loads
from referee.game.file.document import MOST_FINDINGS, MOST_VALUES
from referee.game.file.rounds import LONGEST_ROUND
from tests.support.examples import sampled
from tests.support.timing import MORE, excess

YAML = "game: beams\n"
BLOCK = "game: beams\nmoves: |\n"
JSON = '{"game": "beams"'

TEXTS: dict[str, Callable[[int], str]] = {
    "words that become something else": lambda n: f"{YAML}options:\n" + "".join(f"  a{i}: yes\n" for i in range(n)),
    "unknown keys": lambda n: YAML + "".join(f"a{i}: 1\n" for i in range(n)),
    "one key again and again": lambda n: YAML + "a: 1\n" * n,
    "one key again and again on one line": lambda n: f"{YAML}x: {{{'a: 1, ' * n}}}\n",
    "aliases": lambda n: "game: &a beams\n" + "".join(f"a{i}: *a\n" for i in range(n)),
    "tags": lambda n: YAML + "".join(f"a{i}: !x 1\n" for i in range(n)),
    "strange line ends": lambda n: YAML + "\u2028\n" * n,
    "strange line ends on one line": lambda n: YAML + "\u2028" * n,
    "unknown sides": lambda n: f"{YAML}players:\n" + "".join(f"  a{i}: {{name: x}}\n" for i in range(n)),
    "cards": lambda n: f"game: the-beam\noptions: {{deal: {{discs: {{yellow: [{'1, ' * n}]}}}}}}\n",
    "open brackets": lambda n: YAML + "x: [\n" * n,
    "blanks before a quote that is not closed": lambda n: YAML + "event: " + "\t" * n + '"\n',
    "no notation": lambda n: BLOCK + "  foo | bar\n" * n,
    "half rounds": lambda n: BLOCK + "  P S A2\n" * n,
    "comments that are not closed": lambda n: BLOCK + "  {x\n" * n,
    "comments": lambda n: BLOCK + "  ; x\n" * n,
    "comments on one line": lambda n: BLOCK + "  P S A2 | P S A4 " + "{x}" * n + "\n",
    "numbers on one line": lambda n: BLOCK + "  " + "1. " * n + "\n",
    "wrong numbers": lambda n: BLOCK + "  7. P S A2 | P S A2\n" * n,
    "illegal moves": lambda n: BLOCK + "  R A2 L | R A2 L ! {x}\n" * n,
    "no notation in quotes": lambda n: YAML + 'moves: "' + "foo | bar\\n" * n + '"\n',
    "no notation in JSON": lambda n: JSON + ', "moves": "' + "foo | bar\\n" * n + '"}',
    "keys of JSON": lambda n: JSON + "".join(f', "a{i}": 1' for i in range(n)) + "}",
    "a key of JSON again and again": lambda n: JSON + ', "a": 1' * n + "}",
    "halves of characters": lambda n: JSON + ', "x": "' + "\\ud800" * n + '"}',
    "quotes of JSON that are not closed": lambda n: JSON + ', "x": "' + '\\"' * n + "," * MOST_VALUES,
    "values of JSON": lambda n: JSON + ', "x": [' + "{}," * n + "1]}",
}
LISTS: dict[str, Callable[[int], str]] = {
    "a list without a header": lambda n: "P S A2 | P S A4\n" * n,
    "a header that does not end": lambda n: "; game: beams\n" + "; x\n" * n,
    "blanks": lambda n: "; game: beams\n; moves:\n" + " \t" * n + "x",
}


def read(text: str) -> None:
    with suppress(FileError):
        loads(text)


def listed(text: str) -> None:
    check_shard(Shard(0, (FilePart("a.moves", False, (GameText(0, text.encode()),)),)), CheckSettings())


@pytest.mark.slow
@pytest.mark.timing
@pytest.mark.parametrize("size", [1_000, 10_000, 150_000])
@pytest.mark.parametrize("made", [*TEXTS.values(), *LISTS.values()], ids=[*TEXTS, *LISTS])
def test_a_text_of_four_times_the_length_takes_four_times_as_long(made: Callable[[int], str], size: int) -> None:
    work = listed if made in LISTS.values() else read
    work(made(10))
    assert not excess(work, made(size), made(MORE * size))


def first(text: str) -> tuple[str, int, int]:
    with pytest.raises(FileError) as caught:
        loads(text)
    finding = caught.value.findings[0]
    return finding.code, finding.line, finding.column


def test_a_line_of_moves_has_a_limit() -> None:
    text = f"{BLOCK}  P S A2 | P S A2 {{{'x' * (LONGEST_ROUND - 20)}}}\n"
    loads(text)
    assert first(text.replace("{", "{" + "x" * 20)) == ("too-large", 3, LONGEST_ROUND + 3)


@pytest.mark.slow
@pytest.mark.parametrize("text", [f"{YAML}x: [{'a,' * 60_000}]", f'{JSON}, "x": [{"1," * 60_000}1]}}'])
def test_the_values_of_a_file_have_a_limit(text: str) -> None:
    code, line, column = first(text)
    assert (code, text.split("\n")[line - 1][column - 1]) in {("too-large", "a"), ("too-large", "1")}


@pytest.mark.parametrize("most", sampled([500, MOST_FINDINGS], 2))
def test_the_findings_that_are_listed_have_a_limit(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.game.file.explanation.MOST_FINDINGS", most)
    with pytest.raises(FileError) as caught:
        loads(BLOCK + "  {x\n" * (most + 10))
    *listed, last = caught.value.findings
    assert len(listed) == most
    assert (last.code, last.line) == ("too-many", most + 3)
