"""The requests of the page to its worker, and the answers, both as JSON.

A request names a call and its arguments. What judges files, and the calls for duels, practices and proofs, are loaded
when they are asked for, so that the page is ready sooner. A RefereeError is an answer; any other error is our own
fault, and the page reports it as that.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from referee.errors import FileError, NotationError, PackageFault, RefereeError
from referee.game import GameFile
from referee.rules.frozen import Frozen
from referee.web.onepage import study
from referee.web.onepage.study import PageData

MOST_SHOWN = 1000
"""Maximum verdicts of an archive that are shown."""

DEEPEST_JSON = 100
"""Maximum depth of lists and objects: deeper nesting would overflow the stack of a browser."""

_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]")


def limit_nesting() -> None:
    """Make all readers of JSON in the page's worker raise RecursionError beyond `DEEPEST_JSON`, which they refuse."""
    read = json.JSONDecoder.raw_decode

    def raw_decode(self: json.JSONDecoder, text: str, idx: int = 0) -> tuple[Any, int]:
        if is_deep(text):
            raise RecursionError
        return read(self, text, idx)

    setattr(json.JSONDecoder, "raw_decode", raw_decode)  # noqa: B010 - a method, which mypy does not let us assign


def is_deep(text: str) -> bool:
    """True if a JSON text is nested deeper than `DEEPEST_JSON`."""
    if text.count("[") + text.count("{") <= DEEPEST_JSON:
        return False
    depth = 0
    for found in _BRACKET.finditer(_STRING.sub("", text)):
        depth += 1 if found[0] in "[{" else -1
        if depth > DEEPEST_JSON:
            return True
    return False


def answer_page(request: str, more: Mapping[str, Callable[..., PageData]] = Frozen()) -> str:
    """The answer to a request, both as JSON; `more` are further calls."""
    asked = json.loads(request)
    try:
        answer = {**_calls_like(asked["call"]), **more}[asked["call"]](**asked["with"])
    except FileError as error:
        found = [one.as_json() | {"text": one.as_text(error.file)} for one in error.findings]
        answer = {"error": {"code": "file", "message": error.as_text(), "findings": found}}
    except (RefereeError, PackageFault) as error:
        said = error.finding.as_text() if isinstance(error, NotationError) else error.message
        answer = {"error": {"code": error.code, "message": said, "findings": []}}
    return json.dumps(answer, ensure_ascii=False)


def _calls_like(call: str) -> Mapping[str, Callable[..., PageData]]:
    match call.partition("-")[0]:
        case "duel":
            from referee.web.onepage.duels import DUEL_CALLS

            return DUEL_CALLS
        case "practice":
            from referee.web.onepage.practices import PRACTICE_CALLS

            return PRACTICE_CALLS
        case "audit" | "seal" | "sign" | "seat":
            from referee.web.onepage.proofs import PROOF_CALLS

            return PROOF_CALLS
    return CALLS


def _judged(
    text: str,
    name: str = "pasted",
    game: str | None = None,
    options: Mapping[str, object] | None = None,
    start: str | None = None,
) -> PageData:
    from referee.archives.files.shards import content_shards
    from referee.archives.judge import CheckSettings, check_shard
    from referee.archives.printer import Printer
    from referee.archives.verdict import Summary

    bare = None if game is None else GameFile(game, options=options or {}, start_text=start, file=name)
    total = Summary()
    said: list[str] = []
    verdicts: list[PageData] = []
    printer = Printer(said.append)
    for shard in content_shards(text.encode("utf-8", "surrogatepass"), name, lists=game is not None):
        for part in check_shard(shard, CheckSettings(bare=bare)):
            printer.add(part)
            total.add(part)
            verdicts += [one.as_json() for one in part.verdicts[: MOST_SHOWN - len(verdicts)]]
    printer.close()
    return {"said": "".join(said), "verdicts": verdicts, "status": total.exit_status, "summary": total.as_text()}


CALLS: Mapping[str, Callable[..., PageData]] = {
    "judge": _judged,
    "games": study.game_list,
    "lesson": study.game_lesson,
    "example": study.example_file,
    "begin": study.begun_file,
    "open": study.opened_file,
    "write": study.written_file,
    "show": study.shown_board,
    "try": study.tried_move,
    "read": study.typed_move,
    "export": study.exported_file,
}
