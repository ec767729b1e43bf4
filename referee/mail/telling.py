"""The letters that tell players what happened to their game, as drafts for the outbox."""

from __future__ import annotations

from datetime import datetime

from referee.desk import Carried, State
from referee.desk.case import Secrets, address_name
from referee.desk.store import Outgoing
from referee.mail.composing.draft import Report, as_bytes
from referee.mail.composing.news import concerns
from referee.mail.desk import Desk


def tell(
    desk: Desk,
    before: State | None,
    carried: Carried,
    secrets: Secrets,
    at: datetime,
    *,
    but: str | None = None,
) -> tuple[Outgoing, ...]:
    """A letter to every side, but one, that the new entries of a log concern.

    Sides without an address, as those of a game that was brought along from elsewhere, get none.
    """
    since = before.number if before else -1
    letters = []
    for side in carried.state.position.sides:
        address = secrets.get(address_name(side))
        if side != but and address and any(concerns(entry.event, side) for entry in carried.entries):
            report = Report(at, side, since, carried.state.number)
            letters.append(drafted(desk, carried.state.id, address, report, "news"))
    return tuple(letters)


def drafted(desk: Desk, game: str, address: str, report: Report, kind: str) -> Outgoing:
    """A letter to a side for the outbox.

    Its message id is that of the last event it tells of; where there is none, it has the digest of what it answers.
    """
    digest = report.thread.digest if report.thread and report.since == report.number else ""
    identity = desk.mailbox.message_id(game, report.number, f"{report.side}.{digest[:16]}" if digest else report.side)
    return Outgoing(identity, address, as_bytes(report), game, kind=kind)
