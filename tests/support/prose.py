"""Phrases that make sentences hard to read: counted over the tree, with the worst places.

    python -m tests.support.prose            # counts for each phrase, and the files with most of them
    python -m tests.support.prose told       # every line with one phrase

It helps who writes; nothing fails because of it. Sentences are those of docstrings, comments, Markdown, letters and
codes; in Python, code and other strings are not looked at.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PHRASES = {
    "clause": r"^(?:What|Whether|How|Where|Who)\b(?!.*\?)",
    "told": r"\b(?:tell|tells|told)\b",
    "stands": r"\bstands?\b",
    "comes to": r"\bcomes? to (?!the|a\b|an\b)",
    "somebody": r"\b(?:somebody|nobody|anybody|whoever|whatever|one's own)\b",
    "so many": r"\b(?:so many|as many as|of which no more)\b",
    "anew": r"\b(?:of itself|anew|lately|for ever|any more|in place of)\b",
    "of which": r"\b(?:by|of|in|with|from|to) (?:which|whom)\b",
    "long line": r"^.{161,}$",
}
"""Name -> what is searched for, in one line of a sentence."""

SHOWN = 15
"""Files that are listed."""


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file that people read as sentences, each with its number."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        yield from enumerate(text.splitlines(), 1)
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string.lstrip("# ")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            for number, line in enumerate(node.value.value.splitlines()):
                yield node.lineno + number, line.strip()


def found() -> Iterator[tuple[str, Path, int, str]]:
    """Each phrase found, with its file, the number of its line, and the line."""
    folders = ("referee", "docs", "spec", "tests", "bench")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    for path in sorted([*ROOT.glob("*.md"), *files]):
        if path.suffix in (".py", ".md", ".toml") and "node_modules" not in path.parts:
            for number, line in lines(path):
                for name, pattern in PHRASES.items():
                    if re.search(pattern, line):
                        yield name, path.relative_to(ROOT), number, line


def main(wanted: list[str]) -> None:
    """Print the counts, or the places of one phrase."""
    places = list(found())
    if wanted:
        for name, path, number, line in places:
            if name in wanted:
                print(f"{path}:{number}: {line}")
        return
    for name, count in Counter(name for name, *_ in places).most_common():
        print(f"{count:6,} {name}")
    for file, count in Counter(str(path) for _, path, *_ in places).most_common(SHOWN):
        print(f"{count:6,} {file}")


if __name__ == "__main__":
    main(sys.argv[1:])
