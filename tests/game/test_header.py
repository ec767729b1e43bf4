"""The header: recognised quickly, explained by the schema, and both always agree."""

from __future__ import annotations

import json

from hypothesis import example, given
from hypothesis import strategies as st

from referee.game.file.header import holds
from referee.game.file.schema import explained
from referee.game.file.syntax import parse_document
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


@given(st.dictionaries(st.sampled_from(_KEYS), _VALUES, max_size=5), st.booleans())
@example({"end": {"how": ["resignation"]}}, True)
@example({"players": {"south": {"name": "x", "email": None}}}, True)
@examples(5)
def test_a_header_holds_if_and_only_if_the_schema_finds_nothing(data: dict[str, object], with_game: bool) -> None:
    data = {name: value for name, value in data.items() if value is not None or name == "game"}
    data |= {"game": "beams"} if with_game else {}
    findings, wrong = explained(parse_document(json.dumps(data)), data)
    assert holds(data) == (not findings) == (not wrong)
    assert holds({"game": "beams", **{name: value for name, value in data.items() if name not in wrong}})
