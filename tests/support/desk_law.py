"""A check that the desk's own law could have written a log: the law must produce each entry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import takewhile
from typing import Any
from unittest.mock import patch

from referee.desk import (
    Act,
    By,
    Context,
    Entry,
    LogEvent,
    Order,
    Progress,
    Proposal,
    Secrets,
    State,
    Terms,
    acts,
    digits,
    events,
    progress,
    read_time,
    sealed_name,
    set_up,
)
from referee.desk.law import plans
from referee.desk.log.secrets import (
    CHANCE,
    MAILBOXES,
    Chance,
    addresses_name,
    engine_seed_name,
    plan_name,
    signature_name,
)
from referee.desk.play import decisions
from referee.desk.play.progress import enter, move_engine
from referee.desk.play.proposals import propose
from referee.errors import RefereeError
from referee.game import GameFile
from referee.notation.plans import Plan, judge
from referee.rules import Position, game_named
from referee.rules.description import Secret
from tests.support.desks import MAILBOX, Join, Request, carry_out, submit
from tests.support.logs import fold_log, letter

BLIND = "a seed that is not told yet"


def known_later(entries: Sequence[Entry], since: int = 0) -> dict[str, str]:
    """The secrets that the desk must have had at an entry, as far as the log reveals them before it is reopened."""
    closings = sum(isinstance(entry.event, events.Closed) for entry in entries[:since])
    secrets = {MAILBOXES: MAILBOX, **{addresses_name(number): "ab" * 32 for number in (closings, closings + 1)}}
    ply = 1 + sum(isinstance(entry.event, events.Played) for entry in entries[:since])
    for entry in entries[since:]:
        match entry.event:
            case events.Reopened() if entry.number > since:
                break
            case events.Played(moves=moves, nonces=nonces):
                secrets |= {sealed_name(ply, side): f"{moves[side]} {nonce}" for side, nonce in nonces.items()}
                ply += 1
            case events.Disclosed(side=side, seed=seed):
                secrets[engine_seed_name(side)] = seed
            case events.Noted(ply=noted, side=side, signature=signature):
                secrets[signature_name(noted, side)] = signature
            case events.Closed(unplayed=unplayed, secret=secret, notes=notes, addresses=addresses):
                if addresses is not None:
                    secrets[MAILBOXES] = " ".join(addresses["mailboxes"])
                    secrets[addresses_name(closings)] = " ".join(addresses["secrets"])
                secrets |= {signature_name(ply, side): signature for side, signature in (notes or {}).items()}
                for side, one in unplayed.items():
                    secrets[sealed_name(ply, side)] = f"{one['move']} {one['nonce']}"
                if secret is not None:
                    secrets[CHANCE] = secret
    return secrets


def unwritten(entries: Sequence[Entry]) -> str | None:
    """The reason why the law cannot have written these entries; None if it can."""
    game = fold_log(entries).game
    with _plans_not_told_yet(entries):
        return _with_secrets(game, entries)


def _with_secrets(game: str, entries: Sequence[Entry]) -> str | None:
    secrets = known_later(entries)
    closed = any(isinstance(entry.event, events.Closed) for entry in entries)
    if game_named(game).secret is None or closed:
        return _unwritten(entries, secrets)
    with _not_told_yet(game, fold_log(entries).options):
        return _unwritten(entries, {**secrets, CHANCE: BLIND}) and _unwritten(entries, secrets)


@contextmanager
def _not_told_yet(game: str, told: Mapping[str, Any]) -> Iterator[None]:
    """While a game runs: a secret that deals what the log reveals, and blank cards after that."""
    description = game_named(game)
    before = description.secret
    deal = told.get("deal", {})

    def known(options: Mapping[str, Any], secret: str, position: Position | None) -> Mapping[str, Any]:
        rounds: Any = position.facts()["round"] if position is not None else 1
        decks = [[*deck, *[0] * rounds][:rounds] for deck in deal["decks"]]
        return {"deal": {"commitment": deal["commitment"], "discs": deal["discs"], "decks": decks}}

    if before is None or "commitment" not in deal or "decks" not in deal or "seed" in deal:
        yield
        return
    object.__setattr__(description, "secret", Secret(before.draw, known, before.fits, before.needed))
    try:
        yield
    finally:
        object.__setattr__(description, "secret", before)


@contextmanager
def _plans_not_told_yet(entries: Sequence[Entry]) -> Iterator[None]:
    """While a game runs: plans that give what the log says."""
    gives, gave, told = plans.gives_move, plans.planned_move, _plans(entries)

    def is_told(state: State, side: str) -> bool:
        number = max(number for number, one in enumerate(state.deposits) if one.side == side)
        return plan_name(number, side) in told

    def gives_move(state: State, side: str, secrets: Secrets) -> bool:
        if is_told(state, side):
            return gives(state, side, secrets)
        return any(isinstance(one.event, events.Followed) for one in entries[state.number + 1 :][:1])

    def planned_move(state: State, side: str, secrets: Secrets) -> tuple[str, str]:
        if is_told(state, side):
            return gave(state, side, secrets)
        if isinstance(event := entries[state.number + 1].event, events.Played):
            return event.moves[side], ""
        return _sealed(state, side, secrets)

    def judged(plan: Plan, position: Position, side: str) -> None:
        if any(kept.split(" ", 1)[1] == str(plan) for kept in told.values()):
            judge(plan, position, side)

    with ExitStack() as patched:
        patched.enter_context(patch.object(decisions, "judge", judged))
        patched.enter_context(patch.object(plans, "gives_move", gives_move))
        for module in (plans, progress):
            patched.enter_context(patch.object(module, "planned_move", planned_move))
        yield


def _plans(entries: Sequence[Entry]) -> dict[str, str]:
    """The plans that the log publishes, as the desk kept them."""
    published = (one.event for one in entries if isinstance(one.event, events.Published))
    return {plan_name(number, one.side): f"{one.nonce} {one.plan}" for number, one in enumerate(published)}


def _unwritten(entries: Sequence[Entry], secrets: Mapping[str, str]) -> str | None:
    try:
        state, done = _opened(entries, secrets)
    except RefereeError as error:
        return f"it could not be opened so: {error}"
    while done < len(entries):
        entry = entries[done]
        try:
            kept = {name: value for name, value in secrets.items() if name.startswith((CHANCE, engine_seed_name("")))}
            known = {**kept, **_kept_plans(state), **_plans(entries), **known_later(entries, done)}
            made = _made(state, entry, known)
        except RefereeError as error:
            return f"entry {done}: {error}"
        there = entries[done : done + len(made)]
        same = len(made) == len(there) and all(
            _public(one) == _public(_unopened(kept, one, state, known)) for one, kept in zip(made, there, strict=True)
        )
        if not made or not same:
            return f"entry {done}: {entry.event} at {entry.at} is not {[one.as_line() for one in made]}"
        for one in there:
            state = state.after(one)
        done += len(made)
    return None


def _public(entry: Entry) -> tuple[Any, ...]:
    return entry.number, entry.at, entry.event


def _unopened(there: Entry, made: Entry, before: State, secrets: Secrets) -> Entry:
    """An entry, but with the promise of the entry that the law makes where nothing opens its own."""
    match there.event, made.event:
        case events.Submitted(ply=ply, side=side), events.Submitted(commitment=promise):
            hidden = sealed_name(ply, side) not in secrets
        case events.Planned(commitment=str()), events.Planned(commitment=str() as promise):
            hidden = plan_name(len(before.deposits), there.event.side) not in secrets
        case _:
            return there
    return replace(there, event=replace(there.event, commitment=promise)) if hidden else there


def _opened(entries: Sequence[Entry], secrets: Mapping[str, str]) -> tuple[State, int]:
    """The state after the entries of the opening, and their number."""
    first = entries[0]
    if isinstance(first.event, events.Invited):
        return _invited(entries, secrets)
    assert isinstance(first.event, events.Opened)
    state, number = State.start(first), 1
    for entry in entries[1:]:
        event = entry.event
        if not isinstance(event, events.Played) or not state.simultaneous or event.nonces:
            break
        state, number = state.after(entry), number + 1
    terms = None if first.event.clock is None else Terms.read(first.event.clock)
    if engines := _engines(entries[1:]):
        number = 1 + len(engines)
        state = fold_log(entries[:number])
    try:
        begun = set_up(
            first.game,
            state.as_file(),
            first.at,
            terms=terms,
            secret=secrets.get(CHANCE),
            desk=first.event.desk,
            engines={side: one.level for side, one in engines.items()},
            chance=_seeds(secrets),
        )
    except RefereeError as error:
        if error.code == "secret-missing" and (not _promised(first.event) or not fold_log(entries).position.to_move):
            return State.start(first), 1  # as the desk could do it before it asked for the secret
        raise
    made = [*begun.entries]
    if engines and _as_told(made, entries) and {one.at for one in entries[:number]} == {first.at}:
        return state, number
    if made != [*entries[:number]]:
        raise RefereeError("opened", f"{[one.as_line() for one in made]} would be the beginning")
    return state, number


def _engines(entries: Iterable[Entry]) -> dict[str, events.Engaged]:
    """The engines that take seats with the first of these entries, by side."""
    taken = takewhile(lambda entry: isinstance(entry.event, events.Engaged), entries)
    return {entry.event.side: entry.event for entry in taken if isinstance(entry.event, events.Engaged)}


def _seeds(secrets: Mapping[str, str], secret: str = "") -> Chance:
    """Lots of a desk that give engines their revealed seeds; other seeds are made up, and so is a secret."""

    def drawn(name: str) -> bytes:
        _, _, *side = name.split("/")
        told = secrets.get(engine_seed_name(side[0])) if side else secret
        return bytes.fromhex(told or "00" * 32)

    return drawn


def _as_told(made: Sequence[Entry], entries: Sequence[Entry]) -> bool:
    """True if a desk makes these entries, apart from names of engines, their version and unrevealed seeds."""
    return len(made) <= len(entries) and all(
        _told(one.event, there.event) == there.event for one, there in zip(made, entries, strict=False)
    )


def _told(made: LogEvent, there: LogEvent) -> LogEvent:
    match made, there:
        case events.Opened(), events.Opened(players=players) if made.players.keys() == players.keys():
            return replace(made, players=players)
        case events.Invited(), events.Invited(seats=seats, secret=secret) if made.seats.keys() == seats.keys():
            return replace(made, seats=seats, secret=secret)
        case events.Engaged(), events.Engaged(version=version, seed=seed):
            return replace(made, version=version, seed=seed)
        case _:
            return made


def _invited(entries: Sequence[Entry], secrets: Mapping[str, str]) -> tuple[State, int]:
    """The state after the entries of a proposal, and their number."""
    first, event = entries[0], entries[0].event
    assert isinstance(event, events.Invited)
    terms = None if event.clock is None else Terms.read(event.clock)
    file = GameFile(event.game, rules=event.rules, event=event.title, options=event.options)
    engines = _engines(entries[1 if event.by is None else 2 :])
    levels = {side: one.level for side, one in engines.items()}
    proposal = Proposal(file, event.seats, read_time(event.until), event.by, terms, event.of, levels)
    joined = entries[1].event if event.by is not None else None
    word = joined.word if isinstance(joined, events.Joined) else ""
    told = digits(secrets.get(CHANCE, ""))
    begun = propose(
        first.game,
        proposal,
        first.at,
        addresses={},
        chance=_seeds(secrets, told or ""),
        word=word,
        came=first.came,
        desk=event.desk,
    )
    number, first_made = len(begun.entries), begun.entries[0].event
    assert isinstance(first_made, events.Invited)
    proposed = replace(first_made, seats=event.seats)
    right = proposed == event if told else True
    at_once = all(one.at == first.at for one in entries[:number])
    if not (right and at_once and _as_told(begun.entries, entries)):
        raise RefereeError("invited", f"{[one.as_line() for one in begun.entries]} would be the beginning")
    return fold_log(entries[:number]), number


def _promised(event: events.Opened) -> bool:
    """True if only the desk knew the rest of a deal."""
    deal = event.options["deal"]
    return "commitment" in deal and len(deal.get("decks", [[]])[0]) == 1


def _made(state: State, entry: Entry, secrets: Mapping[str, str]) -> list[Entry]:
    """The entry of the law for the request behind an entry; a commitment that nothing opens stays."""
    event, nonce = entry.event, bytes(32)
    request: Request
    # Where the log names no letter, it is none that the log names elsewhere.
    came = entry.came or letter(f"entry {entry.number}", entry.at)
    if isinstance(event, events.Rekeyed):  # the private key is unknown here; its signature shows that the desk has it
        return [*enter(Progress(state, state), [event], entry.at).entries]
    if isinstance(event, events.Submitted):
        move, told = _sealed(state, event.side, secrets)
        nonce, request = bytes.fromhex(told), submit(event.side, move)
        said = secrets.get(signature_name(event.ply, event.side))
        if sealed_name(event.ply, event.side) not in secrets:  # the signature is not known yet
            keys = {side: key for side, key in state.keyring.keys.items() if side != event.side}
            state = replace(state, keyring=replace(state.keyring, keys=keys))
    elif isinstance(event, events.Planned) and event.commitment is not None:
        name = plan_name(len(state.deposits), event.side)
        told, text = secrets.get(name, f"{'00' * 32} {_any_plan(state)}").split(" ", 1)
        owes = event.side in state.position.to_move - state.seals.keys()
        first = acts.MakeMove(_sealed(state, event.side, secrets)[0]) if owes else None
        nonce, request, said = bytes.fromhex(told), (By(event.side), acts.Plan(text, first)), None
    else:
        request, said = _request(state, entry), entry.came.signature if entry.came else None
        said = event.old if isinstance(event, events.Keyed) else said
    if isinstance(request, tuple) and isinstance(request[1], Act) and said is not None:
        request = request[0], acts.SignedAct(request[1], said)
    match request:
        case (By(side=side), acts.MakeMove(text=move)) if side in state.engine_sides:
            done = move_engine(Context(state, entry.at, secrets, lambda *_: nonce), side, move)
        case _:
            done = carry_out(state, [request], entry.at, secrets, lambda *_: nonce, came)
    return [*done.entries]


def _sealed(state: State, side: str, secrets: Secrets) -> tuple[str, str]:
    """The move that a side sealed in this ply and its nonce, as far as the log tells; else any."""
    kept = secrets.get(sealed_name(state.ply, side), f"{_any_move(state, side)} {'00' * 32}")
    move, nonce = kept.rsplit(" ", 1)
    return move, nonce


def _any_move(state: State, side: str) -> str:
    return next((str(move) for move in state.position.legal_moves(side)), "")


def _kept_plans(state: State) -> dict[str, str]:
    """Plans that the desk may have kept; none is the one that is left next."""
    made = _any_plan(state) if state.deposits else ""
    return {plan_name(number, one.side): f"{'00' * 32} {made}\n  {made}" for number, one in enumerate(state.deposits)}


def _any_plan(state: State) -> str:
    return (
        f"any then {next(str(move) for side in state.position.to_move for move in state.position.legal_moves(side))}"
    )


def _request(state: State, entry: Entry) -> tuple[By, Act] | Order | Join:
    """The request that leads to an event."""
    event = entry.event
    if isinstance(event, events.Keyed) and entry.came is None:
        return acts.DropKey(event.side, event.reason)
    if isinstance(event, events.Joined) and state.origin is not None and state.origin.seats[event.side] is None:
        return Join(event.side, event.name, event.word)
    if (said := _act(event)) is None:
        return _order(event)
    side, act = said
    return By(side), act


def _act(event: LogEvent) -> tuple[str, Act] | None:
    match event:
        case events.Played(moves=moves):
            side, move = next(iter(moves.items()))
            return side, acts.MakeMove(move)
        case events.Sealed(side=side, commitment=commitment):
            return side, acts.Seal(commitment)
        case events.SealedAhead(side=side, due=ply, commitment=commitment):
            return side, acts.SealAhead(ply, commitment)
        case events.Planned(side=side):
            return side, acts.Plan()
        case events.Revealed(side=side, move=move, nonce=nonce) | events.Failed(side=side, move=move, nonce=nonce):
            return side, acts.Reveal(move, nonce)
        case events.Joined(side=side, word=word, key=key):
            return side, acts.Accept(word, key or "")
        case events.Keyed(side=side, key=key):
            return side, acts.UseKey(key or "")
        case events.Refused(side=side, never=never):
            return side, acts.Never() if never else acts.Decline()
        case events.Left(side=side):
            return side, acts.Withdraw()
        case events.Gave(side=side, to=to, hours=hours):
            return side, acts.Give(hours, to)
        case events.Aborted(side=side):
            return side, acts.Abort()
        case events.Offered(side=side):
            return side, acts.OfferDraw()
        case events.Accepted(side=side):
            return side, acts.Accept()
        case events.Declined(side=side):
            return side, acts.Decline()
        case events.Resigned(side=side):
            return side, acts.Resign()
        case events.Claimed(side=side, what=what):
            return side, acts.Claim(what)
        case events.MessageSent(side=side, text=text):
            return side, acts.Message(text)
        case events.VacationTaken(side=side, first=first, last=last):
            return side, acts.Vacation(f"{first} {last}")
        case _:
            return None


def _order(event: LogEvent) -> Order:
    match event:
        case events.Extended(side=side, hours=hours):
            return acts.Extend(hours, side)
        case events.Paused(reason=reason):
            return acts.Pause(reason)
        case events.Resumed():
            return acts.Resume()
        case events.Adjudicated(by=by, reason=reason):
            return acts.Adjudicate(by, reason)
        case events.Replaced(side=side, name=name, key=key, old=old):
            return acts.Replace(side, name, key=key, old=old)
        case events.Closed(how="abandoned"):
            return acts.Close()
        case events.Reopened(reason=reason):
            return acts.Reopen(reason)
        case _:
            return acts.Tick()
