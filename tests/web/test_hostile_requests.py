"""Every request gets an answer, never a fault, and nothing of the request is in it as markup."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.support.examples import examples
from tests.support.rows import each
from tests.support.sites import URL, Club, club

KNOWN = {200, 404, 405, 413, 414}
TEXTS = st.one_of(
    st.text(max_size=40),
    st.sampled_from(["spring-7", "board.svg", "..", "\0", "%", "south", "1", "-1", "9" * 50, "\ud7ff", "‮", "ada@x"]),
)
PARTS = st.lists(st.one_of(TEXTS, st.sampled_from(["g", "p", "games", "static", "calendar", "spring-7"])), max_size=4)
QUERIES = st.dictionaries(st.sampled_from(["ply", "view", "page", "side", "move", "head", "x"]), TEXTS, max_size=3)
ODD_TARGETS = (
    "/g/spring-7?ply",
    "/g/spring-7?&&=",
    "/g/spring-7?ply=1&ply=2",
    "/%ff%fe",
    "/p/%ed%a0%80",
    "/?%00",
    "/g/%2e%2e/x",
)
MARKUP = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    with club(tmp_path_factory.mktemp("club")) as found:
        found.open("spring-7", "the-beam")
        yield found


@pytest.mark.slow
@given(PARTS, QUERIES, st.sampled_from(["GET", "GET", "HEAD", "POST", "PUT"]), st.binary(max_size=600))
@examples(2, quick=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_request_is_answered(
    here: Club, parts: list[str], query: dict[str, str], method: str, body: bytes
) -> None:
    path = "/" + "/".join(quote(part, safe="") for part in parts)
    if path.endswith("/events"):
        return
    answer = here.browser.request(method, f"{URL}{path}", params=query, content=body if method == "POST" else None)
    assert answer.status_code in KNOWN, answer.text


@pytest.mark.slow
@each(ODD_TARGETS)
def test_odd_addresses_are_answered(target: str, here: Club) -> None:
    assert here.browser.get(target).status_code in KNOWN


@each(("/p/{}", "/g/{}", "/games/{}", "/g/spring-7?view={}", "/g/spring-7?ply={}", "/{}", "/static/{}"))
def test_nothing_asked_for_is_markup(path: str, here: Club) -> None:
    assert MARKUP not in here.get(path.format(quote(MARKUP)), 404)


@pytest.mark.parametrize("tags", ["", '"', "*", 'W/"x"', '"' + "a" * 5000 + '"', ", , ,"])
def test_odd_tags_bring_the_page(here: Club, tags: str) -> None:
    assert here.browser.get("/", headers={"if-none-match": tags}).status_code == 200


def test_a_long_way_is_no_fault(here: Club) -> None:
    assert here.browser.get("/", headers={"x-forwarded-for": ",".join(["192.0.2.1"] * 500)}).status_code == 200
