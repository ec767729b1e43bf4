"""Plays Boundary: whatever brings a pyramid nearer to its goal. It knows no rules, and asks for none."""

import json
import sys

GOALS = {"green": "f6", "blue": "a1", "red": "a6", "yellow": "f1"}


def apart(one: str, two: str) -> int:
    """The king's steps between two squares such as a1 and f6."""
    return max(abs(ord(one[0]) - ord(two[0])), abs(int(one[1]) - int(two[1])))


def gain(stacks: dict[str, list[str]], move: str) -> int:
    """By how many steps a move such as `S c3-e3 P a1-c3` brings a pyramid nearer to its goal."""
    origin, target = move.rpartition("P ")[2].split("-")
    colour = stacks[origin][-1].split()[0]
    return apart(origin, GOALS[colour]) - apart(target, GOALS[colour])


def main() -> None:
    """Answer each line with a move, until there is no more."""
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["referee"] != 1 or asked["game"] != "boundary":
            raise SystemExit("this program plays Boundary, as version 1 of the protocol asks")
        stacks = asked["position"]["stacks"]
        best = max(asked["legal"], key=lambda move: gain(stacks, move))
        print(json.dumps({"move": best}), flush=True)


if __name__ == "__main__":
    main()
