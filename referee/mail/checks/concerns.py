"""What on a desk needs a person, and the letter about it that the host gets at most once a day."""

from __future__ import annotations

from datetime import datetime, timedelta

from referee.desk.records import Change, Outgoing
from referee.mail.checks import Diagnosis, Level, wrong
from referee.mail.checks.machine import folder_diagnoses, password_diagnoses
from referee.mail.host import undelivered
from referee.mail.letters.draft import Note, Thread, as_bytes
from referee.mail.letters.text import items, wrap
from referee.mail.log import log_line
from referee.mail.office import Office
from referee.terminal import counted

HOST = "host"
"""The kind of letters to the host."""

LULL = timedelta(days=1)
"""Minimum time between two letters to the host."""

UNHANDLED, UNSENT = timedelta(hours=1), timedelta(hours=4)
"""How long a letter in or out may wait before that is a concern."""

_MOST = 20
"""Maximum concerns that a letter lists."""


def concern_diagnoses(office: Office, at: datetime) -> list[Diagnosis]:
    """What waits for a decision of the host; nothing if the desk can go on by itself."""
    return [*_letters(office, at), *seat_diagnoses(office), *_clocks(office)]


def write_to_host(office: Office, at: datetime) -> int:
    """Queue a letter to the host if something needs them and they got none for a day; return how many letters."""
    host = office.settings.host
    if host is None or office.store.answer_count(host, HOST, at - LULL)[0]:
        return 0
    checks = (*folder_diagnoses(office.folder, office.settings), *password_diagnoses(office))
    found = [*concern_diagnoses(office, at), *(one for one in checks if one.level is Level.WRONG)]
    if not found:
        return 0
    letter = _letter(office, host, found, at)
    office.store.change(None, at, lambda _: Change(letters=(letter,)))
    return 1


def _letter(office: Office, host: str, found: list[Diagnosis], at: datetime) -> Outgoing:
    more = counted(len(found) - _MOST, "more thing", "more things") if len(found) > _MOST else ""
    lines = [
        *wrap(f"The desk {office.settings.address} runs, but this needs a person:"),
        "",
        *items(f"{one.says}. What you can do: {one.remedy}." for one in found[:_MOST]),
        *items([f"and {more}"] if more else []),
        "",
        *wrap("'referee desk status' and 'referee desk doctor' tell more. You get at most one such letter a day."),
    ]
    name = office.store.key.mark(f"{HOST}/{at:%Y-%m-%d %H}")
    subject = f"Your desk: {counted(len(found), 'thing needs', 'things need')} you"
    draft = as_bytes(Note(at, subject, tuple(lines), Thread()))
    return Outgoing(office.mailbox.notice_id(name), host, draft, kind=HOST)


def _letters(office: Office, at: datetime) -> list[Diagnosis]:
    """Letters that nobody deals with."""
    found = []
    if aside := office.store.counts()["aside"]:
        says = f"{counted(aside, 'letter was', 'letters were')} set aside, because the desk failed at them"
        found.append(wrong("letters", says, "see why with 'referee desk status', and run 'referee desk retry'"))
    came, queued = office.store.oldest_waiting()
    if came is not None and came < at - UNHANDLED:
        says = f"letters have waited since {came:%Y-%m-%d %H:%M} UTC, and nobody deals with them"
        found.append(wrong("letters", says, "start 'referee desk serve', or run 'referee desk tick' from cron"))
    if queued is not None and queued < at - UNSENT:
        says = f"letters have waited since {queued:%Y-%m-%d %H:%M} UTC to be sent"
        found.append(wrong("outbox", says, "look at the mail server under 'send', and run 'referee desk doctor'"))
    return found


def seat_diagnoses(office: Office) -> list[Diagnosis]:
    """Seats in running games that no letter reaches."""
    running = {*office.store.games(running=True)}
    games = sorted(running.intersection(office.store.games_given_up()))
    return [
        wrong(
            "seats",
            f"no letter reaches {one.side} in the game {one.game}: {log_line(one.reason)}",
            f"ask them for another address, 'referee desk replace {one.game} {one.side} NAME --address ADDRESS', and "
            f"'referee desk resend {one.game}'",
        )
        for game in games
        for one in undelivered(office, game)
    ]


def _clocks(office: Office) -> list[Diagnosis]:
    """Running games whose clocks are stopped."""
    stopped = [game for game in office.store.games(running=True) if office.desk.state(game).clock.paused]
    remedy = "'referee desk resume {}' starts them again"
    return [wrong("clocks", f"the clocks of the game {game} are stopped", remedy.format(game)) for game in stopped]
