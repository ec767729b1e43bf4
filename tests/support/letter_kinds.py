"""Every kind of letter that a desk sends: a correspondence in which everything happens once, and invitations.

`python -m tests.support.letter_kinds` rewrites the golden texts in tests/mail/kinds; read every change.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from referee.desk import Order, State, Terms, acts
from referee.game import GameFile, Player
from referee.mail.host.checks.concerns import write_to_host
from referee.mail.host.host import open_game, order_by_host, renew_key, tick_games
from referee.mail.transport.receipt import receive
from referee.rules import GAMES
from tests.support.correspondence import GAME, KEY, Correspondence, address, corresponding, text
from tests.support.desks import signed, signer
from tests.support.friends import ADA, BEN, CLEO, DAN, Friends, friends

INVITATIONS = "invitations"
KINDS = (*GAMES, INVITATIONS)
"""The golden texts."""

FOLDER = Path(__file__).parents[1] / "mail" / "kinds"

NAMES = ("Ada", "Ben", "Cy", "Dee")
QUESTIONS = ("board", "help", "rules", "notation", "history", "status", "board 1")
"""Questions of players, other than trials."""

BOARD = "<the board>"
"""A board in these letters."""

ASKED = (f"[{GAME}] What you asked for",)
"""Subjects of letters that are different each time."""

_SAID = ("P M9 A2 12", "What a fine day", "vacation 2")

CLOCK = {"days": 3, "bank": 24, "vacation": 9, "reminders": [12], "zone": "Europe/Vienna"}


def every_kind(game: str, folder: Path, settings: str = "") -> Iterator[tuple[str, EmailMessage]]:
    """The letters of a correspondence, each with the side that gets it; `settings` are those of its desk."""
    with corresponding(folder, settings, key=KEY) as post:
        for letters in _correspondence(post, game):
            yield from sorted((to.partition("@")[0], letter) for to, letter in letters.items())


def _correspondence(post: Correspondence, game: str) -> Iterator[dict[str, EmailMessage]]:
    sides = GameFile(game).description.sides
    file = GameFile(game, players={side: Player(name) for side, name in zip(sides, NAMES, strict=False)})
    addresses = {side: address(side) for side in sides}
    secret = "seed-0" if file.description.secret else None
    open_game(post.office, GAME, file, post.at, terms=Terms.read(CLOCK), addresses=addresses, secret=secret)
    yield post.collect()
    for _ in range(2):
        for side in (one for one in sides if one in post.state.position.to_move):
            yield post.write(side, str(next(iter(post.state.position.legal_moves(side)))))
    first, second, *_ = sides
    yield from (post.write(first, said) for said in (*QUESTIONS, *_trials(post), *_SAID))
    if not file.description.silent:
        yield post.write(second, "message\nHello Ada,\nresign\nor I shall!\nend")
    yield post.write(second, "offer draw")
    yield post.write(first, "decline")
    yield post.write(second, "claim draw", to=f"desk+{GAME}@example.org")
    yield post.post(b"From: Eve <eve@elsewhere.example>\nTo: desk@example.org\n\nHello\n")
    for order in _ORDERS:
        yield _order(post, order)
    yield _order(post, acts.Replace(second, "Carl", "carl@players.example"))
    renew_key(post.office, post.at)
    yield post.collect()
    *early, late = (one for one in sides if one in post.state.owing)
    for side in early:
        yield post.post(_letter(post, side, str(next(iter(post.state.position.legal_moves(side))))))
    for hours in (5 * 24 - 6, 8, 72):
        post.pass_time(hours)
        tick_games(post.office, post.at)
        yield post.collect()
    other = next(one for one in sides if one != late)
    yield post.post(_letter(post, other, "claim timeout"))
    if not file.description.secret:
        yield _order(post, acts.Reopen("Our clock was ahead"))
        yield _order(post, acts.Adjudicate(first, "no answer"))


def _trials(post: Correspondence) -> tuple[str, str]:
    """Questions about the next ply: its result, and the moves that begin like one."""
    position = post.state.position
    moves = [str(next(iter(position.legal_moves(side)))) for side in position.sides if side in position.to_move]
    return f"try {' | '.join(moves)}", f"legal {moves[0]}"


_OPEN = "open: known\nknown: [example.net, example.com, example.edu]\ntrust: {authserv: [mx.example.org]}\n"
_HOST = "host: grace@example.org\n"
EVE = "eve@elsewhere.example"


def every_invitation(folder: Path, settings: str = "") -> Iterator[tuple[str, EmailMessage]]:
    """The letters of players who open games themselves, each with the player who gets it."""
    with friends(folder, f"{_OPEN}{_HOST}{settings}") as post:
        for letters in _arrangements(post):
            yield from sorted((to.partition("@")[0], letter) for to, letter in letters.items())


def _arrangements(post: Friends) -> Iterator[dict[str, EmailMessage]]:
    """A game that is declined, one whose open seat is taken, its rematch, one that lapses, and a team's."""
    yield post.write(ADA, f"new laser-chess with {BEN}, as red, setup grail, 3 days a move")
    yield post.answer(BEN, "decline")
    yield post.write(CLEO, "new boundary, as north, no clock")
    (waiting,) = (name for name in post.games if name.startswith("boundary"))
    yield post.write(DAN, f"join {waiting}")
    yield post.answer(DAN, "resign")
    yield post.answer(CLEO, "rematch")
    yield from _with_a_key(post)
    yield post.write(ADA, f"new beams with {BEN}")
    yield post.pass_time(8)
    yield post.write(ADA, f"new the beam with {BEN}")
    yield post.answer(BEN, "accept with word bluebell")
    yield post.answer(BEN, "withdraw")
    yield post.write(DAN, "games")
    yield post.write(DAN, "new beams", vouched=False)
    yield post.write(EVE, "Hello?")
    yield from _once_a_day(post)


