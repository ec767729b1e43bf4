"""Plans: read as people write them (plans.yaml), judged, and followed."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import IllegalMove, NotationError, RefereeError, Span
from referee.notation.moves import parse_move
from referee.notation.plans import Plan, follow, is_plan_line, judge, read_plan
from referee.notation.plans.plan import (
    DEEPEST,
    LONGEST_PLAN,
    MOST_BRANCHES,
    Branch,
    Points,
    Reply,
    SquareCondition,
    standing,
)
from referee.notation.plans.words import MOVES, disguised, folded, plain, resolved
from referee.rules import GAMES, Move, Position, start
from tests.support.corpus import letters
from tests.support.examples import examples
from tests.support.rows import each
from tests.support.strategies import Ply, game_numbers, games, mutated, played
from tests.support.tables import table

TABLE: dict[str, list[dict[str, str]]] = table(Path(__file__).with_name("plans.yaml"))
WRITTEN = [(game, entry) for game, entries in TABLE.items() for entry in entries]
READ = [(game, entry["as"]) for game, entry in WRITTEN if "as" in entry]

every_game = pytest.mark.parametrize("game", GAMES)


def result(game: str, text: str) -> str:
    """The canonical text of a plan, or the code of its refusal."""
    try:
        return str(read_plan(game, text))
    except NotationError as error:
        return code_of(error)


def code_of(error: NotationError) -> str:
    """The code of a refusal, which has a place and a sentence."""
    assert error.span
    assert error.message
    assert error.finding.as_text()
    return error.code


# --- Reading -------------------------------------------------------------------------------------------------------


@each(WRITTEN, name=lambda row: f"{row[0]}: {row[1]['text']}")
def test_a_plan_is_read_as_it_is_meant_or_refused(row: tuple[str, dict[str, str]]) -> None:
    game, entry = row
    assert result(game, entry["text"]) == entry.get("as", entry.get("refused"))


@each(READ, name=lambda row: f"{row[0]}: {row[1]}")
def test_a_canonical_text_is_read_as_the_same_plan(row: tuple[str, str]) -> None:
    game, text = row
    plan = read_plan(game, text)
    assert str(plan) == text
    assert pickle.loads(pickle.dumps(plan)) == plan
    assert hash(plan) == hash(read_plan(game, text))


@pytest.mark.parametrize(
    ("text", "line", "column", "says"),
    [
        ("if f5-e6 then c1-d2\nelse d1-z", 2, 9, "expected a square"),
        ("if f5-e6 than c1-d2", 1, 10, "'than' does not fit"),
        ("any then c1-d2\n\n\nif f5-e6", 4, 9, "ends too early"),
        ("2. if f5-e6 then c1-d2\n4. if f5-e6 then c1-d2", 2, 1, "the number of a round"),
    ],
)
def test_a_refused_plan_names_the_place_and_the_right_form(text: str, line: int, column: int, says: str) -> None:
    with pytest.raises(NotationError, match=says) as caught:
        read_plan("laser-chess", text)
    assert caught.value.span == Span(line, column)


def test_the_nearest_reading_is_suggested_unless_the_line_denies_something() -> None:
    with pytest.raises(NotationError) as caught:
        read_plan("laser-chess", "if f5-e6 than c1-d2")
    assert caught.value.suggestions == ("if M f5-e6 then M c1-d2",)
    with pytest.raises(NotationError) as caught:
        read_plan("laser-chess", "if he does not play f5-e6 then c1-d2")
    assert caught.value.suggestions == ()


def test_numbers_of_rounds_must_begin_with_the_next_one() -> None:
    assert str(read_plan("beams", "8. R B3 L", first=8)) == "any then R B3 L"
    assert str(read_plan("beams", "if P S C4 then R B3 L", first=8)) == "if P S C4 then R B3 L"
    with pytest.raises(NotationError, match="begins with round 7, not 8"):
        read_plan("beams", "8. R B3 L", first=7)


def test_limits() -> None:
    squares = [f"{file}{rank}" for file in "abcdefgh" for rank in range(1, 9)]
    replies = [f"if {one}-{two} then c1-d2" for one in squares[:2] for two in squares]
    assert read_plan("laser-chess", "\n".join(replies[:MOST_BRANCHES]))
    deep = [f"{'  ' * depth}any then c1-d2" for depth in range(DEEPEST + 1)]
    assert read_plan("laser-chess", "\n".join(deep[:DEEPEST]))
    for text in ("\n".join(replies[: MOST_BRANCHES + 1]), "\n".join(deep), "if" + " " * LONGEST_PLAN):
        with pytest.raises(NotationError, match="a plan has at most"):
            read_plan("laser-chess", text)
    for times in (90, 140):
        with pytest.raises(NotationError, match="no line of a plan is longer"):
            read_plan("laser-chess", "if f5-e6 then c1-d2" + " or d1d2" * times)
    with pytest.raises(RefereeError) as caught:
        read_plan("chess", "if e4 then e5")
    assert caught.value.code == "unknown-game"


@given(st.data())
@examples(20)
def test_any_text_is_a_plan_or_refused_with_a_place(data: st.DataObject) -> None:
    game, text = data.draw(st.sampled_from([(game, entry["text"]) for game, entry in WRITTEN]))
    other = data.draw(mutated(st.just(text)))
    told = result(game, other)
    if told not in ("syntax", "two-readings"):
        assert result(game, told) == told


def test_a_plan_leaves_out_no_move_that_was_written() -> None:
    for game, entry in WRITTEN:
        if "as" in entry:
            shapes = [disguised(game, folded(line)) for line in entry["text"].split("\n")]
            written = {str(resolved(game, plain(one))) for shape in shapes for one in MOVES.findall(shape)}
            lines = [branch for _, branch in read_plan(game, entry["text"]).lines()]
            replies = [term for one in lines for term in one.terms if isinstance(term, Reply)]
            moves = [*(one.moves for one in lines), *(one.moves for one in replies)]
            assert written == {str(move) for some in moves for move in some}


# --- Lines of letters ----------------------------------------------------------------------------------------------


@each([(game, line) for game, text in READ for line in text.split("\n")], name=repr)
def test_every_canonical_line_is_a_plan_line(row: tuple[str, str]) -> None:
    assert is_plan_line(*row)


@pytest.mark.parametrize(
    "line",
    [
        "if you like we can talk on Sunday",
        "If I may say so, nice move!",
        "On Monday I am away, after that it is fine.",
        "any time you like",
        "8. R B3 L",
        "P M1 A2 12",
        "- P M1 A2 12",
        "stop if you are tired",
        "else I resign",
        "",
        "if " * 1_000 + "P M1 A2 12",
    ],
)
def test_talk_and_bare_moves_are_no_plan_lines(line: str) -> None:
    assert not is_plan_line("beams", line)


@pytest.mark.parametrize("line", ["if P M1 A2 12 than R B3 L", "stop if b3", "If P S C4 I would be glad"])
def test_a_line_that_begins_as_a_plan_is_one_even_if_it_cannot_be_read(line: str) -> None:
    assert is_plan_line("beams", line)
    assert result("beams", line) == "syntax"


def test_no_line_of_other_letters_is_taken_for_a_plan() -> None:
    lines = {line for raw in letters().values() for line in raw.decode("latin-1").splitlines()}
    assert [line for line in lines for game in GAMES if is_plan_line(game, line)] == []


# --- Following and judging -----------------------------------------------------------------------------------------


class Asked:
    """A point of a random game at which a side owes a move again: what a plan is asked about."""

    def __init__(self, plies: Sequence[Ply], place: int, side: str) -> None:
        last = max(number for number in range(place) if side in plies[number].moves)
        self.side, self.place, self.last = side, place, last
        self.before, self.after = plies[last].before, plies[place].before
        self.plies: list[Mapping[str, Move]] = [ply.moves for ply in plies[last:place]]
        self.replies = [move for ply in self.plies for one, move in ply.items() if one != side]
        self.own: Move = plies[place].moves[side]


def moments(plies: Sequence[Ply], side: str) -> Iterator[Asked]:
    """Each point at which a side owes a move, but for its first."""
    places = [place for place, ply in enumerate(plies) if side in ply.moves]
    return (Asked(plies, place, side) for place in places[1:])


def random_game(data: st.DataObject, game: str) -> Sequence[Ply]:
    number = data.draw(st.sampled_from(game_numbers(game)))
    return played(game)[number][1]


def line_of(asked: list[Asked]) -> tuple[Branch, ...]:
    """The plan that makes the moves of a game as long as the others do."""
    branches: tuple[Branch, ...] = ()
    for one in reversed(asked):
        terms = (Reply((one.replies[0],)),) if one.replies else ()
        branches = (Branch(terms, (one.own,), branches),)
    return branches


def other_branches(data: st.DataObject, asked: list[Asked], sides: tuple[str, ...]) -> Iterator[Branch]:
    """Further conditions and moves, of anywhere in the game, each reply of its own."""
    chance = random.Random(data.draw(st.integers(0, 1 << 16)))
    used = {asked[0].replies[0]} if asked[0].replies else set()
    for one in chance.sample(asked, min(3, len(asked))):
        fresh = [move for move in dict.fromkeys(one.replies) if move not in used]
        used |= {*fresh}
        facts = [
            Points(chance.choice([">=", "<="]), chance.randint(-2, 8)),
            SquareCondition("b3", chance.random() < 0.5),
        ]
        terms: list[Any] = [*facts[: chance.randint(0, 2)]]
        if fresh:
            terms.append(Reply(tuple(fresh), chance.choice(["", *sides])))
        if terms:
            moves = dict.fromkeys(chance.choice(asked).own for _ in range(chance.randint(0, 3)))
            yield Branch(tuple(terms), tuple(moves))


@st.composite
def planned(draw: st.DrawFn) -> tuple[str, list[Asked], Plan]:
    """A plan of random legal moves, and the moments of the game that they are from."""
    data = draw(st.data())
    game = draw(games())
    plies = random_game(data, game)
    side = draw(st.sampled_from(start(game).sides))
    asked = [*moments(plies, side)]
    if not asked:
        return game, [], Plan(game, (Branch((), (plies[0].moves[min(plies[0].moves)],)),))
    first = draw(st.integers(0, len(asked) - 1))
    line = asked[first : first + draw(st.integers(1, 6))]
    distinct = {branch.terms: branch for branch in other_branches(data, line, start(game).sides)}
    branches = (*line_of(line), *distinct.values()) if line_of(line)[0].terms else line_of(line)
    ends = (Branch((), (line[0].own,)),) if draw(st.booleans()) and branches[-1].terms else ()
    stops = ((Points(">=", draw(st.integers(1, 99))),),) if draw(st.booleans()) else ()
    return game, line, Plan(game, (*branches, *ends), stops)


@given(planned())
@examples(20)
def test_any_plan_is_read_as_it_was_written(made: tuple[str, list[Asked], Plan]) -> None:
    game, _, plan = made
    assert read_plan(game, str(plan)) == plan
    assert all(is_plan_line(game, line) for line in str(plan).split("\n"))


@given(planned())
@examples(20)
def test_a_plan_gives_the_move_that_its_text_says(made: tuple[str, list[Asked], Plan]) -> None:
    _, asked, plan = made
    for one in asked:
        found = follow(plan, one.side, one.before, one.plies, one.after)
        expected = said_by(str(plan), one)
        assert (found and str(found[0])) == expected
        if found is not None:
            assert found[0] in one.after.legal_moves(one.side)


def said_by(text: str, asked: Asked) -> str | None:
    """The move that a plan's text gives, read line by line in the simplest way."""
    made = {(one, str(move)) for ply in asked.plies for one, move in ply.items() if one != asked.side}
    for line in text.split("\n"):
        if line.startswith("  "):
            continue
        if line.startswith("stop if "):
            if holds(line.removeprefix("stop if "), made, asked):
                return None
            continue
        for always in ("any then ", "else "):
            if line.startswith(always):
                return first_legal(line.removeprefix(always), asked)
        condition, _, moves = line.removeprefix("if ").partition(" then ")
        if holds(condition, made, asked):
            return first_legal(moves, asked)
    return None


