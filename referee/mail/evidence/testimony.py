"""The audit of a log together with the letters that a player has kept."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

from referee.desk import Entry, Head, acting_side, audit, each_once, kind_of, log_lines
from referee.desk.law.audit import Gauge, no_gauge
from referee.desk.law.summary import UNSIGNED, audit_lines
from referee.desk.proof.seat_terms import head_of
from referee.errors import Refusal
from referee.mail.evidence.evidence import LetterEvidence
from referee.mail.evidence.mailboxes import heads_of
from referee.mail.evidence.signers import BESIDE, Keys, read_keys
from referee.terminal import Pen, counted, join_words, plain_pen, visible

_MOST_LISTED = 20
"""Maximum acts that are listed for one reason."""


class LettersAudit(NamedTuple):
    """The lines of an audit of a log with letters, and its failure."""

    lines: tuple[str, ...]
    failed: bool


def audit_letters(
    log: Iterable[str],
    name: str,
    *,
    head: str | None = None,
    shown: Mapping[str, tuple[Head, ...]] = MappingProxyType({}),
    witness: LetterEvidence | None = None,
    strict: bool = False,
    pen: Pen = plain_pen,
    gauge: Gauge = no_gauge,
) -> LettersAudit:
    """The audit of a log and of its letters; Refusal `no-heads` if a file of `shown` has no log head of this game.

    `name` is that of the log, and `head` a log head that it must reach. `shown` are log heads of letters by file; all
    of this game must be in the log. `witness` has the letters of the acts. If it is `strict`, acts without a signed
    letter or a signature are wrong, and so are unknown log heads in letters that claim to be the desk's. `gauge`
    shows the progress of recomputed engine moves.
    """
    heads = each_once(chain(*shown.values(), witness.heads if witness else ()))
    report = audit(log, head, heads, witness, gauge=gauge)
    for what, found in shown.items():
        if report.state is not None and report.state.id not in {one.game for one in found}:
            raise Refusal("no-heads", f"{visible(what)} shows no log head of {report.state.id}")
    lines, lacking = [*audit_lines(report, name, heads=bool(heads), pen=pen)], False
    if witness is not None:
        if report.state is not None and report.state.origin is not None and not witness.begun:
            lines.append(UNSIGNED)
        lines += map(visible, _letters_said(witness, strict=strict))
        lacking = bool(witness.missing or witness.unsent or witness.untied or witness.addresses.waiting)
    return LettersAudit(tuple(lines), bool(report.findings or (strict and (lacking or report.unproven))))


def shown_heads(contents: Iterable[bytes], name: str, keys: Keys) -> tuple[Head, ...]:
    """The log heads in the files with one name; Refusal `no-heads` if there is none."""
    heads = each_once(head for content in contents for head in heads_of(content, keys))
    if not heads:
        raise Refusal("no-heads", f"{visible(name)} shows no log head: expected a letter of a game, or several")
    return heads


def _letters_said(witness: LetterEvidence, *, strict: bool) -> Iterator[str]:
    acts = counted(witness.acts, "act", "acts")
    has = "has its letter" if 1 in (witness.found, witness.acts) else "have their letter"
    yield f"{witness.found} of {acts} that came by letter {has} here"
    if witness.acts and not witness.found:
        yield "WARNING: no letter here has brought anything in this game, so nothing was compared"
    yield from _listed(witness.missing, "no letter here")
    for side, number in sorted(Counter(acting_side(one.event) for one in witness.missing).items()):
        yield f"{side}: {counted(number, 'act has', 'acts have')} no letter here: ask the host for them"
    if witness.unsent:
        yield f"{counted(witness.unsent, 'act', 'acts')} came by no letter: nothing shows that a player wrote so"
    if boxes := witness.addresses.mailboxes:
        moved = ": it has moved, or one of them is not its own" if len(boxes) > 1 else ""
        yield f"the desk took letters at {join_words(boxes, 'and')}{moved}"
    if waiting := len(witness.addresses.waiting):
        only = "only the end of the game shows for which seat and ply"
        yield f"{counted(waiting, 'letter was', 'letters were')} written to addresses of which {only}"
    if len(claimed := witness.addresses.claimed) > 1:
        ours = "only its end shows which of these are the desk's"
        yield f"letters to seats of this game went to {join_words(claimed, 'and')}: {ours}"
    if strict:
        yield from _listed(witness.untied, "no signature shows that its player wrote this, for this seat")
    for name in witness.ambiguous:
        yield f"there are two keys under the name {name}: it is unclear which is the sender's, so neither counts"
    for side, account in sorted(witness.accounts.items()):
        letters = counted(account.letters, "letter", "letters")
        signed = ", ".join(f"{said}: {number}" for said, number in account.signed.most_common())
        hours = int(account.longest / timedelta(hours=1))
        way = f"; up to {counted(hours, 'hour', 'hours')} from the signature to the desk" if hours else ""
        yield f"{side}, {' and '.join(account.senders)}: {letters}; {signed}{way}"


def _listed(acts: Sequence[Entry], lack: str) -> Iterator[str]:
    for one in acts[:_MOST_LISTED]:
        yield f"entry {one.number}, {acting_side(one.event)} ({kind_of(one.event)}): {lack}"
    if (more := len(acts) - _MOST_LISTED) > 0:
        yield f"and {more:,} more"


def letters_audited(
    text: str,
    name: str = "pasted",
    head: str = "",
    heads: Iterable[Mapping[str, str]] = (),
    letters: Iterable[Mapping[str, str]] = (),
    strict: bool = False,
) -> dict[str, Any]:
    """The output of `referee audit` for a log and files with letters, from JSON to JSON.

    Each file has a `name`, and as `content` its bytes, a character each. The names of files of keys end in .keys.
    """
    content = io.BytesIO(text.encode("utf-8", "surrogatepass"))
    feet, files = (
        [(one["name"], one["content"].encode("latin-1")) for one in several] for several in (heads, letters)
    )
    keys = read_keys(one for one in (*feet, *files) if one[0].endswith(BESIDE))
    shown = {file: shown_heads([raw], file, keys) for file, raw in feet if not file.endswith(BESIDE)}
    mailboxes = [raw for file, raw in files if not file.endswith(BESIDE)]
    witness = LetterEvidence(mailboxes, keys) if files else None
    found = audit_letters(
        log_lines(content, name), name, head=head_of(head), shown=shown, witness=witness, strict=strict
    )
    return {"said": "".join(f"{line}\n" for line in found.lines), "status": int(found.failed)}


LETTER_CALLS: Mapping[str, Callable[..., dict[str, Any]]] = MappingProxyType({"letters": letters_audited})
"""Calls of a page about letters, by name."""
