"""Answers to letters that ask for games, and questions to their senders for confirmation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from referee.desk import Accept, Came, Outgoing, Progress
from referee.desk.log.acts import Withdraw
from referee.engine import usual_level
from referee.mail.handlers.allowance import ANSWER, NOTE, allowance, note_allowance
from referee.mail.handlers.arrival import NO_TOKEN, how_it_came
from referee.mail.handlers.notifications import report_letter
from referee.mail.handlers.permission import CONFIRMATION, OPENING, opening_kind
from referee.mail.handlers.petitions import Petition, confirmation_address, reply_address
from referee.mail.intake.requests import ForAll, ForgetBrowsers, Join, NewGame, Request
from referee.mail.letters.format.blocks import Block, BulletList, LetterSection, Paragraph
from referee.mail.letters.format.language import moment, phrase
from referee.mail.letters.format.text import quote, whole_sentence
from referee.mail.letters.story.draft import GeneralLetter, LetterContent, Thread, as_bytes
from referee.mail.office import Office
from referee.rules import all_games, game_named


def say(name: str, /, **parts: object) -> str:
    """The sentence of a name, with its parts."""
    return phrase(f"arrange.{name}", **parts)


@dataclass(frozen=True, slots=True)
class Call:
    """A petition in hand: its letter came at `came`, and the desk handles it at `at`."""

    office: Office
    petition: Petition
    came: datetime
    at: datetime

    @property
    def how(self) -> Came:
        """The log's record of the petition's letter."""
        how = how_it_came(self.office, self.petition.original, self.came)
        return replace(how, provider=None) if self.petition.confirms else how

    @property
    def until(self) -> datetime:
        """The time at which an invitation of today lapses."""
        return self.came + timedelta(days=self.office.settings.invitations.lapse)

    @property
    def thread(self) -> Thread:
        """The letter that is answered."""
        return Thread(self.petition.letter.message_id, self.petition.letter.digest)


def own_letter(call: Call, result: Progress, side: str, told: Sequence[Block]) -> Outgoing:
    """The first letter of the game to the player who asked for it."""
    content = LetterContent(call.came, side, -1, result.state.number, answers=tuple(told), thread=call.thread)
    address = call.petition.asker.address
    return report_letter(call.office, result.state, address, content, opening_kind(call.office, OPENING, address))


def answers(call: Call, told: Sequence[Block], *, owed: bool = False) -> tuple[Outgoing, ...]:
    """The answer, if the limits allow it or it is `owed`; the last one for a while says so."""
    office, petition, asker = call.office, call.petition, call.petition.asker
    if asker.seated or petition.returned:
        kind = ANSWER if asker.proven else NO_TOKEN
        allowed = allowance(office, asker.address, kind, call.came)
    else:
        kind = NOTE
        allowed = note_allowance(office, asker.address, call.came, vouched=asker.proven)
    if allowed.left <= 0 and not owed:
        return ()
    last = (Paragraph(phrase("last.note", until=moment(allowed.until))),) if allowed.last else ()
    return (_note(call, say("subject"), (*told, *last), kind, reply_address(office, petition)),)


def question(call: Call, request: Request | None) -> Outgoing:
    """The letter that asks a sender to confirm; it has no text that a forger could have chosen."""
    word, how = quote(Accept()), "ask-how"
    match request:
        case NewGame(game=game, faults=()):
            asked = say("ask", title=game_named(game).title)
        case ForAll(act=act):
            asked = say("ask-all-seats" if isinstance(act, Withdraw) else "ask-all-vacation")
        case Join():
            asked = say("ask-join")
        case ForgetBrowsers():
            asked = say("ask-forget")
        case _:
            asked, how = say("ask-unclear-game"), "ask-unclear"
    lines = [asked, say(how, word=word, until=moment(call.until))]
    if how == "ask-unclear":
        lines.append(say("ask-better", line=quote(example(call))))
    told = (*map(Paragraph, lines), Paragraph(say("ask-not")))
    reply_to = confirmation_address(call.office, call.petition.letter.digest)
    return _note(call, say("ask-subject"), told, CONFIRMATION, reply_to)


def _note(call: Call, subject: str, told: tuple[Block, ...], kind: str, reply_to: str) -> Outgoing:
    note = GeneralLetter(call.came, subject, (LetterSection("", told),), call.thread, reply_to)
    identity = call.office.mailbox.notice_id(call.petition.letter.digest)
    return Outgoing(identity, call.petition.asker.address, as_bytes(note), kind=kind)


def not_done(code: str, *messages: str) -> list[Block]:
    """The refusal of a request."""
    if len(messages) == 1:
        return [Paragraph(say("not-done", message=whole_sentence(messages[0]), code=code))]
    return [Paragraph(say("not-done-many", code=code)), BulletList(tuple(map(whole_sentence, messages)))]


def example(call: Call) -> str:
    """A line that opens a game: the requested one, or else the first one."""
    opening = call.petition.request
    named = opening.game if isinstance(opening, NewGame) else ""
    engines = call.office.settings.engines
    if isinstance(opening, NewGame) and opening.engines and not opening.rivals and engines.cores:
        return say("line-engine", game=named, level=usual_level(engines.level))
    return say("line", game=named or all_games()[0])
