"""Habits from other notations, and slips of the keyboard: texts that are nearly a move, and that move.

A game's notation module can add its own as `HABITS`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain, permutations
from typing import Any, NamedTuple

from referee.errors import IllegalMove, NotationError, RefereeError, shown
from referee.notation.moves import LONGEST_MOVE, move_text, notation, parse_move
from referee.notation.spoken import meanings
from referee.rules.contract import M, Position, movers

_MOST_WORDS = 4
"""Maximum words of a move whose order may be wrong."""


class Habit(NamedTuple):
    """A habit in a text: its cause; a sentence, empty where the parser's own is enough; and the text to write."""

    cause: str
    message: str
    text: str


class Unusual(NamedTuple):
    """An unusual part of a text as a pattern, a sentence about {found} and the right {text}, and its replacement."""

    found: str
    says: str
    instead: str | Callable[[re.Match[str]], str] = ""


_DIGITS = str.maketrans("OoIl", "0011")
_REMARK = "{found} is not part of a move; comments go {in braces}, or after a semicolon at the end of the line"
_UNUSUAL = {
    "stuck-number": Unusual(
        r"^[0-9]{1,4}[.):](?=[^\s.])", "a blank is missing between the round's number {found} and the move {text}"
    ),
    "number": Unusual(
        r"^(?:(?:round|rd|move|turn|no)\b\.?\s*)?#?[0-9]{1,4}\s*[-.,:)]*\s+",
        "{found} is not the number of a round: a line may begin with a number alone, such as '1.'",
    ),
    "sign": Unusual(
        r"(?<=[a-z][0-9])\s*(?:x|:|\.{2,3}|,|[-=]*>|--+|to)\s*(?=[a-z][0-9])",
        "{found} is not a sign of this notation: write {text}",
        "-",
    ),
    "blank": Unusual(
        r"(?<=[a-z0-9])(?=[a-z][0-9])|(?<=[0-9])(?=[LR]$)|(?<=^[a-z])(?=[/\\0-9]|[a-z]\b)|(?<=[/\\])(?=[0-9])",
        "a blank is missing: write {text}",
        " ",
    ),
    "piece-letter": Unusual(
        r"^[a-z](?=[a-z][0-9])|(?<=^[a-z] )[a-z](?:(?=[a-z][0-9])| )", "{found} does not belong here: write {text}"
    ),
    "zero": Unusual(
        r"\b[0-9]*[OIl]+[0-9]+\b|\b[0-9]+[OIl]+\b|(?<=\b[a-z])[0-9]*[OIl]+[0-9]*\b",
        "{found} has a letter in the place of a digit: write {text}",
        lambda found: found[0].translate(_DIGITS),
    ),
    "digit-first": Unusual(
        r"\b([0-9]{1,2})([a-z])\b", "{found} has its letter after its number: write {text}", r"\2\1"
    ),
    "parted": Unusual(r"\b([a-z])(?:[- ]0*|0+)([1-9][0-9]?)\b", "{found} is one word: write {text}", r"\1\2"),
    "mark": Unusual(r"\s*[-+#=.,:*~]+$", "{found} is not part of a move: write {text}"),
    "comma": Unusual(r"\s*[,&/]\s*", "{found} is not part of a move: write {text}", " "),
    "quotes": Unusual(r"[\"'`]+|^[\[(<](?=.*[\])>]$)|[\])>]$", "{found} is not part of a move: write {text}"),
    "remark": Unusual(r"\s*(?:\(.*\)|\[.*\]|(?://|#|--).*)$", _REMARK),
}
"""Cause -> unusual part; those with the least changes are first."""

_CERTAIN = frozenset(
    ["sign", "blank", "zero", "digit-first", "parted", "mark", "comma", "clock", "keyword", "spoken", "legs", "order"]
)
"""Changes that leave a text its meaning."""

_UNSURE = re.compile(r"[?\[\]|]|[-+=#]$|\b(?:from|degrees?|not|or)\b", re.IGNORECASE)

_DASHES = re.compile(r"\s*[\u2010-\u2015\u2212\u2190-\u21ff]+\s*")
_QUOTES = re.compile(r"[\u2018-\u201f\u00ab\u00bb]")
_DIVIDER = re.compile(r"\s*(?:[,/&+]|\s-+|\s(?:and|then))\s+|\s+")


@lru_cache(maxsize=1 << 12)
def habit(game: str, text: str, sides: Sequence[str] = ()) -> Habit | None:
    """The habit or slip that keeps a text from being a move of a game; None if none is known."""
    if len(text) > LONGEST_MOVE:
        return None
    if not text.isascii():
        return _strange_signs(game, text)
    return _two_moves(game, text) or _unusual_part(game, text, sides) or _other_words(game, text)


