"""The letters that report events to players: each notice of the desk, as a draft for the outbox."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from referee.desk import Notice, Outgoing, Progress, State
from referee.desk.play.notices import Topic, waits
from referee.mail.handlers.permission import is_barred
from referee.mail.handlers.roundup import can_wait
from referee.mail.letters.format.blocks import LetterSection, Paragraph, sole_paragraph
from referee.mail.letters.format.language import phrase
from referee.mail.letters.format.text import quote
from referee.mail.letters.story.draft import GeneralLetter, Gist, LetterContent, Thread, as_bytes, read_draft
from referee.mail.letters.story.story import name_of
from referee.mail.office import Office


def notifications(
    office: Office,
    result: Progress,
    at: datetime,
    *,
    but: str | None = None,
    renewed: Gist = Gist.NEW_KEY,
    reason: str = "",
) -> tuple[Outgoing, ...]:
    """A letter for every notice of a result, except those to the side `but`.

    Sides without an address, such as those of a game begun elsewhere, get none; nor do notices that can wait for the
    daily letter, or the end of an invitation to an address that the settings now forbid. `renewed` is the outcome in
    letters about a new key. `reason` is the host's, where the entries have no place for it; letters with one do not
    wait.
    """
    return tuple(
        _letter(office, notice, result.state, notice.address, at, renewed, reason)
        for notice in result.notices
        if notice.address
        and notice.side != but
        and (reason or not can_wait(office, notice, result.state, at))
        and not (notice.kind is Topic.WITHDRAWN and is_barred(office, notice.address))
    )


def resent(draft: bytes, reason: str) -> bytes:
    """The draft of a letter that the host sends once more, with the reason if there is one."""
    if not reason:
        return draft
    letter, heading = read_draft(draft), phrase("heading.resent")
    because = LetterSection(heading, (Paragraph(quote(reason)),))
    if isinstance(letter, GeneralLetter):
        before = tuple(one for one in letter.sections if one.heading != heading)
        return as_bytes(replace(letter, sections=(because, *before)))
    asked = tuple(one for one in letter.asked if not (isinstance(one, LetterSection) and one.heading == heading))
    return as_bytes(replace(letter, asked=(because, *asked)))


def report_letter(
    office: Office, state: State, address: str, content: LetterContent, kind: str, *, on_page: bool = False
) -> Outgoing:
    """A letter to a side for the outbox.

    Its message id is that of the last event in it; if there is none, it has the digest of the answered letter. News
    of a running game in which an engine is to answer waits for that; so does the receipt of a sealed move that was
    made `on_page`, where its player has read it already, for the round that it completes.
    """
    digest = content.thread.digest if content.thread and content.since == content.number else ""
    seat = f"{content.side}.{digest[:16]}" if digest else content.side
    identity = office.mailbox.message_id(state.id, content.number, seat)
    sealed = on_page and state.simultaneous and content.side in state.seals
    held = 0 <= content.since < content.number and (sealed or waits(state, content.side))
    return Outgoing(identity, address, as_bytes(content), state.id, kind=kind, held=held)


def _with_receipt(office: Office, state: State, address: str, news: LetterContent) -> Outgoing:
    """A letter with news, together with the one that has waited for it."""
    held = office.desk.outbox.held(state.id, address)
    receipt = read_draft(held.draft) if held else None
    if held and isinstance(receipt, LetterContent) and (receipt.side, receipt.number) == (news.side, news.since):
        both = replace(receipt, at=news.at, number=news.number)
        return replace(report_letter(office, state, address, both, held.kind), instead=held.id)
    return report_letter(office, state, address, news, "news")


def _letter(
    office: Office, notice: Notice, state: State, address: str, at: datetime, renewed: Gist, reason: str
) -> Outgoing:
    side = notice.side
    because = (LetterSection(phrase("heading.reason"), (Paragraph(quote(reason)),)),) if reason else ()
    match notice.kind:
        case Topic.NEWS | Topic.INVITATION | Topic.ANSWER | Topic.LAPSE:
            content = LetterContent(at, side, notice.since, notice.number, asked=because)
            if not because:
                return _with_receipt(office, state, address, content)
            return report_letter(office, state, address, content, "news")
        case Topic.NEW_KEY:
            asked = (LetterSection(phrase("heading.new-key"), (Paragraph(phrase("note.new-key")),)),)
            thread = Thread(digest=office.desk.key.mark(f"renewed/{state.id}"))
            content = LetterContent(at, side, notice.since, notice.number, asked=asked, thread=thread, gist=renewed)
            return report_letter(office, state, address, content, "news")
        case Topic.WITHDRAWN:
            assert state.invitation is not None
            assert state.invitation.by is not None
            told = phrase("note.withdrawn", name=name_of(state, state.invitation.by), title=state.description.title)
            digest = office.desk.key.mark(f"withdrawn/{state.head}/{side}")
            subject, sections = phrase("subject.no-game"), sole_paragraph(told)
        case Topic.SEAT_GIVEN:
            told = phrase("note.seat-given", name=name_of(state, side), side=side, game=state.id)
            subject, sections, digest = phrase("subject.seat-given"), (*sole_paragraph(told), *because), state.head
    titled = phrase("subject.of-game", game=state.id, subject=subject)
    note = GeneralLetter(at, titled, sections, Thread(digest=state.head))
    return Outgoing(office.mailbox.notice_id(digest), address, as_bytes(note), state.id)
