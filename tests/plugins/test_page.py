"""The page on adding a game: its code is that of the package, and its commands print the output on the page."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli import cli
from referee.cli.shell.errors import told
from referee.errors import PackageFault, RefereeError
from tests.plugins.page import PAGE, filled

COMMANDS = re.compile(r"^```console hex\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_code_of_the_page_is_that_of_the_package() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert filled(page) == page, "python -m tests.plugins.page writes it anew"


@pytest.mark.slow
def test_the_commands_print_what_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (block,) = COMMANDS.findall(PAGE.read_text(encoding="utf-8"))
    for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, expected = step.partition("\n")
        result = CliRunner().invoke(cli, shlex.split(command)[1:], standalone_mode=False)
        error = f"{told(result.exception)}\n" if isinstance(result.exception, (RefereeError, PackageFault)) else ""
        printed = "".join(f"{line.rstrip()}\n" for line in (result.output + error).splitlines())
        assert expected in (printed, "...\n"), f"$ {command}\n{printed}"
