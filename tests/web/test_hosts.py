"""The API answers under its own names, to pages of allowed sites, and HEAD as it answers GET."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest

from tests.support.api import client
from tests.support.desks import Desk
from tests.support.rows import each

if TYPE_CHECKING:
    from starlette.testclient import TestClient

LEGAL = "/api/v1/legal?game=boundary"
SITE = "https://club.example.org"


@pytest.fixture(scope="module")
def api() -> TestClient:
    return client()


def with_a_desk(*origins: str) -> TestClient:
    desk = Desk()
    return client(state_of=lambda _: desk.state, origins=origins)


@pytest.mark.slow
@each(
    [
        *("localhost", "localhost:8080", "LocalHost.", "desk.localhost:1", "127.0.0.1", "127.0.0.1:8080"),
        *("[::1]", "[::1]:8080", "192.0.2.7:80", "[2001:db8::7]", "api.club.example", "API.club.example:443"),
        socket.gethostname(),
    ]
)
def test_a_server_answers_under_its_names_and_addresses(host: str, api: TestClient) -> None:
    assert api.get(LEGAL, headers={"Host": host}).status_code == 200


@pytest.mark.slow
@each(
    [
        *(
            "elsewhere.example",
            "elsewhere.example:8080",
            "127.0.0.1.elsewhere.example",
            "localhost.elsewhere.example",
        ),
        *("club.example", "elsewhere-localhost", "", ":8080", "[::1", "localhost:8080:8080", "api.club.example@x"),
    ]
)
def test_a_request_for_another_server_is_refused(host: str, api: TestClient) -> None:
    for answer in (api.get(LEGAL, headers={"Host": host}), api.post("/api/v1/check", headers={"Host": host})):
        assert (answer.status_code, answer.json()["code"]) == (421, "other-host")


@pytest.mark.slow
def test_no_page_of_another_site_reads_the_games_of_a_desk() -> None:
    asking = with_a_desk()
    for path in ("/api/v1/games/game-1", "/api/v1/games/game-1/board.svg", LEGAL, "/nothing"):
        answer = asking.get(path, headers={"Origin": SITE})
        assert not [name for name in answer.headers if name.startswith("access-control")]
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    asked = {"Origin": SITE, "Access-Control-Request-Method": "GET"}
    assert asking.options("/api/v1/games/game-1", headers=asked).status_code == 405


def test_pages_of_the_sites_that_are_named_may_read_them() -> None:
    asking = with_a_desk(SITE)
    allowed = [
        asking.get("/api/v1/games/game-1", headers={"Origin": origin}).headers.get("access-control-allow-origin")
        for origin in (SITE, "https://elsewhere.example", "null")
    ]
    assert allowed == [SITE, None, None]


@pytest.mark.slow
def test_head_is_answered_as_get_without_the_body() -> None:
    asking = with_a_desk()
    document = asking.get("/api/openapi.json").json()
    paths = [path for path, item in document["paths"].items() if "get" in item]
    assert len(paths) > 5
    asked = [f"{path.replace('{game}', 'game-1')}?game=boundary" for path in paths if "{game}" not in path]
    asked += [path.replace("{game}", "game-1") for path in paths if "{game}" in path]
    for path in (*asked, "/api", "/api/openapi.json", "/api/v1/legal?game=chess", "/nothing"):
        got, head = asking.get(path), asking.head(path)
        for answer in (got, head):
            del answer.headers["ratelimit"]  # each request counts
        assert (head.status_code, dict(head.headers)) == (got.status_code, dict(got.headers)), path
        assert (head.content, bool(got.content)) == (b"", True)
    assert asking.head("/api/v1/check").status_code == 405
