"""Games by letter in which one seat has a key of its own."""

from __future__ import annotations

from referee.desk import Act, MakeMove, Resign, UseKey
from referee.mail.host.host import renew_key
from tests.support.correspondence import GAME, Correspondence, address, text
from tests.support.desks import signed, signer


def lines(post: Correspondence, side: str, act: Act, key: str = "") -> str:
    """An act and its signature, as lines of a letter."""
    made = signed(post.state, side, signer(key or side), act)
    return f"{act}\nsigned {made.signature[:64]}\n{made.signature[64:]}"


def said(post: Correspondence, side: str, body: str) -> str:
    return " ".join(text(post.write(side, body)[address(side)]).split())


def play_with_key(post: Correspondence, game: str, keyed: str) -> None:
    """Play a few rounds; no letter for the seat with a key changes anything if the key has not signed it.

    After its first move the desk's own key changes.
    """
    post.open(game, {"days": 5})
    sides = post.state.position.sides
    answer = said(post, keyed, str(UseKey(signer(keyed).public)))
    assert "Your seat has a key, so you have to sign your moves and other acts with it" in answer
    assert f"referee sign --rules '{game} 1' {GAME} 1 {keyed} \\ --opening {post.state.root}" in answer
    for _ in range(2 * len(sides)):
        side = min(post.state.owing)
        move = MakeMove(str(next(iter(post.state.position.legal_moves(side)))))
        if side == keyed:
            before = len(post.kinds)
            assert "(unsigned)" in said(post, side, str(move))
            assert "(signature)" in said(post, side, lines(post, side, move, "the host"))
            assert len(post.kinds) == before
            post.write(side, lines(post, side, move))
            if "signed" not in post.kinds:
                renew_key(post.office, post.at, reason="a copy was stolen")
                post.collect()
        else:
            post.write(side, str(move))
    for side in {*sides} - {keyed}:
        assert not any("Signing" in text(one) or "signed line" in text(one) for one in post.letters[address(side)])
    assert "(unsigned)" in said(post, keyed, "withdraw")
    post.write(keyed, lines(post, keyed, Resign()))
    assert post.kinds[-1] == "closed"
    post.holds()
