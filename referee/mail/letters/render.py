"""A letter of the outbox, written out from its draft and the game's log: the same draft gives the same letter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from email.message import Message
from email.utils import format_datetime

from referee.desk import Head, Outgoing, events
from referee.desk.state.invitations import INVITED
from referee.mail.addresses import HEAD, MARKER, PROOF, small
from referee.mail.letters.attachments import attachments, with_files
from referee.mail.letters.content import LetterBody, content_of
from referee.mail.letters.format.language import phrase
from referee.mail.letters.format.mime import mailbox_field, text_part, words_field
from referee.mail.letters.format.plain import silent
from referee.mail.letters.format.taste import taste_of
from referee.mail.letters.format.text import wrap
from referee.mail.letters.page import Foot, paged, with_page
from referee.mail.letters.sections import BoardLink
from referee.mail.letters.story.draft import GeneralLetter, LetterContent, read_draft
from referee.mail.letters.story.story import Story, invitation_of, story_of
from referee.mail.office import Office


def render(office: Office, letter: Outgoing, *, page: bool = True) -> bytes:
    """The letter as it is handed over, with the line ends of mail; without a page and pictures unless `page`."""
    draft = read_draft(letter.draft)
    with office.desk.reading():
        if isinstance(draft, GeneralLetter):
            return _of_note(office, draft, letter, page).as_bytes()
        return _of_game(office, draft, letter, page).as_bytes()


def _of_game(office: Office, draft: LetterContent, letter: Outgoing, page: bool) -> Message:
    """A letter that reports entries of a log to a side, and perhaps answers one of its letters."""
    log = office.desk.log(letter.game or "")[: draft.number + 1]
    story = invitation_of(story_of(log, draft.since, draft.number))
    state, side, mailbox = story.state, draft.side, office.mailbox
    taste = taste_of(office.desk.people.preferences(small(letter.recipient)))
    files = attachments(story, log, office.settings.attach)
    known = _has_played(office, letter.recipient, story, draft.at)
    address, board = office.seat_address(state, side), office.page_address(state, side)
    # The reader of the letter can perhaps move on the page of the game.
    link = None if board is None else BoardLink(board, office.settings.web.moves if "#" in board else "watch")
    again = office.settings.open != "host"
    seen = replace(story, state=office.desk.seen_by(state, side, letter.recipient))
    content = content_of(seen, draft, taste, files, address=address, again=again, known=known, link=link)
    head, signer = Head(state.id, state.number, state.head), office.desk.key.signer
    # A log that is over names the key of its time: a head signed with a later one could not be checked.
    if state.desk in (None, signer.public):
        head = head.signed_by(signer)
    foot = Foot(_about(office, phrase("foot.help")), tuple(replace(head, signature=None).lines))
    thread = [mailbox.message_id(state.id, 0, side), draft.thread.message_id if draft.thread else ""]
    fields = {
        "Reply-To": mailbox_field("Reply-To", office.settings.name, address),
        "Subject": words_field("Subject", phrase("subject.of-game", game=state.id, subject=content.subject)),
        "In-Reply-To": thread[1],
        "References": " ".join(one for one in thread if one not in ("", letter.id)),
        "Auto-Submitted": "auto-generated" if draft.thread is None else "auto-replied",
        "List-Id": f"Game {state.id} <{state.id}.{mailbox.ids}>",
        HEAD: "\n ".join(head.lines),
    }
    name = "" if state.players[side] in (side, INVITED) else state.players[side]
    lines = content.as_text(state.game, _signature(foot))
    message = _message(office, letter, draft.at, fields, lines, name, content.proofs)
    if page and office.settings.pictures and taste.pictures:
        message = with_page(message, content, foot)
    return with_files(message, files)


def _has_played(office: Office, address: str, story: Story, at: datetime) -> bool:
    """True if the reader of a game's first letter had another one of the same kind here before."""
    if story.before is not None:
        return False
    mine = (name for name in office.desk.catalogue.all_games_of(small(address)) if name != story.state.id)
    logs = (office.desk.log(name) for name in mine if office.desk.catalogue.rules(name) == story.state.game)
    return any(isinstance(one.event, events.Opened) and one.at <= at for log in logs for one in log)


def _of_note(office: Office, note: GeneralLetter, letter: Outgoing, page: bool) -> Message:
    """A letter that is not about one game; it quotes no letter that it answers."""
    content, foot = LetterBody(note.subject, "", note.sections), Foot(_about(office))
    fields = {
        "Reply-To": mailbox_field("Reply-To", office.settings.name, note.reply_to) if note.reply_to else "",
        "Subject": words_field("Subject", note.subject),
        "In-Reply-To": note.thread.message_id,
        "References": note.thread.message_id,
        "Auto-Submitted": "auto-replied",
    }
    lines = content.as_text(None, ())
    for game in note.games:
        lines = [*silent(lines, game)]
    message = _message(office, letter, note.at, fields, [*lines, *_signature(foot)])
    taste = taste_of(office.desk.people.preferences(small(letter.recipient)))
    return paged(message, content, foot) if page and office.settings.pictures and taste.pictures else message


def _message(
    office: Office,
    letter: Outgoing,
    at: datetime,
    fields: Mapping[str, str],
    lines: Iterable[str],
    person: str = "",
    proofs: Iterable[str] = (),
) -> Message:
    """A message with the fields of every letter of the desk, so that no program answers it (RFC 3834)."""
    message = text_part("".join(f"{line}\n" for line in lines))
    message["From"] = mailbox_field("From", office.settings.name, office.settings.address)
    message["To"] = mailbox_field("To", person, letter.recipient)
    message["Date"] = format_datetime(at)
    message["Message-ID"] = letter.id
    for name, value in fields.items():
        if value:
            message[name] = value if value.isascii() else words_field(name, value)
    for proof in proofs:
        message[PROOF] = words_field(PROOF, proof)
    message["X-Auto-Response-Suppress"] = "All"
    message[MARKER] = office.mailbox.ids
    return message


def _about(office: Office, *more: str) -> str:
    """The desk, and the host's address if the settings give it."""
    host = (phrase("foot.host", host=office.settings.host),) if office.settings.host else ()
    return " ".join((f"{office.settings.name}.", *more, *host))


def _signature(foot: Foot) -> tuple[str, ...]:
    """The foot of a letter, below the two hyphens of a signature."""
    return ("-- ", *wrap(foot.words), *foot.digits)
