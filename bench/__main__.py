"""Measure all parts or those named, print their figures, and write them to their sections of bench/RESULTS.md."""

from __future__ import annotations

import sys
from importlib import import_module

from bench import results
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
    """Measure and print, a line at a time; write each part's section once it is complete."""
    print(HEADING)
    for name in names or PARTS:
        part, measured = import_module(f"bench.{name}"), []
        for figure in part.figures():
            print(figure.as_line(), flush=True)
            measured.append(figure)
        results.write(name, part.__doc__ or "", measured)


if __name__ == "__main__":
    main(sys.argv[1:])
