"""What a score sheet is for: a game can be played again from its text alone, and readers find their way in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader
from pypdf.generic import ContentStream

import referee
from referee import parse_move
from referee.draw.paper.book_pdf import book_pdf
from referee.draw.paper.print_set import print_set
from referee.draw.paper.puzzle_sheet import puzzle_sheet
from referee.draw.paper.score_sheet import score_sheet
from referee.errors import NotationError
from referee.game import GameFile
from referee.rules import GAMES, game_named
from tests.draw.pdf_pages import beside_their_rounds, pages, text
from tests.support.playthroughs import sampled_examples
from tests.support.records import VARIED

HEADINGS = ("options", "setup", "discs", "cards", "start", "end", "result")


def headed(told: str) -> dict[str, str]:
    """The lines under the title, by their headings; a long one goes on in the next line."""
    found: dict[str, str] = {}
    heading = ""
    for line in told.splitlines():
        word, _, rest = line.partition(" ")
        if word in HEADINGS:
            heading = word
            found[heading] = rest
        elif heading == "result":
            break
        elif heading:
            found[heading] += f" {line}"
    return found


def moves_of(game: str, row: str) -> list[str] | None:
    """The moves of a row, with the names of players and the marks left out."""
    row = re.sub(r"(?<= )[!?]+(?= |$)|\bp\d(?= )", "", row).strip()
    words = row.split()
    for cut in range(1, len(words) + 1):
        try:
            parts = [one for one in (" ".join(words[:cut]), " ".join(words[cut:])) if one]
            return [str(parse_move(game, part)) for part in parts]
        except NotationError:
            pass
    return None


def options_of(lines: dict[str, str]) -> dict[str, Any]:
    options: dict[str, Any] = dict(one.split(" ") for one in lines.get("options", "").split(", ") if one)
    options = {name: int(value) if value.isdigit() else value for name, value in options.items()}
    if "setup" in lines:
        options["setup"] = lines["setup"].split(" / ")
    if "discs" in lines:
        discs = {one.split()[0]: [*map(int, one.split()[1:])] for one in lines["discs"].split("; ")}
        pairs = [one.split("-") for one in lines["cards"].split(", ")]
        options["deal"] = {"discs": discs, "decks": [[int(pair[place]) for pair in pairs] for place in (0, 1)]}
    return options


def played_again(pdf: bytes) -> GameFile:
    """The game that the text of a score sheet tells."""
    told = text(pdf)
    (game,) = (name for name in GAMES if re.search(f"^{re.escape(game_named(name).title)}$", told, re.MULTILINE))
    lines = headed(told)
    data: dict[str, Any] = {"game": game, "options": options_of(lines)}
    if "start" in lines:
        data["start"] = lines["start"]
    if "end" in lines:
        how, _, by = lines["end"].partition(" by ")
        data["end"] = {"how": how, **({"by": by} if by else {})}
    rounds: list[str] = []
    for row in re.findall(r"^\d+\. .*$", told, re.MULTILINE):
        number, _, rest = row.partition(". ")
        if int(number) == len(rounds) + 1 and (moves := moves_of(game, rest)):
            rounds.append(f"{number}. {' | '.join(moves)}")
    return referee.loads(json.dumps({**data, "moves": "\n".join(rounds)}))


@pytest.mark.slow
@pytest.mark.parametrize("file", sampled_examples([]))
def test_a_game_can_be_played_again_from_its_sheet(file: Path) -> None:
    game = referee.read(file)
    again = played_again(score_sheet(game))
    assert [ply.moves for ply in again.replay()] == [ply.moves for ply in game.replay()]
    assert [ply.position.facts() for ply in again.replay()] == [ply.position.facts() for ply in game.replay()]
    assert again.outcome == game.outcome


def elements(pdf: bytes) -> Iterator[tuple[str, int, int, str]]:
    """The kind, page, mark and words of each element of a document's structure."""
    reader = PdfReader(BytesIO(pdf))
    root: Any = reader.root_object
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == "en"
    numbers = {page.indirect_reference: number for number, page in enumerate(reader.pages)}
    (document,) = root["/StructTreeRoot"]["/K"]
    assert document.get_object()["/S"] == "/Document"
    for reference in document.get_object()["/K"]:
        element = reference.get_object()
        (mark,) = element["/K"]
        yield element["/S"], numbers[element.raw_get("/Pg")], mark, element.get("/Alt", "")


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_everything_on_a_page_is_tagged_or_decoration(game: str) -> None:
    shown, kit = example(game), print_set(game)
    for pdf in (score_sheet(shown), book_pdf([shown, shown]), kit, puzzle_sheet([shown], ["a solution"])):
        found = [*elements(pdf)]
        assert {"/P", "/Figure"} < {kind for kind, *_ in found}
        assert {"/H1", "/H2"} & {kind for kind, *_ in found}
        reader = PdfReader(BytesIO(pdf))
        assert reader.outline
        assert all(name.endswith(".yaml") for name in reader.attachments)
        assert bool(reader.attachments) == (pdf != kit)
        assert all(alt for kind, _, _, alt in found if kind == "/Figure")
        for number, page in enumerate(pages(pdf)):
            marks, depth = [], 0
            contents = page.get_contents()
            assert contents is not None
            for operands, operator in ContentStream(contents, page.pdf).operations:
                depth += (operator in (b"BDC", b"BMC")) - (operator == b"EMC")
                assert depth <= 1
                assert depth == 1 or operator not in (b"Tj", b"TJ", b"S", b"f", b"B")
                marks += [operands[1]["/MCID"]] if operator == b"BDC" else []
            assert marks == [mark for _, where, mark, _ in found if where == number]


