"""The letter to a host about concerns: at most one a day, and none without a concern."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from referee.mail.host.checks import Diagnosis, Level
from referee.mail.host.checks.concerns import concern_diagnoses
from referee.mail.host.checks.machine import folder_diagnoses, password_diagnoses
from referee.mail.host.outages import queue_for_host
from referee.mail.letters.format.blocks import Block, Paragraph, Points
from referee.mail.letters.format.language import phrase
from referee.mail.letters.format.text import whole_sentence
from referee.mail.office import Office

HOST = "host"

LULL = timedelta(days=1)
"""Minimum time between two letters to the host."""

_MOST = 20
"""Maximum concerns that a letter lists."""


def write_to_host(office: Office, at: datetime) -> int:
    """Queue a letter to the host about concerns if they got none for a day; return the number of letters."""
    host = office.settings.host
    if host is None or office.desk.outbox.answer_count(host, HOST, at - LULL)[0]:
        return 0
    checks = (*folder_diagnoses(office.folder, office.settings), *password_diagnoses(office))
    found = [one for one in (*concern_diagnoses(office, at), *checks) if one.level is Level.WRONG]
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
    yield Points(tuple(points))
    yield Paragraph(phrase("host.last"))
