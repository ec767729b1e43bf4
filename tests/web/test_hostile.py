"""Bodies that were made to be costly: each is answered within its time and memory, and the next request as usual."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tests.support.api import client
from tests.support.rows import each

if TYPE_CHECKING:
    from starlette.testclient import TestClient

pytestmark = pytest.mark.slow

SECONDS = 2.0
SIZE = 1 << 20

BODIES = {
    "deep lists": b"[" * SIZE,
    "deep objects": b'{"a":' * (SIZE // 5),
    "a deep option": b'{"game": "beams", "options": {"mode": ' + b"[" * 100_000 + b"]" * 100_000 + b"}}",
    "a huge number": b'{"game": "beams", "options": {"columns": ' + b"9" * (SIZE - 100) + b"}}",
    "no number": b'{"game": "beams", "options": {"columns": NaN, "rows": 1e999}}',
    "a bomb of aliases": b"a: &a [x,x]\n"
    + b"".join(b"b%d: &b%d [*a,*a,*a,*a,*a,*a,*a,*a]\n" % (one, one) for one in range(100)),
    "a bomb of merges": b"a: &a {x: 1}\n" + b"b: {<<: [*a, *a, *a]}\n" * 10_000,
    "tags": b"game: !!python/object/apply:os.system ['true']\n",
    "half a character": b'{"game": "beams", "id": "\\ud83d"}',
    "zero bytes": bytes(SIZE),
    "no text": bytes(range(128, 256)) * 8000,
    "line ends": b"\r\n" * (SIZE // 2),
    "many keys": b"game: beams\n" + b"".join(b"k%d: 1\n" % one for one in range(100_000)),
    "the same key": b"game: beams\n" * 80_000,
    "wrong moves": b"game: beams\nmoves: |\n" + b"  P Q\n" * 150_000,
    "comments": b"game: beams\nmoves: |\n" + b"  {" * 300_000,
    "one long line": b"game: beams\nmoves: |\n  " + b"P M1 A2 12 | " * 75_000,
    "one word": b"game: beams\nmoves: |\n  P " + b"M" * (SIZE - 100),
    "turns for ever": b"game: beams\noptions: {mode: asynchronous}\nmoves: |\n  1. P M1 B3 12 | P M1 B3 12\n"
    + b"  R B3 L | R B3 L\n" * 50_000,
    "braces": b"{" * SIZE,
    "quotation marks": b"'" * SIZE,
    "question marks": b"? " * (SIZE // 2),
    "anchors": b"&a " * (SIZE // 3),
    "an archive": b'{"game": "beams", "moves": "P Q"}\n' * 30_000,
}

PATHS = (
    "check",
    "check?game=beams",
    "report",
    "report?game=beams",
    "legal",
    "board.svg",
    "board.png",
    "play?move=south+P+M1+A2+12",
    "audit",
)


@pytest.fixture(scope="module")
def api() -> Iterator[TestClient]:
    from referee.web.api import RequestLimits, Workers

    with closing(Workers(2, SECONDS)) as workers:
        yield client(RequestLimits(rate=0), workers=workers.start())


@pytest.mark.parametrize("path", PATHS)
def test_a_hostile_body_costs_little(path: str, api: TestClient) -> None:
    from referee.web.api.answers import CheckAnswer, ProblemAnswer

    @each(BODIES, name=str)
    def costs_little(name: str) -> None:
        begin = time.monotonic()
        answer = api.post(f"/api/v1/{path}", content=BODIES[name][:SIZE])
        assert time.monotonic() - begin < 2 * SECONDS + 2
        assert len(answer.content) < 32 << 20
        assert answer.status_code < 500 or answer.json()["code"] == "busy", answer.text[:500]
        if answer.status_code != 200:
            told = ProblemAnswer.model_validate_json(answer.content)
            assert told.code != "internal"
        elif path.startswith("check"):
            CheckAnswer.model_validate_json(answer.content)

    costs_little()
    assert api.get("/api/v1/legal?game=boundary&prefix=P+a1").status_code == 200


@each(
    [
        "game=beams&" * 100,
        "game=" + "b" * 5000,
        "position=" + "%00" * 300,
        "game=beams&position=" + "%F0%9F%98%80" * 200,
        "game=beams&position=" + "9" * 900,
        "game=beams&prefix=" + "%5C" * 400,
        "game=beams&side=%1B%5B2J",
        "game=%FF%FE",
        "game=beams&ply=" + "9" * 5000,
        "game=../../etc/passwd",
        "game=the-beam&position=cards+" + "1" * 900,
    ]
)
def test_a_hostile_address_costs_little(query: str, api: TestClient) -> None:
    for path in ("legal", "position", "board.svg"):
        begin = time.monotonic()
        answer = api.get(f"/api/v1/{path}?{query}")
        assert time.monotonic() - begin < SECONDS
        assert answer.status_code in (200, 400, 404, 422), answer.text
        assert "\x1b" not in json.dumps(answer.text, ensure_ascii=False) or answer.status_code == 200
        assert "Traceback" not in answer.text
