"""Signatures by players' own keys, which their seats need from then on (spec/log.md, "Keys of players")."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from referee.desk.law.admission import Refusals
from referee.desk.law.disclosure import Findings
from referee.desk.log import acts, events
from referee.desk.log.events import LogEvent
from referee.desk.log.log import Came
from referee.desk.log.seals import Promise, digits
from referee.desk.log.signatures import Past, act_text, is_key, key_text, signed
from referee.desk.state.state import State
from referee.errors import Refusal, shown
from referee.game import is_text

NO_KEY = "none"

_SIGNED = (acts.Seal, acts.SealAhead, acts.Reveal, acts.Resign, acts.OfferDraw, acts.Accept, acts.Claim, acts.Abort)
_HOW = "the section 'Signing with your key' of the newest letter has the command"
_SPENT = "this signature has been used already: the same act counts once in a ply"


class Attested(NamedTuple):
    """An act that a player signs: whose it is, the key that it needs, and the words that are signed."""

    side: str
    key: str
    words: str


def attested(state: State, event: LogEvent) -> Attested | None:
    """The signature that an event needs; None if it needs none."""
    if isinstance(event, events.Played):
        keys = state.keyring.keys
        signing = (side for side in event.moves if side in keys and not state.simultaneous)
        return next((Attested(side, keys[side], f"move {event.moves[side]}") for side in signing), None)
    words = "" if isinstance(event, events.Sealed) and event.head != state.begun else _words(event)
    side = getattr(event, "side", "")
    key = event.key if isinstance(event, events.Joined) else state.keyring.keys.get(side)
    return Attested(side, key, words) if words and key is not None else None


def signed_words(act: acts.Act) -> str:
    """The words that a player signs for an act; empty for an act without a signature."""
    match act:
        case acts.MakeMove(text=text):
            return f"move {text}"
        case acts.Accept(word, key) if key:
            return f"accept {key} {word}".rstrip()
        case acts.Withdraw():
            return str(acts.Resign())
        case acts.Claim(""):
            return ""
        case _:
            return str(act) if isinstance(act, _SIGNED) else ""


def signed_text(state: State, side: str, words: str) -> str:
    """The text that a player signs who acts now; before the game, it is about its first ply."""
    return act_text(state.id, past_of(state), state.ply, side, words)


def change_text(state: State, side: str, key: str | None) -> str:
    """The text that the key of a seat signs when another one replaces it."""
    return key_text(state.id, past_of(state).head, side, key)


def past_of(state: State) -> Past:
    """The past that a signature acknowledges; before the game, its first entry twice."""
    return Past(state.root, state.begun or state.root)


def note_of(signature: str) -> str:
    """The digest of a sealed move's signature for the log: SHA-256 of its 64 bytes."""
    return hashlib.sha256(bytes.fromhex(signature)).hexdigest()


def kept(state: State, event: LogEvent, came: Came | None) -> Came | None:
    """The source of an act as the log keeps it: with its signature, or the digest of it, only if it needs one."""
    if came is None or came.signature is None:
        return came
    if attested(state, event) is None:
        return replace(came, signature=None)
    return replace(came, signature=note_of(came.signature)) if isinstance(event, events.Submitted) else came


def expect_signed(state: State, side: str, move: str, came: Came | None) -> None:
    """Raise the refusal of a move to submit that its seat's key has not signed: only a note of it is in the log."""
    key = state.keyring.keys.get(side)
    if key is not None:
        for _, code, message in _act_refusals(state, Attested(side, key, f"move {move}"), came):
            raise Refusal(code, message)


def signature_refusals(state: State, event: LogEvent, came: Came | None) -> Refusals:
    """Faults of the keys and signatures of an event."""
    match event:
        case events.Joined(key=key) | events.Replaced(key=key) if key is not None and not is_key(key):
            yield "key", "key", f"this is not a public key: {shown(key)}"
            return
        case events.Opened(keys=keys) if keys != state.keyring.keys:
            yield "key", "key", "these are not the keys of those who have joined"
        case events.Keyed():
            yield from _change(state, event, came)
        case events.Replaced(side=side, key=key, old=old):
            yield from _old(state, side, key, old, command(state, side))
        case events.Noted():
            yield from _note(state, event)
        case events.Closed():
            yield from _notes(state, event)
    act, said = attested(state, event), came.signature if came else None
    if act is None:
        if said is not None:
            yield "signature", "signature", "this needs no signature, so it has none"
    elif not isinstance(event, events.Submitted):
        yield from _act_refusals(state, act, came)
    elif said is None or digits(said) != said:
        yield "signature", "unsigned", "a submitted move of a seat with a key has the SHA-256 of its signature"


def early_findings(event: LogEvent, came: Came | None) -> Findings:
    """Faults of a log whose first event already has keys or signatures of players."""
    if isinstance(event, events.Opened) and event.keys:
        yield "key", "the host opened this game, so no seat has a key yet"
    if came is not None and came.signature is not None:
        yield "signature", "this needs no signature, so it has none"


