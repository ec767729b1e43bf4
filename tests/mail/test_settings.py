"""The settings of a desk: accepted values, findings, and the privacy of their file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
import yaml

from referee.errors import FileError, RefereeError
from referee.mail.office import Office, create_office, now, office_in
from referee.mail.schema import Schema, keys
from referee.mail.settings import FILE, Settings, read_settings, template
from tests.mail.setting_table import on_page, part, table
from tests.support.rows import each

ADDRESS = "desk@example.org"
ID, KEY = "0123456789abcdef", "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
HEAD = f"address: {ADDRESS}\n"
SETTING = re.compile(r"# ?( *[a-z-]+:.*)")
SECRET = "hunter2"

# The settings, and each finding: line, column, code, words of its sentence, and its suggestion.
FINDINGS: dict[str, tuple[tuple[int, int, str, str, tuple[str, ...]], ...]] = {
    "name: x\n": ((1, 1, "missing-key", "'address'", ()),),
    f"adress: {ADDRESS}\n": (
        (1, 1, "missing-key", "'address'", ()),
        (1, 1, "unknown-key", "'adress'", ("address",)),
    ),
    f"{HEAD}send: {{hots: x}}\n": ((2, 8, "unknown-key", "'hots'", ("host",)),),
    f"{HEAD}send:\n  port: 0\n  security: ssl\n": (
        (3, 3, "wrong-value", "port", ()),
        (4, 3, "wrong-value", "none, starttls or tls", ()),
    ),
    f"{HEAD}open: vouched\n": ((2, 1, "wrong-value", "'open: vouched' needs the name of the server", ()),),
    f"{HEAD}pages: http://club.example\nweb:\n  moves: submit\n": (
        (4, 3, "wrong-value", "begins with https://", ()),
    ),
    f"{HEAD}send: {{user: 12}}\n": ((2, 8, "wrong-type", "put it in quotes", ()),),
    f"{HEAD}{HEAD}": ((2, 1, "repeated-key", "written twice", ()),),
    f"{HEAD}pictures: yes\n": ((2, 11, "ambiguous", "'yes'", ('"yes"',)),),
    f"{HEAD}clock: {{dayz: 3}}\n": ((2, 1, "wrong-value", "there is no term 'dayz'", ()),),
    f"{HEAD}clock: {{days: 3, zone: Nowhere}}\n": ((2, 1, "wrong-value", "Nowhere", ()),),
    f"{HEAD}trust: {{authserv: mx.example.org}}\n": ((2, 9, "wrong-type", "must be a list", ()),),
    f"{HEAD}pictures: 1\n": ((2, 1, "wrong-type", "pictures must be true or false, not the number 1", ()),),
    f"{HEAD}answers: {{an-hour: true}}\n": ((2, 11, "wrong-type", "must be a whole number, not true", ()),),
    f"{HEAD}name: null\n": ((2, 1, "wrong-type", "must be text, not nothing", ()),),
    f"{HEAD}metrics: {{}}\n": ((2, 1, "missing-key", "'port'", ()),),
    f"{HEAD}providers: {{example.com: []}}\n": ((2, 13, "wrong-value", "at least one", ()),),
    f"{HEAD}providers: {{a@example.com: x}}\n": ((2, 13, "wrong-value", "expected a domain", ()),),
    f"{HEAD}known: [example.org, 'no one', 3]\n": (
        (2, 22, "wrong-value", "expected an address", ()),
        (2, 32, "wrong-type", "must be text", ()),
    ),
    f"{HEAD}trust: {{require: spf}}\n": ((2, 9, "wrong-value", "nothing or dmarc", ()),),
    f"{HEAD}answers: {{an-hour: 0}}\n": ((2, 11, "wrong-value", "an-hour", ()),),
    f"{HEAD}listen: {{host: a b}}\n": ((2, 10, "wrong-value", "machine", ()),),
    f"{HEAD}ids: 'x>y'\n": ((2, 1, "wrong-value", "machine", ()),),
    f'{HEAD}name: "The\\nreferee"\n': ((2, 1, "wrong-value", "one line", ()),),
    f"{HEAD}host: you\n": ((2, 1, "wrong-value", "not an e-mail address", ()),),
    f"{HEAD}host: jürgen@example.org\n": ((2, 1, "wrong-value", "cannot be sent", ()),),
    f"{HEAD}send: {{host: mx.example.org, user: desk}}\n": ((2, 30, "wrong-value", "tls", ()),),
    f"{HEAD}send:\n  host: 10.0.0.1\n  security: none\n  user: desk\n": ((5, 3, "wrong-value", "10.0.0.1", ()),),
    f"{HEAD}imap: {{host: imap.example.org, security: none, user: desk}}\n": ((2, 48, "wrong-value", "tls", ()),),
    f"{HEAD}id: 1234567890123456\n": ((2, 1, "wrong-type", "put it in quotes", ()),),
    f"{HEAD}id: abc\n": ((2, 1, "wrong-value", "16 hexadecimal digits", ()),),
    f"{HEAD}megabytes-a-day: 0\n": ((2, 1, "wrong-value", "megabytes-a-day", ()),),
    "address: desk+x@example.org\n": ((1, 1, "wrong-value", "without a +", ()),),
    "": ((1, 1, "wrong-type", "all of it must be a mapping", ()),),
    "- address\n": ((1, 1, "wrong-type", "all of it must be a mapping", ()),),
    "a: [\n": ((1, 5, "yaml", "not YAML", ()),),
    f"{HEAD}name: &x y\nhost: *x\n": ((3, 7, "alias", "", ()),),
}

SECRETS = (
    f"{HEAD}send: {{password: {SECRET}}}\n",
    f"{HEAD}send:\n  password: {SECRET}\n",
    f"{HEAD}password: {SECRET}\n",
    f"{HEAD}store: [postgresql://desk:{SECRET}@db/desk]\n",
    f'{HEAD}store: "postgresql://desk:{SECRET}@db/desk\\n"\n',
    f"{HEAD}stroe: postgresql://desk:{SECRET}@db/desk\n",
    f"{HEAD}store: postgresql://desk:{SECRET}@db/desk\nstore: postgresql://desk:{SECRET}@db/desk\n",
    f"{HEAD}store: postgresql://desk:{SECRET}@db/desk: x\n",
)
STORES = (
    f"postgresql://desk:{SECRET}@127.0.0.1:1/desk",
    f"postgresql://desk:{SECRET}@127.0.0.1:port/desk",
    f"mysql://desk:{SECRET}@db/desk",
)


def settings(folder: Path, text: str) -> Path:
    path = folder / FILE
    path.write_text(text, encoding="utf-8")
    return path


def uncommented(text: str, *, only: int | None = None) -> str:
    """The settings with every setting in force, or only the one on a line with its headings."""
    lines = text.splitlines()
    kept = range(len(lines)) if only is None else _above(lines, only)
    return "\n".join(
        found[1] if n in kept and (found := SETTING.fullmatch(line)) else line for n, line in enumerate(lines)
    )


def _above(lines: list[str], number: int) -> set[int]:
    """A line, and its heading if it is indented."""
    found = SETTING.fullmatch(lines[number])
    if found is None or not found[1].startswith(" "):
        return {number}
    heading = max(n for n in range(number) if (one := SETTING.fullmatch(lines[n])) and not one[1].startswith(" "))
    return {number, heading}


@pytest.mark.parametrize("store", ["desk.sqlite", "postgresql://desk@db/desk"])
def test_the_settings_as_they_begin_are_the_defaults(tmp_path: Path, store: str) -> None:
    written = template(ADDRESS, store, ID, KEY)
    begun = Settings(address=ADDRESS, store=store, id=ID, public_key=KEY)
    assert read_settings(settings(tmp_path, written)) == begun


def test_every_commented_setting_is_valid(tmp_path: Path) -> None:
    text = template(ADDRESS, "desk.sqlite", ID, KEY)
    numbers = [number for number, line in enumerate(text.splitlines()) if SETTING.fullmatch(line)]
    assert len(numbers) > 30
    for number in numbers:
        one = uncommented(text, only=number)
        if not one.splitlines()[number].endswith(":") and not re.fullmatch(r"[a-z]+: +#.*", one.splitlines()[number]):
            read_settings(settings(tmp_path, one))
    every = read_settings(settings(tmp_path, uncommented(text)))
    assert (every.imap, every.trust.authserv) != (None, ())


def test_the_comments_show_the_defaults(tmp_path: Path) -> None:
    """Except for the settings that are examples."""
    every = asdict(read_settings(settings(tmp_path, uncommented(template(ADDRESS, "desk.sqlite", ID, KEY)))))
    plain = asdict(Settings(address=ADDRESS))
    for name in ("name", "store", "pictures", "listen", "answers"):
        assert every[name] == plain[name]
    assert {**every["send"], "user": None, "password_file": None, "ca_file": None} == plain["send"]
    assert every["trust"]["require"] == plain["trust"]["require"]


def test_every_setting_is_in_the_comments() -> None:
    def named(schema: type[Schema], data: dict[str, Any]) -> None:
        known = keys(schema)
        assert data.keys() == known.keys()
        for name, (kind, _) in known.items():
            if (inner := part(kind)) is not None:
                named(inner, data[name])

    named(Settings, yaml.safe_load(uncommented(template(ADDRESS, "desk.sqlite", ID, KEY))))


@each(FINDINGS)
def test_every_finding_has_its_place(text: str, tmp_path: Path) -> None:
    with pytest.raises(FileError) as raised:
        read_settings(settings(tmp_path, text))
    found = {(one.line, one.column, one.code, one.suggestions): one.message for one in raised.value.findings}
    assert {(line, column, code, tries) for line, column, code, _, tries in FINDINGS[text]} == set(found)
    for line, column, code, words, tries in FINDINGS[text]:
        assert words in found[line, column, code, tries]


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", '"::1"', '"[::1]"', "localhost", "LOCALHOST"])
def test_on_the_machine_itself_a_login_needs_no_encryption(tmp_path: Path, host: str) -> None:
    text = f"{HEAD}send: {{host: {host}, user: desk}}\nimap: {{host: {host}, user: desk, security: none}}\n"
    assert read_settings(settings(tmp_path, text)).send.user == "desk"


@pytest.mark.parametrize("text", SECRETS)
def test_no_finding_shows_a_password(tmp_path: Path, text: str) -> None:
    with pytest.raises(FileError) as raised:
        read_settings(settings(tmp_path, text))
    assert SECRET not in str(raised.value)


@pytest.mark.parametrize("store", STORES)
def test_no_error_of_a_database_shows_its_password(tmp_path: Path, store: str) -> None:
    with pytest.raises(RefereeError) as raised:
        create_office(tmp_path / "desk", ADDRESS, store)
    assert raised.value.code in ("store", "missing-extra")
    assert SECRET not in str(raised.value)
    assert not (tmp_path / "desk" / FILE).exists(), "one can try again"


def test_a_desk_is_private(tmp_path: Path) -> None:
    folder = tmp_path / "one" / "desk"
    create_office(folder, ADDRESS, "desk.sqlite")
    assert folder.stat().st_mode & 0o777 == 0o700
    with office_in(folder) as office:
        office.desk.inbox.receive(b"a letter", now())
        assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}


def test_an_empty_folder_is_closed_to_others(tmp_path: Path) -> None:
    folder = tmp_path / "desk"
    folder.mkdir(0o755)
    create_office(folder, ADDRESS, "desk.sqlite")
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_folder_in_which_others_look_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "desk"
    folder.mkdir(0o755)
    (folder / "holiday.txt").touch()
    with pytest.raises(RefereeError, match="chmod 700") as raised:
        create_office(folder, ADDRESS, "desk.sqlite")
    assert raised.value.code == "folder"
    assert [one.name for one in folder.iterdir()] == ["holiday.txt"]


def test_settings_name_the_store_that_was_begun(tmp_path: Path) -> None:
    path = create_office(tmp_path / "desk", ADDRESS, "desk.sqlite")
    with office_in(path.parent) as office:
        assert read_settings(path).id == office.desk.id


def test_a_second_machine_joins_the_desk_of_a_store(tmp_path: Path) -> None:
    one = create_office(tmp_path / "one", ADDRESS, "desk.sqlite")
    two = create_office(tmp_path / "two", ADDRESS, str(tmp_path / "one" / "desk.sqlite"))
    assert read_settings(one).id == read_settings(two).id
    with office_in(one.parent) as first, office_in(two.parent) as second:
        assert first.desk.key == second.desk.key


def test_a_desk_is_begun_once(tmp_path: Path) -> None:
    path = create_office(tmp_path, ADDRESS, "desk.sqlite")
    before = path.read_bytes()
    with pytest.raises(FileError) as raised:
        create_office(tmp_path, "other@example.org", "desk.sqlite")
    assert (raised.value.code, raised.value.unreadable) == ("exists", True)
    assert path.read_bytes() == before


@pytest.mark.parametrize("address", ["desk", "desk+x@example.org", "a b@c", "ü@example.org", "a@b..c", "a@b\nc"])
def test_a_desk_needs_an_address_of_its_own(tmp_path: Path, address: str) -> None:
    with pytest.raises(RefereeError) as raised:
        create_office(tmp_path / "desk", address, "desk.sqlite")
    assert raised.value.code == "address"
    assert not (tmp_path / "desk").exists()


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    create_office(tmp_path, ADDRESS, "desk.sqlite")
    with office_in(tmp_path) as office:
        (tmp_path / "secret").write_text(f"{SECRET}\n")
        yield office


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o620, 0o777])
def test_a_password_that_others_can_reach_is_refused(office: Office, mode: int) -> None:
    (office.folder / "secret").chmod(mode)
    with pytest.raises(RefereeError, match="chmod 600") as raised:
        office.password("secret")
    assert (raised.value.code, SECRET in str(raised.value)) == ("password", False)


def test_a_password_is_read_from_its_file(office: Office) -> None:
    (office.folder / "secret").chmod(0o600)
    assert office.password("secret") == SECRET


@pytest.mark.parametrize("name", ["missing", "folder", "latin-1"])
def test_an_unreadable_password_is_reported(office: Office, name: str) -> None:
    (office.folder / "folder").mkdir(0o700)
    (office.folder / "latin-1").touch(0o600)
    (office.folder / "latin-1").write_bytes("grün".encode("latin-1"))
    with pytest.raises(RefereeError) as raised:
        office.password(name)
    assert raised.value.code == "password"


def test_a_desk_shows_no_secret_of_its_own(office: Office) -> None:
    key = office.desk.key.secret
    assert all(one not in repr(office) for one in (repr(key), key.hex(), SECRET))


def test_the_table_of_the_manual_has_every_setting_with_its_values_and_default() -> None:
    """`python -m tests.mail.setting_table` writes it; the meanings are written by hand."""
    text, meanings = on_page()
    assert text == table(meanings)
    assert all(meanings.values())
