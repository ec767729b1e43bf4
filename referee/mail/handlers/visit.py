"""A letter in its game, handled in one transaction: its sender, its acts, the notices and the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.desk import (
    Act,
    Answer,
    By,
    Change,
    EngineFirstError,
    Preference,
    Progress,
    Seat,
    Secrets,
    State,
    Table,
    acting_side,
    acts,
    events,
    write_time,
)
from referee.desk.law.engine_seats import expect_sealed
from referee.desk.log.secrets import answered_name, asked_name, meant_name
from referee.mail.addresses import ToldLetter, small
from referee.mail.handlers import reception
from referee.mail.handlers.allowance import Allowance, allowance
from referee.mail.handlers.arrival import (
    NO_TOKEN,
    Arrival,
    has_acted,
    has_brought,
    how_it_came,
    letter_secrets,
    sender_of,
    signers_of,
)
from referee.mail.handlers.names import can_be_called
from referee.mail.handlers.notifications import notifications
from referee.mail.handlers.replies import Visit, reply
from referee.mail.intake import meanings
from referee.mail.intake.commands import CommandLine, Reading
from referee.mail.intake.intent import in_full, within_limits
from referee.mail.intake.meanings import Pending
from referee.mail.intake.message.phrases import expression
from referee.mail.intake.requests import ALWAYS, NAME, PASSING, PassOn, SetTaste
from referee.mail.letters.format.taste import DAILY, DAILY_SINCE, INVITATIONS, LETTERS, NEVER, preference
from referee.mail.office import Office
from referee.notation.plans import names_move

TALK = acts.Message | acts.OfferDraw | acts.Decline | acts.Give
"""Acts that could go on without end; after the last answer of an hour, a player's acts of these kinds are ignored."""


def visit(arrival: Arrival) -> bool:
    """Handle a letter in its game."""
    office, game, tag = arrival.office, arrival.game, arrival.letter.tag
    assert game is not None
    token = tag.key if tag is not None and tag.game == game else ""

    def work(table: Table, seat: Seat | None) -> Change:
        if table.state.engines and office.desk.inbox.waits_behind(arrival.stored, game):
            raise EngineFirstError(game)  # the engine is ready by now, but letters stay in order
        return arrival.once(_done(arrival, table, seat))

    office.desk.visit(arrival.stored, game, token, arrival.at, work)
    return True


def _done(arrival: Arrival, table: Table, seat: Seat | None) -> Change:
    """The change that a letter makes to its game: its sender is recognized, its acts are done, and it is answered."""
    office, letter, verdict, came = arrival.office, arrival.letter, arrival.verdict, arrival.came
    sender = sender_of(office, letter, table, seat)
    # A letter without a key may be forged, so the desk does not answer it for a person who was only invited.
    invited = sender is not None and sender.doubt == NO_TOKEN and table.state.invitation is not None
    if sender is None or (invited and reception.is_unsure(arrival, sender.address)):
        return reception.answered(arrival, f"{verdict.kind.value}: from no player of {table.state.id}")
    expect_sealed(table.state)
    reading = within_limits(arrival.reading) if verdict.reads else Reading()
    pending = None if sender.doubt else Pending.read(table.secrets.get(asked_name(sender.side), ""))
    visit = _understood(arrival, table, Visit(letter, reading, sender), pending)
    allowed = allowance(office, sender.address, visit.kind, came)
    wanted = _acts_of(visit, table.state, talking=allowed.left > 0)
    acting = [(said, in_full(table.state, letter, act)) for said, act in wanted]
    repeated = has_acted(table.secrets, sender.side, letter)
    if acting and (repeated or has_brought(office, table.state.id, sender.side, arrival.copies)):
        answers = verdict.answers(commands=True) and allowed.left > 0
        return _copied(arrival, table, visit, acting[0][0], allowed if answers else None)
    visit, result, said = _acted(arrival, table, visit, acting)
    assert result.before is not None
    if not result.entries and (visit.reading.failed or any(not isinstance(act, TALK) for _, act in acting)):
        visit = replace(visit, refused=True)
        allowed = allowance(office, sender.address, visit.kind, came)
    seen = office.desk.seen_by(result.state, sender.side, sender.address)
    visit = replace(visit, asked=meanings.questions(result.before, seen, sender.side, visit.reading))
    answered = verdict.answers(commands=bool(visit.reading.commands)) and sender.address
    if answered and (result.entries or allowed.left > 0):
        letters = notifications(office, result, came, but=sender.side)
        letters += (reply(office, visit, result, said, allowed, came),)
    else:
        letters = notifications(office, result, came)
    done = ", ".join(one.code for one in result.answers) or sender.doubt or _wish(visit.reading)
    reached = {} if sender.doubt else {answered_name(sender.side): write_time(arrival.at)}
    kept = letter_secrets(sender.side, letter) if result.entries else {}
    return Change(
        result.entries,
        {**result.secrets, **reached, **kept, **_left_open(arrival, table, result, visit, pending)},
        letters,
        f"{sender.side}: {done}",
        _choices(arrival, result, visit),
        signers=signers_of(office, letter) if result.entries else (),
    )