def corrections(game: str, text: str) -> Iterator[tuple[str, frozenset[str]]]:
    """The moves that a text may stand for, each with the causes of the changes; larger changes if smaller ones fail.

    `spoken` stands for everyday words, `keyword` for the letter that a move begins with.
    """
    if len(text) > LONGEST_MOVE:
        return
    plain = " ".join(_QUOTES.sub("", _DASHES.sub("-", unicodedata.normalize("NFKC", text))).split())
    spoken = [(said, frozenset({"spoken"})) for said in meanings(game, plain)]
    once = [*spoken, *((after, frozenset({cause})) for cause, *_, after in _replacements(game, plain, ()))]
    twice = ((both, causes | {cause}) for after, causes in once for cause, *_, both in _replacements(game, after, ()))
    words = plain.split()
    orders = [*permutations(words)] if 1 < len(words) <= _MOST_WORDS else []
    large = [(" ".join(one), frozenset({"order"})) for one in orders]
    large.append((" ".join(words[:-1]), frozenset({"too-much"})))
    for forms in (((plain, frozenset[str]()), *once), twice, large):
        found = [one for form, causes in forms for one in _begun(game, form, causes)]
        yield from found
        if found:
            return


def moves_meant(game: str, text: str, line: str = "") -> tuple[tuple[str, bool], ...]:
    """The moves that a text means in other words or signs, each true if nothing in its `line` speaks against that."""
    sure = _UNSURE.search(line or text) is None
    return tuple((move, sure and causes <= _CERTAIN) for move, causes in corrections(game, text))


def legal_meanings(position: Position[M], side: str, meant: Iterable[tuple[str, bool]]) -> dict[str, bool]:
    """The legal ones of the moves that a text means; each true if the text cannot mean anything else."""
    found: dict[str, bool] = {}
    for move, certain in meant:
        with suppress(RefereeError):
            made: Any = parse_move(position.game, move)
            position.check(side, made)
            found[str(made)] = found.get(str(made), False) or certain
    return found


def _begun(game: str, text: str, causes: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """The move of a text, or else those that it is without their keywords."""
    if move := move_text(game, text):
        yield move, causes
        return
    for keyword in notation(game).BEGINNINGS:
        if move := move_text(game, f"{keyword} {text}"):
            yield move, causes | {"keyword"}


def fits_board(known: Habit, position: Position[M]) -> bool:
    """True if a habit's move names only places that the board has."""
    return not any(
        _is_off_board(position, side, move) for move in known.text.split(" | ") for side in movers(position)
    )


def _is_off_board(position: Position[M], side: str, text: str) -> bool:
    try:
        position.check(side, parse_move(position.game, text))  # type: ignore[arg-type] # each game's parser gives its moves
    except (IllegalMove, NotationError) as error:
        return error.code.startswith("unknown-")
    return False


def _strange_signs(game: str, text: str) -> Habit | None:
    """The habit of signs that only look right, such as a dash for a hyphen."""
    plain = _QUOTES.sub("", _DASHES.sub("-", unicodedata.normalize("NFKC", text)))
    move = move_text(game, " ".join(plain.split()))
    return Habit("".join(sorted(set(text) - set(plain))), "", move) if move else None


def _two_moves(game: str, text: str) -> Habit | None:
    for divider in _DIVIDER.finditer(text):
        first, second = move_text(game, text[: divider.start()]), move_text(game, text[divider.end() :])
        if first and second:
            both = f"{first} | {second}"
            return Habit("bar", f"two moves need a bar between them: write {shown(both)}", both)
    return None


def _unusual_part(game: str, text: str, sides: Sequence[str]) -> Habit | None:
    """The first unusual part whose replacement makes the text a move; or the first of two."""
    once = list(_replacements(game, text, sides))
    twice = ((*one[:3], both) for one in once for *_, both in _replacements(game, one[3], ()))
    for cause, says, found, after in chain(once, twice):
        if move := move_text(game, after):
            said = says.replace("{found}", shown(found.strip())).replace("{text}", shown(move))
            return Habit(cause, said, move)
    return None


def _replacements(game: str, text: str, sides: Sequence[str]) -> Iterator[tuple[str, str, str, str]]:
    """Each unusual part of a text: its cause, its sentence, the part, and the text with its replacement."""
    if sides and (named := re.match(rf"(?:{'|'.join(map(re.escape, sides))})\b\s*[:>.-]*\s*", text, re.IGNORECASE)):
        says = "{found} is not part of a move: its place in the line says whose it is. Write {text}"
        yield "side", says, named[0], text[named.end() :]
    for cause, (pattern, says, instead) in {**getattr(notation(game), "HABITS", {}), **_UNUSUAL}.items():
        if found := re.search(pattern, text, re.IGNORECASE):
            yield cause, says, found[0], re.sub(pattern, instead, text, flags=re.IGNORECASE)


def _other_words(game: str, text: str) -> Habit | None:
    begun = {keyword: move_text(game, f"{keyword} {text}") for keyword in notation(game).BEGINNINGS}
    whole = [(keyword, move) for keyword, move in begun.items() if move]
    if len(whole) == 1:
        (keyword, move), *_ = whole
        return Habit("keyword", f"the move begins with {keyword}: write {shown(move)}", move)
    words = text.split()
    if move := move_text(game, " ".join(words[:-1])):
        return Habit("too-much", f"{shown(words[-1])} does not belong here: write {shown(move)}", move)
    if len(words) <= _MOST_WORDS:
        for order in permutations(words):
            if move := move_text(game, " ".join(order)):
                return Habit("order", f"the words are in the wrong order: write {shown(move)}", move)
    return None
