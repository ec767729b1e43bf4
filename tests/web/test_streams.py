"""Server-sent events: followers of a game get each new entry, and no client can hold too many streams."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from contextlib import suppress

import pytest
from starlette.types import Message

from referee.web.site.streams import MOST_OF_ONE, Follower, FollowerResponse, Followers


class Heads:
    """The ends of logs, as a store would give them."""

    def __init__(self) -> None:
        self.numbers = {"one": 3, "two": 5}
        self.asked: list[Collection[str]] = []

    async def find(self, games: Collection[str]) -> Mapping[str, int]:
        self.asked.append({*games})
        if "failing" in self.numbers:
            raise OSError
        return {name: self.numbers[name] for name in games}


def entered(followers: Followers, client: str, game: str = "one", number: int = 3) -> Follower:
    """A client that follows a game from now on."""
    follower = followers.enter(client, game, number)
    assert follower is not None
    return follower


def test_followers_hear_of_each_new_entry() -> None:
    async def follow() -> None:
        heads = Heads()
        followers = Followers(heads.find, every=0.001)
        a, b = entered(followers, "a"), entered(followers, "b", "two", 5)
        one, two = followers.tell(a), followers.tell(b)
        assert await anext(one) == b"retry: 5000\n\nevent: head\nid: 3\ndata: 3\n\n"
        assert await anext(two) == b"retry: 5000\n\nevent: head\nid: 5\ndata: 5\n\n"
        heads.numbers["failing"] = 1
        await asyncio.sleep(0.01)
        del heads.numbers["failing"]
        heads.numbers["two"] = 6
        assert await anext(two) == b"event: head\nid: 6\ndata: 6\n\n"
        heads.numbers["one"] = 9
        assert await anext(one) == b"event: head\nid: 9\ndata: 9\n\n"
        assert {"one", "two"} in heads.asked
        followers.leave(a)
        followers.leave(b)
        asked = len(heads.asked)
        await asyncio.sleep(0.01)
        assert len(heads.asked) <= asked + 1

    asyncio.run(follow())


def test_a_silent_stream_says_that_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.web.site.streams.BEAT", 0.001)

    async def follow() -> None:
        followers = Followers(Heads().find)
        stream = followers.tell(entered(followers, "a"))
        assert [await anext(stream) for _ in range(3)][1:] == [b":\n\n"] * 2

    asyncio.run(follow())


def test_a_client_has_a_limited_number_of_streams() -> None:
    async def follow() -> None:
        followers = Followers(Heads().find)
        mine = [entered(followers, "a") for _ in range(MOST_OF_ONE)]
        assert followers.enter("a", "one", 3) is None
        other = entered(followers, "b")
        followers.leave(mine.pop())
        mine.append(entered(followers, "a"))
        followers.end()
        assert followers.enter("c", "one", 3) is None
        for one in (*mine, other):
            assert len([told async for told in followers.tell(one)]) == 1

    asyncio.run(follow())


def test_a_client_that_leaves_before_the_stream_holds_none() -> None:
    async def follow() -> None:
        followers = Followers(Heads().find)
        mine = [entered(followers, "a") for _ in range(MOST_OF_ONE)]
        sent: list[Message] = []

        async def gone() -> Message:
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            sent.append(message)
            raise OSError

        for one in mine:
            with suppress(Exception):  # the exception of a server for a client that is gone
                await FollowerResponse(followers, one, {})({"type": "http"}, gone, send)
        assert all(entered(followers, "a") for _ in range(MOST_OF_ONE))

    asyncio.run(follow())


def test_a_stream_ends_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.web.site.streams.LONGEST", 0.0)

    async def follow() -> None:
        followers = Followers(Heads().find)
        assert len([told async for told in followers.tell(entered(followers, "a"))]) == 1

    asyncio.run(follow())
