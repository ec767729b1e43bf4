"""Hidden hands: three play a game of cards by letters, and nothing reveals a hand to another player or the public."""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import referee
from referee.desk import audit, public
from referee.desk.law.hands import hand_findings
from referee.draw.paper.print_set import print_set
from referee.errors import IllegalMove, PackageFault
from referee.rules import game_named
from referee.testing import contract
from tests.draw.pdf_pages import pages, paths, texts
from tests.plugins.conftest import forget, installed
from tests.support.api import client as api
from tests.support.correspondence import GAME, Correspondence, address, corresponding, text
from tests.support.sites import club

SIDES = ("amber", "jade", "violet")
HANDS = Path(__file__).parent / "hands"
LINES = 120
"""Maximum lines of the game."""


@pytest.fixture(autouse=True)
def trio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder in which the game of cards is installed for a test."""
    site = tmp_path / "site"
    site.mkdir()
    installed(site, "referee-trio", "trio = referee_trio:GAME", source=HANDS / "referee_trio.py")
    for name in ("referee_trio_kit.py", "example.yaml"):
        (site / name).symlink_to(HANDS / name)
    monkeypatch.syspath_prepend(site)
    forget()
    yield site
    sys.modules.pop("referee_trio", None)
    forget()


MISTAKES = {
    "every hand is public": ("if one == side}", "}", "seen_by(None) has to leave it out"),
    "all see one hand": ("if one == side}", 'if side and one in (side, "jade")}', "amber sees all that jade sees"),
    "the secret changes nothing": ('Random(f"trio {seed}")', 'Random("trio")', "the same position for all secrets"),
    "the secret is no secret": ("secrets.token_hex(9)", "secrets.choice('abc')", "20 draws give 3 secrets"),
    "nothing is promised": ('f"trio {seed}".encode()', 'b"trio"', "two secrets have the same public options"),
    "any secret is taken": ("not in (None, promise", "is (None, promise", "takes the secret of another game"),
    "its own promise is refused": ("return bool(", "return not (", "`fits` refuses the options"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_secret_that_is_none_is_refused(mistake: str, trio: Path) -> None:
    right, wrong, says = MISTAKES[mistake]
    source = (HANDS / "referee_trio.py").read_text(encoding="utf-8")
    assert right in source
    (trio / "referee_trio.py").unlink()
    (trio / "referee_trio.py").write_text(source.replace(right, wrong), encoding="utf-8")
    with pytest.raises(PackageFault, match=re.escape(says)):
        game_named("trio")


def test_its_set_to_print_is_its_own() -> None:
    (table,) = pages(print_set("trio", parts=("board",)))
    (cards,) = pages(print_set("trio", parts=("pieces",)))
    assert [one for one, _ in texts(table) if one in SIDES] == [*SIDES]
    assert sorted(int(one) for one, _ in texts(cards) if one.isdigit()) == [*range(1, 13)]
    boxes = [path.box for page in (table, cards) for path in paths(page) if len(path.points) == 4]
    assert {(round(right - left, 1), round(low - top, 1)) for left, top, right, low in boxes} == {(42.0, 60.0)}


def test_the_game_is_small() -> None:
    assert len((HANDS / "referee_trio.py").read_text(encoding="utf-8").splitlines()) <= LINES


@pytest.mark.parametrize("test", [one for name, one in vars(contract).items() if name.startswith("test_")])
def test_it_is_a_game_like_all_others(test: object) -> None:
    assert callable(test)
    test("trio")


def tell_nothing(texts: list[str], sides: tuple[str, ...] = SIDES) -> None:
    """No text has a hand of these sides, in words or as data."""
    for said in texts:
        assert not [side for side in sides if f"{side} holds" in said], said
        assert not [side for side in sides if f'"hands": {{"{side}"' in said], said


def play_round(post: Correspondence, chance: random.Random) -> None:
    """All three send a card of their hand in; each first tries one that it does not hold."""
    for side in SIDES:
        state = post.state
        own = post.office.desk.seen_by(state, side, address(side)).position
        (mine,) = own.facts()["hands"].values()  # type: ignore[attr-defined]
        strange = next(card for card in range(1, 13) if card not in mine)
        refused = text(post.write(side, f"C {strange}")[address(side)])
        assert "is not in" in refused
        if not state.plies:
            assert {*map(int, re.findall(r"C (\d+)", refused))} <= {*mine, strange}, (
                "only its own cards are suggested"
            )
        assert side not in post.state.seals
        post.write(side, f"{own.any_move(side, chance.randrange)}\n\nlegal")
        post.pass_time(0.1)


def test_a_game_of_cards_is_played_by_letters_and_nothing_tells_too_much(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("trio", {"days": 5})
        chance = random.Random(5)
        for _ in range(4):
            shown = {side: text(post.letters[address(side)][-1]) for side in SIDES}
            assert all(f"{side} holds" in said for side, said in shown.items()), "each sees its own hand"
            state = post.state
            views = [json.dumps(public(state, post.at)), state.position.text(), str(state), repr(state.position)]
            tell_nothing([*views, post.exported, referee.svg(state.position), str(state.as_file())])
            play_round(post, chance)
        assert post.state.closed is not None
        for side in SIDES:
            others = tuple(one for one in SIDES if one != side)
            letters = [message.as_string() for message in post.letters[address(side)]]
            tell_nothing([*letters, *map(text, post.letters[address(side)])], others)
        post.holds()
        assert not audit(post.exported.splitlines()).findings
        assert [*referee.loads(str(post.state.as_file())).replay()][-1].outcome is not None


def test_a_position_reveals_the_hand_of_its_side_alone() -> None:
    kept = game_named("trio").secret
    assert kept is not None
    assert kept.whole is not None
    position = kept.whole("seed", referee.start("trio", options={"deal": {"commitment": "x"}}))
    for side in (None, "amber", "violet"):
        seen = position.seen_by(side)
        tell_nothing([json.dumps(seen.facts()), seen.text(), repr(seen), referee.svg(seen)], ("jade",))
    hands = position.facts()["hands"]
    assert isinstance(hands, dict)
    stranger = referee.parse_move("trio", f"C {hands['jade'][0]}")
    with pytest.raises(IllegalMove, match="not-held"):
        position.seen_by("amber").check("amber", stranger)
    position.seen_by(None).check("amber", stranger)


def test_the_law_finds_cards_that_were_not_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.desk.play.decisions.seen_by", lambda state, side, secrets: state)
    with corresponding(tmp_path / "desk") as post:
        post.open("trio", {"days": 5})
        for cards in ((1, 2, 3), (4, 5, 6), (7, 8, 9)):
            for side, card in zip(SIDES, cards, strict=True):
                post.write(side, f"C {card}")
        seed = post.office.desk.table(GAME).secrets["chance"]
        assert {code for code, _ in hand_findings(post.state, seed)} == {"not-held"}


@pytest.mark.slow
def test_pages_feeds_and_the_api_tell_no_hand(tmp_path: Path) -> None:
    with club(tmp_path) as here:
        here.open("cards-1", "trio")
        game = here.get("/g/cards-1")
        linked = {path for path in re.findall(r'(?:href|src)="(/[^"#]*)"', game) if "cards-1" in path}
        assert len(linked) > 3
        tell_nothing([game, *(here.browser.get(path).text for path in sorted(linked))])
        tell_nothing([here.get(path) for path in ("/", "/p/Ada", "/games/running", "/g/cards-1/game.yaml")])
        with api(state_of=here.desk.state) as asking:
            answers = [asking.get(f"/api/v1/games/cards-1{path}") for path in ("", "/board.svg?view=jade")]
            assert [answer.status_code for answer in answers] == [200, 200]
            tell_nothing([answer.text for answer in answers])


def test_only_the_desk_can_seal(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("trio", {"days": 5})
        assert "heading.sealing" not in text(post.letters[address("jade")][-1])
        said = text(post.write("jade", f"seal {'ab' * 32}")[address("jade")])
        assert "only the referee knows the hidden hands" in " ".join(said.split())
