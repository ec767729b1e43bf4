"""Signing in with a letter: the code pairs the browser that asked, and nobody learns who plays here."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from referee.mail.browsers.pairings import SIGN_INS_A_DAY
from referee.web.site.seats import SIGN_INS
from tests.support.correspondence import GAME, address, text
from tests.support.rows import each
from tests.web.seated import CODE, HEADERS, URL, Seated, seated

MOVE = "1. P a1-a2"
ME = ("state", "games", "code", "pair", "forget")


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Seated]:
    with seated(tmp_path / "desk") as found:
        yield found


def asked(here: Seated, whose: str = "south") -> str:
    """The letter that a player gets whose address is typed."""
    answer = here.post_to("/me/code", address=address(whose))
    assert (answer.status_code, answer.json()) == (200, {})
    return text(here.post.collect()[address(whose)])


def code_in(letter: str) -> str:
    found = CODE.search(letter)
    assert found is not None
    return found[1]


def refusal(here: Seated, path: str, **said: str) -> tuple[int, str]:
    answer = here.post_to(path, **said)
    return answer.status_code, answer.json()["code"]


def moves(here: Seated) -> bool:
    """Whether a browser without a link can move."""
    key = here.post_to(f"/g/{GAME}/seat").json().get("key") or here.key()
    return here.post_to(f"/g/{GAME}/move", key=key, line=MOVE).status_code == 200


@pytest.mark.slow
def test_a_code_to_a_registered_address_signs_in(here: Seated) -> None:
    assert not moves(here)
    letter = asked(here)
    code = code_in(letter)
    assert f"{URL}/me#code={code.replace(' ', '')}" in letter
    answer = here.post_to("/me/pair", code=code)
    assert answer.status_code == 200
    assert "A browser may move for you" in str(here.post.collect()[address("south")]["Subject"])
    assert here.post_to("/me/state").json()["paired"]
    assert [name for name in here.browser.cookies if name.endswith("-new")] == []
    assert moves(here)


@pytest.mark.slow
def test_an_address_may_be_typed_in_any_spelling(here: Seated) -> None:
    here.post_to("/me/code", address=f"  {address('south').title()} ")
    assert address("south") in here.post.collect()


@each(
    ["nobody@players.example", "", "no address", "south@players.example\r\nBcc: eve@example.org", "desk@example.org"]
)
def test_no_one_else_gets_a_letter_and_the_answer_is_the_same(typed: str, here: Seated) -> None:
    known = here.post_to("/me/code", address=address("south" if "@" in typed else "north"))
    here.post.collect()
    answer = here.post_to("/me/code", address=typed)
    assert not here.post.collect()
    assert (answer.status_code, answer.content) == (known.status_code, known.content)
    names = [re.sub("=[^;]+;", "=…;", one.headers["set-cookie"], count=1) for one in (answer, known)]
    assert names[0] == names[1]
    assert here.post_to("/me/state").json() == {"paired": False, "name": "", "waiting": 0, "next": None}
    wrong = here.post_to("/me/pair", code="12345678")
    assert wrong.json()["message"] == "this is not the code of the newest letter; attempts left: 4"


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/me/code", "/me/pair", f"/g/{GAME}/seat", f"/g/{GAME}/code", f"/g/{GAME}/move"])
def test_half_a_character_is_no_text(path: str, here: Seated) -> None:
    said = json.dumps(dict.fromkeys(("address", "code", "key", "line", "once", "side"), "\ud800"))
    answer = here.browser.post(path, content=said, headers={**HEADERS, "content-type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (400, "json")


@pytest.mark.slow
def test_pairing_gives_a_new_secret(here: Seated) -> None:
    """Whoever has put a secret into a browser, or read it before, has no part in the pairing."""
    code = code_in(asked(here))
    planted = dict(here.browser.cookies.items())
    assert here.post_to("/me/pair", code=code).status_code == 200
    assert here.post_to("/me/state").json()["paired"]
    paired = {*here.browser.cookies.values()}
    here.browser.cookies.clear()
    for name, secret in planted.items():
        assert secret not in paired
        here.browser.cookies.set(name, secret, domain="desk.example.org")
    assert not here.post_to("/me/state").json()["paired"]


@pytest.mark.slow
def test_a_code_is_one_time_and_of_the_browser_that_asked(here: Seated) -> None:
    code = code_in(asked(here))
    first = dict(here.browser.cookies.items())
    here.browser.cookies.clear()
    answer = here.post_to("/me/pair", code=code)
    assert (answer.status_code, answer.json()["code"]) == (403, "pairing-over")
    assert "in the browser that asked for it" in answer.json()["message"]
    assert not moves(here)
    for name, secret in first.items():
        here.browser.cookies.set(name, secret, domain="desk.example.org")
    assert here.post_to("/me/pair", code=code).status_code == 200
    assert refusal(here, "/me/pair", code=code) == (403, "pairing-over")


@pytest.mark.slow
def test_a_code_lasts_half_an_hour(here: Seated) -> None:
    code = code_in(asked(here))
    here.post.at += timedelta(minutes=30)
    assert refusal(here, "/me/pair", code=code) == (403, "pairing-over")


@pytest.mark.slow
def test_codes_are_guessed_five_times(here: Seated) -> None:
    code = code_in(asked(here)).replace(" ", "")
    for left in range(4, -1, -1):
        answer = here.post_to("/me/pair", code=f"{(int(code) + 1) % 10**8:08}")
        assert answer.json()["message"].endswith(f"attempts left: {left}")
    assert refusal(here, "/me/pair", code=code) == (403, "pairing-over")
    assert not moves(here)


@pytest.mark.slow
def test_no_client_uses_up_the_codes_of_an_address(here: Seated) -> None:
    for _ in range(SIGN_INS):
        asked(here)
    assert refusal(here, "/me/code", address=f" {address('south').upper()} ") == (429, "too-many-codes")
    assert not here.post.collect()
    assert SIGN_INS < SIGN_INS_A_DAY, "another client can still ask"
    assert here.post_to("/me/code", address=address("north")).status_code == 200
    here.post.collect()
    here.pair()
    assert moves(here), "and so can a link"


@pytest.mark.slow
def test_an_address_gets_few_codes_a_day(here: Seated, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.mail.browsers.pairings.SIGN_INS_A_DAY", 2)
    for _ in range(2):
        asked(here)
    answer = here.post_to("/me/code", address=address("south"))
    assert (answer.status_code, answer.json()) == (200, {})
    assert not here.post.collect()


@pytest.mark.slow
def test_a_client_asks_for_few_codes(here: Seated) -> None:
    codes = [here.post_to("/me/code", address=f"p{number}@players.example").status_code for number in range(30)]
    assert codes.count(429) >= 9


@pytest.mark.slow
def test_a_stolen_cookie_of_a_forgotten_browser_moves_nothing(here: Seated) -> None:
    here.pair()
    key, stolen = here.key(), dict(here.browser.cookies.items())
    assert here.post_to("/me/forget").json() == {}
    assert not dict(here.browser.cookies.items())
    for name, secret in stolen.items():
        here.browser.cookies.set(name, secret, domain="desk.example.org")
    before = here.post.exported
    assert here.post_to(f"/g/{GAME}/seat").json()["side"] is None
    for line in (MOVE, "resign", "offer draw", "message: hello"):
        assert refusal(here, f"/g/{GAME}/move", key=key, line=line) == (403, "not-paired")
    assert not here.post_to("/me/state").json()["paired"]
    assert refusal(here, "/play/open", line="new boundary with engine:1") == (403, "not-paired")
    assert here.post.exported == before


@pytest.mark.slow
def test_a_player_lists_and_forgets_browsers_by_letter(here: Seated) -> None:
    here.pair()
    told = text(here.post.write("south", "browsers")[address("south")])
    assert "This browser may move for you" in " ".join(told.split())
    told = text(here.post.write("south", "forget all my browsers")[address("south")])
    assert "The browser that could move for you is forgotten." in " ".join(told.split())
    assert not moves(here)
    told = text(here.post.write("south", "forget browsers")[address("south")])
    assert "No browser may move for you" in " ".join(told.split())


@pytest.mark.slow
def test_nobody_forgets_the_browsers_of_another_by_letter(here: Seated) -> None:
    here.pair()
    here.post.write("north", "forget browsers")
    here.post.write("south", "forget browsers", sender="eve@example.org")
    here.post.write("south", "forget browsers", to="desk@example.org")
    assert moves(here)


@each(
    [
        {},
        {"origin": "null"},
        {"origin": "https://evil.example"},
        {**HEADERS, "sec-fetch-site": "cross-site"},
        {**HEADERS, "content-type": "application/x-www-form-urlencoded"},
        {**HEADERS, "content-type": "text/plain"},
    ]
)
def test_no_other_site_asks_for_a_player(headers: dict[str, str], here: Seated) -> None:
    body = f'{{"address": "{address("south")}", "code": "12345678"}}'
    for name in ME:
        sent = {"content-type": "application/json", **headers}
        answer = here.browser.post(f"/me/{name}", content=body, headers=sent)
        assert answer.json()["code"] in ("other-site", "media-type"), name
        assert "set-cookie" not in answer.headers
    assert not here.post.collect()


def test_no_frame_shows_the_pages_and_no_form_is_sent_from_them(here: Seated) -> None:
    for path in ("/me", f"/g/{GAME}"):
        policy = here.browser.get(path).headers["content-security-policy"]
        assert "frame-ancestors 'none'" in policy
        assert "form-action 'none'" in policy
    for name in ME:
        answer = here.browser.post(f"/me/{name}", data={"address": address("south")}, headers=HEADERS)
        assert answer.status_code == 415
        assert here.browser.get(f"/me/{name}").status_code in (404, 405)
