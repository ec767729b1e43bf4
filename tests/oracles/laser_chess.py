"""Laser Chess judged the slow way: from facts and notation alone, square by square, by the rules page's words.

Nothing of referee.rules is used here.
"""

from __future__ import annotations

from collections.abc import Iterator

FILES = "abcdefghij"
STEP = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
ACROSS = {"N": "S", "S": "N", "E": "W", "W": "E"}
OPEN = {"0": "NE", "1": "ES", "2": "SW", "3": "WN"}
SWITCH = {"0": {"N": "W", "W": "N", "S": "E", "E": "S"}, "1": {"N": "E", "E": "N", "S": "W", "W": "S"}}
SHUT = {
    "blue": ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "i1", "i8"],
    "red": ["b1", "b8", "j2", "j3", "j4", "j5", "j6", "j7", "j8"],
}

Board = dict[str, str]


def board(rows: list[str]) -> Board:
    """The pieces by their squares: e4 -> M0."""
    return {
        f"{file}{8 - row}": rows[row][2 * column : 2 * column + 2]
        for row in range(8)
        for column, file in enumerate(FILES)
        if rows[row][2 * column : 2 * column + 2] != ".."
    }


def rows(board: Board) -> list[str]:
    """The same as facts have it."""
    return ["".join(board.get(f"{file}{rank}", "..") for file in FILES) for rank in range(8, 0, -1)]


def shot(board: Board, side: str) -> tuple[list[str], str | None]:
    """The squares that a side's beam enters, and the one whose piece it removes."""
    square = "j1" if side == "blue" else "a8"
    going, path = "NESW"[int(board[square][1])], list[str]()
    while True:
        file, rank = FILES.index(square[0]) + STEP[going][0], int(square[1]) + STEP[going][1]
        if not (0 <= file < 10 and 1 <= rank <= 8):
            return path, None
        square, hit = f"{FILES[file]}{rank}", ACROSS[going]
        path.append(square)
        kind, facing = tuple(board.get(square, ".."))
        if kind in "Ll" or (kind in "Dd" and hit == "NESW"[int(facing)]):
            return path, None
        if kind in "DdKk" or (kind in "Mm" and hit not in OPEN[facing]):
            return path, square
        if kind in "Mm":
            going = OPEN[facing].replace(hit, "")
        if kind in "Ss":
            going = SWITCH[facing][hit]


def moved(board: Board, text: str) -> Board:
    """The board after a legal move, before the shot."""
    board = dict(board)
    if text[0] == "M":
        origin, target = text[2:4], text[5:7]
        pieces = {target: board.pop(origin), origin: board.pop(target, "..")}
        return {**board, **{square: piece for square, piece in pieces.items() if piece != ".."}}
    kind, facing = tuple(board[text[2:4]])
    ways = {"S": 2, "K": 1}.get(kind.upper(), 4)
    board[text[2:4]] = f"{kind}{(int(facing) + (1 if text[5] == 'R' else -1)) % ways}"
    return board


def may(board: Board, side: str, text: str, *, kings_turn: bool = False) -> bool:
    """True if a side may make a move, a side's own turn taken for granted; kings turn if that was agreed."""
    square = text[2:4]
    kind, facing = tuple(board.get(square, ".."))
    if kind == "." or (kind.isupper() != (side == "blue")):
        return False
    if text[0] == "R":
        turned = (int(facing) + (1 if text[5] == "R" else 3)) % 4
        return {"K": kings_turn, "L": turned in ((0, 3) if side == "blue" else (1, 2))}.get(kind.upper(), True)
    target = text[5:7]
    apart = abs(ord(square[0]) - ord(target[0])), abs(int(square[1]) - int(target[1]))
    there = board.get(target, "..")[0].upper()
    return (
        max(apart) == 1
        and kind.upper() != "L"
        and target not in SHUT[side]
        and (there == "." or (kind.upper() == "S" and there in "MD"))
    )


def legal(board: Board, side: str, *, kings_turn: bool = False) -> Iterator[str]:
    """Every legal move of a side, both rotations of a switch among them, and of a king if kings turn."""
    squares = [f"{file}{rank}" for file in FILES for rank in range(1, 9)]
    texts = [f"M {one}-{other}" for one in board for other in squares]
    texts += [f"R {one} {turn}" for one in board for turn in "LR"]
    return (text for text in texts if may(board, side, text, kings_turn=kings_turn))
