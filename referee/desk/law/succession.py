"""A desk's signing keys: their start in a log, and their replacement."""

from __future__ import annotations

from referee.desk.law.disclosure import Findings
from referee.desk.log import events
from referee.desk.log.signatures import Signer, is_key, key_text, signed
from referee.desk.state.state import State
from referee.errors import shown
from referee.game import is_text

_DESK = "desk"
"""The name under which a desk's own key changes."""

_LOST = "the desk no longer has the key before this one"


def change_findings(state: State, event: events.Rekeyed) -> Findings:
    """Faults of a change of the desk's key: the one in force signs the next, or the host gives a reason."""
    if event.desk == state.desk:
        yield "key", "this key is in force already"
    elif event.desk is not None and not is_key(event.desk):
        yield "key", f"{shown(event.desk)} is not a public key"
    if event.reason and not is_text(event.reason):
        yield "text", f"a reason is a line of text, not {shown(event.reason)}"
    if event.old is None:
        if state.desk is not None and not event.reason:
            yield "signature", "the key in force signs the next one, or the host gives a reason why it cannot"
    elif state.desk is None or not signed(state.desk, key_text(state.id, state.head, _DESK, event.desk), event.old):
        yield "signature", "this is not the signature of the key in force"


def change(state: State, key: str | None, former: Signer, reason: str) -> events.Rekeyed:
    """The event of a new key of a desk; the former one signs it, if it is the one in force."""
    if former.public == state.desk:
        return events.Rekeyed(key, former.sign(key_text(state.id, state.head, _DESK, key)), reason)
    return events.Rekeyed(key, None, reason or (_LOST if state.desk else ""))
