"""The error about a file that is no game: every finding with its place and code, and what was meant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.errors import FileError, Finding, NotationError, OptionError, PackageFault, RefereeError
from referee.game.file.document import MOST_FINDINGS, Document
from referee.game.file.faults import known_faults, of_another_game, told_once, with_suggestions
from referee.game.file.gamefile import End, GameFile
from referee.game.file.header import Fault, begun, faults, is_text, misfits
from referee.game.file.judge import judge
from referee.game.file.mistakes import near_fault, near_game, near_option, near_side, other_file
from referee.game.file.moves_block import with_bar
from referee.game.file.rounds import FEW, MOST, Rounds
from referee.game.file.variations import read_variations
from referee.rules import GAMES, Termination, game_named

_NO_GAME = "the key 'game'"
_FIRST = f"a game file begins with its game, such as 'game: {GAMES[0]}'"


class DraftError(FileError):
    """A file that is wrong, but whose rounds are known; `draft` is its game, with each move or an `Unread` one."""

    def __init__(self, draft: GameFile, findings: tuple[Finding, ...]) -> None:
        super().__init__(draft.file, findings)
        self.draft = draft


def explained(document: Document, file: str, reading: Rounds | None, *, suggest: bool) -> FileError:
    """The error about a document that is no game, and its moves if they are read.

    A forgotten bar is named instead of what follows from it.
    """
    error = _explained(document, file, reading, suggest=suggest)
    findings = with_bar(document, error.findings)
    return error if findings is error.findings else _error(file, findings)


def _explained(document: Document, file: str, reading: Rounds | None, *, suggest: bool) -> FileError:
    if document.data is None:
        empty = (Finding("empty", f"this is empty; {_FIRST}"),)
        return _error(file, other_file(document, document.findings) if document.findings else empty)
    if not isinstance(document.data, dict):
        no_mapping = Finding("wrong-type", f"expected a mapping of keys to values; {_FIRST}")
        return _error(file, other_file(document, (*document.findings, no_mapping)))
    data = document.data
    wrong = tuple(faults(data))
    findings = [*document.findings, *_in_header(document, data, wrong)]
    invalid = {fault.key[0] for fault in wrong}
    valid = {name: value for name, value in data.items() if name not in invalid}
    if "game" not in valid:
        return _error(file, findings)
    completed = begun(valid, file)
    has_start = all(key in valid or data.get(key) is None for key in ("options", "start"))
    return explained_moves(
        completed, valid["game"], document, file, reading, findings, judged=has_start, suggest=suggest
    )


def _in_header(document: Document, data: Mapping[str, Any], wrong: Sequence[Fault]) -> list[Finding]:
    found = []
    for fault in wrong:
        key = fault.key[:-1] if fault.code == "missing-key" else fault.key
        found.append(document.finding(fault.code, fault.message, key, near_fault(data, fault)))
    # A game under another key is one mistake.
    if any("game" in one.suggestions for one in found if one.code == "unknown-key"):
        found = [one for one in found if one.code != "missing-key" or not one.message.startswith(_NO_GAME)]
    return found


def explained_moves(
    completed: Callable[..., GameFile],
    name: str,
    document: Document,
    file: str,
    reading: Rounds | None,
    earlier: Iterable[Finding] = (),
    *,
    judged: bool = True,
    suggest: bool,
) -> FileError:
    """The error about moves that cannot be `completed` to a game, or about the game; `earlier` findings first."""
    findings = [*earlier]
    try:
        description = game_named(name)
    except (RefereeError, PackageFault) as error:
        return _error(file, [*findings, document.finding(error.code, error.message, ("game",), near_game(name))])
    reading = reading or Rounds(document, description, MOST if suggest else FEW)
    game = completed(rounds=tuple(reading.rounds), trailing_comments=tuple(reading.comments), source=document)
    varied = read_variations(document, description, FEW)[1] if not any(faults(document.mapping)) else []
    findings += [fault.finding for fault in known_faults(varied, game, None)]
    for fault in misfits(_with_all_sides(game, document.mapping), description):
        near = near_side(document.mapping, fault.known, str(fault.value)) if fault.known and document.mapping else ()
        findings.append(document.finding(fault.code, fault.message, fault.key, near))
    start = None
    try:
        start = game.start() if judged else None
    except OptionError as error:
        for option, said in error.faults:
            near = near_option(description, option, game.options.get(option))
            findings.append(document.finding("option", said, ("options", option), near))
    except NotationError as error:
        findings.append(document.in_start(error.finding))
    read = known_faults(reading.faults, game, start)
    told = told_once(read, whole=reading.is_read)
    if (other := of_another_game(game, read)) is not None:
        findings.append(other)
    elif told and start is not None:
        findings += with_suggestions(game, told, suggest=suggest)
    elif findings and start is not None:
        findings += judge(replace(game, rules=None, players={}, ending=None, result=None), suggest=suggest).findings
    else:
        findings += [fault.finding for fault in told]
    wrong = _error(file, findings)
    return DraftError(game, wrong.findings) if judged and reading.is_whole else wrong


def _with_all_sides(game: GameFile, data: Mapping[str, Any]) -> GameFile:
    """The game with every side that its header names, even if something else is wrong in the same value."""
    named: dict[str, Any] = {
        key: {side: value for side, value in data[key].items() if isinstance(value, kind)}
        for key, kind in (("players", dict), ("result", int))
        if isinstance(data.get(key), dict)
    }
    end = data.get("end")
    if isinstance(end, dict) and is_text(end.get("by")):
        named["ending"] = End(end.get("how", Termination.AGREEMENT), end["by"])
    return replace(game, **named)


def _error(file: str, findings: Iterable[Finding]) -> FileError:
    """The error with its findings in the order of the file, up to the maximum."""
    ordered = sorted(findings, key=lambda one: (one.line, one.column))
    if len(ordered) > MOST_FINDINGS:
        first = ordered[MOST_FINDINGS]
        message = f"only the first {MOST_FINDINGS:,} findings are listed; there are more from here on"
        ordered[MOST_FINDINGS:] = [Finding("too-many", message, first.line, first.column)]
    return FileError(file, tuple(ordered))