def holds(condition: str, made: set[tuple[str, str]], asked: Asked) -> bool:
    """True if all parts of a condition in canonical text hold."""
    if " and " not in condition:
        return holds_alone(condition, made, asked)
    return all(holds_alone(part.strip(","), made, asked) for part in condition.split(" and "))


def holds_alone(part: str, made: set[tuple[str, str]], asked: Asked) -> bool:
    words = part.split()
    if words[0] == "score":
        score = asked.after.score
        points = score.get(asked.side, score.get("team"))
        return bool(points >= int(words[2]) if words[1] == ">=" else points <= int(words[2]))
    if words[-2:] == ["is", "empty"]:
        return standing(asked.after, asked.side).get(words[0], "") is None
    if words[-2:] == ["is", "lost"]:
        left = asked.before.play(asked.plies[0]) if len(asked.plies[0]) == 1 else asked.before
        had = standing(left, asked.side).get(words[0]) == asked.side
        return had and standing(asked.after, asked.side).get(words[0]) != asked.side
    named = words[0] if words[0] in asked.after.sides else ""
    moves = part.removeprefix(named).strip().split(" or ")
    return any(move in moves and named in ("", one) for one, move in made)


def first_legal(moves: str, asked: Asked) -> str | None:
    legal = {str(move) for move in asked.after.legal_moves(asked.side)}
    for text in moves.split(" or "):
        if text in legal or accepted(asked.after, asked.side, text):
            return text
    return None


