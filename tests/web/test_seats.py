"""Acts of players on the page of their game, which no one else can do there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from threading import Event, Semaphore
from typing import Any

import httpx2
import pytest

from referee.desk import Desk, Replace, Submission, seat_token
from referee.desk.store.store import Store
from referee.mail.browsers.browsers import Browsers
from referee.mail.host.host import order_by_host
from referee.mail.office import office_in
from referee.web.site import Site
from referee.web.site.routes import THREADS
from tests.support.correspondence import GAME, address, text
from tests.support.rows import each
from tests.support.sites import club, served
from tests.web.seated import HEADERS, URL, Seated, seated

MOVE = "1. P a1-a2"
ACTS = ("seat", "ahead", "code", "pair", "move", "forget")


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Seated]:
    with seated(tmp_path / "desk") as found:
        yield found


@pytest.fixture
def paired(here: Seated) -> Seated:
    here.pair()
    return here


@pytest.mark.slow
def test_a_paired_browser_moves(here: Seated) -> None:
    assert not here.told("seat")["paired"]
    assert here.refusal("move", line=MOVE) == (403, "not-paired")
    here.pair()
    assert here.told("seat")["paired"]
    assert "P a1-a2" in here.told("move", line=MOVE)["done"]
    letters = here.post.collect()
    assert "You did this on the game's page" in text(letters[address("south")])
    assert "P a1-a2" in text(letters[address("north")])
    assert here.post.state.plies == ({"south": "P a1-a2"},)
    here.post.holds()


@pytest.mark.slow
def test_the_cookie_is_narrow(here: Seated) -> None:
    cookie = here.ask("code").headers["set-cookie"]
    name, _, rest = cookie.partition("=")
    assert name.startswith("__Host-seat-")
    assert address("south") not in cookie
    assert {part.strip().lower() for part in rest.split(";")[1:]} >= {
        "httponly",
        "secure",
        "samesite=strict",
        "path=/",
    }


@pytest.mark.slow
def test_the_desk_keeps_no_secret_of_a_browser(here: Seated, tmp_path: Path) -> None:
    secret = here.ask("code").headers["set-cookie"].partition("=")[2].partition(";")[0]
    code = here.code()
    here.told("pair", code=code)
    with here.post.office.desk.games.database.engine.begin() as connection:
        rows = connection.exec_driver_sql("select token, code from pairing").all()
    assert rows
    assert secret not in str(rows)
    assert code.replace(" ", "") not in str(rows)


@pytest.mark.slow
def test_pages_with_a_path_have_their_cookies_to_themselves(tmp_path: Path) -> None:
    with seated(tmp_path / "desk", url=f"{URL}/club") as here:
        answer = here.browser.post(f"{URL}/g/{GAME}/code", json={"key": here.key()}, headers=HEADERS)
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith("__Secure-seat-")
        assert "path=/club;" in cookie.lower()


@each(
    [
        ({}, "other-site"),
        ({"origin": "null"}, "other-site"),
        ({"origin": "https://evil.example"}, "other-site"),
        ({"origin": f"{URL}.evil.example"}, "other-site"),
        ({"origin": "http://desk.example.org"}, "other-site"),
        ({**HEADERS, "sec-fetch-site": "cross-site"}, "other-site"),
        ({**HEADERS, "sec-fetch-site": "same-site"}, "other-site"),
        ({**HEADERS, "content-type": "text/plain"}, "media-type"),
        ({**HEADERS, "content-type": "application/x-www-form-urlencoded"}, "media-type"),
        ({**HEADERS, "content-type": "multipart/form-data; boundary=x"}, "media-type"),
    ]
)
def test_no_other_site_can_act(row: tuple[dict[str, str], str], paired: Seated) -> None:
    here, (headers, code) = paired, row
    before = here.post.exported
    body = f'{{"key": "{here.key()}", "line": "{MOVE}", "code": "12345678"}}'
    sent = {"content-type": "application/json", **headers}
    for name in ACTS:
        answer = here.browser.post(f"/g/{GAME}/{name}", content=body, headers=sent)
        assert answer.json()["code"] == code, name
        assert answer.status_code in (403, 415)
        assert "set-cookie" not in answer.headers
    assert here.told("seat")["paired"]
    assert here.post.exported == before
    assert not here.post.collect()


@pytest.mark.slow
def test_get_never_acts(here: Seated) -> None:
    here.pair()
    before = here.post.exported
    for name, method in product(ACTS, ("GET", "HEAD", "PUT", "DELETE", "OPTIONS")):
        sent = {"key": here.key(), "line": MOVE}
        answer = here.browser.request(method, f"/g/{GAME}/{name}", params=sent, headers=HEADERS)
        assert answer.status_code in (404, 405)
    assert here.post.exported == before


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 400, "json"),
        (b"[]", 400, "json"),
        (b"null", 400, "json"),
        (b'{"key": 1}', 400, "json"),
        (b'{"key": ["x"]}', 400, "json"),
        (b"\xff\xfe", 400, "json"),
        (b"[" * 1900, 400, "json"),
        (b"x" * 10_001, 413, "too-large"),
    ],
)
def test_hostile_bodies_are_refused(here: Seated, body: bytes, status: int, code: str) -> None:
    for name in ACTS:
        headers = {**HEADERS, "content-type": "application/json"}
        answer = here.browser.post(f"/g/{GAME}/{name}", content=body, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (status, code), name


@each(["", "aaaaaaaaaaaaaaaa", "ä\x00"])
def test_a_key_of_no_seat_is_refused(key: str, here: Seated) -> None:
    body = {"key": key, "line": MOVE}
    for name in ("code", "move"):
        answer = here.browser.post(f"/g/{GAME}/{name}", json=body, headers=HEADERS)
        assert (answer.status_code, answer.json()["code"]) == (403, "no-seat")


@pytest.mark.slow
def test_a_code_is_typed_once_in_time_and_by_its_browser(here: Seated) -> None:
    here.told("code")
    code = here.code()
    assert here.refusal("pair", code="1") == (403, "pairing-code")
    assert here.refusal("pair") == (400, "json")
    here.told("pair", code=code)
    assert here.refusal("pair", code=code) == (403, "pairing-over")
    here.browser.cookies.clear()
    assert here.refusal("pair", code=code) == (403, "pairing-over")
    assert here.refusal("move", line=MOVE) == (403, "not-paired")


@pytest.mark.slow
def test_a_browser_moves_for_no_other_seat_or_game(here: Seated) -> None:
    here.pair()
    assert here.refusal("move", "north", line="P f6-f5") == (403, "not-paired")
    cookies = {name.partition("seat-")[0] + "seat-": secret for name, secret in here.browser.cookies.items()}
    north = here.ask("code", "north").headers["set-cookie"].partition("=")[0]
    here.browser.cookies.clear()
    here.browser.cookies.set(north, next(iter(cookies.values())), domain="desk.example.org")
    assert here.refusal("move", "north", line="P f6-f5") == (403, "not-paired")
    answer = here.browser.post("/g/other/move", json={"key": here.key(), "line": MOVE}, headers=HEADERS)
    assert answer.status_code == 404


@pytest.mark.slow
def test_a_new_player_of_a_seat_ends_the_right_of_the_browser(here: Seated) -> None:
    here.pair()
    ((_, secret),) = here.browser.cookies.items()
    assert here.told("seat")["paired"]
    order_by_host(here.post.office, GAME, Replace("south", "Eve", "eve@example.org"), here.post.at)
    assert here.refusal("move", line=MOVE) == (403, "no-seat")
    state = here.post.state
    new = seat_token(here.post.office.desk.key, state, "south")
    body = {"key": new, "line": MOVE}
    name = here.browser.post(f"/g/{GAME}/code", json=body, headers=HEADERS).headers["set-cookie"].partition("=")[0]
    here.browser.cookies.clear()
    here.browser.cookies.set(name, secret, domain="desk.example.org")
    answer = here.browser.post(f"/g/{GAME}/move", json=body, headers=HEADERS)
    assert (answer.status_code, answer.json()["code"]) == (403, "not-paired")
    assert not here.post.state.plies


@pytest.mark.slow
def test_nothing_is_submitted_after_the_end(here: Seated) -> None:
    here.pair()
    old = here.key()
    here.post.write("north", "resign")
    before = here.post.exported
    for key in (old, here.key()):
        answer = here.browser.post(f"/g/{GAME}/move", json={"key": key, "line": MOVE}, headers=HEADERS)
        assert answer.status_code in (403, 409)
    assert here.post.exported == before


@pytest.mark.slow
def test_a_move_that_is_sent_many_times_at_once_is_made_once(here: Seated) -> None:
    here.pair()
    body = {"key": here.key(), "line": MOVE}
    with ThreadPoolExecutor(4) as threads:
        sent = [
            threads.submit(here.browser.post, f"/g/{GAME}/move", json=body, headers=HEADERS).result for _ in range(4)
        ]
        codes = [answer().status_code for answer in sent]
    assert codes.count(200) == 1
    assert set(codes) <= {200, 202, 409}
    assert here.post.state.plies == ({"south": "P a1-a2"},)
    assert here.post.kinds.count("played") == 1


@pytest.mark.slow
def test_a_pairing_outlives_the_desk_s_process(here: Seated, tmp_path: Path) -> None:
    here.pair()
    ((_, secret),) = here.browser.cookies.items()
    with office_in(tmp_path / "desk") as office:
        assert Browsers(office, lambda: here.post.at).standing([secret], GAME, here.key())["paired"]


@pytest.mark.slow
def test_late_or_illegal_moves_are_refused_and_kept_nowhere(here: Seated) -> None:
    here.pair()
    old, before = here.key(), here.post.office.desk.upkeep.counts()
    refused = {"P z9-z8": 422, "withdraw": 422, "P a1-a1": 422, "": 422, "P a1-a2\nP b1-b2": 422, "x" * 1500: 422}
    assert {line: here.ask("move", line=line).status_code for line in refused} == refused
    assert here.post.office.desk.upkeep.counts() == before
    here.told("move", line=MOVE)
    late = here.browser.post(f"/g/{GAME}/move", json={"key": old, "line": MOVE}, headers=HEADERS)
    assert (late.status_code, late.json()["code"]) == (409, "page-key")
    assert len(here.post.state.plies) == 1


@pytest.mark.slow
def test_a_flood_is_stopped(here: Seated) -> None:
    here.pair()
    codes = [here.ask("move", line="P z9-z8").status_code for _ in range(40)]
    assert codes.count(429) >= 20
    assert set(codes) == {422, 429}
    assert here.told("seat")["paired"], "pages that wait for a reveal may ask on"


@pytest.mark.slow
def test_forgetting_a_browser_takes_its_cookie(here: Seated) -> None:
    here.pair()
    here.told("forget")
    assert not [*here.browser.cookies.items()]
    assert here.refusal("move", line=MOVE) == (403, "not-paired")


class Stuck:
    """A desk that never ends a write."""

    def __init__(self) -> None:
        self.begun, self.ended = Semaphore(0), Event()

    def standing(self, tokens: Sequence[str], game: str, key: str, side: str = "") -> dict[str, object]:
        return {"paired": bool(game and key and tokens and side)}

    def submit(self, tokens: Sequence[str], game: str, key: str, text: str, once: str = "") -> Submission:
        self.begun.release()
        assert self.ended.wait(20)
        return Submission(f"{game}{key}{tokens}{text}{once}", lambda: (False, None))

    def ask(self, tokens: Sequence[str], game: str, key: str) -> str:
        raise NotImplementedError

    def sign_in(self, tokens: Sequence[str], address: str, token: str) -> None:
        self.begun.release()
        assert self.ended.wait(20), (tokens, address, token)

    def pair(self, tokens: Sequence[str], code: str) -> tuple[str, str]:
        raise NotImplementedError

    def forget(self, tokens: Sequence[str]) -> None:
        raise NotImplementedError

    def look(self, tokens: Sequence[str]) -> dict[str, Any]:
        raise NotImplementedError

    def open(self, tokens: Sequence[str], text: str) -> dict[str, str]:
        raise NotImplementedError


@pytest.mark.slow
def test_a_writer_keeps_no_reader_waiting(tmp_path: Path) -> None:
    stuck = Stuck()
    with (
        Store.create(tmp_path / "desk.sqlite") as store,
        served(lambda url: Site(Desk(store), url, ""), stuck) as url,
    ):
        sent: dict[str, Any] = {"json": {"key": "x", "line": MOVE}, "headers": {"origin": url}, "timeout": 20}
        with ThreadPoolExecutor(THREADS) as threads:
            acting = [threads.submit(httpx2.post, f"{url}/g/{GAME}/move", **sent) for _ in range(THREADS)]
            try:
                assert all(stuck.begun.acquire(timeout=20) for _ in acting)
                assert httpx2.get(f"{url}/", timeout=10).status_code == 200
                assert httpx2.post(f"{url}/g/{GAME}/seat", **{**sent, "timeout": 10}).json() == {"paired": False}
            finally:
                stuck.ended.set()
        assert {one.result().status_code for one in acting} == {200}


@pytest.mark.slow
def test_the_time_of_an_answer_tells_nothing_about_an_address(tmp_path: Path) -> None:
    """It comes before the desk looks whether a player has the address."""
    stuck = Stuck()
    with (
        Store.create(tmp_path / "desk.sqlite") as store,
        served(lambda url: Site(Desk(store), url, ""), stuck) as url,
    ):
        try:
            said = {"address": address("south")}
            answer = httpx2.post(f"{url}/me/code", json=said, headers={"origin": url}, timeout=10)
            assert (answer.status_code, answer.json()) == (200, {})
            assert stuck.begun.acquire(timeout=20)
        finally:
            stuck.ended.set()


def test_pages_that_take_no_moves_have_no_such_addresses(tmp_path: Path) -> None:
    with club(tmp_path) as shown:
        shown.open(GAME, "boundary")
        for name in ACTS:
            answer = shown.browser.post(f"/g/{GAME}/{name}", json={"key": "aaaaaaaaaaaaaaaa"}, headers=HEADERS)
            assert answer.status_code == 404
