"""`referee key`, `sign`, and the host's orders about the key of a seat."""

from __future__ import annotations

import re
import stat
from pathlib import Path

import pytest
from mnemonic import Mnemonic

from referee.desk import Past, Terms, act_text, signed
from referee.desk.log.signatures import key_text
from referee.desk.proof.private_keys import read_key
from referee.game import GameFile
from referee.mail.host.host import open_game
from referee.mail.office import now, office_in
from tests.support.command_line import referee
from tests.support.rows import each

GAME, OPENING, HEAD = "spring-7", "5c" * 32, "cc" * 32
SEAT = (GAME, 1, "south", "--opening", OPENING, "--head", HEAD)
NO_WORDS = {
    "too few": "abandon about",
    "another order": "abandon " * 22 + "art abandon",
    "no word of the list": "abandon " * 23 + "xyzzy",
    "another language": "\u0410 " * 24,
}


def signature_of(printed: str) -> str:
    """The digits of the signature that a command has printed."""
    (found,) = re.findall("^signed ([0-9a-f ]{129})$", printed, re.MULTILINE)
    return str(found).replace(" ", "")


def test_a_key_is_made_shown_and_made_again_of_its_words(tmp_path: Path) -> None:
    file, again = tmp_path / "my.key", tmp_path / "again.key"
    made = referee("key", "new", file)
    words = re.findall(r"\d\. ([a-z]+)", made.out)
    assert (made.status, len(words)) == (0, 24)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert made.lines[-1] == referee("key", "show", file).lines[0] == f"key {read_key(file).public}"
    assert read_key(file).seed.hex() not in made.out
    for refused in (referee("key", "new", file), referee("key", "restore", file, stdin=" ".join(words).encode())):
        assert (refused.status, "exists" in refused.err) == (2, True)
    back = referee("key", "restore", again, stdin=f"{' '.join(words).upper()}\n".encode())
    assert back.lines[-1] == made.lines[-1]
    assert again.read_bytes() == file.read_bytes()
    short = read_key(file).public[:8]
    assert (made.lines[-3].endswith(short), back.lines[0].endswith(short)) == (True, True)
    again.unlink()
    rows = [line for line in made.lines if re.match(r" +\d+\. ", line)]
    # The checksum is short: a wrong row passes it by chance now and then.
    wrong = next(
        row
        for row in ("abandon " * 6, "zoo " * 6, "able " * 6)
        if not Mnemonic("english").check(f"{' '.join(words[:18])} {row.strip()}")
    )
    slips = [rows[0], "abandon xyzzy", *rows[1:3], wrong, *rows]
    back = referee("key", "restore", again, stdin="\n".join(slips).encode())
    assert (back.status, back.err.count("again")) == (0, 2), back.err
    assert again.read_bytes() == file.read_bytes()
    assert referee("key", "show", tmp_path / "none").status == 2
    again.write_text("referee private key 1\nabc\n")
    assert "private-key" in referee("key", "show", again).err


@each(NO_WORDS)
def test_words_of_no_key(which: str, tmp_path: Path) -> None:
    refused = referee("key", "restore", tmp_path / "my.key", stdin=NO_WORDS[which].encode())
    assert "key-words: " in refused.err
    assert not (tmp_path / "my.key").exists()


