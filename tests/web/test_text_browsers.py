"""Pages in text browsers: they describe the game in words, and have nothing that works only with script."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

import referee
from referee.archives.explorer import explorer_page
from referee.archives.files.shards import Shard
from referee.archives.tree import Explorer, first_steps
from referee.draw import drawing
from referee.draw.page import page
from referee.draw.scenes.svg import NAMESPACE, scene_svg
from referee.game import GameFile, to_json
from tests.support.sites import club

DUMPS = {"w3m": ("w3m", "-dump", "-T", "text/html"), "lynx": ("lynx", "-dump", "-nolist", "-stdin")}

pytestmark = [
    pytest.mark.slow,
    *(pytest.mark.skipif(shutil.which(one) is None, reason=f"{one} is not installed") for one in DUMPS),
    pytest.mark.parametrize("browser", DUMPS),
]

EXAMPLES = sorted(Path("games").glob("*/*.yaml"))
DEAD = ("First", "Back", "Next", "Coloured rays", "Seen by", "Copy", "Send", "Pair", "Forget", "Your seat", "<!")


def dump(browser: str, html: str) -> str:
    """A page as a text browser prints it, with blanks for all white space."""
    done = subprocess.run(DUMPS[browser], input=html.encode(), capture_output=True, check=True, timeout=60)
    return " ".join(done.stdout.decode().split())


def labels(game: GameFile) -> str:
    """The first labels of a game's board as one word."""
    position = game.start()
    root = ElementTree.fromstring(scene_svg(drawing(game.game).scene(position, view=position.sides[0])))
    return "".join(one.text or "" for one in list(root.iter(f"{{{NAMESPACE}}}text"))[:4])


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_record_is_words_and_moves(browser: str, path: Path) -> None:
    game = referee.read(path)
    told = dump(browser, page(game))
    assert [word for word in (*DEAD, labels(game)) if word and word in told] == []
    assert told.count(str(game.rounds[-1].moves[-1].move)) > 1
    assert "What happened" in told
    assert "Download" in told


def test_an_explorer_is_a_list_of_moves(browser: str) -> None:
    games = [referee.read(path) for path in EXAMPLES]
    explorer = Explorer()
    explorer.add(first_steps(Shard.of_lines([to_json(replace(game, result=None, ending=None)) for game in games]), 3))
    told = dump(browser, explorer_page(explorer.openings(), least=1))
    assert [word for word in (*DEAD, "Most played", "Next moves", labels(games[0])) if word in told] == []
    assert "All moves" in told
    assert str(games[0].rounds[0].moves[0].move) in told


@pytest.mark.parametrize("game", referee.GAMES)
def test_the_page_of_a_game_is_for_reading(browser: str, game: str, tmp_path: Path) -> None:
    with club(tmp_path) as here:
        here.open("spring-7", game)
        for _ in here.play("spring-7", 4):
            pass
        told = dump(browser, here.get("/g/spring-7"))
    assert [word for word in (*DEAD, "[ ]") if word in told.replace("Seen by", "")] == []
    assert "Round" in told
    assert "waiting for" in told
    assert "of the log of spring-7" in told
