"""The header: the schema and a plain reading of the format always agree."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from referee.game.document import parse_document
from referee.game.header import ENDINGS, KEYS, header, is_address, is_text
from referee.rules.frozen import frozen_data
from tests.support.examples import examples

_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from(("beams", "south", "resignation", "a@b", "", "x" * 201, 1.0)),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(("name", "email", "how", "by", "south")), inner, max_size=2)
    ),
    max_leaves=4,
)
_KEYS = ("game", "rules", "id", "date", "event", "players", "options", "end", "result", "moves", "other")


def _is_player(player: object) -> bool:
    return (
        isinstance(player, dict)
        and player.keys() <= {"name", "email"}
        and is_text(player.get("name"))
        and (player.get("email") is None or is_address(player["email"]))
    )


def _is_end(end: object) -> bool:
    return (
        isinstance(end, dict)
        and end.keys() <= {"how", "by"}
        and end.get("how") in ENDINGS
        and (end.get("by") is None or is_text(end["by"]))
    )


def holds(data: dict[str, Any]) -> bool:
    """True if every key is known and has a value of the right kind."""
    players, result = data.get("players", {}), data.get("result", {})
    return (
        "game" in data
        and data.keys() <= KEYS
        and all(is_text(data[name]) for name in ("game", "id", "date", "event") if name in data)
        and type(data.get("rules", 1)) is int
        and isinstance(data.get("moves", ""), str)
        and isinstance(data.get("start", ""), str)
        and isinstance(data.get("options", {}), dict)
        and isinstance(players, dict)
        and all(map(_is_player, players.values()))
        and isinstance(result, dict)
        and all(type(points) is int for points in result.values())
        and ("end" not in data or _is_end(data["end"]))
    )


@given(st.dictionaries(st.sampled_from(_KEYS), _VALUES, max_size=5), st.booleans())
@example({"end": {"how": ["resignation"]}}, True)
@example({"players": {"south": {"name": "x", "email": None}}}, True)
@examples(5)
def test_a_header_holds_if_and_only_if_nothing_is_found(data: dict[str, Any], with_game: bool) -> None:
    data |= {"game": "beams"} if with_game else {}
    valid, findings = header(parse_document(json.dumps(data)))
    known = {name: value for name, value in data.items() if value is not None or name == "game"}
    assert holds(known) == (not findings)
    assert holds(valid) if findings and valid else findings or valid == frozen_data(known)
