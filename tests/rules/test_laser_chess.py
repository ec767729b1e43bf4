"""Laser Chess: its figures, the comparison with the naive oracle, and properties of every position."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import parse_move
from referee.rules import perft, start
from referee.rules.laser_chess import LaserChessPosition, Move, Piece, Rotate, Step, Turn
from referee.rules.laser_chess.events import Fired, Removed
from referee.rules.laser_chess.pieces import Kind
from referee.rules.squares import Square
from tests.oracles import laser_chess as naive
from tests.support.examples import examples, sampled
from tests.support.strategies import (
    Ply,
    accepts,
    facts_of,
    game_numbers,
    listed,
    played,
    plies,
    position_numbers,
    positions,
    random_play,
)

SETUPS = ("ace", "curiosity", "grail", "mercury", "sophie")
SWAPPED = {"blue": "red", "red": "blue"}
PERFT = {
    "ace": (77, 5_920, 451_859),
    "curiosity": (73, 5_343, 387_073),
    "grail": (70, 4_854, 334_850),
    "mercury": (68, 4_439, 290_283),
    "sophie": (74, 5_320, 377_146),
}


def squares() -> st.SearchStrategy[Square]:
    """Any square that can be written down, most of them on the board."""
    on = st.builds(Square, st.integers(1, 10), st.integers(1, 8))
    return st.one_of(on, on, on, st.builds(Square, st.integers(1, 26), st.integers(0, 9)))


def moves() -> st.SearchStrategy[Move]:
    """Any move that can be written down."""
    return st.one_of(st.builds(Step, squares(), squares()), st.builds(Rotate, squares(), st.sampled_from(Turn)))


# --- Figures -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("setup", SETUPS)
def test_perft_to_two_plies(setup: str) -> None:
    position = start("laser-chess", setup=setup)
    assert (perft(position, 0), perft(position, 1), perft(position, 2)) == (1, *PERFT[setup][:2])


@pytest.mark.slow
@pytest.mark.parametrize("setup", sampled(SETUPS, 5))
def test_perft_to_three_plies(setup: str) -> None:
    assert perft(start("laser-chess", setup=setup), 3) == PERFT[setup][2]


def test_a_position_without_a_king_has_no_moves() -> None:
    over = start("laser-chess").play({"blue": parse_move("laser-chess", "M h2-h3")})
    assert isinstance(over, LaserChessPosition)
    over = dataclasses.replace(over, winner="blue")
    assert (perft(over, 0), perft(over, 1), perft(over, 2)) == (1, 0, 0)


@pytest.mark.parametrize("setup", SETUPS)
def test_a_setup_has_its_pieces(setup: str) -> None:
    board = naive.board(facts_of(start("laser-chess", setup=setup))["rows"])
    for letters in ("LKSDM", "lksdm"):
        kinds = "".join(piece[0] for piece in board.values())
        assert [kinds.count(letter) for letter in letters] == [1, 1, 2, 2, 7]


# --- The naive oracle --------------------------------------------------------------------------------------------


def agrees(ply: Ply) -> None:
    """Fail unless a ply changed the board as the oracle does, square by square."""
    ((side, move),) = ply.moves.items()
    moved = naive.moved(naive.board(facts_of(ply.before)["rows"]), str(move))
    path, lost = naive.shot(moved, side)
    told = ply.before.events(ply.moves, ply.after)
    (fired,) = [event for event in told if isinstance(event, Fired)]
    assert (fired.side, [str(square) for square in fired.path]) == (side, path)
    removed = [(str(event.piece), str(event.square)) for event in told if isinstance(event, Removed)]
    assert removed == ([(moved[lost], lost)] if lost else [])
    gone = moved.pop(lost) if lost else ".."
    assert facts_of(ply.after) == {"rows": naive.rows(moved), "lost": [lost] if lost else []}
    winner = {"K": "red", "k": "blue"}.get(gone[0])
    assert (ply.after.outcome and ply.after.outcome.winner) == winner


@pytest.mark.parametrize("seeds", sampled([4, 20], 2))
@pytest.mark.parametrize("setup", SETUPS)
def test_every_ply_of_random_games_does_what_the_oracle_does(setup: str, seeds: int) -> None:
    for seed in range(seeds):
        for ply in random_play("laser-chess", seed, {"setup": setup}):
            agrees(ply)


@pytest.mark.slow
@pytest.mark.parametrize("boards", sampled([150, 3000], 2))
def test_every_shot_over_random_boards_is_the_oracles(boards: int) -> None:
    chance, hits = random.Random(8), set[str]()
    for _ in range(boards):
        position = start("laser-chess", setup=random_board(chance))
        assert isinstance(position, LaserChessPosition)
        position = dataclasses.replace(position, mover=chance.choice(("blue", "red")))
        (side,) = position.to_move
        chosen = chance.sample(list(position.legal_moves(side)), 3)
        for move in chosen:
            agrees(Ply(position, {side: move}, position.play({side: move})))
            moved = naive.moved(naive.board(facts_of(position)["rows"]), str(move))
            path, _ = naive.shot(moved, side)
            hits |= {
                f"{moved[square]} {how}"
                for square, how in zip(path, arrivals(path, side), strict=True)
                if square in moved
            }
    if boards < 1600:
        return
    # Each piece in each orientation was hit from each side, and so were the lasers.
    pieces = [f"{kind}{n}" for kind, n in [("M", 4), ("D", 4), ("S", 2), ("K", 1)] for n in range(n)]
    assert {hit for hit in hits if hit[0] in "MDSK"} == {f"{piece} {way}" for piece in pieces for way in "NESW"}
    assert {"L", "l"} <= {hit[0] for hit in hits}


def random_board(chance: random.Random) -> list[str]:
    """A custom set-up, crowded with pieces on allowed squares."""
    free = [f"{file}{rank}" for file in naive.FILES for rank in range(1, 9) if f"{file}{rank}" not in ("a8", "j1")]
    chance.shuffle(free)
    board = {"j1": chance.choice(("L0", "L3")), "a8": chance.choice(("l2", "l1"))}
    for piece in (
        "K0",
        "k0",
        *chance.choices([f"{kind}{n}" for kind in "MDmdS" for n in "0123"], k=chance.choice((3, 12, 30))),
    ):
        piece = f"{chance.choice('Ss')}{int(piece[1]) % 2}" if piece[0] == "S" else piece
        side = "blue" if piece[0].isupper() else "red"
        square = next(one for one in free if one not in naive.SHUT[side])
        free.remove(square)
        board[square] = piece
    return naive.rows(board)


def arrivals(path: list[str], side: str) -> list[str]:
    """The side of each square on which a beam enters it."""
    before = ["j1" if side == "blue" else "a8", *path]
    steps = [
        (ord(there[0]) - ord(here[0]), int(there[1]) - int(here[1]))
        for here, there in zip(before, path, strict=False)
    ]
    going = {step: way for way, step in naive.STEP.items()}
    return [naive.ACROSS[going[step]] for step in steps]


@pytest.mark.slow
@pytest.mark.parametrize("step", sampled([16, 4], 2))
def test_legal_moves_are_the_oracles(step: int) -> None:
    for position in positions("laser-chess")[::step]:
        board = naive.board(facts_of(position)["rows"])
        for side in position.to_move:
            mine = {str(move) for move in position.legal_moves(side)}
            allowed = naive.legal(board, side, kings_turn=position.kings_turn)
            assert mine == {text for text in allowed if not looks_like_right(board, text)}
        for text in naive.legal(board, "blue", kings_turn=position.kings_turn):
            assert accepts(position, "blue", parse_move("laser-chess", text)) == ("blue" in position.to_move)


def looks_like_right(board: naive.Board, text: str) -> bool:
    """True if a turn to the left of a switch or a king has the effect of one to the right."""
    return text[0] == "R" and text[-1] == "L" and board[text[2:4]][0] in "SsKk"


# --- Legal moves -------------------------------------------------------------------------------------------------


@examples(8)
@given(position_numbers("laser-chess"), st.sampled_from(["blue", "red"]), moves())
def test_a_move_is_accepted_if_and_only_if_it_is_listed_or_a_switch_turned_left(
    number: int, side: str, move: Move
) -> None:
    assert accepts(positions("laser-chess")[number], side, move) == listed("laser-chess", number, side, move)


def test_both_rotations_of_a_switch_come_to_the_same() -> None:
    for position in positions("laser-chess")[::10]:
        board = naive.board(facts_of(position)["rows"])
        for side in position.to_move:
            for square in [one for one, piece in board.items() if piece[0] == ("S" if side == "blue" else "s")]:
                left, right = (parse_move("laser-chess", f"R {square} {turn}") for turn in "LR")
                assert position.play({side: left}) == position.play({side: right})
                assert left not in set(position.legal_moves(side))


@examples(3)
@given(moves())
def test_every_move_is_read_as_it_was_written(move: Move) -> None:
    assert parse_move("laser-chess", str(move)) == move


# --- The half turn -----------------------------------------------------------------------------------------------


def half_turn(rows: list[str]) -> list[str]:
    """The board seen from the other side, with the colours swapped."""
    board = naive.board(rows)
    return naive.rows({turned(square): piece_turned(piece) for square, piece in board.items()})


def turned(square: str) -> str:
    return f"{naive.FILES[9 - naive.FILES.index(square[0])]}{9 - int(square[1])}"


def piece_turned(piece: str) -> str:
    facing = int(piece[1]) if piece[0] in "SsKk" else (int(piece[1]) + 2) % 4
    return f"{piece[0].swapcase()}{facing}"


def move_turned(move: Move) -> Move:
    text = str(move)
    words = [turned(word) if len(word) == 2 else word for word in text.replace("-", " ").split()]
    found: Move = parse_move("laser-chess", " ".join(words))
    return found


@pytest.mark.parametrize("setup", SETUPS)
def test_a_half_turn_with_the_colours_swapped_leaves_a_setup_as_it_is(setup: str) -> None:
    rows = facts_of(start("laser-chess", setup=setup))["rows"]
    assert half_turn(rows) == rows


@pytest.mark.parametrize("number", sampled(game_numbers("laser-chess"), 3))
def test_a_half_turn_with_the_colours_swapped_turns_everything(number: int) -> None:
    options, game = played("laser-chess")[number]
    other = start("laser-chess", **options)
    assert isinstance(other, LaserChessPosition)
    other = dataclasses.replace(other, mover="red")
    for ply in game:
        ((side, move),) = ply.moves.items()
        listed = {str(move_turned(one)) for one in ply.before.legal_moves(side)}
        assert {str(one) for one in other.legal_moves(SWAPPED[side])} == listed
        other = other.play({SWAPPED[side]: move_turned(move)})
        facts, outcome = facts_of(other), ply.after.outcome
        assert half_turn(facts["rows"]) == facts_of(ply.after)["rows"]
        assert [turned(square) for square in facts["lost"]] == facts_of(ply.after)["lost"]
        assert (other.outcome and SWAPPED[str(other.outcome.winner)]) == (outcome and outcome.winner)


# --- Repetition --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_repetition_is_claimed_if_and_only_if_the_board_occurred_three_times() -> None:
    claimed = 0
    for seed in range(30):
        boards: list[object] = []
        for ply in shuffling(seed):
            boards = boards or [facts_of(ply.before)["rows"]]
            boards.append(facts_of(ply.after)["rows"])
            due = boards.count(boards[-1]) >= 3 and ply.after.outcome is None
            for side in ply.after.sides:
                can = due and side in ply.after.to_move
                assert ply.after.claims(side) == (frozenset({"repetition"}) if can else frozenset())
            claimed += due
    assert claimed > 50


def shuffling(seed: int) -> list[Ply]:
    """A game between players who move little else than their kings and rotate one piece."""
    chance = random.Random(seed)
    position = start("laser-chess", setup=["l2......k0..........", *[".." * 10] * 6, "..M0S0..K0........L0"])
    made = []
    for _ in range(40):
        if not position.to_move:
            break
        (side,) = position.to_move
        near = [move for move in position.legal_moves(side) if set("ef").intersection(str(move))]
        move = chance.choice([move for move in near if str(move)[-1] in "18L"] or near)
        after = position.play({side: move})
        made.append(Ply(position, {side: move}, after))
        position = after
    return made


def test_an_end_by_repetition_is_a_draw() -> None:
    outcome = start("laser-chess").ended("repetition", "blue")
    assert outcome.as_json() == {"winner": None, "how": "repetition", "score": {"blue": 0, "red": 0}}


def test_games_have_what_these_tests_are_about() -> None:
    happened = [event for ply in plies("laser-chess") for event in ply.before.events(ply.moves, ply.after)]
    names = {type(event).__name__ for event in happened}
    assert names == {"Moved", "Swapped", "Rotated", "Fired", "Removed"}
    assert any(ply.after.outcome for ply in plies("laser-chess"))


def test_a_piece_is_the_same_however_it_is_made() -> None:
    piece = next(filter(None, start("laser-chess").squares))
    again = Piece(side=piece.side, kind=piece.kind, facing=piece.facing)
    assert again is piece is copy.deepcopy(piece) is pickle.loads(pickle.dumps(piece))
    assert piece.turned(4) is piece
    with pytest.raises(TypeError):
        Piece(piece.side, str(piece.kind), piece.facing)  # type: ignore[arg-type]
    assert isinstance(piece.kind, Kind)
