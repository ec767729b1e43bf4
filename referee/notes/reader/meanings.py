"""From a few words to the moves that they may mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice
from typing import NamedTuple

from referee.errors import NotationError
from referee.notation.moves import LONGEST_MOVE, continuations, known_move, misfit, notation, note_words, terminals
from referee.notation.spoken import aliases, in_notation
from referee.rules import Move, game_named

WRITTEN, SPOKEN = 0.0, 0.1
_LOOSE, _IMPLIED, _SHORT = 0.15, 0.3, 0.3
"""Costs of a sign left out, of a keyword put in, and of a short form of a move."""

LONGEST_RUN = 14
"""Maximum words and signs of one move."""

_MOST_FORMS = 16
_REMEMBERED, _MOST_KINDS = 1 << 15, 1 << 11
"""Words and moves that are remembered, and kinds of words behind the beginning of a move."""

_TEXTS = 64
"""Texts whose words are remembered; a long line has thousands."""

_FIRST_ALIAS = 0xE000
"""Aliases are characters for private use in a text, until it is known what they are part of."""

SOFT = frozenset("@=,;()/:.-'\"")
"""Signs that people put between the parts of a move."""

_TOKEN = re.compile(r"\d{1,2}:00\b|[^\W_]+|[^\w\s]|_")
_WORD = re.compile(r"[^\W_]+")
_PIECE = re.compile(r"([|\t;,]|\.\.+| / |\.\s)")
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(_NUMBERS)})\b")
_LETTER_O = re.compile(r"(?<=\d)o(?=\d|\b)")
_LETTER_L = re.compile(r"\b[li](?=[02]\b)")
_TEN = re.compile(r"\b[lI][O0]\b")
_DIGITS = str.maketrans("lioszbg", "1105289")
_SQUARES = re.compile(r"\b([a-j])([0-9lioszbg])( ?- ?)([a-j])([0-9lioszbg])\b")
"""Two squares as a scanner reads them, with letters for some digits."""


class Token(NamedTuple):
    """A word or sign of a line; `gap` is true if a blank precedes it, `field` counts the tabs and bars before it.

    `start` is its place in the line.
    """

    text: str
    gap: bool
    field: int
    start: int = 0


class Meaning(NamedTuple):
    """Moves that a text may mean, with the cost of that reading and its reason; usually it is one move."""

    moves: tuple[Move, ...]
    cost: float
    reason: str = ""

    def __str__(self) -> str:
        return ", ".join(map(str, self.moves))


class _Form(NamedTuple):
    """The beginning of a move: an example, and the tokens of its text, each with the notation chosen."""

    example: str
    cost: float
    reason: str
    recipe: tuple[tuple[str, int, int], ...] = ()
    is_whole: bool = False

    def text(self, run: Sequence[tuple[str, ...]]) -> str:
        """Its text, made of the notations of the words of a run."""
        return "".join([before if place < 0 else before + run[place][which] for before, place, which in self.recipe])


class _Stem:
    """The beginnings of moves after words of some kinds.

    `whole` are the forms that may be moves, the cheapest if they are as written; `longer` are the stems with one word
    more, by its kind.
    """

    __slots__ = ("forms", "longer", "whole")

    def __init__(self, forms: Sequence[_Form]) -> None:
        self.forms = forms
        whole = [form for form in forms if form.is_whole]
        self.whole = [form for form in whole if form.cost == WRITTEN] or whole
        self.longer: dict[tuple[bool, object], _Stem] = {}


@lru_cache(_TEXTS)
def tokens(text: str) -> tuple[Token, ...]:
    """The words and signs of a line."""
    found = []
    end, field = 0, 0
    for match in _TOKEN.finditer(text):
        before = text[end : match.start()]
        field += before.count("\t") + (match[0] == "|")
        found.append(Token(match[0], bool(before), field, match.start()))
        end = match.end()
    return tuple(found)


def spoken_line(game: str, text: str) -> str:
    """A line with everyday words replaced by notation; an alias of several meanings is left as one character."""
    return "".join(part if place % 2 else _spoken(game, part) for place, part in enumerate(_PIECE.split(text)))


def readable(game: str, text: str) -> str:
    """A text of such a line for people: an alias with all its meanings."""
    if text.isascii():
        return text
    return "".join("/".join(dict.fromkeys(words_said(game, char))) if _is_alias(char) else char for char in text)


def _spoken(game: str, part: str) -> str:
    said = _TEN.sub("10", part).casefold()
    said = _NUMBER_WORD.sub(lambda found: str(_NUMBERS.index(found[0]) + 1), said)
    said = _SQUARES.sub(_with_digits, _LETTER_L.sub("1", _LETTER_O.sub("0", said)))
    for place, (pattern, notations) in enumerate(aliases(game)):
        said = pattern.sub(notations[0] if len(notations) == 1 else chr(_FIRST_ALIAS + place), said)
    said = in_notation(game, said)
    return _WORD.sub(lambda found: _apart(game, found[0]), said)


def _with_digits(found: re.Match[str]) -> str:
    """Two squares with digits where a scanner saw letters; words that only look like squares stay."""
    if not (found[2] + found[5]).strip("lioszbg"):
        return found[0]
    return f"{found[1]}{found[2].translate(_DIGITS)}{found[3]}{found[4]}{found[5].translate(_DIGITS)}"


def _apart(game: str, word: str) -> str:
    """A word cut into the parts of a move if it is nothing else: rd1l is r d1 l; never between two digits."""
    is_side = word in game_named(game).sides
    if is_side or not any(map(str.isdigit, word)) or not word.isalnum() or fits(game, word):
        return word
    whole, part = _glued(game)
    return " ".join(found[0] for found in part.finditer(word)) if whole.fullmatch(word) else word


@cache
def _glued(game: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    words = (one.replace(r"\b", "") for one in terminals(game))
    part = rf"(?:{'|'.join(f'(?:{word})' for word in words)})(?!(?<=\d)\d)"
    return re.compile(f"(?:{part})+"), re.compile(part)


@lru_cache(_REMEMBERED)
def fits(game: str, word: str) -> bool:
    """True for a word or sign that moves of the game are made of."""
    return _is_alias(word) or _words_of(game).fullmatch(word) is not None


@cache
def _words_of(game: str) -> re.Pattern[str]:
    return re.compile(f"(?:{'|'.join(f'(?:{one})' for one in terminals(game))})+")


def _is_alias(word: str) -> bool:
    return len(word) == 1 and 0xE000 <= ord(word) < 0xF900


class Candidate(NamedTuple):
    """Words that may be a move, by their kinds: how many, how they are written, and the forms that the move may have.

    `cost` is the least that a meaning of them costs.
    """

    length: int
    text: str
    field: int
    said: tuple[tuple[str, ...], ...]
    forms: Sequence[_Form]
    cost: float

    def meanings(self, game: str) -> tuple[Meaning, ...]:
        """The moves that the words do mean; none if no form fits them."""
        moves = ((form, known_move(game, form.text(self.said))) for form in self.forms)
        found = [Meaning((move,), form.cost, form.reason) for form, move in moves if move is not None]
        if not found and (move := _short(game, self.text)):
            found = [Meaning((move,), _SHORT, "in short")]
        return _best(found) if found else ()


def candidates(game: str, run: Sequence[Token]) -> Iterator[Candidate]:
    """The moves that the first of these words may be: for each number of words."""
    stem = _beginnings(game)
    has_short = any(re.match(pattern, written(run).casefold()) for pattern in note_words(game).SHORT_FORMS)
    said = []
    for length, token in enumerate(run, 1):
        word = part(game, token.text)
        if not (word.fits or (length > 1 and word.is_soft)):
            return
        said.append(word.said)
        stem = _longer(game, stem, token, word.key, length - 1)
        if stem.whole or has_short:
            text = written(run[:length])
            forms = [form for form in stem.whole if _is_enough(game, form, text)]
            if forms or (has_short and word.fits and _short(game, text)):
                cost = min((form.cost for form in forms), default=_SHORT)
                yield Candidate(length, text, run[0].field, tuple(said), forms, cost)
        if not (stem.forms or has_short):
            return


def written(words: Sequence[Token]) -> str:
    """Words and signs as they are written, with one blank for each gap."""
    return "".join([f" {one.text}" if one.gap and place else one.text for place, one in enumerate(words)])


class WordPart(NamedTuple):
    """A word or sign as a part of moves: if it fits, its possible notations, and its kind."""

    fits: bool
    is_soft: bool
    is_sign: bool
    said: tuple[str, ...]
    key: object


@lru_cache(_REMEMBERED)
def part(game: str, word: str) -> WordPart:
    """A word or sign as a part of a game's moves."""
    key = word if _is_alias(word) or word in SOFT else kinds(game, word) or word.casefold()
    said = words_said(game, word)
    return WordPart(fits(game, word), word in SOFT, not (word[0].isalnum() or len(said) > 1), said, key)


