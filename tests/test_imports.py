"""Each room knows only the rooms above it, and a command loads only what it needs."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Set
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from referee.cli import TOP_COMMANDS
from referee.cli.desk import DESK_COMMANDS
from tests.support.examples import sampled
from tests.support.sources import code, modules_with, nodes, texts

ROOT = Path(__file__).parents[1]
HEAVY = ("lark", "yaml", "pydantic")


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


def loaded(code: str, names: tuple[str, ...]) -> set[str]:
    """Those of the modules that are loaded once the code has run."""
    done = run(sys.executable, "-c", f"import sys\n{code}\nprint(*sorted(set({names!r}) & set(sys.modules)))")
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


def test_rooms_and_their_parts_know_only_what_lies_above_them() -> None:
    done = run(
        sys.executable, "-c", "from importlinter.cli import lint_imports_command as lint; lint()", "--no-cache"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout


def test_a_folder_holds_at_most_sixteen_modules_and_says_what_is_in_it() -> None:
    folders = {path.parent for path in texts()}
    for folder in folders:
        held = [path for path in texts() if path.parent == folder and path.name != "__init__.py"]
        assert len(held) <= 16, folder
        assert ast.get_docstring(code(folder / "__init__.py")), folder


def needed(path: Path, names: Set[str]) -> set[str]:
    """Those of the modules with these names that a module imports when it runs, at its top or in a function."""
    typed = {
        inner
        for node in nodes(path)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for statement in node.body
        for inner in ast.walk(statement)
    }
    return {
        name if name in names else str(node.module)
        for node in nodes(path)
        if isinstance(node, ast.ImportFrom) and node not in typed
        for name in (f"{node.module}.{alias.name}" for alias in node.names)
    } & names


def test_no_files_import_each_other_in_a_circle() -> None:
    paths = {".".join(("referee", *path.with_suffix("").parts)).removesuffix(".__init__"): path for path in texts()}
    graph = {name: needed(path, paths.keys()) for name, path in paths.items()}
    assert sum(map(len, graph.values())) > 2 * len(graph)
    TopologicalSorter(graph).prepare()


def test_no_module_imports_a_room_above_by_a_string() -> None:
    """Games name their parts in their descriptions, commands theirs in a table, and the package knows all rooms."""
    exempt = {path for path in texts() if path.parts[0] in ("__init__.py", "cli") or path.name == "__init__.py"}
    named = {
        (path.as_posix(), node.value)
        for path in {*modules_with('"referee.')} - exempt
        for node in nodes(path)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("referee.")
        if path.parts[0] not in ("__init__.py", "cli")
        and not (path.parts[0] == "rules" and path.name == "__init__.py")
    }
    loaded = {path.with_suffix("").as_posix().replace("/", ".") for path in texts()}
    assert [(path, name) for path, name in sorted(named) if name.removeprefix("referee.") in loaded] == []


def test_the_package_alone_loads_nothing_heavy() -> None:
    assert loaded("import referee; referee.__version__, dir(referee)", (*HEAVY, "click")) == set()


def command(*arguments: str) -> str:
    """The code that runs a command."""
    return f"from referee.cli import main\ntry: main({arguments!r})\nexcept SystemExit as end: assert not end.code"


@pytest.mark.parametrize("arguments", sampled([["--help"], ["desk", "--help"], ["desk", "-h"], ["--version"]], 4))
def test_help_loads_no_command_and_nothing_heavy(arguments: list[str]) -> None:
    commands = {entry.place.partition(":")[0] for entry in (*TOP_COMMANDS.values(), *DESK_COMMANDS.values())}
    assert loaded(command(*arguments), (*HEAVY, *commands - {"referee.cli.desk"})) == set()


def test_the_help_of_a_desk_command_loads_nothing_of_the_desk() -> None:
    helped = "".join(
        f"try: main(['desk', {name!r}, '--help'])\nexcept SystemExit as end: assert not end.code\n"
        for name in DESK_COMMANDS
    )
    rooms = ("referee.desk", "referee.mail", "referee.game", "referee.notation", "referee.engine")
    assert loaded(f"from referee.cli import main\n{helped}", (*HEAVY, "sqlalchemy", *rooms)) == set()


@pytest.mark.parametrize("name", sampled(["check", "report", "move", "convert"], 4))
def test_a_command_loads_only_what_it_needs(name: str) -> None:
    others = ("pydantic", "sqlalchemy", "multiprocessing", "jinja2", "referee.desk", "referee.mail")
    assert loaded(command(name, "--help"), others) == set()


def test_a_code_is_explained_without_judging_a_game() -> None:
    assert loaded(command("explain", "unreadable"), ("lark", "pydantic", "referee.game", "referee.notation")) == set()


def test_the_settings_of_a_desk_need_no_library_for_schemas() -> None:
    assert loaded("import referee.mail.office", ("pydantic",)) == set()


def test_orders_of_the_host_and_an_audit_without_letters_read_no_letter() -> None:
    reading = ("referee.mail.intake.letter", "referee.mail.intake.grammar", "referee.mail.handlers.pipeline")
    log = ("audit", "spec/vectors/beams.jsonl")
    assert loaded("import referee.mail.host.host", reading) == set()
    assert loaded(command(*log), reading) == set()


def test_the_rules_load_nothing_heavy() -> None:
    assert loaded("import referee; referee.start('beams')", (*HEAVY, "click")) == set()


@pytest.mark.parametrize(
    ("file", "heavy"),
    [("game: beams\nmoves: P S A2 | P S A2\n", {"yaml"}), ('{"game": "beams", "moves": "P S A2 | P S A2"}', set())],
    ids=["YAML", "JSON"],
)
def test_a_game_that_holds_needs_no_schema_and_json_no_parser_of_yaml(file: str, heavy: set[str]) -> None:
    assert loaded(f"import referee; list(referee.loads({file!r}).replay())", HEAVY) == heavy


def test_every_public_name_is_there() -> None:
    import referee

    assert set(referee.__all__) <= set(dir(referee))
    for name in referee.__all__:
        assert getattr(referee, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        referee.nonsense  # noqa: B018
