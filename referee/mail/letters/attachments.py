"""The files of the letter that ends a game: the game file, the log, the record as a page, and the score sheet."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from typing import NamedTuple

from referee.desk import Entry, State
from referee.game.dumper import dumps
from referee.game.gamefile import without_addresses
from referee.mail.letters.blocks import Points, Section
from referee.mail.letters.language import phrase
from referee.mail.letters.story import Story
from referee.mail.log import LOG, reason

LARGEST_SUM = 2_000_000
"""Maximum bytes of all files of a letter: many mail servers take no more than 10 MB, and files grow on the way."""

_POLICY = SMTP.clone(max_line_length=200)


class Attachment(NamedTuple):
    """A file: what it is, its name, its media type, and its bytes."""

    kind: str
    name: str
    media: str
    content: bytes


def attachments(story: Story, log: Sequence[Entry], wanted: Collection[str]) -> tuple[Attachment, ...]:
    """The files of the letter that ends a game; none for other letters.

    A file that cannot be made, or is too large beside the others, is left out: no letter may be lost for it.
    """
    state = story.state
    if not story.ends:
        return ()
    made: list[Attachment] = []
    for kind in (kind for kind in _MAKERS if kind in wanted):
        name, media, make = _MAKERS[kind]
        try:
            content = make(state, log)
        except Exception as error:
            LOG.warning("%s ends without its %s: %s", state.id, kind, reason(error))
            continue
        if sum(len(one.content) for one in made) + len(content) <= LARGEST_SUM:
            made.append(Attachment(kind, f"{state.id}{name}", media, content))
    return tuple(made)


def files_section(files: Collection[Attachment]) -> Section:
    """What is attached, each file with its size in kilobytes."""
    told = tuple(phrase(f"files.{one.kind}", name=one.name, number=-(-len(one.content) // 1000)) for one in files)
    return Section(phrase("heading.files"), (Points(told),) if told else ())


def with_files(raw: bytes, files: Collection[Attachment]) -> bytes:
    """A letter with its files."""
    if not files:
        return raw
    message = message_from_bytes(raw, policy=_POLICY)
    assert isinstance(message, EmailMessage)
    for one in files:
        main, _, sub = one.media.partition("/")
        message.add_attachment(one.content, main, sub, filename=one.name)
    return message.as_bytes(policy=_POLICY)


def _game_file(state: State, _log: Sequence[Entry]) -> bytes:
    return dumps(without_addresses(state.as_file())).encode()


def _log_file(_state: State, log: Sequence[Entry]) -> bytes:
    return "".join(_log_lines(log)).encode()


def _log_lines(log: Sequence[Entry]) -> Iterator[str]:
    return (f"{entry.as_line()}\n" for entry in log)


def _record(state: State, _log: Sequence[Entry]) -> bytes:
    from referee.draw.page import page

    return page(state.as_file()).encode()


def _sheet(state: State, _log: Sequence[Entry]) -> bytes:
    from referee.draw.score_sheet import score_sheet

    return score_sheet(state.as_file())


_Maker = Callable[[State, Sequence[Entry]], bytes]
_MAKERS: Mapping[str, tuple[str, str, _Maker]] = {
    "game": (".yaml", "application/yaml", _game_file),
    "log": (".jsonl", "application/jsonl", _log_file),
    "record": (".html", "text/html", _record),
    "sheet": (".pdf", "application/pdf", _sheet),
}
"""How each file is made: the end of its name, its media type, and its maker; the small ones come first."""