def _acted(
    arrival: Arrival, table: Table, visit: Visit, acting: Sequence[tuple[CommandLine, Act]]
) -> tuple[Visit, Progress, list[CommandLine]]:
    """The visit after its acts, what they did, and their lines; words beside a move are one more, if so chosen."""
    office, came, by = arrival.office, arrival.came, By(visit.sender.side, visit.sender.ply)
    lines = [said for said, _ in acting]
    wanted = [acts.SignedAct(act, said.signature) if said.signature else act for said, act in acting]
    how = how_it_came(office, visit.letter, came)
    result = table.act(by, wanted, came, came=how)
    if spoken := _spoken(office, table.state, visit, result):
        talk, line = acts.Message(spoken), visit.reading.unknown[0]
        kept = tuple(one for one in visit.reading.unknown if one.number not in visit.reading.ground.own)
        visit = replace(visit, reading=replace(visit.reading, unknown=kept))
        lines.append(CommandLine(talk, line))
        result = table.act(by, [*wanted, talk], came, came=how)
    return visit, result, lines


def _understood(arrival: Arrival, table: Table, visit: Visit, pending: Pending | None) -> Visit:
    """The visit with what its writer means in their own words, or by an answer to what they were asked."""
    state, side, letter = table.state, visit.sender.side, visit.letter
    if visit.sender.doubt:
        return visit
    reading = meanings.passing_on(meanings.understood(state, side, visit.reading), pending.words if pending else "")
    if not reading.answer:
        return replace(visit, reading=reading)
    replied = next(filter(None, map(arrival.office.mailbox.told_by, reversed(letter.references))), None)
    asked = pending is not None and pending.is_answered(state, replied.number if replied else None)
    dropped = asked and pending is not None and bool(pending.choices) and reading.answer == "no"
    plain = meanings.has_offer(state, side) and reading.ground.top and _is_plain(arrival, state, side, replied)
    found = meanings.resolved(state, side, reading, pending, asked=asked, plain=plain)
    return replace(visit, reading=found, dropped=dropped and found == reading)


def _is_plain(arrival: Arrival, state: State, side: str, replied: ToldLetter | None) -> bool:
    """True if a bare answer can only be about an offer: it replies to it or to later news, and nothing was said."""
    if state.invitation is not None:
        return True
    log = arrival.office.desk.log(state.id)
    mine = max((one.number for one in log if acting_side(one.event) == side), default=-1)
    since = [one for one in log if one.number > mine and acting_side(one.event) is not None]
    talked = any(isinstance(one.event, events.MessageSent) for one in since)
    offers = [one.number for one in log if isinstance(one.event, events.Offered)]
    return not talked and bool(offers) and replied is not None and replied.number >= offers[-1]


def _spoken(office: Office, state: State, visit: Visit, result: Progress) -> str:
    """The words next to a move that was made, if their writer has chosen to pass them on; empty if there are none."""
    moved = any(answer.code == "moved" and not answer.repeated for answer in result.answers)
    said = meanings.words(visit.reading, state.game) if moved and not state.silent and not state.alone else ""
    chosen = office.desk.people.preferences(small(visit.sender.address)).get(PASSING) if said else None
    knows = any(isinstance(one.command, acts.Message) for one in visit.reading.commands)
    told = (*visit.reading.unknown, *(one.line for one in visit.reading.failed))
    if any(names_move(state.game, one.raw) or "plan" in one.text.casefold() for one in told):
        return ""  # it may be meant for the desk alone, such as a plan that was not understood
    ours = any(expression("to us").search(one.text) for one in (*visit.reading.unknown, *visit.reading.ignored))
    return said if chosen == ALWAYS and not (knows or ours) else ""


