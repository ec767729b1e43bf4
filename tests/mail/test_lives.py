"""Games by letter never stall, with any mix of keys, engines, invitations, deals and clocks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mail.lives import begun
from tests.oracles.verifier import verify
from tests.support.dues import expect_dues
from tests.support.examples import sampled
from tests.support.witnesses import expect_tokens, witnessed


@pytest.mark.slow
@pytest.mark.parametrize("seed", sampled(range(19, 91), 36))
def test_each_letter_is_answered_and_the_log_holds_in_any_mix(seed: int, tmp_path: Path) -> None:
    with begun(tmp_path, seed) as life:
        life.live(4)
        post = life.post
        post.holds()
        expect_dues(post.office.desk)
        report, _ = witnessed(post.office, post.state.id)
        assert report.whole
        exported = "".join(f"{entry.as_line()}\n" for entry in post.office.desk.log(post.state.id))
        assert verify(exported) == []
        expect_tokens(post.office, post.state.id)
