"""Concerns of a host, and the letter about them: the desk cannot go on by itself, or waits for a decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from referee.desk import EngineTurn, engine_turn
from referee.engine.levels import PROGRAM_LEVEL
from referee.errors import RefereeError
from referee.mail.handlers.permission import is_closed_to_newcomers
from referee.mail.host.checks import Diagnosis, Severity, note, wrong
from referee.mail.host.checks.machine import folder_diagnoses, password_diagnoses
from referee.mail.host.nondelivery import Undelivered, unreached
from referee.mail.host.outages import queue_for_host
from referee.mail.host.program_seat import program_move
from referee.mail.letters.format.blocks import Block, BulletList, Paragraph
from referee.mail.letters.format.language import phrase
from referee.mail.letters.format.text import whole_sentence
from referee.mail.log import log_line
from referee.mail.office import Office
from referee.terminal import counted

UNHANDLED, UNSENT, UNMOVED = timedelta(hours=1), timedelta(hours=4), timedelta(hours=1)
"""Maximum waiting times of a letter in, a letter out, and the move of an engine."""

UNPLAYED = timedelta(minutes=1)
"""Time after which the host's program is asked why it has not moved."""

_REINSTALL = "install the package again, and start the desk again, or send it SIGHUP; nothing of the game is lost"

_STOPPED, _RESUME = "the clocks of the game {} are stopped", "'referee desk resume {}' starts them again"
"""The host has stopped these clocks, and knows why."""

HOST = "host"

LULL = timedelta(days=1)
"""Minimum time between two letters to the host."""

_MOST = 20
"""Maximum concerns that a letter lists."""


def concern_diagnoses(office: Office, at: datetime) -> list[Diagnosis]:
    """Everything that waits for a decision of the host, and notes of the host's decisions."""
    return [
        *_letters(office, at),
        *(wrong("packages", one.message, _REINSTALL) for one in office.desk.catalogue.unplayable()),
        *seat_diagnoses(office, at),
        *(note("clocks", _STOPPED.format(game), _RESUME.format(game)) for game in office.desk.catalogue.paused()),
        *_openings(office, at),
        *_engines(office, at),
        *_program(office, at),
    ]


def write_to_host(office: Office, at: datetime) -> int:
    """Queue a letter to the host about concerns if they got none for a day; return the number of letters."""
    host = office.settings.host
    if host is None or office.desk.outbox.answer_count(host, HOST, at - LULL)[0]:
        return 0
    checks = (*folder_diagnoses(office.folder, office.settings), *password_diagnoses(office))
    found = [one for one in (*concern_diagnoses(office, at), *checks) if one.level is Severity.WRONG]
    if not found:
        return 0
    subject = phrase("subject.to-host", number=len(found))
    told = tuple(_told(office.settings.address, found))
    queue_for_host(office, HOST, f"{at:%Y-%m-%d %H}", at, subject, told)
    return 1


def _told(address: str, found: Sequence[Diagnosis]) -> Iterator[Block]:
    yield Paragraph(phrase("host.first", address=address))
    points = [phrase("host.item", says=whole_sentence(one.says), remedy=one.remedy) for one in found[:_MOST]]
    if (more := len(found) - _MOST) > 0:
        points.append(phrase("host.more", number=more))
    yield BulletList(tuple(points))
    yield Paragraph(phrase("host.last"))


def _letters(office: Office, at: datetime) -> Iterator[Diagnosis]:
    if aside := office.desk.upkeep.counts()["aside"]:
        says = f"{counted(aside, 'letter was', 'letters were')} set aside, because the desk failed at them"
        yield wrong("letters", says, "see why with 'referee desk status', and run 'referee desk retry'")
    came, queued = office.desk.upkeep.oldest_waiting()
    if came is not None and came < at - UNHANDLED:
        says = f"letters have waited since {came:%Y-%m-%d %H:%M} UTC, and no process handles them"
        yield wrong("letters", says, "start 'referee desk serve', or run 'referee desk tick' from cron")
    if queued is not None and queued < at - UNSENT:
        says = f"letters have waited since {queued:%Y-%m-%d %H:%M} UTC to be sent"
        yield wrong("outbox", says, "look at the mail server under 'send', and run 'referee desk doctor'")


def seat_diagnoses(office: Office, at: datetime) -> list[Diagnosis]:
    """Seats in running games that no letter reaches."""
    says = "no letter reaches {0.side} in the game {0.game}: {1}".format
    return [
        wrong("seats", says(seat, log_line(seat.reason)), _reaching(office, seat)) for seat in unreached(office, at)
    ]


def _reaching(office: Office, seat: Undelivered) -> str:
    game, side = seat.game, seat.side
    if office.desk.state(game).invitation is not None:
        return (
            f"'referee desk resend {game} --side {side}' tries again, and 'referee desk adjudicate {game} --abandon' "
            "takes the invitation back"
        )
    return (
        f"ask them for another address, 'referee desk replace {game} {side} NAME --address ADDRESS', and "
        f"'referee desk resend {game} --side {side}'; their clock goes on, and "
        f"'referee desk extend {game} HOURS --side {side}' gives them time"
    )


def _openings(office: Office, at: datetime) -> Iterator[Diagnosis]:
    """A concern if too many games were opened by letter, so that newcomers have to wait."""
    if is_closed_to_newcomers(office, at):
        says = "too many games were opened by letter, so newcomers cannot open any for now"
        remedy = "see whose they are with 'referee desk letters'; then block senders with 'never', or raise 'a-day'"
        yield wrong("openings", says, remedy)


def _engines(office: Office, at: datetime) -> Iterator[Diagnosis]:
    """Games that wait for an engine: it fails, or there are too few cores for all of them."""
    cores = office.settings.engines.cores
    late = office.desk.engine_turns.owed(at - UNMOVED if cores else at)
    if late:
        games = counted(len(late), "game waits", "games wait")
        says = f"{games} for an engine {'since long' if cores else 'that has no core'}, such as {late[0]}"
        remedy = (
            "see the log of 'referee desk serve', raise 'cores' under 'engines', "
            "or give seats to people with 'replace'"
        )
        yield wrong("engines", says, remedy)


def _program(office: Office, at: datetime) -> Iterator[Diagnosis]:
    """The reason why the host's program makes no move in the game that has waited longest; it is asked again here."""

    def waiting(game: str) -> EngineTurn | None:
        table = office.desk.table(game)
        return engine_turn(table.state, table.secrets)

    turns = office.desk.catalogue.each(office.desk.engine_turns.owed(at - UNPLAYED), waiting)
    turn = next((one for one in turns if one is not None and one.level == PROGRAM_LEVEL), None)
    if turn is None:
        return
    try:
        program_move(office.settings.engines.program, office.folder, turn)
    except RefereeError as error:
        says = f"your program makes no move in the game {turn.game}: {log_line(error.message)}"
        instead = f"'referee desk replace {turn.game} {turn.side} NAME --address ADDRESS'"
        remedy = f"mend it, because the desk asks it again; or give its seat to a person: {instead}"
        yield wrong("program", says, remedy)
