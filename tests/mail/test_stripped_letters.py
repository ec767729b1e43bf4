"""Letters that lost fields of their headers on the way, as mailing lists and filters strip them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.desk import HeadSource
from referee.mail.addresses import HEAD, MARKER, PROOF
from referee.mail.evidence.mailboxes import as_mailbox, heads_of
from referee.mail.intake.message.limits import unix_lines
from referee.rules import GAMES
from tests.mail.test_strict import of_desk, strictly
from tests.support.correspondence import GAME, Correspondence
from tests.support.examples import sampled
from tests.support.signed_letters import FIELDS, move, playing, stamped

PLIES = 8
KEPT = (*FIELDS, "dkim-signature", "content-type", "content-transfer-encoding", "mime-version")


def stripped(raw: bytes, kept: tuple[str, ...] = KEPT) -> bytes:
    """A letter without the fields that are not `kept`."""
    head, _, body = unix_lines(raw).partition(b"\n\n")
    fields = re.split(rb"\n(?![ \t])", head)
    left = [one for one in fields if one.partition(b":")[0].decode().lower() in kept]
    return (b"\n".join(left) + b"\n\n" + body).replace(b"\n", b"\r\n")


def whole_game(post: Correspondence) -> None:
    """Moves, then a resignation."""
    for _ in range(PLIES):
        if post.state.closed is None:
            move(post, min(post.state.owing))
    if post.state.closed is None:
        post.write(post.state.position.sides[0], "resign")


def without(*fields: str) -> Callable[[bytes], bytes]:
    """What a list does to a signed letter that takes even these fields away."""
    return lambda raw: stripped(stamped(raw), tuple(one for one in KEPT if one not in fields))


@pytest.mark.slow
@pytest.mark.parametrize("game", sampled(GAMES, 4))
def test_a_strict_audit_needs_only_the_signed_fields_and_never_passes_without_them(game: str, tmp_path: Path) -> None:
    for lost in ("", "message-id", "dkim-signature"):
        with playing(tmp_path / f"desk-{lost}", game) as post:
            post.stamp = without(lost)
            whole_game(post)
            assert post.state.closed is not None
            assert of_desk(post).failed == bool(lost), lost
        log, letters = post.exported.splitlines(), [one.letter for one in post.office.desk.inbox.history()]
        assert strictly(log, b"".join(as_mailbox([*letters[:1], *letters[2:]]))).failed, "a letter less"


@pytest.mark.slow
@pytest.mark.parametrize("game", sampled(GAMES[::-1], 4))
def test_letters_of_a_desk_without_their_own_fields_still_show_the_head_of_the_log(game: str, tmp_path: Path) -> None:
    with playing(tmp_path / "desk", game) as post:
        whole_game(post)
        shown = [message.as_bytes() for letters in post.letters.values() for message in letters]
        for raw in shown:
            (whole, *_), bare = heads_of(raw), heads_of(stripped(raw))
            assert [(one.game, one.number, one.digest) for one in bare] == [(GAME, whole.number, whole.digest)]
            assert bare[0].source is not HeadSource.LETTER, "without its mark no letter counts as the desk's"
            for name in (HEAD, PROOF):
                assert name.lower() not in stripped(raw).decode(errors="replace").lower().partition("\r\n\r\n")[0]
            marked = heads_of(stripped(raw, (*KEPT, MARKER.lower())))
            assert [(one.number, one.digest, one.source) for one in marked] == [
                (whole.number, whole.digest, HeadSource.LETTER)
            ]