def _left_open(arrival: Arrival, table: Table, result: Progress, visit: Visit, before: Pending | None) -> Secrets:
    """The secrets of what a letter leaves open, and of the earlier letter that it refers to.

    Words can be passed on until their writer acts again, or writes others.
    """
    state, side, letter, reading = result.state, visit.sender.side, visit.letter, visit.reading
    if visit.sender.doubt:
        return {}
    said = meanings.words(reading, state.game)
    if not (said or result.entries) and before is not None:
        said = before.words
    left = Pending(letter.digest, state.number, state.turn, meanings.all_choices(visit.asked), said)
    named = asked_name(side)
    value = str(left) if left.choices or left.words else ""
    refers = arrival.reading.answer or any(isinstance(one.command, PassOn) for one in arrival.reading.commands)
    meant = {meant_name(letter.digest): before.letter} if before is not None and refers else {}
    return ({named: value} if value or table.secrets.get(named) else {}) | meant


def _copied(arrival: Arrival, table: Table, visit: Visit, said: CommandLine, allowed: Allowance | None) -> Change:
    """The one answer to the copies of a letter that has done something; it is not done again."""
    side, note = visit.sender.side, f"{visit.sender.side}: its copy has acted"
    told = {f"{name}/told": "" for name in letter_secrets(side, arrival.letter)}
    if allowed is None or not visit.sender.address or told.keys() & table.secrets.keys():
        return Change(note=note)
    result = Progress(table.state, table.state, answers=(Answer("copied"),))
    answer = reply(arrival.office, visit, result, [said], allowed, arrival.came)
    return Change(secrets=told, letters=(answer,), note=note)


def _wish(reading: Reading) -> str:
    """The purpose of a letter that does nothing in its game, in a word."""
    if any(isinstance(one.command, SetTaste) for one in reading.binding):
        return "set"
    if reading.commands:
        return "asked"
    return "not-understood" if reading.failed or reading.questions else "nothing-asked"


def _choices(arrival: Arrival, result: Progress, visit: Visit) -> tuple[Preference, ...]:
    """A player's choices for all letters of the desk: their form, or no more invitations."""
    address, sides = visit.sender.address, result.state.position.sides
    said = () if visit.sender.doubt else visit.reading.binding
    asked = (one.command for one in said if isinstance(one.command, SetTaste))
    free = (one for one in asked if one.name != NAME or can_be_called(arrival.office, address, one.value))
    chosen = (preference(one, address, sides) for one in free)
    never = any(isinstance(one.command, acts.Never) for one in said)
    invitations = (Preference(small(address), INVITATIONS, NEVER),) if never else ()
    made = [one for one in chosen if one is not None]
    daily = any((one.name, one.value) == (LETTERS, DAILY) for one in made)
    since = (Preference(small(address), DAILY_SINCE, write_time(arrival.came)),) if daily else ()
    return (*invitations, *made, *since)


def _acts_of(visit: Visit, state: State, *, talking: bool) -> list[tuple[CommandLine, Act]]:
    """The lines of a letter with acts; none if its sender is in doubt, and talk only while `talking`.

    Plans are before the move of the letter, which the others may answer by plans of their own; before that, the offer
    of a draw ends theirs, as no plan knows of it.
    """
    said = [] if visit.sender.doubt else [(one, one.command) for one in visit.reading.binding]
    wanted = [(one, act) for one, act in said if isinstance(act, Act) and (talking or not isinstance(act, TALK))]
    move = next((act for _, act in wanted if isinstance(act, acts.MakeMove)), None)
    ends = not state.agreed and any(not one.over and one.side != visit.sender.side for one in state.deposits)

    offers, plans, others = list[tuple[CommandLine, Act]](), list[tuple[CommandLine, Act]](), []
    for one, act in wanted:
        if isinstance(act, acts.Plan):
            plans.append((one, replace(act, move=move) if act.text else act))
        elif isinstance(act, acts.OfferDraw) and ends and not one.signature:  # a signature names its ply
            offers.append((one, act))
        else:
            others.append((one, act))
    return [*offers, *plans, *others]
