"""Print the figures: all of them, or those of the parts that are named."""

from __future__ import annotations

import sys
from importlib import import_module

from bench.figures import HEADING

PARTS = (
    "files",
    "archive",
    "cores",
    "extract",
    "startup",
    "lists",
    "perft",
    "pictures",
    "explorer",
    "page",
    "desk",
    "ticks",
    "size",
    "letters",
    "whole_letters",
    "engine_games",
    "proof",
    "pages",
    "submission",
    "paint",
    "notes",
    "repair",
    "api",
    "nodes",
    "strength",
)


def main(names: list[str]) -> None:
    """Measure and print, a line at a time."""
    print(HEADING)
    for name in names or PARTS:
        for figure in import_module(f"bench.{name}").figures():
            print(figure.as_line(), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
