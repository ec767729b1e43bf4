"""Openings: new games in letters, with players, sides, options and clocks.

People write the words in any order. Nothing is guessed: words that are not understood, or that contradict each other,
are a fault of the opening, and an opening with a fault opens nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import fields
from functools import cache
from typing import Any

from referee.desk import Terms
from referee.engine import LEVELS, USUAL_LEVEL
from referee.engine.levels import LEVEL, level_of
from referee.errors import OptionError, RefereeError, shown
from referee.game import is_address, parse_document
from referee.mail.addresses import is_reachable, small
from referee.mail.intake.message.announcements import ADDRESS
from referee.mail.intake.message.phrases import is_polite, phrases
from referee.mail.intake.requests import NewGame
from referee.mail.intake.terms import NO_CLOCK, read_terms
from referee.mail.intake.titles import games_in, which_game
from referee.notation.moves import note_words
from referee.rules import Frozen, Game, game_named
from referee.rules.description import FLIP, Data, Number, Option, value_names
from referee.terminal import join_words

LONGEST_OPENING = 2_000

_MOST_FAULTS = 6
_LONGEST_WORD, _LONGEST_PART = 40, 80
_SHORT_HEAD = 2
"""Words of a line after `new` that may be a game's name, although there is no such game."""

_HEAD = re.compile(r"new\b[ :]*(?:game\b(?: of\b)?[ :]*)?(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_WISH = re.compile(
    r"(?:(?:i|we)(?:'d| would)? (?:want|like) to |let'?s )?(?:challenge|invite|play|start|open|begin)\b(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_RIVAL = re.compile(
    rf"(?:[A-Z][\w.'-]*\s+){{0,3}}[<(\[]\s*(?:mailto:)?{ADDRESS.pattern}\s*[>)\]]"
    rf"|(?<!\w[!#$%&'*/=?^{{}}~])(?:mailto:)?{ADDRESS.pattern}"
)
"""An address to invite, with a name or without; what follows a sign within another address is none."""

_NUMBERS = {str(number): number for number in range(1, 10)} | {"one": 1, "two": 2, "three": 3, "four": 4}

_ENGINES = re.compile(
    rf"(?:\b(?P<number>{'|'.join(_NUMBERS)})\s+)?\b(?:engine|computer|bot)(?P<many>s?)\b"
    rf"(?:\s*[:=]\s*(?P<tag>{LEVEL})|\s*\(?(?:\b(?:of|at|on|with)\s+)?\blevel\s+(?P<level>{LEVEL})\)?"
    # A number alone is a level where nothing follows that it could count, such as days.
    rf"|\s+(?P<alone>{LEVEL})(?=\s*(?:[,;)|\n]|\.(?:\s|$)|$|(?:and|as|i|please)\b)))?",
    re.IGNORECASE,
)
"""Words such as `engine:4`, `Engine 4`, `two engines of level easy`, `the computer`."""

