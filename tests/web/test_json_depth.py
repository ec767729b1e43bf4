"""Nested JSON in the worker of the page: what is too deep is refused, as outside a browser."""

from __future__ import annotations

import json

import pytest

from referee.desk import read_entry
from referee.errors import RefereeError
from referee.web.onepage.bridge import DEEPEST_JSON, answer_page, is_deep, limit_nesting

TEXT = '"]]]][[[[{\\"" '


def nested(depth: int) -> str:
    return "[" * depth + TEXT + "]" * depth


@pytest.fixture
def limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json.JSONDecoder, "raw_decode", json.JSONDecoder.raw_decode)  # restored behind the test
    limit_nesting()


@pytest.mark.parametrize(
    ("text", "deep"),
    [
        (nested(DEEPEST_JSON), False),
        (nested(DEEPEST_JSON + 1), True),
        (f"[{','.join(['[]'] * 1000)}]", False),
        (f'["{"[" * 1000}"]', False),
        (f'["{"]" * 1000}", {nested(DEEPEST_JSON)}]', True),
        (f"[{'[]]' * 1000}", False),
        ('{"a":' * 200000, True),
    ],
)
def test_depth_is_counted_outside_texts(text: str, deep: bool) -> None:
    assert is_deep(text) is deep


@pytest.mark.usefixtures("limited")
def test_readers_of_json_refuse_what_is_too_deep() -> None:
    assert json.loads(nested(DEEPEST_JSON))
    with pytest.raises(RecursionError):
        json.loads(nested(DEEPEST_JSON + 1))
    with pytest.raises(RefereeError, match="not JSON"):
        read_entry("[" * 5000)


@pytest.mark.usefixtures("limited")
@pytest.mark.parametrize("opening", ["[", '{"a":'])
@pytest.mark.parametrize("number", [5000, 200_000])
@pytest.mark.parametrize(
    ("call", "name", "code"), [("audit", "text", None), ("duel-keep", "state", "file"), ("judge", "text", None)]
)
def test_the_page_refuses_it(call: str, name: str, code: str | None, number: int, opening: str) -> None:
    told = json.loads(answer_page(json.dumps({"call": call, "with": {name: opening * number}})))
    assert told["error"]["code"] == code if code else told["status"] != 0
