"""Games arranged by letter: openings, seats taken, rematches, and requests for all games of a player.

A letter is handled in one transaction. The id of a new game follows from the letter that asks for it, so handling the
letter again opens nothing twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from itertools import chain

from referee.desk import (
    Accept,
    BrokenGameError,
    By,
    Change,
    Held,
    Invitation,
    Outgoing,
    Preference,
    Progress,
    Proposal,
    State,
    StoreError,
    Table,
    Terms,
    progress,
    write_time,
)
from referee.desk.law.engine_seats import engine_names
from referee.desk.log.terms import zone_named
from referee.desk.records import Work
from referee.errors import PackageFault, RefereeError, Refusal
from referee.game import GameFile
from referee.mail.addresses import person, small
from referee.mail.handlers import permission
from referee.mail.handlers.arrival import Arrival, has_acted, letter_secrets, signers_of
from referee.mail.handlers.lots import drawn_id, lot, rematch_id
from referee.mail.handlers.names import name_of_invited
from referee.mail.handlers.notifications import notifications
from referee.mail.handlers.petitions import petition_of
from referee.mail.handlers.replies import done_text
from referee.mail.handlers.responses import Call, answers, example, not_done, own_letter, question, say
from referee.mail.intake.requests import ForAll, ForgetBrowsers, Join, NewGame, Rematch, Request
from referee.mail.letters.agenda import waiting_games
from referee.mail.letters.format.blocks import Block, BulletList, Paragraph
from referee.mail.letters.format.language import moment, phrase
from referee.mail.letters.format.text import quote
from referee.mail.letters.story.status import conditions, engine_lines
from referee.mail.office import ABOUT_NO_GAME, sides_of
from referee.rules import game_named
from referee.rules.description import FLIP
from referee.terminal import join_words

_Plan = tuple[str | None, Work]
"""The game that a petition changes, or None, and the work to do."""


def arrange(arrival: Arrival) -> bool:
    """Handle a letter that asks for a game; False if it does not, or if its sender may ask for nothing."""
    petition, office = petition_of(arrival), arrival.office
    if petition is None:
        return False
    call = Call(office, petition, arrival.came, arrival.at)
    request = petition.request
    proven = petition.returned if isinstance(request, ForAll) and _plays(call) else petition.asker.proven
    if isinstance(request, ForAll) and not (petition.asker.seated or petition.returned or _plays(call)):
        return False
    if not isinstance(request, ForAll | ForgetBrowsers) and not permission.may_open(
        office, petition.asker, vouched=petition.letter.vouched
    ):
        unsigned = permission.may_open(office, petition.asker, vouched=True)
        if not (petition.asker.seated or petition.returned or unsigned):
            return False
        sentence = "not-allowed-unsigned" if unsigned else "not-allowed"
        game, work = _answer(call, not_done("not-allowed", say(sentence)))
    elif not proven:
        if permission.is_barred(office, petition.asker.address):
            return False
        game, work = None, partial(_asked, call, request)
    else:
        game, work = _plan(call, request)
    whole = partial(_finished, call, work, proven)
    office.desk.games.handle(arrival.stored, game, arrival.at, lambda held: arrival.once(whole(held)))
    return True


def _asked(call: Call, request: Request | None, _: Held) -> Change:
    """Ask the sender to confirm the letter, or refer to the question that they have not answered."""
    office, address = call.office, call.petition.asker.address
    if permission.may_ask(office, address, call.at):
        return Change(letters=(question(call, request),), note="asked back")
    if asked := permission.asked_at(office, address, call.at):
        return _answered(call, [Paragraph(say("asked", asked=moment(asked), word=quote(Accept())))])
    return _answered(call, [Paragraph(say("ask-no-more"))])


def _finished(call: Call, work: Work, signed: bool, held: Held) -> Change:
    """The change of a petition, which is stored only while the limits are as they were; or the refusal.

    If `signed`, it has the keys that signed the letter. A sender who has confirmed it may be asked again.
    """
    office, petition = call.office, call.petition
    ticket = office.desk.games.ticket()
    try:
        change = work(held)
    except (StoreError, BrokenGameError):
        raise
    except (RefereeError, PackageFault) as error:
        change = _answered(call, not_done(error.code, error.message))
    answered = Preference(small(petition.asker.address), permission.CONFIRMED, write_time(call.at))
    return replace(
        change,
        ticket=ticket if change.letters else None,
        preferences=(*change.preferences, answered) if petition.answers_question else change.preferences,
        signers=signers_of(office, petition.original) if signed else (),
    )


def _plan(call: Call, request: Request | None) -> _Plan:
    """The plan for a request, or for its refusal."""
    try:
        match request:
            case NewGame():
                return _open(call, request)
            case Join():
                return _join(call, request)
            case Rematch():
                return _rematch(call)
            case ForAll():
                return _for_all(call, request)
            case ForgetBrowsers():
                address = small(call.petition.asker.address)
                number = len(call.office.desk.people.browsers(address, call.at))
                told = phrase("pairing.forgotten", number=number) if number else phrase("pairing.no-browsers")
                change = _answered(call, [Paragraph(told)], owed=number > 0, note="forget-browsers")
                return None, lambda _: replace(change, unpaired=address)
            case None:
                refusals = (not_done(one.code, one.message) for one in call.petition.reading.questions)
                return _answer(call, [*chain.from_iterable(refusals)])
    except (StoreError, BrokenGameError):
        raise
    except (RefereeError, PackageFault) as error:
        return _answer(call, not_done(error.code, error.message))


def _open(call: Call, opening: NewGame) -> _Plan:
    """Propose a game: invite the named players, and leave the other seats open."""
    office, asker = call.office, call.petition.asker
    if opening.faults:
        told = not_done("unclear-opening", *opening.faults)
        return _answer(call, [*told, Paragraph(say("example", line=quote(example(call))))])
    game, source = game_named(opening.game), f"{small(asker.address)}/{call.petition.word}"
    sides = game.sides
    by = opening.side or lot(office, f"side/{source}", sides)
    seats: dict[str, str | None] = dict.fromkeys(sides)
    addresses = {by: asker.address}
    for side, address in zip((side for side in sides if side != by), opening.rivals, strict=False):
        seats[side], addresses[side] = name_of_invited(office, address), address
    seats[by] = asker.name
    engines = dict(zip((side for side in sides if seats[side] is None), opening.engines, strict=False))
    options = {
        name: lot(office, f"{name}/{source}", sides) if value == FLIP else value
        for name, value in opening.options.items()
    }
    terms = None if opening.terms is None else Terms.read({**office.settings.clock, **opening.terms})
    file = GameFile(opening.game, options=options)
    proposal = Proposal(file, {**seats, **engine_names(engines)}, call.until, by, terms, engines=engines)
    said = [] if opening.side else [say("lot", side=by)]
    said += conditions(game, options, terms, alone=len(engines) + 1 == len(sides))
    return _invite(call, drawn_id(office, opening.game, source, call.petition.word), proposal, addresses, said)


def _rematch(call: Call) -> _Plan:
    """Propose a rematch, or accept the one that the other player has proposed."""
    office, petition = call.office, call.petition
    if petition.game is None or petition.side is None:
        raise Refusal("no-game", say("no-game"))
    table = office.desk.table(petition.game)
    waits = table.state.invitation if table.state.closed is None else None
    if waits and waits.of and petition.side in waits.missing:  # another player has proposed this rematch
        return petition.game, partial(_accepted, call, side=petition.side)
    proposal, addresses = table.rematch(petition.side, call.until)
    name = rematch_id(office, proposal.game.game, table.state.head, petition.word)
    known = office.desk.games.held(name).state
    if known is None:
        return _invite(call, name, proposal, addresses, [])
    if known.invitation is None or proposal.by not in known.invitation.missing:
        raise Refusal("game-id", say("open", game=name))
    return name, partial(_accepted, call, side=proposal.by)


def _accepted(call: Call, held: Held, side: str) -> Change:
    """Take the seat in a rematch that the other player has proposed."""
    result = call.office.desk.table_of(held).act(By(side), [Accept(call.petition.word)], call.came, came=call.how)
    told = [BulletList(tuple(_results(result)))]
    return _told(call, result, side, told) if result.entries else _answered(call, told)


def _invite(call: Call, name: str, proposal: Proposal, addresses: Mapping[str, str], said: Sequence[str]) -> _Plan:
    """Propose a game under an id; send invitations to the other players, and an answer to the proposer."""
    office, asker, by = call.office, call.petition.asker, proposal.by
    assert by is not None

    def work(held: Held) -> Change:
        if held.state is not None:
            return _answered(call, [BulletList((say("open", game=name),))])
        invited = [address for side, address in addresses.items() if side != by]
        for at, address in enumerate(invited):
            if person(address) == person(asker.address):
                raise Refusal("own-address", say("own-address", address=address))
            if person(address) in map(person, invited[:at]) or not permission.may_invite(office, address):
                raise Refusal("not-invited", say("not-invited", address=address))
        permission.expect_within_limits(office, asker, tuple(invited), call.came)
        permission.expect_engines_free(office, asker.address, proposal.engines)
        result = office.desk.propose(
            name, proposal, call.came, addresses=addresses, word=call.petition.word, came=call.how
        )
        told = [BulletList((*said, *_what_follows(call, name, proposal, addresses)))]
        own = own_letter(call, result, by, told)
        # Counted for the person who asked.
        kind = permission.opening_kind(office, permission.INVITATION, asker.address)
        invitations = (replace(one, kind=kind) for one in notifications(office, result, call.came, but=by))
        return Change(result.entries, result.secrets, (*invitations, own), f"opened {name}")

    return name, work


def _what_follows(call: Call, name: str, proposal: Proposal, addresses: Mapping[str, str]) -> Iterator[str]:
    zone = proposal.terms.zone if proposal.terms else "UTC"
    until = moment(call.until.astimezone(zone_named(zone)))
    invited = [address for side, address in addresses.items() if side != proposal.by]
    if invited:
        yield say("invited", names=join_words(invited), until=until)
    yield from engine_lines(game_named(proposal.game.game), proposal.engines)
    if free := sum(seat is None for seat in proposal.seats.values()):
        if len(proposal.seats) > 2:
            title = game_named(proposal.game.game).title
            yield say("seats-open", title=title, players=len(proposal.seats), number=free)
        yield say("waits", until=until, line=quote(Join(name)), address=call.office.settings.address)


def _join(call: Call, join: Join) -> _Plan:
    office, asker = call.office, call.petition.asker
    state = office.desk.games.held(join.game).state
    if state is None or state.closed or state.invitation is None or not state.invitation.open:
        waiting = [quote(Join(one.id)) for one in waiting_games(office) if one.game == join.game]
        sentence = "no-seat-of-game" if waiting else "no-seat"
        raise Refusal("no-seat", say(sentence, game=join.game, lines=join_words(waiting, "or")))

    def work(held: Held) -> Change:
        permission.expect_within_limits(office, asker, (), call.came)
        table = office.desk.table_of(held)
        invitation = table.state.invitation
        if invitation is not None and _has_seat(table, invitation, asker.address):
            raise Refusal("own-game", say("own-game", game=join.game))
        if invitation is None or not invitation.open:
            raise Refusal("no-seat", say("no-seat", game=join.game))
        side = next(side for side in table.state.position.sides if side in invitation.open)
        name, address, word = asker.name, asker.address, call.petition.word
        result = progress.done(table.join(side, name, address, call.came, word=word, came=call.how))
        return _told(call, result, side, [BulletList((say("joined", side=side, game=join.game),))])

    return join.game, work


def _has_seat(table: Table, invitation: Invitation, address: str) -> bool:
    """True if a seat of a game that has not begun has a player who has not given it up."""
    taken = (side for side in table.state.position.sides if side not in invitation.open)
    return any(person(table.address(side)) == person(address) for side in taken)


def _for_all(call: Call, request: ForAll) -> _Plan:
    """Carry out a request in all games of a player, each in a transaction of its own.

    Repeating it after a crash changes nothing in games where it was done. The player gets one answer about all
    of them, and the last letter of each game that it ends.
    """
    office, address = call.office, small(call.petition.asker.address)
    original = call.petition.original
    tables = map(office.desk.table, office.desk.catalogue.all_games_of(address))
    if any(has_acted(table.secrets, side, original) for table in tables for side in table.state.position.sides):
        return _answer(call, [Paragraph(phrase("done.copied"))], note="its copy has acted")
    done = office.desk.catalogue.games_changed_by(original.digest, address)
    said: list[str] = []
    changed = False
    for name in sorted({*office.desk.catalogue.games_of(address), *done}):
        table = office.desk.table(name)
        if table.state.closed is not None and name not in done:
            continue
        for side in sides_of(table, address):
            result = _done_before(call, table, side, request) or _act(call, name, side, request)
            if not result.entries:  # another worker may have come first with the same letter
                result = _done_before(call, office.desk.table(name), side, request) or result
            said += _results(result)
            changed = changed or not all(one.refused or one.repeated for one in result.answers)
    if not said:
        raise Refusal("no-games", say("no-games"))
    told = (Paragraph(say("in-games")), BulletList(tuple(said)))
    seat = call.petition.side
    again = call.petition.confirms and permission.asked_at(office, address, call.at) is None  # confirmed before
    return _answer(call, told, owed=changed and not again, note=f"{seat}: {request.word}" if seat else request.word)


def _act(call: Call, name: str, side: str, request: ForAll) -> Progress:
    """Carry out the request in one game; the side that asks gets a letter only if the game ends."""

    def writer(result: Progress) -> tuple[Outgoing, ...]:
        return notifications(call.office, result, call.came, but=None if result.state.closed else side)

    kept = letter_secrets(side, call.petition.original)
    return call.office.desk.act(name, By(side), [request.act], call.came, came=call.how, kept=kept, writer=writer)


def _done_before(call: Call, table: Table, side: str, request: ForAll) -> Progress | None:
    """The earlier result of the same letter in a game; None if it has not acted there yet."""
    log = call.office.desk.log(table.state.id)
    mine = (one for one in log if one.came and one.came.letter == call.petition.original.digest)
    first = next((one.number for one in mine if getattr(one.event, "side", None) == side), None)
    if first is None:
        return None
    before = reduce(State.after, log[1:first], State.start(log[0]))
    return replace(table, state=before).act(By(side), [request.act], call.came, came=call.how)


def _plays(call: Call) -> bool:
    """True if the asker has a seat in a game that is not over."""
    office, address = call.office, small(call.petition.asker.address)
    return any(office.desk.state(name).closed is None for name in office.desk.catalogue.games_of(address))


def _results(result: Progress) -> list[str]:
    name = result.state.id
    return [
        say("not-in-game", game=name, message=one.message, code=one.code)
        if one.refused
        else say("in-game", game=name, done=done_text(one, result.state))
        for one in result.answers
    ]


def _told(call: Call, result: Progress, side: str, told: Sequence[Block]) -> Change:
    """The change of an act in a game, with the letters to the others and the answer."""
    letters = (*notifications(call.office, result, call.came, but=side), own_letter(call, result, side, told))
    return Change(result.entries, result.secrets, letters, f"{side} of {result.state.id}")


def _answer(call: Call, told: Sequence[Block], *, owed: bool = False, note: str = "") -> _Plan:
    """A plan that only answers, as `_answered` does."""
    return None, lambda _: _answered(call, told, owed=owed, note=note)


def _answered(call: Call, told: Sequence[Block], *, owed: bool = False, note: str = "") -> Change:
    """The answer alone; the answer to a letter that has changed something is `owed` beyond any limit."""
    letters = answers(call, told, owed=owed)
    strays = call.petition.game is not None and isinstance(call.petition.request, NewGame | Join)
    outcome = note or (ABOUT_NO_GAME if strays else "answered")
    return Change(letters=letters, note=outcome if letters else "not answered (limit)")
