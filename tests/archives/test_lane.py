"""The fast lanes accept right games in canonical form, nothing wrong, and agree with the usual way."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

import referee
from referee.archives.conversion import GAME_FORMS, convert_shard, to_text
from referee.archives.files.forms import file_document
from referee.archives.files.shards import FilePart, GameText, Shard
from referee.archives.generate import Generation, random_game
from referee.archives.judge import CheckSettings, check_shard
from referee.archives.lane import fast_verdict
from referee.archives.stats import stats_shard
from referee.archives.tree import first_steps
from referee.archives.verdict import GameVerdict
from referee.game import AnnotatedMove, GameFile, Player
from referee.rules import GAMES, game_named
from referee.rules.description import guarded_game
from tests.support.examples import sampled

OPTIONS: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "beams": (
        {},
        {"mode": "synchronous", "first": "north", "barriers": "facing"},
        {"columns": 9, "rows": 13, "pieces": "beginner"},
        {"columns": 21, "rows": 7, "barriers": "facing"},
    ),
    "boundary": ({}, {"first": "north"}),
    "the-beam": ({},),
    "laser-chess": ({}, {"setup": "sophie", "kings": "turn"}, {"setup": "grail"}),
}
COMMENTS = ("good", "Zoë!", "x, y", "12.", "a|b", "1. P", "!?", "a]b;")
SIGNS = 'abcdefghij0123456789 |.{}\\"!?PRSMXAL/;:,'


@pytest.fixture
def usual(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judge every line the usual way; `fast_verdict` of this module stays the lane."""
    monkeypatch.setattr("referee.archives.judge.fast_verdict", lambda *_: None)


def part_of(line: str) -> FilePart:
    """A line of an archive."""
    return FilePart("a", True, (GameText(1, line.encode("utf-8", "surrogatepass")),))


def fast(line: str) -> GameVerdict | None:
    """The verdict of the lane."""
    part = part_of(line)
    (text,) = part.texts
    return fast_verdict(part, text)


def file_of(text: str) -> FilePart:
    """A game file."""
    return FilePart("a.yaml", False, (GameText(0, text.encode("utf-8", "surrogatepass")),))


def fast_file(text: str) -> GameVerdict | None:
    """The verdict of the lane on a game file."""
    part = file_of(text)
    (whole,) = part.texts
    document = file_document(part, whole)
    return fast_verdict(part, whole, document) if document else None


def judged(line: str) -> GameVerdict:
    """The verdict of the usual way, or of both if the lane is on."""
    return judged_part(part_of(line))


def judged_part(part: FilePart) -> GameVerdict:
    shard = Shard(0, (part,))
    ((verdict,),) = (report.verdicts for report in check_shard(shard, CheckSettings(suggest=False, each=True)))
    return verdict


def written(game: GameFile) -> str:
    return to_text(game, "json").removesuffix("\n")


def games(seed: str, chance: random.Random) -> Iterator[GameFile]:
    """Random games of every kind, some unfinished; with players, date, marks and comments, or without."""
    for name in GAMES:
        for number, options in enumerate(OPTIONS[name], 1):
            game = random_game(Generation(name, seed, options, chance.choice((300, 300, 31, 3))), number)
            yield game
            yield annotated(game, chance)


def annotated(game: GameFile, chance: random.Random) -> GameFile:
    def comments(*lengths: int) -> tuple[str, ...]:
        return tuple(chance.choice(COMMENTS) for _ in range(chance.choice(lengths)))

    def moves(noted: tuple[AnnotatedMove, ...]) -> tuple[AnnotatedMove, ...]:
        return tuple(AnnotatedMove(one.move, chance.choice(marks), comments(0, 0, 0, 1, 2)) for one in noted)

    marks = ("", "", "", "!", "?", "!?", "?!", "!!", "??")
    rounds = tuple(one._replace(moves=moves(one.moves), comments=comments(0, 0, 0, 1)) for one in game.rounds)
    players = {side: Player(chance.choice(("Ada", "Zoë Ö", "Max 99", "o'Hara"))) for side in game.description.sides}
    return replace(
        game, rounds=rounds, players=players, date="2027-01-02", event="Cup 3", rules=chance.choice((1, None))
    )


