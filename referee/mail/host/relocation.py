"""A new address for a desk: the settings name it and remember the former one, and every player gets a letter."""

from __future__ import annotations

import json
import os
import re
import shutil
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

import yaml

from referee.desk import Change, Held
from referee.errors import FileError, RefereeError, Refusal, shown
from referee.game import decode_utf8, read_bytes, unwritten
from referee.mail.addresses import small
from referee.mail.handlers.notifications import report_letter
from referee.mail.host.checks.servers import is_served
from referee.mail.letters.format.blocks import LetterSection, Paragraph
from referee.mail.letters.format.language import phrase
from referee.mail.letters.story.draft import Gist, LetterContent, Thread
from referee.mail.office import Office, expect_address, office_in
from referee.mail.settings import FILE, Settings, read_settings


def move(folder: Path, address: str, at: datetime) -> int:
    """Give a desk a new address, and notify its players; return the number of letters.

    The former address is added to `formerly` in the settings. With the address that the desk has already, only those
    letters are queued that are missing, as after an interruption.

    FileError if the settings cannot be read or written, or are wrong; RefereeError `address` if a desk cannot have
    it, or has it and never had another one; `serving` while `serve` runs with the former settings; `settings` if only
    the host can change the file. Then nothing has changed.
    """
    expect_address(address)
    with office_in(folder) as office:
        settings = office.settings
        if is_served(office):
            message = "'referee desk serve' runs with the former address: stop it, run this again, and start it again"
            raise Refusal("serving", message)
        if small(address) != small(settings.address):
            _write(folder / FILE, settings, address)
        elif not settings.formerly:
            raise Refusal("address", f"{shown(address)} is the desk's address already")
    with office_in(folder) as office:
        told = partial(_told, office, at)
        changes = office.desk.catalogue.each_running(lambda game: office.desk.games.change(game, at, told))
        return sum(len(change.letters) for change in changes)


def _write(path: Path, settings: Settings, address: str) -> None:
    """Write the settings with the new address: all of them at once, or nothing."""
    text = decode_utf8(read_bytes(path), str(path))
    known = small(settings.address) in map(small, settings.formerly)
    former = settings.formerly if known else (*settings.formerly, settings.address)
    wanted = replace(settings, address=address, formerly=former)
    target = path.resolve()
    unfinished = target.with_name(f"{FILE}.unfinished")
    try:
        unfinished.unlink(missing_ok=True)  # what is left of a process that was killed
        unfinished.touch(0o600)
        unfinished.write_text(_changed(text, wanted), encoding="utf-8")
        found = None
        with suppress(FileError):
            found = read_settings(unfinished)
        if found != wanted:
            formerly = f"formerly: [{', '.join(wanted.formerly)}]"
            lines = f"write 'address: {wanted.address}' and '{formerly}', and run this once more"
            raise RefereeError("settings", f"{path} is written in a way that only you can change: {lines}")
        shutil.copystat(target, unfinished)
        owned = target.stat()
        os.chown(unfinished, owned.st_uid, owned.st_gid)  # the host may be root, and the desk another user
        unfinished.replace(target)
    except OSError as error:
        raise unwritten(path, error, "the settings") from None
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def _changed(text: str, wanted: Settings) -> str:
    """The text with the address replaced, and the former addresses in their place or in a line below it."""
    document = yaml.compose(text, Loader=yaml.SafeLoader)
    assert isinstance(document, yaml.MappingNode)
    values = {key.value: value for key, value in document.value}
    own, former = values["address"], values.get("formerly")
    listed = f"[{', '.join(map(_scalar, wanted.formerly))}]"
    if former is None:
        end = text.find("\n", own.end_mark.index) + 1 or len(text)
        line = f"formerly: {listed}\n"
        text = f"{text[:end]}{line}{text[end:]}" if text[:end].endswith("\n") else f"{text}\n{line}"
    for node in sorted(filter(None, (own, former)), key=lambda node: node.start_mark.index, reverse=True):
        start, end = node.start_mark.index, node.end_mark.index
        if isinstance(node, yaml.SequenceNode) and not node.flow_style and node.value:
            end = node.value[-1].end_mark.index  # the list is in lines of its own
        text = f"{text[:start]}{_scalar(wanted.address) if node is own else listed}{text[end:]}"
    return text


def _scalar(address: str) -> str:
    """An address as YAML has it; in quotes if it would be read as anything else."""
    return address if re.fullmatch(r"[A-Za-z][A-Za-z0-9._-]*@[A-Za-z0-9.-]+", address) else json.dumps(address)


def _told(office: Office, at: datetime, held: Held) -> Change:
    table = office.desk.table_of(held)
    state, number = table.state, table.state.number
    said = phrase("note.new-address", address=office.settings.address)
    asked = (LetterSection(phrase("heading.new-address"), (Paragraph(said),)),)
    thread = Thread(digest=office.desk.key.mark(f"moved/{office.settings.address}/{len(office.settings.formerly)}"))
    letters = []
    for side in state.position.sides:
        if side not in state.engine_sides and (to := table.address(side)):
            told = LetterContent(at, side, number, number, asked=asked, thread=thread, gist=Gist.NEW_ADDRESS)
            letters.append(report_letter(office, state, to, told, "news"))
    return Change(letters=tuple(letters))