def example(game: str) -> GameFile:
    names = {"beams": "resignation", "the-beam": "class-4b", "laser-chess": "curiosity", "boundary": "agreement"}
    return referee.read(f"games/{game}/{names[game]}.yaml")


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_sheet_has_bookmarks_and_the_game_file(game: str) -> None:
    shown = example(game)
    reader = PdfReader(BytesIO(score_sheet(shown)))
    names = [one.title for one in reader.outline if not isinstance(one, list)]
    assert names[:2] == ["The game", "Rounds from 1"]
    assert names[-1] == "Result"
    ((name, (content, *_)),) = reader.attachments.items()
    assert name == f"{game}.yaml"
    assert referee.loads(content.decode()).rounds == shown.rounds


@pytest.mark.slow
def test_the_file_in_a_sheet_has_no_address() -> None:
    lines = "game: boundary\nplayers:\n  south: {name: Ada, email: ada@example.org}\nmoves: |\n  1. P a1-b2\n"
    reader = PdfReader(BytesIO(score_sheet(referee.loads(lines))))
    ((_, (content, *_)),) = reader.attachments.items()
    assert b"Ada" in content
    assert b"ada@example.org" not in content


@pytest.mark.slow
def test_a_comment_stays_with_its_round() -> None:
    game = example("laser-chess")
    noted = [
        one._replace(moves=(one.moves[0]._replace(comments=("thinking about the king " * 5,)), *one.moves[1:]))
        for one in game.rounds
    ]
    told = beside_their_rounds(score_sheet(replace(game, rounds=tuple(noted))), "blue: thinking")
    assert told == [True] * len(game.rounds)


@pytest.mark.slow
def test_variations_and_boards_are_where_their_game_has_them() -> None:
    told = text(score_sheet(referee.loads(VARIED.replace("{or}", "{or} {diagram: a quiet move}"))))
    lines = " ".join(told.split())
    assert "1. P a1-b2 P f1-e2 (1. \u2026 P f1-e1 !? safer 2. P b2-b1 (or 2. P b2-c2 bold))" in lines
    assert "a quiet move" in lines


@pytest.mark.slow
def test_the_first_position_is_drawn_where_it_is_not_the_usual_one() -> None:
    assert "the first position" in text(score_sheet(example("laser-chess")))
    assert "the first position" in text(score_sheet(referee.read("games/laser-chess/puzzle.yaml")))
    assert "the first position" not in text(score_sheet(referee.read("games/laser-chess/ace.yaml")))


@pytest.mark.slow
def test_a_running_game_does_not_tell_cards_to_come() -> None:
    game = example("the-beam")
    told = text(score_sheet(replace(game, rounds=game.rounds[:3], ending=None)))
    assert headed(told)["cards"] == "3-6, 4-4, 5-1, 2-6"


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_an_empty_sheet_has_room_for_everything(game: str) -> None:
    told = text(print_set(game, parts=("sheet",)))
    words = ("event", "date", "id", "result", *(f"signature {side}" for side in game_named(game).sides))
    assert [one for one in (*words, "1.", "40.") if one not in told] == []
