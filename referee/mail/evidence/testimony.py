"""A log beside the letters that somebody has kept: whether it has their log heads, and its acts stand in them."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

from referee.desk.law.audit import Gauge, audit, no_gauge
from referee.desk.law.summary import UNSIGNED, audit_lines
from referee.desk.log.heads import Head, each_once
from referee.desk.log.log import log_lines
from referee.desk.proof.seat_terms import head_of
from referee.desk.state.state import State
from referee.errors import Refusal
from referee.mail.evidence.evidence import ActByLetter, LetterEvidence
from referee.mail.evidence.mailboxes import heads_of
from referee.mail.evidence.signers import BESIDE, Keys, joined_keys, read_keys
from referee.terminal import Pen, counted, join_words, plain_pen, visible

_MOST_LISTED = 20
"""Maximum acts that are listed for one reason."""

_HOUR = timedelta(hours=1)


class LettersAudit(NamedTuple):
    """What an audit of a log with letters says, in lines, and whether anything is wrong."""

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
    """The audit of a log and of the letters beside it.

    Args:
        log: its lines.
        name: how the log is called, such as the name of its file.
        head: the log head of a letter, which the log must reach.
        shown: the log heads of letters, by what shows them; all of this game must be in the log.
        witness: the letters that brought the acts.
        strict: whether an act of a player is wrong that no signed letter and no signature shows, and a log head that
            is not in the log, in a letter that calls itself the desk's.
        pen: colours the findings.
        gauge: shows how many moves of engines have been made again.

    Raises:
        Refusal: `no-heads`; some of what should show log heads of this game shows none.
    """
    heads = each_once(chain(*shown.values(), witness.heads if witness else ()))
    report = audit(log, head, heads, witness, gauge=gauge)
    for what, found in shown.items():
        if report.state is not None and report.state.id not in {one.game for one in found}:
            raise Refusal("no-heads", f"{visible(what)} shows no log head of {report.state.id}")
    lines = [*audit_lines(report, name, heads=bool(heads), pen=pen)]
    if witness is not None:
        lines += map(visible, (*_beginning_said(report.state, witness), *_letters_said(witness, strict=strict)))
    lacking = strict and witness is not None and _is_lacking(witness)
    return LettersAudit(tuple(lines), bool(report.findings or lacking or (strict and report.unproven)))


def shown_heads(contents: Iterable[bytes], name: str, keys: Keys) -> tuple[Head, ...]:
    """The log heads in the files that go by one name; `keys` are those by which letters are signed.

    Raises:
        Refusal: `no-heads`; there is none.
    """
    heads = each_once(head for content in contents for head in heads_of(content, keys))
    if not heads:
        raise Refusal("no-heads", f"{visible(name)} shows no log head: expected a letter of a game, or several")
    return heads


def kept_keys(files: Iterable[tuple[str, bytes]]) -> Keys:
    """The keys in files, by which letters are signed.

    Raises:
        FileError: a file has no keys.
    """
    return joined_keys(read_keys(content, name) for name, content in files)


def _is_lacking(witness: LetterEvidence) -> bool:
    """True if letters and signatures do not show every act of a player, or not in which ply it was meant."""
    return bool(witness.missing or witness.unsent or witness.untied or witness.addresses.waiting)


def _beginning_said(state: State | None, witness: LetterEvidence) -> Iterator[str]:
    """What is missing at the beginning of a log."""
    if state is not None and state.origin is not None and not witness.begun:
        yield UNSIGNED


def _letters_said(witness: LetterEvidence, *, strict: bool) -> Iterator[str]:
    """What the letters of a mailbox say about a log, in lines."""
    acts = counted(witness.acts, "act", "acts")
    has = "has its letter" if 1 in (witness.found, witness.acts) else "have their letter"
    yield f"{witness.found} of {acts} that came by letter {has} here"
    if witness.acts and not witness.found:
        yield "WARNING: no letter here has brought anything in this game, so nothing was compared"
    yield from _listed(witness.missing, "no letter here")
    for side, number in sorted(Counter(one.side for one in witness.missing).items()):
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
        yield f"there are two keys under the name {name}: nobody can tell which is the sender's, so neither counts"
    for side, account in sorted(witness.accounts.items()):
        letters = counted(account.letters, "letter", "letters")
        signed = ", ".join(f"{said}: {number}" for said, number in account.signed.most_common())
        hours = int(account.longest / _HOUR)
        way = f"; up to {counted(hours, 'hour', 'hours')} from the signature to the desk" if hours else ""
        yield f"{side}, {' and '.join(account.senders)}: {letters}; {signed}{way}"


def _listed(acts: Sequence[ActByLetter], lack: str) -> Iterator[str]:
    """The acts that lack something, the first of them one by one."""
    for one in acts[:_MOST_LISTED]:
        yield f"entry {one.number}, {one.side} ({one.kind}): {lack}"
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
    """What `referee audit` says of a log and of files with letters, from JSON to JSON.

    Each file has a `name`, and as `content` its bytes, a character each. The names of files of keys end in .keys.
    """
    content = io.BytesIO(text.encode("utf-8", "surrogatepass"))
    feet, files = (
        [(one["name"], one["content"].encode("latin-1")) for one in several] for several in (heads, letters)
    )
    keys = kept_keys(one for one in (*feet, *files) if one[0].endswith(BESIDE))
    shown = {file: shown_heads([raw], file, keys) for file, raw in feet if not file.endswith(BESIDE)}
    mailboxes = [raw for file, raw in files if not file.endswith(BESIDE)]
    witness = LetterEvidence(mailboxes, keys) if files else None
    found = audit_letters(
        log_lines(content, name), name, head=head_of(head), shown=shown, witness=witness, strict=strict
    )
    return {"said": "".join(f"{line}\n" for line in found.lines), "status": int(found.failed)}


LETTER_CALLS: Mapping[str, Callable[..., dict[str, Any]]] = MappingProxyType({"letters": letters_audited})
"""What a page can ask about letters, by name."""
