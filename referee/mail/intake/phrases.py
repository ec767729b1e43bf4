"""The phrases of mail programs and polite people (phrases.toml), all languages together."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path


@cache
def phrases(kind: str) -> frozenset[str]:
    """The phrases of a kind, such as `wrote` or `label`, as the lines of letters are compared."""
    return frozenset(unicodedata.normalize("NFKC", phrase).casefold() for phrase in _written(kind))


@cache
def expression(kind: str) -> re.Pattern[str]:
    """The phrases of a kind that are expressions, as one."""
    return re.compile("|".join(sorted(_written(kind))), re.IGNORECASE)


def _written(kind: str) -> Iterator[str]:
    return (phrase for language in _tables()[kind].values() for phrase in language)


@cache
def _tables() -> dict[str, dict[str, list[str]]]:
    with Path(__file__).with_name("phrases.toml").open("rb") as file:
        return tomllib.load(file)
