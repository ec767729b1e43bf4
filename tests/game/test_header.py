"""The header: without its wrong keys, any header is valid and begins a game."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from referee.game.file.header import KEYS, begun, faults
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
def test_a_header_without_its_wrong_keys_holds(data: dict[str, object], with_game: bool) -> None:
    data |= {"game": "beams"} if with_game else {}
    wrong = {fault.key[0] for fault in faults(data)}
    assert wrong >= {name for name, value in data.items() if value is not None} - KEYS
    assert ("game" in wrong) >= ("game" not in data)
    rest = {"game": "beams", **{name: value for name, value in data.items() if name not in wrong}}
    assert not [*faults(rest)]
    assert begun(rest, "")().game == rest["game"]
