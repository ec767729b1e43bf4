"""A letter that Postfix hands to a command, as docs/desk.md sets it up: the envelope is only in the letter."""

from __future__ import annotations

import re
import shutil
import smtplib
from pathlib import Path

import pytest

from referee.mail.intake.classification import LetterKind, classify
from referee.mail.intake.letter import read_letter
from referee.mail.office import now
from referee.mail.transport.receipt import receive
from tests.support import real_servers
from tests.support.real_servers import Mailboxes
from tests.support.servers import ADDRESS, desk_at, eventually, letter

MISSING = real_servers.missing("postfix")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(MISSING != "", reason=MISSING)]

PAGE = Path(__file__).parents[2] / "docs" / "desk.md"


def flags() -> str:
    """The flags of the pipe on the page."""
    found = re.search(r"pipe (flags=.*) user=referee\n +argv=(.*)", PAGE.read_text(encoding="utf-8"))
    assert found is not None
    assert "{" not in found[2], "no address, and so no key, is among the arguments that everybody can see"
    return found[1]


@pytest.mark.parametrize(("sender", "path"), [("ada@players.example", "ada@players.example"), ("", "")])
def test_the_envelope_comes_with_the_letter(sender: str, path: str, tmp_path: Path) -> None:
    recipients = ["desk+spring-7.abc@example.org", "desk+other.xyz@example.org"]
    with real_servers.folder() as base:
        (base / "piped").mkdir()
        shutil.chown(base / "piped", "nobody")
        command = f"{flags()} argv={script(base)}"
        with real_servers.postfix(base, Mailboxes(1, 1), ADDRESS, 1, command) as servers:
            with smtplib.SMTP("127.0.0.1", servers.smtp) as client:
                client.sendmail(sender, recipients, letter("P M1 A2 12\n", "ada@players.example"))
            files = eventually(lambda: (found := [*(base / "piped").iterdir()])[1:] and found, 30)
        raws = [file.read_bytes() for file in files]
    with desk_at(tmp_path / "desk") as office:
        stored = [receive(office, raw, now()) for raw in raws]
        letters = [read_letter(one.raw, office.mailbox) for one in office.desk.inbox.waiting(now())]
        assert sorted(str(one.tag) for one in letters) == ["other.xyz", "spring-7.abc"]
        assert {one.return_path for one in letters} == {path}
        kinds = {classify(one, office.mailbox).kind for one in letters}
        assert kinds == ({LetterKind.HUMAN} if sender else {LetterKind.BOUNCE})
        assert len(stored) == 2


def script(base: Path) -> Path:
    """A substitute for `referee desk receive`, which keeps its input."""
    path = base / "keep"
    path.write_text(f'#!/bin/sh\ntest $# = 0 && exec cat > "$(mktemp {base}/piped/XXXXXX)"\n')
    path.chmod(0o755)
    return path