_ANYBODY = re.compile(r"\b(?:anybody|anyone|somebody|someone|everybody|everyone|whoever)\b", re.IGNORECASE)
_LOT = re.compile(r"\b(?:any|random) (?:side|seat|colou?r)s?\b|\b(?:by lot|at random|random(?:ly)?)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\s|]+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_SIGNS = "|,.;:!()[]<>\"'/&-+="
_WITH = re.compile(r"\b(?:with|against|vs?|versus)\b", re.IGNORECASE)
_WITH_WHOM = "; to invite a player, write their address, such as with ben@example.org"

_THEY = r"\b(?:they|he|she|you|(?:my |the )?(?:friend|opponent|rival))(?:'ll| will| can)? "
_MINE = (
    r"(?:\b(?:i(?:'ll|'d|'m| will| would| am)?(?: like| want)?(?: to)?(?: (?:play|take|have|be|get|sit))?|me|my side)"
    r"(?: is| as| on| at)?|\bas)\s*[:=]?\s*(?:the )?(?P<side>{sides})\b"
    r"|\b(?P<same>{sides}) (?:for me|is me|is mine)\b"
)
_THEIRS = _THEY + r"(?:plays?|takes?|gets?|has|have|is|are|be)(?: as| on)?(?: the)? (?P<side>{sides})\b"
_I_FIRST = re.compile(
    r"\bI(?:'m first|(?:'ll| will|(?: want|'d like| would like) to)? (?:(?:move|go|play|am|be) first|begin|start))\b",
    re.IGNORECASE,
)
_THEY_FIRST = re.compile(_THEY + r"(?:(?:moves?|goes|go|plays?|is|are) first|begins?|starts?)\b", re.IGNORECASE)


def begins_opening(text: str) -> bool:
    """True if a line begins an opening."""
    if found := _HEAD.fullmatch(text):
        rest = found["rest"]
        return bool(games_in(rest)) or _has_rival(rest) or 0 < len(rest.split()) <= _SHORT_HEAD
    found = _WISH.fullmatch(text)
    return found is not None and bool(games_in(found["rest"])) and _has_rival(found["rest"])


def _has_rival(text: str) -> bool:
    """True if a text names an opponent: a person's address, or an engine."""
    return bool(ADDRESS.search(text) or _ENGINES.search(text))


def read_opening(text: str) -> NewGame:
    """The opening in a text, whose first line begins one."""
    if len(text) > LONGEST_OPENING:
        return NewGame("", faults=(f"this says more than {LONGEST_OPENING:,} characters about the game; say less",))
    found = _HEAD.match(text) or _WISH.match(text)
    sentences = _SENTENCE.split(found["rest"] if found else text)
    while len(sentences) > 1 and is_polite(sentences[-1]):
        sentences.pop()
    text = " ".join(sentences)
    games = games_in(text)
    if len(games) != 1:
        return NewGame("", faults=(which_game(text, games),))
    ((game, (start, end)),) = games.items()
    return _Reader(game_named(game), f"{text[:start]} | {text[end:]}").opening()


class _Reader:
    """Reads a text word by word, each of them once; words left at the end were not understood."""

    def __init__(self, game: Game, text: str) -> None:
        self._game = game
        self._text = self._left = text
        self._options: dict[str, Any] = {}
        self._terms: dict[str, Any] = {}
        self._faults: list[str] = []
        self._invites = _has_rival(text) or _WITH.search(text) is None

    def opening(self) -> NewGame:
        rivals = self._rivals()
        engines = self._engines(len(self._game.sides) - 1 - len(rivals))
        terms = self._clock()
        self._named_options()
        side = self._side()
        self._lone_values()
        side = self._first_mover(side)
        self._take(_ANYBODY)
        self._unread()
        if not self._faults:
            self._judge()
        options = _in_order(self._options, self._game.options)
        clock = None if terms is None else _in_order(terms, fields(Terms))
        faults = tuple(self._faults[:_MOST_FAULTS])
        return NewGame(self._game.name, rivals, side, options, clock, faults, engines)

    def _take(self, pattern: re.Pattern[str]) -> list[re.Match[str]]:
        """All matches of a pattern, which are replaced by bars."""
        found = list(pattern.finditer(self._left))
        if found:
            self._left = pattern.sub(" | ", self._left)
        return found

    def _rivals(self) -> tuple[str, ...]:
        found = [match for said in self._take(_RIVAL) for match in ADDRESS.findall(said[0])]
        rivals = {small(address): address for address in found}
        for address in rivals.values():
            if not (is_address(address) and is_reachable(address)):
                self._faults.append(f"letters cannot be sent to {shown(address)}")
        if len(rivals) >= len(self._game.sides):
            self._faults.append(_crowded(self._game))
        return tuple(rivals.values())

    def _engines(self, free: int) -> tuple[int, ...]:
        """The levels of the engines; several without a number take all `free` seats."""
        levels: list[int] = []
        for one in self._take(_ENGINES):
            said = one["tag"] or one["level"] or one["alone"] or str(USUAL_LEVEL)
            level = int(said) if said.isdecimal() else level_of(said).number
            number = _NUMBERS.get((one["number"] or "").casefold())
            levels += [level] * (number or (max(1, free) if one["many"] else 1))
        wrong = next((level for level in levels if not 1 <= level <= len(LEVELS)), None)
        if wrong is not None:
            self._faults.append(f"an engine has a level from {LEVELS[0]} to {LEVELS[-1]}, not {wrong}")
        elif levels and not self._game.engine:
            self._faults.append(f"no engine plays {self._game.title} yet")
        elif levels and len(levels) > free:
            self._faults.append(_crowded(self._game))
        return tuple(levels)

    def _clock(self) -> Mapping[str, Any] | None:
        found, self._left = read_terms(self._left)
        for name, value, fault in found:
            if fault:
                self._faults.append(fault)
            elif self._terms.setdefault(name, value) != value:
                self._faults.append(f"you say both {self._terms[name]} and {value} for {name}")
        if NO_CLOCK not in self._terms:
            return self._terms
        if len(self._terms) > 1:
            self._faults.append("you say that there is no clock, and yet what it is like")
        return None

    def _side(self) -> str | None:
        sides = self._game.sides
        names = "|".join(map(re.escape, sides))
        mine = self._take(_expression(_MINE.replace("{sides}", names)))
        wanted = {(found["side"] or found["same"]).casefold() for found in mine}
        if len(sides) == 2:
            theirs = self._take(_expression(_THEIRS.replace("{sides}", names)))
            wanted |= {next(side for side in sides if side != found["side"].casefold()) for found in theirs}
        lot = self._take(_LOT)
        if len(wanted) > 1 or (wanted and lot):
            self._faults.append(f"you can play one side: {join_words(sides, 'or')}")
        return next((side for side in sides if side in wanted), None)

    def _named_options(self) -> None:
        """Read options with their names, such as `columns 15` or `setup: ace`, and the game's own words."""
        for option in self._options_to_say():
            if isinstance(option, Number):
                singular = option.name.removesuffix("s")
                for found in self._take(_expression(rf"(?<![\w.-])(\d{{1,6}})[ -]?{singular}s?\b")):
                    self._choose(option, found[1])
            for found in self._take(
                _expression(rf"(?<![\w-]){option.name}(?:\s+(?:is|of)\s|\s*[:=]|\s)\s*([\w.-]+)")
            ):
                self._choose(option, found[1])
        presets = "|".join(map(re.escape, self._game.presets)) or r"(?!)"
        for found in self._take(_expression(rf"\bpreset[\s:=]+({presets})\b")):
            for name, value in self._game.presets[found[1].casefold()].items():
                self._set(name, value)
        for pattern, meaning in note_words(self._game.name).HEADINGS.items():
            for found in self._take(_expression(rf"(?<!\w)(?:{pattern})")):
                self._say(found.expand(meaning), found[0])

    def _lone_values(self) -> None:
        """Read values that are given alone, if only one option has them."""
        meanings: dict[str, list[Option]] = {}
        for option in self._options_to_say():
            if not self._game.takes_flip(option):
                for name in value_names(option):
                    meanings.setdefault(name, []).append(option)
        for value, options in meanings.items():
            if not self._take(_expression(rf"(?<![\w-]){re.escape(value)}(?![\w-])")):
                continue
            if len(options) > 1 or value in self._game.presets:
                ways = [f"{option.name} {value}" for option in options]
                ways += [f"preset {value}"] if value in self._game.presets else []
                self._faults.append(f"{shown(value)} can mean {join_words(ways, 'or')}: write one of them")
            else:
                self._set(options[0].name, value)

    def _first_mover(self, side: str | None) -> str | None:
        """The side that the writer wants, given who moves first; a side that they name begins where that is free."""
        mine, theirs = bool(self._take(_I_FIRST)), bool(self._take(_THEY_FIRST))
        if not (mine or theirs):
            return side
        option = next((option for option in self._options_to_say() if self._game.takes_flip(option)), None)
        if option is None or side is None:
            return self._side_that_begins(side, mine=mine, theirs=theirs)
        others = [one for one in self._game.sides if one != side]
        for first in [side] * mine + others * theirs:
            self._set(option.name, first)
        return side

    def _side_that_begins(self, side: str | None, *, mine: bool, theirs: bool) -> str | None:
        """The side of a player who begins, or who lets the other begin, where rules and options decide which."""
        title, sides = self._game.title, self._game.sides
        if (mine and theirs) or FLIP in self._options.values():
            self._faults.append("you say in two ways who begins: write one of them")
            return side
        if self._game.secret is not None or (theirs and len(sides) > 2):
            self._faults.append(f"in {title}, say which side you play, {join_words(sides, 'or')}, and not who begins")
            return side
        with suppress(OptionError):  # reported below
            begins = self._game.start(self._options).to_move
            found = next((one for one in sides if (one in begins) == mine), None)
            if len(begins) > 1:
                self._faults.append(f"no side begins in this game of {title}: all sides move at once")
            elif side not in (None, found):
                self._faults.append(f"in {title}, {join_words(begins)} begins, and you would be {side}")
            return found
        return side

    def _options_to_say(self) -> Iterator[Option]:
        """The options that a letter can choose: those with a few values, and none that chance decides."""
        for option in self._game.options:
            if isinstance(option, Number) or (value_names(option) and self._game.secret is None):
                yield option

    def _choose(self, option: Option, text: str) -> None:
        is_number = isinstance(option, Number) and text.isdecimal() and text.isascii()
        value: object = int(text) if is_number else text.casefold()
        if value == FLIP and self._game.takes_flip(option):
            self._set(option.name, value)
        elif isinstance(option, Data) and value not in option.names:
            self._faults.append(f"{option.name} must be {join_words(option.names, 'or')}, not {shown(text)}")
        elif (fault := option.fault(value)) is not None:
            self._faults.append(fault)
        else:
            self._set(option.name, value)

    def _say(self, meaning: str, words: str) -> None:
        """Choose the options that the game's own words mean."""
        document = parse_document(meaning)
        known = {option.name: option for option in self._options_to_say()}
        if document.findings or not isinstance(document.data, dict) or not document.data.keys() <= known.keys():
            self._faults.append(_not_understood(words))
            return
        for name, value in document.data.items():
            if (fault := known[name].fault(value)) is not None:
                self._faults.append(fault)
            else:
                self._set(name, value)

    def _set(self, name: str, value: object) -> None:
        if self._options.setdefault(name, value) != value:
            self._faults.append(f"you say both {self._options[name]} and {value} for {name}")

    def _unread(self) -> None:
        runs: list[str] = []
        for piece in re.split(r"[|\n]", self._left):
            words = [word[:_LONGEST_WORD] for word in _WORD.findall(piece) if word.strip(_SIGNS)]
            first = next((at for at, word in enumerate(words) if not _is_filler(word)), len(words))
            if words[first:]:
                runs.append(self._as_written(words[first:]))
        if runs:
            self._faults.append(_not_understood(*runs) + ("" if self._invites else _WITH_WHOM))

    def _as_written(self, words: list[str]) -> str:
        """The words as written; after a word such as `is`, with the words that follow and were understood."""
        run = " ".join(words).rstrip(",.;:")
        parts = (" ".join(part.split()) for part in re.split(r"[|\n,]", self._text))
        whole = (part[part.index(run) :] for part in parts if run in part)
        return next(whole, run)[:_LONGEST_PART] if _is_filler(words[-1]) else run

    def _judge(self) -> None:
        """Add faults of options or terms that do not fit together; the bank may be the host's default."""
        try:
            self._game.start({name: value for name, value in self._options.items() if value != FLIP})
        except OptionError as error:
            self._faults += [text for _, text in error.faults]
        try:
            Terms.read({"bank": 1} | {name: value for name, value in self._terms.items() if name != NO_CLOCK})
        except RefereeError as error:
            self._faults.append(error.message)


def _in_order(said: Mapping[str, Any], known: Iterable[Any]) -> Frozen[str, Any]:
    return Frozen({one.name: said[one.name] for one in known if one.name in said})


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _is_filler(word: str) -> bool:
    return word.strip(_SIGNS).casefold() in phrases("filler")


def _not_understood(*words: str) -> str:
    return f"this was not understood: {'; '.join(words)[:200]}"


def _crowded(game: Game) -> str:
    """The fault of an opening with more opponents than a game has seats for."""
    others = "one other" if len(game.sides) == 2 else f"{len(game.sides) - 1} others"
    return f"{game.title} is for {len(game.sides)} players, so it takes at most {others}"
