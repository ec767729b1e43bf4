"""The game's options in an opening (spec/duel.md, "The bytes")."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from referee.duel.challenge import challenge_of, new_challenge
from referee.errors import RefereeError
from tests.support.duels import friends

KEY = friends("boundary").duels[0].exchange.opening.key


@pytest.mark.parametrize(
    ("game", "side", "given", "told"),
    [
        ("laser-chess", "blue", {}, {"setup": "ace"}),
        ("laser-chess", "blue", {"kings": "turn"}, {"kings": "turn", "setup": "ace"}),
        ("laser-chess", "red", {"kings": "fixed"}, {"kings": "fixed", "setup": "ace"}),
        ("boundary", "south", {}, {"first": "south"}),
    ],
)
def test_an_opening_writes_out_every_option_that_has_a_default(
    game: str, side: str, given: Mapping[str, object], told: Mapping[str, object]
) -> None:
    opening = new_challenge(game, given, side, "Ada", KEY)
    assert dict(opening.options) == told
    assert challenge_of(opening.text, KEY) == opening


def test_the_first_side_in_synchronous_beams_is_given_only_if_it_was_chosen() -> None:
    plain = new_challenge("beams", {"mode": "synchronous"}, "south", "", KEY)
    chosen = new_challenge("beams", {"mode": "synchronous", "first": "north"}, "south", "", KEY)
    assert "first" not in plain.options
    assert chosen.options["first"] == "north"
    left_out = json.loads(plain.text)
    del left_out["options"]["mode"]
    with pytest.raises(RefereeError) as refused:
        challenge_of(json.dumps(left_out, sort_keys=True, separators=(",", ":")), KEY)
    assert refused.value.code == "malformed"