def accepted(position: Position, side: str, text: str) -> bool:
    try:
        position.parse(side, text)
    except RefereeError:
        return False
    return True


@every_game
def test_the_line_of_a_game_is_read_judged_and_followed_to_its_end(game: str) -> None:
    _, plies = played(game)[0]
    for side in plies[0].before.sides:
        asked = [*moments(plies, side)][:DEEPEST]
        plan = read_plan(game, str(Plan(game, line_of(asked))))
        judge(plan, judged_in(asked[0]), side)
        for one in asked:
            found = follow(plan, side, one.before, one.plies, one.after)
            assert found is not None
            move, plan = found
            assert move == one.own
        assert plan.branches == ()


def judged_in(asked: Asked) -> Any:  # noqa: ANN401 - a position of any game
    """The position in which a plan is judged that comes with the move before."""
    return asked.before.play(asked.plies[0]) if len(asked.plies[0]) == 1 else asked.before


@given(planned(), st.integers(0, 5))
@examples(10)
def test_a_plan_of_legal_moves_is_accepted_and_a_spoilt_one_refused_with_its_line(
    made: tuple[str, list[Asked], Plan], place: int
) -> None:
    game, asked, _ = made
    if not asked:
        return
    position, side = judged_in(asked[0]), asked[0].side
    judge(Plan(game, line_of(asked)), position, side)
    if game in OFF_BOARD:
        place %= len(asked)
        asked[place].own = parse_move(game, OFF_BOARD[game])
        with pytest.raises(IllegalMove, match=rf"line {place + 1}, '(if .* then|any then) {OFF_BOARD[game]}': "):
            judge(Plan(game, line_of(asked)), position, side)