def spoilt(line: str, other: str, chance: random.Random) -> str:
    """A line with a change that may make the game wrong."""
    at = chance.randrange(len(line))
    header, key, moves = line.partition('"moves": "')
    rounds, others = moves.split("\\n"), other.partition('"moves": "')[2].split("\\n")
    one, two = (chance.randrange(len(rounds)) for _ in range(2))
    match chance.randrange(7):
        case 0:
            return line[:at] + chance.choice(SIGNS) + line[at + 1 :]
        case 1:
            return line[:at] + chance.choice(SIGNS) + line[at:]
        case 2:
            return line[:at] + line[at + 1 :]
        case 3:
            return re.sub(r'": \d+', lambda _: f'": {chance.randrange(9)}', line, count=chance.randrange(1, 4))
        case 4:
            rounds[one] = f"{one + 1}. {chance.choice(others).partition('. ')[2]}"
        case 5:
            rounds[one] = re.sub(r"\d+(?= |$)", lambda _: str(chance.randrange(1, 16)), rounds[one], count=2)
        case _:
            rounds[one], rounds[two] = rounds[two], rounds[one]
            if one < len(rounds) - 1 and two < len(rounds) - 1:
                for place in (one, two):
                    rounds[place] = f"{place + 1}. {rounds[place].partition('. ')[2]}"
    return header + key + "\\n".join(rounds)


@pytest.mark.usefixtures("usual")
@pytest.mark.parametrize("seed", sampled(range(40), 40))
def test_games_are_accepted_as_they_are_written(seed: int) -> None:
    chance = random.Random(seed)
    for game in games(f"right {seed}", chance):
        line = written(game)
        assert fast(line) == judged(line)


@pytest.mark.usefixtures("usual")
@pytest.mark.parametrize("seed", sampled(range(120), 120))
def test_no_lane_accepts_what_is_wrong(seed: int) -> None:
    chance = random.Random(seed)
    lines = [written(game) for game in games(f"wrong {seed}", chance)]
    for _ in range(500 if seed else 40):
        line = spoilt(chance.choice(lines), chance.choice(lines), chance)
        if (found := fast(line)) is not None:
            assert found == judged(line), line


def spoilt_file(text: str, other: str, chance: random.Random) -> str:
    """A game file with a change that may make the game wrong, or no file of a game."""
    at = chance.randrange(len(text))
    lines, others = text.splitlines(keepends=True), other.splitlines(keepends=True)
    one, two = (chance.randrange(len(lines)) for _ in range(2))
    match chance.randrange(6):
        case 0:
            return text[:at] + chance.choice(SIGNS) + text[at + 1 :]
        case 1:
            return text[:at] + chance.choice(SIGNS) + text[at:]
        case 2:
            return text[:at] + text[at + 1 :]
        case 3:
            lines[one] = chance.choice(others)
        case 4:
            lines[one], lines[two] = lines[two], lines[one]
        case _:
            del lines[one]
    return "".join(lines)


@pytest.mark.usefixtures("usual")
@pytest.mark.parametrize("seed", sampled(range(40), 40))
def test_files_are_accepted_as_they_are_written(seed: int) -> None:
    chance = random.Random(seed)
    for game in games(f"right file {seed}", chance):
        text = to_text(game, "yaml")
        assert fast_file(text) == judged_part(file_of(text))


@pytest.mark.usefixtures("usual")
@pytest.mark.parametrize("seed", sampled(range(36), 36))
def test_no_lane_accepts_a_file_that_is_wrong(seed: int) -> None:
    chance = random.Random(seed)
    texts = [to_text(game, "yaml") for game in games(f"wrong file {seed}", chance)]
    for _ in range(300 if seed else 40):
        text = spoilt_file(chance.choice(texts), chance.choice(texts), chance)
        if (found := fast_file(text)) is not None:
            assert found == judged_part(file_of(text)), text