@cache
def _beginnings(game: str) -> _Stem:
    """The beginnings of a move: its first word, or a keyword that is left out."""
    keys = (f"{key} " for key in notation(game).BEGINNINGS)
    left_out = (_Form(key, _IMPLIED, f"{key}is left out", ((key, -1, 0),)) for key in keys)
    return _Stem((_Form("", WRITTEN, ""), *left_out))


def _longer(game: str, stem: _Stem, token: Token, kind: object, place: int) -> _Stem:
    """The stem with one word more, judged by the first word of its kind."""
    key = token.gap and place > 0, kind
    found = stem.longer.get(key)
    if found is None:
        if len(stem.longer) >= _MOST_KINDS:
            stem.longer.clear()
        found = _Stem(list(islice(_forms(game, stem.forms, token, place), _MOST_FORMS)))
        stem.longer[key] = found
    return found


def _forms(game: str, forms: Iterable[_Form], token: Token, place: int) -> Iterator[_Form]:
    """The forms with one word more, without those that can lead to no move."""
    gap = " " if token.gap and place else ""
    for form in forms:
        for which, word in enumerate(words_said(game, token.text)):
            text = f"{form.example}{gap}{word}"
            is_whole = known_move(game, text) is not None
            if is_whole or _goes_on(game, text):
                yield _Form(text, form.cost, form.reason, (*form.recipe, (gap, place, which)), is_whole)
        if place and token.text in SOFT:
            reason = form.reason or "other signs"
            yield _Form(f"{form.example} ", form.cost + _LOOSE, reason, (*form.recipe, (" ", -1, 0)))


