"""The pages are true: commands print the output below them, code runs, pictures are of the games.

In a `console` block a line `$ command` runs as a shell would run it, in a folder of the page's own that holds games/
and logs/; the lines below it are its whole output. A line `...` matches any lines. The blocks of a page run in order.
A `python` block is a doctest, a `yaml` block that begins with `game:` is a game file that checks clean. In a table of
refusals an example `move` or `move` after `move`, `move` is played from the start, and refused with its row's code.
"""

from __future__ import annotations

import ast
import doctest
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

import referee
from referee.draw import drawing
from referee.draw.scenes.scene import Group, Shape
from referee.errors import RefereeError
from referee.game import judge, loads
from referee.rules import game_named
from tests.support.page_blocks import BLOCK, blocks
from tests.support.page_commands import by_shell, here, matches, steps, tidy
from tests.support.pictures import SHOWN, pictures
from tests.support.rows import each
from tests.support.sources import modules, modules_with, nodes

ROOT = Path(__file__).resolve().parents[1]
PAGES = [
    page
    for folder in (".", "bench", "docs", "docs/rules", "spec", "spec/vectors")
    for page in sorted((ROOT / folder).glob("*.md"))
]
RUN = "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/referee report games/beams/asynchronous.yaml"
TEST = "python3 -m venv .venv && .venv/bin/pip install -q -e '.[dev]' && .venv/bin/python -m pytest"

COSTLY = ("archives.md", "engines.md", "records.md", "tour.md")
"""Pages with commands that take seconds."""

DATA = ("archives.md", "reference.md")
"""Pages with code that needs libraries for data."""

SERVED = ("api.md",)
"""Pages whose commands and code ask a server; tests/web runs them."""

MAKERS = {
    *("Finding", "NotationError", "IllegalMove", "Refusal", "RefereeError", "FileError", "OptionError"),
    *("finding", "finding_at", "unreadable", "_finding", "_find", "_fault"),
}
"""Functions and classes that make a finding or an error."""

_LINK = re.compile(r"\]\(([^)#:]*)(?:#([^)]*))?\)")
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
_IMAGE = re.compile(r'<img src="([^"]+)" width="\d+" alt="([^"]+)">')

_REFUSAL = re.compile(r"^\| `(?P<code>[a-z-]+)` \| [^|]* \| (?P<example>.*) \|$", re.MULTILINE)
_EXAMPLE = re.compile(r"`(?P<move>[^`]+)`(?: after (?P<before>`[^`]+`(?:, `[^`]+`)*))?(?:: .*)?")
_UNPLAYED = {"game-over", "not-your-turn", "missing-move", "no-mirrors-left"}

games = pytest.mark.parametrize("game", referee.GAMES)


def marks(page: Path, *, commands: bool) -> list[pytest.MarkDecorator]:
    """The marks of a test that runs what is on a page."""
    if commands:
        return [pytest.mark.slow] if page.name in COSTLY else []
    return [pytest.mark.data] if page.name in DATA else []


