"""Clients: the sender of a request, also behind proxies, and each one's rate of requests."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from referee.web.clients import Allowances, client_of, networks
from tests.support.examples import examples
from tests.support.rows import each

PROXIES = ("127.0.0.1", "10.0.0.0/8", "::1")

# The peer, the values of X-Forwarded-For, and the client.
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


class Clock:
    """A clock that a test moves on."""

    def __init__(self) -> None:
        self.at = 100.0

    def __call__(self) -> float:
        return self.at


@each(CLIENTS)
def test_only_a_trusted_proxy_says_who_asks(row: tuple[str, list[str], str]) -> None:
    peer, forwarded, client = row
    headers = [(b"x-forwarded-for", text.encode()) for text in forwarded]
    scope = {"type": "http", "client": (peer, 1), "headers": headers}
    assert client_of(scope, networks(PROXIES)) == client


def test_a_peer_without_an_address_is_no_client_of_its_own() -> None:
    assert client_of({"type": "http", "client": None, "headers": []}, ()) == "unknown"


def test_a_used_up_allowance_comes_back_with_time() -> None:
    now = 0.0
    allowances = Allowances(rate=2, burst=3, clock=lambda: now)
    assert [allowances.take("a") for _ in range(3)] == [0, 0, 0]
    assert allowances.take("a") == 0.5
    assert allowances.take("b") == 0
    now = 0.5
    assert (allowances.take("a"), allowances.take("a")) == (0, 0.5)
    now = 1000.0
    assert [allowances.take("a") for _ in range(4)] == [0, 0, 0, 0.5]


def test_the_clients_that_asked_last_are_remembered() -> None:
    allowances = Allowances(rate=1, burst=1, clock=lambda: 0.0)
    asked = [f"client {number}" for number in range(30_000)]
    assert not any(map(allowances.take, asked))
    assert all(map(allowances.take, asked[-10_000:]))
    assert not any(map(allowances.take, asked[:1000]))


@given(st.integers(1, 50), st.lists(st.floats(0, 30), min_size=1, max_size=40))
@examples(1)
def test_in_no_minute_are_there_more_than_twice_the_rate(rate: int, pauses: list[float]) -> None:
    """A minute's requests may come at once, and the next ones evenly after them."""
    clock = Clock()
    allowances = Allowances(rate / 60, rate, clock)
    passed = []
    for pause in pauses:
        clock.at += pause
        wait = allowances.take("a")
        assert 0 <= wait <= 60
        if not wait:
            passed.append(clock.at)
        else:
            clock.at += wait
            assert allowances.take("a") < 1e-6
            passed.append(clock.at)
    for begin in passed:
        assert sum(begin <= at < begin + 60 for at in passed) <= 2 * rate + 1


def test_no_rate_is_no_limit() -> None:
    allowances = Allowances(0, 0, Clock())
    assert not any(allowances.take("a") for _ in range(1_000))
