"""The gate before the pages: rates, methods, sizes, headers."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.web.clients import Allowances, networks
from referee.web.site.gate import PAGE_POLICY
from tests.support.sites import club


def test_a_client_that_asks_too_often_waits(tmp_path: Path) -> None:
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


def test_a_fault_of_the_store_is_reported_without_its_words(tmp_path: Path) -> None:
    with club(tmp_path) as here:
        (tmp_path / "desk.sqlite").rename(tmp_path / "elsewhere.sqlite")
        assert "cannot be read now" in here.get("/", 503)
