"""The files of the letter that ends a game: the game file, the log, the record as a page, and the score sheet.

All players get the same ones, so they are made once and kept for the other letters.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from email.message import Message
from functools import lru_cache
from typing import NamedTuple

from referee.desk import Entry, State
from referee.game import game_text, without_addresses
from referee.mail.letters.format.blocks import BulletList, LetterSection
from referee.mail.letters.format.language import phrase
from referee.mail.letters.format.mime import file_part, joined
from referee.mail.letters.story.story import Story
from referee.mail.log import LOG, reason

LARGEST_SUM = 2_000_000
"""Maximum bytes of all files of a letter: many mail servers take no more than 10 MB, and files grow on the way."""


class Attachment(NamedTuple):
    """A file: what it is, its name, its media type, and its bytes."""

    kind: str
    name: str
    media: str
    content: bytes


@dataclass(frozen=True, slots=True)
class _Source:
    """The source of files: a game and its log, which is identified by its head."""

    head: str
    state: State = field(compare=False)
    log: Sequence[Entry] = field(compare=False)


def attachments(story: Story, log: Sequence[Entry], wanted: Collection[str]) -> tuple[Attachment, ...]:
    """The files of the letter that ends a game; none for other letters.

    A file that cannot be made, or is too large beside the others, is left out: no letter may be lost for it.
    """
    state = story.state
    if not story.ends:
        return ()
    made: list[Attachment] = []
    source = _Source(state.head, state, log)
    for kind in (kind for kind in _KINDS if kind in wanted):
        name, media = _KINDS[kind]
        try:
            content = _content(kind, source)
        except Exception as error:
            LOG.warning("%s ends without its %s: %s", state.id, kind, reason(error))
            continue
        if sum(len(one.content) for one in made) + len(content) <= LARGEST_SUM:
            made.append(Attachment(kind, f"{state.id}{name}", media, content))
    return tuple(made)


def files_section(files: Collection[Attachment]) -> LetterSection:
    """The list of attached files, each with its size in kilobytes."""
    told = tuple(phrase(f"files.{one.kind}", name=one.name, number=-(-len(one.content) // 1000)) for one in files)
    return LetterSection("", (BulletList(told),) if told else ())


def with_files(letter: Message, files: Collection[Attachment]) -> Message:
    """A letter with its files, always the same bytes: a letter that is sent once more is the same one."""
    parts = [file_part(one.content, one.media, one.name) for one in files]
    return joined("mixed", letter, *parts) if parts else letter


@lru_cache(8)
def _content(kind: str, source: _Source) -> bytes:
    match kind:
        case "game":
            return game_text(without_addresses(source.state.as_file())).encode()
        case "log":
            return "".join(f"{entry.as_line()}\n" for entry in source.log).encode()
        case "record":
            from referee.draw.page import page

            return page(source.state.as_file()).encode()
        case _:
            from referee.draw.paper.score_sheet import score_sheet

            return score_sheet(source.state.as_file())


_KINDS = {
    "game": (".yaml", "application/yaml"),
    "log": (".jsonl", "application/jsonl"),
    "record": (".html", "text/html"),
    "sheet": (".pdf", "application/pdf"),
}
"""Ending and media type of each file; the small ones come first."""
