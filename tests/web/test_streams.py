"""Server-sent events: who follows a game hears of each new entry, and nobody can hold too many streams."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping

import pytest

from referee.web.desk.streams import MOST_OF_ONE, Followers


class Heads:
    """The ends of logs, as a store would tell them."""

    def __init__(self) -> None:
        self.numbers = {"one": 3, "two": 5}
        self.asked: list[Collection[str]] = []

    async def find(self, games: Collection[str]) -> Mapping[str, int]:
        self.asked.append({*games})
        if "failing" in self.numbers:
            raise OSError
        return {name: self.numbers[name] for name in games}


def test_followers_hear_of_each_new_entry() -> None:
    async def follow() -> None:
        heads = Heads()
        followers = Followers(heads.find, every=0.001)
        one, two = followers.follow("a", "one", 3), followers.follow("b", "two", 5)
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
        await one.aclose()
        await two.aclose()
        asked = len(heads.asked)
        await asyncio.sleep(0.01)
        assert len(heads.asked) <= asked + 1

    asyncio.run(follow())


def test_a_silent_stream_says_that_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.web.desk.streams.BEAT", 0.001)

    async def follow() -> None:
        stream = Followers(Heads().find).follow("a", "one", 3)
        assert [await anext(stream) for _ in range(3)][1:] == [b":\n\n"] * 2
        await stream.aclose()

    asyncio.run(follow())


def test_a_client_has_a_limited_number_of_streams() -> None:
    async def follow() -> None:
        followers = Followers(Heads().find)
        streams = [followers.follow("a", "one", 3) for _ in range(MOST_OF_ONE)]
        for stream in streams:
            await anext(stream)
        assert followers.are_too_many("a")
        assert not followers.are_too_many("b")
        await streams[0].aclose()
        assert not followers.are_too_many("a")
        followers.end()
        assert followers.are_too_many("b")
        for stream in streams[1:]:
            assert [one async for one in stream] == []

    asyncio.run(follow())


def test_a_stream_ends_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.web.desk.streams.LONGEST", 0.0)

    async def follow() -> None:
        assert len([one async for one in Followers(Heads().find).follow("a", "one", 3)]) == 1

    asyncio.run(follow())