OFF_BOARD = {"beams": "P S Z99", "boundary": "P z1-z2", "laser-chess": "M z1-z2"}
"""Moves that no board of a game has. In The Beam, nobody moves before the next cards are known."""


@pytest.mark.parametrize(
    ("text", "line", "code"),
    [
        ("if R a8 L then M c4-d4", None, ""),
        ("if R a8 L then M c4-e4 or M e1-e2", None, ""),
        ("any then M c4-d4", None, ""),
        ("if R a8 L then M e1-e2\n  if R a8 R then M e2-e3", None, ""),
        ("if R a8 L then M e1-e2\n  any then M e1-e2", None, "of a shot that is not fired"),
        ("if R a8 L then M e1-e2\nif M g3-g5 then M e1-e2", 2, "distance"),
        ("if R a8 L then M c4-e4", None, "of a shot that is not fired"),
        ("stop if z9 is lost\nany then M c4-d4", 1, "unknown-cell"),
        ("stop if c4 is lost\nany then M c1-c9", 2, "unknown-square"),
        ("if blue M a1-a2 then M c4-d4", 1, "not-your-turn"),
    ],
)
def test_judged_lines_of_laser_chess(text: str, line: int | None, code: str) -> None:
    position = start("laser-chess")
    after = position.play({"blue": position.parse("blue", "R j1 L")})
    plan = read_plan("laser-chess", text)
    if line is None:
        judge(plan, after, "blue")
        return
    with pytest.raises(IllegalMove) as caught:
        judge(plan, after, "blue")
    assert (caught.value.code, caught.value.span) == (code, Span(line, 1))
    assert f"line {line}, '" in caught.value.message


@every_game
def test_every_game_tells_the_owners_of_its_cells(game: str) -> None:
    for _, plies in played(game):
        for ply in plies[::7]:
            for side in ply.before.sides:
                cells = standing(ply.before, side)
                assert {*cells.values()} <= {None, "", *ply.before.sides}
                assert all(cell == cell.casefold() for cell in cells)
