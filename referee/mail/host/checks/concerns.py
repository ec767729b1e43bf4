"""Concerns of a host: the desk cannot go on by itself, or waits for a decision."""

from __future__ import annotations

from datetime import datetime, timedelta

from referee.mail.handlers.permission import is_closed_to_newcomers
from referee.mail.handlers.returns import Undelivered, undelivered
from referee.mail.host.checks import Diagnosis, note, wrong
from referee.mail.log import log_line
from referee.mail.office import Office
from referee.terminal import counted

UNHANDLED, UNSENT, UNMOVED = timedelta(hours=1), timedelta(hours=4), timedelta(hours=1)
"""Maximum waiting times of a letter in, a letter out, and the move of an engine."""

_REINSTALL = "install the package again, and start the desk again, or send it SIGHUP; nothing of the game is lost"


def concern_diagnoses(office: Office, at: datetime) -> list[Diagnosis]:
    """Everything that waits for a decision of the host, and notes of the host's decisions."""
    return [
        *_letters(office, at),
        *(wrong("packages", one.message, _REINSTALL) for one in office.desk.catalogue.unplayable()),
        *seat_diagnoses(office, at),
        *_clocks(office),
        *_openings(office, at),
        *_engines(office, at),
    ]


def _letters(office: Office, at: datetime) -> list[Diagnosis]:
    found = []
    if aside := office.desk.upkeep.counts()["aside"]:
        says = f"{counted(aside, 'letter was', 'letters were')} set aside, because the desk failed at them"
        found.append(wrong("letters", says, "see why with 'referee desk status', and run 'referee desk retry'"))
    came, queued = office.desk.upkeep.oldest_waiting()
    if came is not None and came < at - UNHANDLED:
        says = f"letters have waited since {came:%Y-%m-%d %H:%M} UTC, and nobody deals with them"
        found.append(wrong("letters", says, "start 'referee desk serve', or run 'referee desk tick' from cron"))
    if queued is not None and queued < at - UNSENT:
        says = f"letters have waited since {queued:%Y-%m-%d %H:%M} UTC to be sent"
        found.append(wrong("outbox", says, "look at the mail server under 'send', and run 'referee desk doctor'"))
    return found


def seat_diagnoses(office: Office, at: datetime) -> list[Diagnosis]:
    """Seats in running games that no letter reaches; their clocks go on."""
    running = {*office.desk.catalogue.playable(office.desk.catalogue.ids(running=True))}
    games = sorted(running.intersection(office.desk.outbox.games_given_up()))
    return [
        wrong("seats", f"no letter reaches {one.side} in the game {one.game}: {log_line(one.reason)}", remedy)
        for game in games
        for one in undelivered(office, game, at)
        for remedy in (_reaching(one, invited=office.desk.state(game).invitation is not None),)
    ]


def _reaching(seat: Undelivered, *, invited: bool) -> str:
    game, side = seat.game, seat.side
    if invited:
        return (
            f"'referee desk resend {game} --side {side}' tries again, and 'referee desk adjudicate {game} --abandon' "
            "takes the invitation back"
        )
    return (
        f"ask them for another address, 'referee desk replace {game} {side} NAME --address ADDRESS', and "
        f"'referee desk resend {game} --side {side}'; their clock goes on, and "
        f"'referee desk extend {game} HOURS --side {side}' gives them time"
    )


def _clocks(office: Office) -> list[Diagnosis]:
    """Running games whose clocks are stopped: the host has stopped them, and knows why."""
    remedy = "'referee desk resume {}' starts them again"
    return [
        note("clocks", f"the clocks of the game {game} are stopped", remedy.format(game))
        for game in office.desk.catalogue.paused()
    ]


def _openings(office: Office, at: datetime) -> list[Diagnosis]:
    """A concern if too many games were opened by letter, so that newcomers have to wait."""
    if not is_closed_to_newcomers(office, at):
        return []
    says = "so many games were opened by letter that newcomers can open no more for now"
    remedy = "see whose they are with 'referee desk letters'; then stop somebody with 'never', or raise 'a-day'"
    return [wrong("openings", says, remedy)]


def _engines(office: Office, at: datetime) -> list[Diagnosis]:
    """Games that wait for an engine: it fails, or there are too few cores for all of them."""
    cores = office.settings.engines.cores
    late = office.desk.engine_turns.owed(at - UNMOVED if cores else at)
    if not late:
        return []
    games = counted(len(late), "game waits", "games wait")
    says = f"{games} for an engine {'since long' if cores else 'that has no core'}, such as {late[0]}"
    remedy = (
        "see the log of 'referee desk serve', raise 'cores' under 'engines', or give seats to people with 'replace'"
    )
    return [wrong("engines", says, remedy)]
