"""The gate before the pages: rates, clients behind proxies, methods, sizes, headers."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.web.desk.gate import PAGE_POLICY, Allowances, client_of, networks
from tests.support.rows import each
from tests.support.sites import club

PROXIES = ("127.0.0.1", "10.0.0.0/8", "::1")

# The peer, what X-Forwarded-For says, and who the client is.
CLIENTS: tuple[tuple[str, list[str], str], ...] = (
    ("192.0.2.7", [], "192.0.2.7"),
    ("192.0.2.7", ["198.51.100.1"], "192.0.2.7"),
    ("127.0.0.1", [], "127.0.0.1"),
    ("127.0.0.1", ["198.51.100.1"], "198.51.100.1"),
    ("127.0.0.1", ["203.0.113.9, 198.51.100.1"], "198.51.100.1"),
    ("127.0.0.1", ["203.0.113.9", "198.51.100.1, 10.1.2.3"], "198.51.100.1"),
    ("127.0.0.1", ["10.1.2.3"], "10.1.2.3"),
    ("127.0.0.1", ["nonsense"], "unknown"),
    ("127.0.0.1", [" , "], "127.0.0.1"),
    ("::1", ["2001:db8:1:2:3:4:5:6"], "2001:db8:1:2::/64"),
    ("::1", ["::ffff:198.51.100.1"], "198.51.100.1"),
)


@each(CLIENTS)
def test_only_a_trusted_proxy_says_who_asks(row: tuple[str, list[str], str]) -> None:
    peer, forwarded, client = row
    headers = [(b"x-forwarded-for", text.encode()) for text in forwarded]
    scope = {"type": "http", "client": (peer, 1), "headers": headers}
    assert client_of(scope, networks(PROXIES)) == client


def test_a_peer_without_an_address_is_nobody_in_particular() -> None:
    assert client_of({"type": "http", "client": None, "headers": []}, ()) == "unknown"


def test_what_is_used_up_comes_back_with_time() -> None:
    now = 0.0
    allowances = Allowances(rate=2, burst=3, clock=lambda: now)
    assert [allowances.take("a") for _ in range(3)] == [0, 0, 0]
    assert allowances.take("a") == 0.5
    assert allowances.take("b") == 0
    now = 0.5
    assert (allowances.take("a"), allowances.take("a")) == (0, 0.5)
    now = 1000.0
    assert [allowances.take("a") for _ in range(4)] == [0, 0, 0, 0.5]


def test_the_clients_that_asked_last_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.web.desk.gate._CLIENTS", 2)
    allowances = Allowances(rate=1, burst=1, clock=lambda: 0.0)
    for client in ("a", "b", "c"):
        assert allowances.take(client) == 0
    assert (allowances.take("c") > 0, allowances.take("a")) == (True, 0)


def test_whoever_asks_too_often_waits(tmp_path: Path) -> None:
    with club(tmp_path, trusted=networks(["192.0.2.0/24"]), allowances=Allowances(1, 2, lambda: 0.0)) as here:
        for _ in range(2):
            here.get("/static/pages.css")
        answer = here.browser.get("/static/pages.css")
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "2")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_pages_can_only_be_read(tmp_path: Path, method: str) -> None:
    with club(tmp_path) as here:
        answer = here.browser.request(method, "/g/spring-7")
        assert (answer.status_code, {*answer.headers["allow"].split(", ")}) == (405, {"GET", "HEAD"})


def test_an_address_that_is_too_long_is_not_looked_at(tmp_path: Path) -> None:
    with club(tmp_path) as here:
        here.get(f"/p/{'x' * 1000}", 414)


def test_every_answer_has_the_headers_that_keep_others_out(tmp_path: Path) -> None:
    with club(tmp_path) as here:
        here.open("spring-7", "boundary")
        for path in ("/", "/g/spring-7", "/g/nothing", "/static/pages.js", "/g/spring-7/feed"):
            headers = here.browser.get(path).headers
            assert headers["content-security-policy"] == PAGE_POLICY
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"
            assert "set-cookie" not in headers
        picture = here.browser.get("/g/spring-7/board.svg").headers
        assert picture["content-security-policy"] == "default-src 'none'; style-src 'unsafe-inline'"


def test_a_fault_of_the_store_is_told_without_its_words(tmp_path: Path) -> None:
    with club(tmp_path) as here:
        (tmp_path / "desk.sqlite").rename(tmp_path / "elsewhere.sqlite")
        assert "cannot be read now" in here.get("/", 503)