def test_what_sign_and_seal_print(tmp_path: Path) -> None:
    file = tmp_path / "my.key"
    referee("key", "new", file)
    public = read_key(file).public
    past = Past(OPENING, HEAD)
    said = {
        "1. p m1 a2 12": ("P M1 A2 12", "move P M1 A2 12"),
        "I resign": ("resign", "resign"),
        "offer a draw": ("offer draw", "offer draw"),
        f"accept with word a word and key {public.upper()}": (
            f"accept with word a word and key {public}",
            f"accept {public} a word",
        ),
        f"reveal p m1 a2 12 {'ab' * 32}": (f"reveal P M1 A2 12 {'ab' * 32}", f"reveal P M1 A2 12 {'ab' * 32}"),
    }
    for line, (printed, words) in said.items():
        run = referee("sign", "--key", file, *SEAT, line)
        assert run.lines[0] == printed, run.err
        text = act_text(GAME, past, 1, "south", words)
        assert signed(public, text, signature_of(run.out))
    asked = referee("sign", "--key", file, *SEAT, stdin=b"P M1 A2 12\n")
    assert asked.lines[-2] == "P M1 A2 12"
    run = referee("sign", "--key", file, *SEAT, "key none")
    assert signed(public, key_text(GAME, HEAD, "south", None), signature_of(run.out))
    sealed = referee("seal", "--sign", file, *SEAT, "P M1 A2 12").lines
    assert [line.split()[0] for line in sealed] == ["seal", "signed", "reveal", "signed"]
    for line, signature in zip(sealed[::2], sealed[1::2], strict=True):
        assert signed(public, act_text(GAME, past, 1, "south", line), signature_of(signature))
    for line, code in {"history": "nothing-to-sign", "claim": "nothing-to-sign", "P M1": "syntax", "": ""}.items():
        assert referee("sign", "--key", file, *SEAT, line).status == 1, code
    assert referee("sign", "--key", file, GAME, 1, "south", "resign").status == 2
    assert referee("seal", "--sign", file, GAME, 1, "south", "P M1 A2 12").status == 2


@pytest.mark.slow
def test_a_host_can_take_a_key_away_and_says_why(tmp_path: Path) -> None:
    folder, file = tmp_path / "desk", tmp_path / "my.key"
    referee("desk", "init", folder, "--address", "desk@example.org")
    referee("key", "new", file)
    with office_in(folder) as office:
        addresses = {side: f"{side}@example.org" for side in ("south", "north")}
        game = GameFile("boundary")
        state = open_game(office, GAME, game, now(), terms=Terms(), addresses=addresses)
    letter = f"From: south@example.org\nTo: {seat_address(folder)}\n\n{referee('key', 'show', file).out}"
    assert referee("desk", "receive", "--desk", folder, stdin=letter.encode()).status == 0
    replace = ("desk", "replace", GAME, "south", "Grace", "--desk", folder)
    refused = referee(*replace)
    assert "unsigned: " in refused.err
    past = f"--opening {state.root} --head {state.root}"
    sign = f"    try: referee sign --rules 'boundary 1' {GAME} 1 south {past} 'key none'"
    assert sign in refused.err.splitlines()
    assert f"    try: referee desk drop-key {GAME} south --reason 'why'" in refused.err.splitlines()
    assert max(map(len, refused.err.splitlines())) == len(sign)
    run = referee(
        "sign",
        "--key",
        file,
        "--rules",
        "boundary 1",
        *SEAT[:3],
        "--opening",
        state.root,
        "--head",
        state.root,
        "key none",
    )
    signature = signature_of(run.out)
    assert "signature: " in referee(*replace, "--old", "00" * 64).err
    (done,) = referee(*replace, "--old", signature.upper()).lines
    assert done.startswith(f"{GAME}: Grace plays south, and gets letters at the same address")
    dropped = referee("desk", "drop-key", GAME, "south", "--reason", "The file is lost", "--desk", folder)
    assert "no-key: " in dropped.err
    letter = f"From: south@example.org\nTo: {seat_address(folder)}\n\n{referee('key', 'show', file).out}"
    referee("desk", "receive", "--desk", folder, stdin=letter.encode())
    dropped = referee("desk", "drop-key", GAME, "south", "--reason", "The file is lost", "--desk", folder)
    assert dropped.lines == [f"{GAME}: south no longer has a key; the players are notified"]
    assert "the game is running" in referee("desk", "audit", GAME, "--desk", folder).out


def seat_address(folder: Path) -> str:
    """The secret address of south."""
    with office_in(folder) as office:
        return office.seat_address(office.desk.state(GAME), "south")