def _words(event: LogEvent) -> str:
    """The signed words of an act's event; empty for what needs no signature."""
    match event:
        case events.Submitted():
            return "move"
        case events.Sealed(commitment=commitment):
            return f"seal {commitment}"
        case events.SealedAhead(due=ply, commitment=commitment):
            return f"seal {ply} {commitment}"
        case events.Revealed(move=move, nonce=nonce) | events.Failed(move=move, nonce=nonce):
            return f"reveal {move} {nonce}"
        case events.Resigned():
            return "resign"
        case events.Offered():
            return "offer draw"
        case events.Accepted():
            return "accept"
        case events.Claimed(what=what):
            return f"claim {what}"
        case events.Aborted():
            return "abort"
        case events.Joined(key=str(key), word=word):
            return f"accept {key} {word}".rstrip()
        case _:
            return ""


def _act_refusals(state: State, act: Attested, came: Came | None) -> Refusals:
    text = signed_text(state, act.side, act.words)
    yield from _unsigned(state, act, text, came.signature if came else None, f"this; {_HOW}")


def _unsigned(state: State, act: Attested, text: str, said: str | None, needed: str) -> Refusals:
    """Faults of the signature of a text; `needed` tells the player what to sign, and how."""
    if said is None:
        yield "signature", "unsigned", f"the key of {act.side} has to sign {needed}"
    elif not signed(act.key, text, said):
        wrong = f"with the key of {act.side} this ply, '{act.words}' has another signature; {_HOW}"
        yield "signature", "signature", wrong
    elif said in state.keyring.spent:
        yield "signature", "signature", _SPENT


def command(state: State, side: str) -> str:
    """The command that signs an act, on one line."""
    return " ".join(map(str.strip, command_lines(state, side)))


def command_lines(state: State, side: str, verb: str = "sign") -> Iterator[str]:
    """The parts of that command, or of one to seal, none of them too long for a letter."""
    past = past_of(state)
    yield f"referee {verb} --rules '{state.protocol}' {state.id} {state.ply} {side}"
    yield f"  --opening {past.opening}"
    yield f"  --head {past.head}"


def _change(state: State, event: events.Keyed, came: Came | None) -> Refusals:
    side, key = event.side, event.key
    if key is not None and not is_key(key):
        yield "key", "key", f"this is not a public key: {shown(key)}"
        return
    if key == state.keyring.keys.get(side):
        code, had = ("no-key", "no key") if key is None else ("key", "this key")
        yield "key", code, f"{side} has {had} already"
        return
    if first := side not in state.keyring.keys:
        if came is None or event.old is not None:
            message = "the first key of a seat comes in a letter of its player, without a signature"
            yield "signature", "signature", message
    elif came is not None:
        yield from _old(state, side, key, event.old, _HOW)
    elif key is not None or event.old is not None or not event.reason:
        yield "signature", "unsigned", "the host can only take a key away, and has to give a reason"
    elif not is_text(event.reason):
        yield "text", "reason", f"a reason is a line of text, not {shown(event.reason)}"
    if event.reason and (first or came is not None):
        yield "text", "reason", "only the host gives a reason"


def _old(state: State, side: str, key: str | None, old: str | None, how: str) -> Refusals:
    """Faults of the signature that replaces a seat's key; `how` tells the player how to sign."""
    now = state.keyring.keys.get(side)
    if now is not None:
        act = Attested(side, now, f"key {key or NO_KEY}")
        yield from _unsigned(state, act, change_text(state, side, key), old, f"'{act.words}'; {how}")
    elif old is not None:
        yield "signature", "signature", f"{side} has no key, so there is nothing to sign with"


def _note(state: State, event: events.Noted) -> Refusals:
    side, first = event.side, next(iter(state.keyring.unnoted), None)
    if side != first:
        yield "order", "order", "the signatures are revealed in the order of the sides"
        return
    if not _is_noted(state, state.keyring.unnoted[side], side, state.plies[-1][side], event.signature):
        yield "signature", "signature", f"this is not the signature of {side}'s move that was promised"


def _notes(state: State, event: events.Closed) -> Refusals:
    """Faults of the end's signatures: exactly those of the moves that were signed and never made."""
    sealed = {side: seal for side, seal in state.seals.items() if seal.noted}
    if (event.notes or {}).keys() != sealed.keys() or event.notes == {}:
        message = "the end reveals the signature of each signed move that was not made, and no other"
        yield "signature", "signature", message
        return
    for side, seal in sealed.items():
        move = event.unplayed.get(side, {}).get("move", "")
        if event.notes is not None and not _is_noted(state, seal, side, move, event.notes[side]):
            yield "signature", "signature", f"this is not the signature of {side}'s move that was promised"


def _is_noted(state: State, seal: Promise, side: str, move: str, signature: str) -> bool:
    """True if a submitted move promised this signature; `played` has already begun the next ply."""
    made = side in state.keyring.unnoted
    ply = len(state.plies) if made else state.ply
    past = Past(state.root, state.begins[-1] if made else state.begun)
    text = act_text(state.id, past, ply, side, f"move {move}")
    assert seal.key is not None
    return signed(seal.key, text, signature) and note_of(signature) == seal.note
