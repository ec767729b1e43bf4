"""The pure function from a shard of games to a report, for any Python process."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from referee.archives.files.forms import at_line, file_document, read_text
from referee.archives.files.shards import FilePart, GameText, Shard
from referee.archives.lane import fast_verdict
from referee.archives.verdict import GameVerdict, PartReport, ShardReport
from referee.errors import FileError, Finding, PackageFault
from referee.game import GameFile, judge
from referee.game.file.explanation import DraftError
from referee.game.file.loader import game_of

if TYPE_CHECKING:
    from referee.notes.repair.repair import Repair

_SUGGESTED = 100
"""Lines of an archive whose wrong moves get suggestions by default."""


@dataclass(frozen=True)
class CheckSettings:
    """Settings of the judgement of games.

    Attributes:
        bare: read every file as a bare move list of this game.
        suggest: look for legal moves to suggest for every wrong one; None: in game files, and in the first
            hundred lines of an archive, as it may take a hundred times as long as judging the game.
        each: report the verdict on every game, not only on those with findings.
        trace: add a checksum of the position after every ply.
        repair: search for small changes that make a wrong game legal, usually for a second, at most for ten.
    """

    bare: GameFile | None = None
    suggest: bool | None = None
    each: bool = False
    trace: bool = False
    repair: bool = False


def check_shard(shard: Shard, settings: CheckSettings = CheckSettings()) -> ShardReport:
    """Judge every game of a shard; no game stops the rest."""
    return tuple(_report(part, settings) for part in shard.parts)


def check_lines(lines: Iterable[str | bytes], file: str = "", first: int = 1) -> list[dict[str, Any]]:
    """The verdict on each line of an archive as data for JSON, for Spark, Ray and other programs with lines."""
    (report,) = check_shard(Shard.of_lines(lines, file, first), CheckSettings(each=True))
    return [verdict.as_json() for verdict in report.verdicts]


def _report(part: FilePart, settings: CheckSettings) -> PartReport:
    verdicts = [check_text(part, text, settings) for text in part.texts]
    wrong = [verdict for verdict in verdicts if not verdict.ok]
    return PartReport(
        file=part.file,
        archive=part.archive,
        first=part.first,
        last=part.last,
        games=len(verdicts),
        plies=sum(verdict.plies for verdict in verdicts),
        wrong=len(wrong),
        broken=sum(verdict.unreadable for verdict in wrong),
        codes=Counter(finding.code for verdict in wrong for finding in verdict.findings),
        ends=Counter(str(one.outcome["how"]) if one.outcome else "not over" for one in verdicts if one.ok),
        verdicts=tuple(verdicts if settings.each or not part.archive else wrong),
    )


def check_text(part: FilePart, text: GameText, settings: CheckSettings = CheckSettings()) -> GameVerdict:
    """The verdict on any text of a game."""
    is_plain = not (settings.bare or settings.trace or settings.repair)
    suggest = settings.suggest if settings.suggest is not None else text.line <= _SUGGESTED
    try:
        document = file_document(part, text) if is_plain else None
        if is_plain and (verdict := fast_verdict(part, text, document)) is not None:
            return verdict
        try:
            game = (
                game_of(document, part.file, suggest=suggest)
                if document
                else read_text(part, text, settings.bare, suggest=suggest)
            )
        except DraftError as error:
            found, repaired = at_line(error.findings, text), _repairs(error.draft, text, settings)
            names = _names(error.draft)
            return GameVerdict(part.file, text.line, _id(text), findings=found, repairs=repaired, names=names)
        return _verdict(part, text, game, settings, suggest=suggest)
    except FileError as error:
        findings, broken = error.findings, error.unreadable
    except PackageFault as error:
        findings, broken = (Finding(error.code, error.message),), False
    except Exception as error:
        said = f"{type(error).__name__}: {error}".splitlines()[0][:200]
        findings, broken = (Finding("internal", f"the referee failed here: please report it ({said})"),), False
    return GameVerdict(
        file=part.file,
        line=text.line,
        id=_id(text),
        findings=at_line(findings, text),
        unreadable=broken,
        repairs=() if settings.repair else None,
    )


def _verdict(
    part: FilePart, text: GameText, game: GameFile, settings: CheckSettings, *, suggest: bool
) -> GameVerdict:
    verdict = judge(game, suggest=suggest)
    outcome = verdict.outcome
    return GameVerdict(
        file=part.file,
        line=text.line,
        id=game.id,
        plies=verdict.plies,
        outcome=dict(outcome.as_json()) if outcome else None,
        score=dict(outcome.score if outcome else verdict.position.score),
        findings=at_line(verdict.findings, text),
        trace=_trace(game) if settings.trace else None,
        repairs=_repairs(game, text, settings) if verdict.findings else None,
        names=_names(game),
    )


def _names(game: GameFile) -> tuple[str, ...]:
    return tuple(player.name for player in game.players.values())


def _repairs(draft: GameFile, text: GameText, settings: CheckSettings) -> tuple[Repair, ...] | None:
    """The repairs of a wrong game, if they are wanted; those in an archive get its line."""
    if not settings.repair:
        return None
    from referee.notes.repair.repair import repairs

    return tuple(replace(one, line=text.line) if text.line else one for one in repairs(draft))


def _trace(game: GameFile) -> tuple[str, ...]:
    """A checksum of the facts after each valid ply."""
    sums = []
    try:
        for ply in game.replay():
            facts = json.dumps(ply.position.facts(), sort_keys=True)
            sums.append(f"{zlib.crc32(facts.encode()):08x}")
    except FileError:
        pass
    return tuple(sums)


def _id(text: GameText) -> str | None:
    """The id of a game that cannot be read, if its line is JSON with one."""
    try:
        data = json.loads(text.content) if text.line else None
    except (ValueError, RecursionError):
        return None
    found = data.get("id") if isinstance(data, dict) else None
    return found if isinstance(found, str) else None