def _goes_on(game: str, text: str) -> bool:
    """True for the beginning of a move; a table of parsing tells it sooner than lark."""
    if len(text) > LONGEST_MOVE:
        return False
    if (column := misfit(game, text)) is not None:
        return column > len(text.rstrip(" \t"))
    try:
        return bool(continuations(game, text))
    except NotationError:
        return False


@lru_cache(_REMEMBERED)
def kinds(game: str, word: str) -> frozenset[int]:
    """The terminals of a game's grammar that a word may be."""
    return frozenset(at for at, one in enumerate(_terminal_patterns(game)) if one.fullmatch(word))


@cache
def _terminal_patterns(game: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(one.replace(r"\b", ""), re.IGNORECASE) for one in terminals(game))


def words_said(game: str, word: str) -> tuple[str, ...]:
    """The possible notations of a word: more than one for an alias such as `wide double`."""
    return aliases(game)[ord(word) - _FIRST_ALIAS][1] if len(word) == 1 and _is_alias(word) else (word,)


def _is_enough(game: str, form: _Form, text: str) -> bool:
    """A move without its keyword needs words that say as much as a square."""
    return not form.reason.endswith("is left out") or bool(re.search(note_words(game).ENOUGH, text, re.IGNORECASE))


def _short(game: str, text: str) -> Move | None:
    for pattern, move in note_words(game).SHORT_FORMS.items():
        if found := re.fullmatch(pattern, text.casefold()):
            return known_move(game, found.expand(move))
    return None


def _best(meanings: list[Meaning]) -> tuple[Meaning, ...]:
    """Each move once, by its cheapest meaning; if one is as it is written, no other."""
    found: dict[tuple[Move, ...], Meaning] = {}
    for one in sorted(meanings, key=lambda one: one.cost):
        found.setdefault(one.moves, one)
    best = tuple(found.values())
    return best[:1] if best[0].cost == WRITTEN and len({one.cost for one in best}) > 1 else best