@pytest.mark.parametrize("seed", sampled(range(12), 12))
def test_games_are_converted_and_counted_as_by_the_usual_way(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    lines = [written(game) for game in games(f"other {seed}", chance)][:: 1 if seed else 3]
    lines += [spoilt(chance.choice(lines), chance.choice(lines), chance) for _ in range(150 if seed else 15)]
    shard = Shard.of_lines(line.encode("utf-8", "surrogatepass") for line in lines)

    def found() -> Any:  # noqa: ANN401 - values to compare
        converted = [convert_shard(shard, form) for form in GAME_FORMS]
        return converted, stats_shard(shard), first_steps(shard, 7)

    fast = found()
    for module in ("conversion", "valid_games"):
        monkeypatch.setattr(f"referee.archives.{module}.canonical_line", lambda *_: None)
    assert fast == found()


HEAD = '{"game": "boundary", "rules": 1, "id": "one", '
MOVES = '"moves": "1. P a1-b2 | P f1-e2\\n2. P b2-a1\\n"}'


@pytest.mark.parametrize(
    "line",
    [
        HEAD + MOVES.replace("2. P", "2.P"),
        HEAD + MOVES.replace("2. P", "3. P"),
        HEAD + MOVES.replace("2. P", "2. {why} P"),
        HEAD + MOVES.replace("P f1-e2", "{P} f1-e2"),
        HEAD + MOVES.replace("P f1-e2", "P f1-e2 {a} !"),
        HEAD + MOVES.replace("| P f1-e2", "| P f1-e2 | P e2-f1"),
        HEAD + MOVES.replace("\\n2.", "\\n\\n2."),
        HEAD + MOVES.replace("f1-e2", "f1\\ -e2"),
        HEAD + MOVES.replace("f1-e2", "f1\\u002de2"),
        HEAD + '"options": {"first": "south", "first": "north"}, ' + MOVES,
        HEAD + '"options": {"start": 1}, ' + MOVES,
        HEAD + '"result": {"south": true, "north": 0}, ' + MOVES,
        HEAD + '"result": {"south": 01, "north": 0}, ' + MOVES,
        HEAD + '"players": {"blue": {"name": "Ada"}}, ' + MOVES,
        HEAD + '"players": {"south": {"name": "Ada"}, "south": {"name": "Ben"}}, ' + MOVES,
        HEAD.replace("boundary", "bounds") + MOVES,
        HEAD.replace("1", "2") + MOVES,
        HEAD.replace("one", "\\u202e") + MOVES,
        HEAD + '"end": {"how": "resignation", "by": "south"}, ' + MOVES,
        HEAD + '"moves": ""}',
        HEAD + MOVES + " ",
        HEAD + MOVES.replace(" | ", " " * 100_000 + " | "),
        HEAD + MOVES.replace("\\n2.", " {" + "a" * 100_000 + "}\\n2."),
        HEAD + MOVES.replace("P f1-e2", "P f1-e2" + " {a}" * 30_000),
        HEAD + '"options": {"a": ' + "[" * 2000 + "]" * 2000 + "}, " + MOVES,
    ],
)
def test_a_doubtful_line_is_left_to_the_usual_way(line: str) -> None:
    assert fast(line) is None


def test_bytes_that_are_no_utf_8_are_left_to_the_usual_way() -> None:
    seed = "\ufffd" * 3  # the result of a lenient reader for half a surrogate pair
    cards = referee.start("the-beam", deal={"seed": seed}).legal_moves("p2")
    move = next(iter(cards))
    line = f'{{"game": "the-beam", "rules": 1, "options": {{"deal": {{"seed": "{seed}"}}}}, "moves": "1. {move}\\n"}}'
    assert fast(line) is not None
    assert fast(line.replace(seed, "\ud800")) is None


def test_another_package_s_lane_that_fails_leaves_its_games_to_the_usual_way(monkeypatch: pytest.MonkeyPatch) -> None:
    class Lane:
        def __init__(self, *_: object) -> None:
            pass

        def run(self, texts: Sequence[str]) -> Any:  # noqa: ANN401 - another package may return what it wants
            return len(texts)

    game = guarded_game(replace(game_named("boundary"), lane=Lane))
    monkeypatch.setattr("referee.archives.lane.game_named", lambda _: game)
    line = HEAD + '"options": {"first":  "south"}, ' + MOVES
    assert fast(line) is None
    assert judged(line).ok