def runs(*, commands: bool) -> pytest.MarkDecorator:
    """All pages for a test that runs what is on them."""
    kind = "console" if commands else "python"
    run = [page for page in PAGES if page.name not in SERVED and f"\n```{kind}\n" in page.read_text(encoding="utf-8")]
    given = [pytest.param(page, marks=marks(page, commands=commands)) for page in run]
    return pytest.mark.parametrize("page", given, ids=lambda page: str(page.relative_to(ROOT)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the example games, the logs to try a verifier with, and a program that plays in it."""
    shutil.copytree(ROOT / "games", tmp_path / "games")
    shutil.copytree(ROOT / "spec" / "vectors", tmp_path / "logs")
    shutil.copytree(ROOT / "docs" / "engines", tmp_path / "engines")
    return tmp_path


@pytest.mark.parametrize("run", [here, pytest.param(by_shell, marks=pytest.mark.slow)])
@runs(commands=True)
def test_commands_print_what_the_page_says(
    page: Path, run: Callable[[str], str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "80")
    for step in steps(page):
        printed = tidy(run(step.command))
        assert matches(step.output, printed), f"$ {step.command}\n{printed}"


@runs(commands=False)
def test_code_does_what_the_page_says(page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    text = "\n".join(blocks(page, "python"))
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    said: list[str] = []
    doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS).run(test, out=said.append)
    assert not said, "".join(said)


@each(PAGES)
def test_game_files_of_the_page_are_clean(page: Path) -> None:
    for text in blocks(page, "yaml"):
        if text.startswith("game:"):
            assert judge(loads(text, page.name)).findings == ()


@each(PAGES)
def test_links_of_the_page_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for file, heading in _LINK.findall(text):
        target = page.parent / file if file else page
        assert target.exists(), file
        assert not heading or heading in anchors(target), f"{file}#{heading}"
    assert all((page.parent / source).exists() for source, _ in _IMAGE.findall(text))


def anchors(page: Path) -> set[str]:
    """The fragments of links to the headings of a page."""
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in _HEADING.findall(text)}


@each(PAGES)
def test_python_blocks_are_doctests(page: Path) -> None:
    assert all(">>> " in block for block in blocks(page, "python"))


@pytest.mark.parametrize("command", [RUN, TEST])
def test_one_line_sets_up_and_runs(command: str) -> None:
    assert command in (ROOT / "README.md").read_text(encoding="utf-8").split("\n")


def test_the_program_on_the_page_is_the_one_in_its_file() -> None:
    docs = ROOT / "docs"
    assert (docs / "engines" / "hurry.py").read_text(encoding="utf-8") in blocks(docs / "engines.md", "text")


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 143


@each([page for page in PAGES if page.is_relative_to(ROOT / "docs")])
def test_a_page_of_the_docs_is_short_and_wrapped(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 250
    prose = BLOCK.sub("", "\n".join(lines) + "\n").splitlines()
    assert [line for line in prose if len(line) > 100 and not line.lstrip().startswith(("|", "[", "`"))] == []


def test_the_index_lists_every_page_of_the_docs() -> None:
    index = ROOT / "docs" / "README.md"
    listed = {(index.parent / file).resolve() for file, _ in _LINK.findall(index.read_text(encoding="utf-8")) if file}
    pages = [page for page in PAGES if page.is_relative_to(index.parent) and page != index]
    assert {*pages} - listed == set()
    words = sum(len(page.read_text(encoding="utf-8").split()) for page in pages)
    developers = {"adding-a-game.md", "api.md", "design.md", "releases.md", "words.md"}
    assert (words <= 50_000, len({page.name for page in pages} - developers) <= 20) == (True, True)


def test_the_changelog_has_the_version() -> None:
    assert f"\n## {referee.__version__}\n" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_ellipsis_matches_lines_and_nothing_else() -> None:
    assert matches(["a", "...", "b"], "a\nx\ny\nb\n")
    assert matches(["a", "..."], "a\n")
    assert not matches(["a"], "a\nb\n")
    assert not matches(["a.c"], "abc\n")


def test_every_code_that_can_be_told_is_in_a_table_of_the_docs() -> None:
    """Codes of files are on the page of codes, those of a game on the page of its rules."""
    told = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert {code for code in codes(modules_with(*MAKERS)) if f"\n| `{code}` |" not in told} == set()


@games
def test_every_refusal_of_a_game_is_on_the_page_of_its_rules(game: str) -> None:
    refused = codes(file for file in modules() if file.is_relative_to(Path("rules", game.replace("-", "_")))) - {
        "option"
    }
    assert {*refused, "syntax", "game-over", "not-your-turn"} <= {row["code"] for row in refusals(game)}


@pytest.mark.parametrize("game", [game for game in referee.GAMES if len(referee.start(game).to_move) == 1])
def test_the_examples_of_refusals_are_refused_like_that(game: str) -> None:
    said = {row["code"]: refused_with(game, row["example"]) for row in refusals(game)}
    assert {code: found for code, found in said.items() if found not in (code, None)} == {}
    assert {code for code, found in said.items() if found is None} <= _UNPLAYED


@games
def test_a_game_is_on_the_pages_for_all_games(game: str) -> None:
    readme, index, notation, formats, positions = (
        (ROOT / page).read_text(encoding="utf-8")
        for page in ("README.md", "docs/README.md", "docs/notation.md", "docs/formats.md", "spec/positions.md")
    )
    title = game_named(game).title
    assert title in readme
    assert f"rules/{game}.md" in index
    assert f"## Moves of {title}\n" in notation
    assert f"### The facts of {game}\n" in positions
    assert all(f"`{option.name}`" in formats for option in game_named(game).options)


@games
def test_a_game_is_shown_in_the_readme_with_its_picture_in_words(game: str) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = dict(_IMAGE.findall(readme))
    assert readme.count("<img ") == len(shown)
    assert game_named(game).title in shown[f"docs/pictures/{game}.svg"]


def test_the_pictures_are_those_of_the_games() -> None:
    """`python -m tests.support.pictures` redraws them."""
    for file, text in pictures():
        assert file.read_text(encoding="utf-8") == text, file.name
        assert len(text.encode()) < 60_000


@pytest.mark.slow
@games
def test_the_classes_of_pictures_that_are_named_are_there(game: str) -> None:
    page = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
    (row,) = re.findall(rf"^\| {game} \| (`.*`) \|$", page, re.MULTILINE)
    example = referee.read(ROOT / "games" / game / f"{SHOWN[game][0]}.yaml")
    view, draw = example.description.sides[0], drawing(game)
    scenes = [draw.scene(ply.position, view=view, events=ply.events) for ply in example.replay()]
    used = {name for scene in scenes for name in classes(scene.shapes)}
    assert set(re.findall(r"`([a-z0-9-]+)`", row)) <= used


def classes(shapes: Iterable[Shape]) -> Iterator[str]:
    """The classes of shapes and of those within them."""
    for shape in shapes:
        yield from shape.classes
        if isinstance(shape, Group):
            yield from classes(shape.shapes)


def refusals(game: str) -> list[re.Match[str]]:
    """The rows of the table of refusals on the page of a game's rules."""
    page = (ROOT / "docs" / "rules" / f"{game}.md").read_text(encoding="utf-8")
    _, _, section = page.partition("\n## Refusals\n")
    return [*_REFUSAL.finditer(section.partition("\n## ")[0])]


def refused_with(game: str, example: str) -> str | None:
    """The code with which the move of an example is refused; None if the example is a sentence."""
    match = _EXAMPLE.fullmatch(example)
    if match is None:
        return None
    position = referee.start(game)
    for text in re.findall(r"`([^`]+)`", match["before"] or ""):
        (side,) = position.to_move
        position = position.play({side: referee.parse_move(game, text)})
    try:
        (side,) = position.to_move
        position.check(side, referee.parse_move(game, match["move"]))
    except RefereeError as error:
        return error.code
    return "accepted"


def codes(files: Iterable[Path]) -> set[str]:
    """The codes in modules of the package: the first arguments of calls that make a finding or an error."""
    found = {"syntax", "option"}
    for file in files:
        for node in nodes(file):
            if isinstance(node, ast.Call) and _name(node.func) in MAKERS:
                words = [
                    one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)
                ]
                found.update(word for word in words if re.fullmatch(r"[a-z]+(-[a-z]+)*", word))
    return found


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