def _once_a_day(post: Friends) -> Iterator[dict[str, EmailMessage]]:
    """One letter a day for all games of a player, and one to the host because a letter was set aside."""
    yield post.write(ADA, f"new laser-chess with {CLEO}, as red")
    yield post.answer(CLEO, "M d1-d2")
    yield post.answer(ADA, "set letters daily")
    yield post.answer(ADA, str(next(iter(_running(post).position.legal_moves("red")))))
    yield post.answer(CLEO, str(next(iter(_running(post).position.legal_moves("blue")))))
    yield post.pass_time(1)
    order_by_host(post.office, _running(post).id, acts.Pause("the server moves"), post.at)
    yield post.collect()
    post.at += timedelta(days=9)
    aside = receive(post.office, post.letter(ADA, "help"), post.at)
    post.office.desk.inbox.postpone(aside, None, "our own fault")
    write_to_host(post.office, post.at)
    yield post.collect()


def _with_a_key(post: Friends) -> Iterator[dict[str, EmailMessage]]:
    """A seat is taken with its own key; acts that it has not signed are refused."""
    key = signer("dan")
    waiting = (state for state in map(post.office.desk.state, post.games) if state.invitation and not state.closed)
    ((name, side),) = ((one.id, side) for one in waiting for side, who in one.players.items() if who == "Dan")
    for act in (acts.Accept("", key.public), acts.Abort()):
        yield post.answer(DAN, str(act))
        done = signed(post.office.desk.state(name), side, key, act)
        yield post.answer(DAN, f"{act}\nsigned {done.signature}")


def _running(post: Friends) -> State:
    """The one game that has begun and is not over."""
    (state,) = (one for one in map(post.office.desk.state, post.games) if not (one.closed or one.invitation))
    return state


_ORDERS: tuple[Order, ...] = (acts.Extend(24), acts.Pause("the server moves"), acts.Resume())


def _order(post: Correspondence, order: Order) -> dict[str, EmailMessage]:
    order_by_host(post.office, GAME, order, post.at)
    return post.collect()


def _letter(post: Correspondence, side: str, body: str) -> bytes:
    """A reply to the last letter to a side, perhaps by a former player."""
    sender = post.office.desk.table(GAME).address(side)
    to = post.letters[sender][-1]["Reply-To"]
    post.count += 1
    return f"From: {sender}\nTo: {to}\nMessage-ID: <{side}.{post.count}@players.example>\n\n{body}\n".encode()


def as_golden(letters: Iterable[tuple[str, EmailMessage]]) -> str:
    """The first letter of each subject, and those that were asked for.

    They are without board and digits, and without paragraphs that an earlier one has too.
    """
    told: list[str] = []
    seen: set[str] = set()
    for side, letter in letters:
        subject = str(letter["Subject"])
        if subject in seen and subject not in ASKED:
            continue
        begin = len(told)
        for part in re.split(r"\n\n+", text(letter).replace("\r", "")):
            said = re.sub(r"\b[0-9a-f]{64}\b", "<64 digits>", part.strip("\n"))
            said = re.sub(r"(\+[a-z0-9-]+)\.[a-z2-7]{16}@", r"\1.KEY@", said)
            if said and said not in seen and not said.startswith((BOARD, "-- ")):
                told.append(f"{said}\n")
            seen.add(said)
        if told[begin:] or subject not in seen:
            told.insert(begin, f"{'=' * 72}\nTo {side}: {subject}\n")
        seen.add(subject)
    return "\n".join(told)


def letters(kind: str, folder: Path, settings: str = "") -> Iterator[tuple[str, EmailMessage]]:
    """The letters of one of the golden texts: of a game, or the invitations."""
    return every_invitation(folder, settings) if kind == INVITATIONS else every_kind(kind, folder / "desk", settings)


def golden(kind: str, folder: Path) -> str:
    """A golden text as it is now."""
    sections = "referee.mail.letters.sections"
    with (
        patch(f"{sections}.text_board", lambda *_, **__: [BOARD]),
        patch(f"{sections}.low_board", lambda *_, **__: [BOARD]),
    ):
        return as_golden(letters(kind, folder))


if __name__ == "__main__":
    for name in KINDS:
        with TemporaryDirectory() as place:
            (FOLDER / f"{name}.txt").write_text(golden(name, Path(place)), encoding="utf-8")
