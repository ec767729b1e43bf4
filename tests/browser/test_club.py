"""Runs the browser's tests on the pages of a desk, while a game goes on there."""

from __future__ import annotations

import json
import threading
from pathlib import Path

from referee.desk import acts
from referee.game import GameFile, Player
from referee.rules import all_games
from tests.browser.browser import in_a_browser, run_in_chromium
from tests.support.sites import Club, served_club

pytestmark = in_a_browser

NAMES = ("</script><script>alert(1)</script>", "\"' onload=alert(1) x='{{7*7}} &quot;<!--]]>")


def go_on(here: Club, ended: threading.Event) -> None:
    """Make a move in the game `live` every second."""
    for _ in here.play("live", 500, 5):
        if ended.wait(1):
            return


def test_a_desk_is_watched_in_chromium(tmp_path: Path) -> None:
    (tmp_path / "desk").mkdir()
    with served_club(tmp_path / "desk") as (here, url):
        for number, name in enumerate(all_games()):
            here.open(name, name, title=("", "Spring cup", "<b>bold</b>", "x" * 90)[number % 4] or None)
            for _ in here.play(name, 14):
                pass
        here.act("boundary", "south", acts.Resign())
        here.open("live", "boundary")
        moves = []
        for name in all_games():
            state = here.open(f"{name}-new", name)
            side = sorted(state.owing)[0]
            moves.append((name, side, str(next(iter(state.position.legal_moves(side))))))
        players = {side: Player(name) for side, name in zip(("south", "north"), NAMES, strict=True)}
        here.desk.open("names", GameFile("boundary", event=NAMES[0], players=players), here.at)
        told = {"url": url, "games": [*all_games()], "moves": moves, "names": NAMES}
        (tmp_path / "club.json").write_text(json.dumps(told), encoding="utf-8")
        ended = threading.Event()
        going = threading.Thread(target=go_on, args=(here, ended))
        going.start()
        try:
            run_in_chromium("club.test.js", tmp_path)
        finally:
            ended.set()
            going.join()
