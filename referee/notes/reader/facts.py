"""Facts in notes besides the moves: the game, the players of the sides, options, date, event and result."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise
from typing import Any

from referee.errors import NotationError
from referee.game import Player, is_address, is_text, parse_document
from referee.game.file.ends import ends_in
from referee.game.file.header import LONGEST_TEXT
from referee.notation.moves import note_words
from referee.notation.positions import parse_position
from referee.notes.reader.comments import is_clause
from referee.notes.reader.lines import TAG, NoteLine, first_number, is_date
from referee.notes.reader.segments import Labels
from referee.notes.reader.tongues import foreign_sides, in_english
from referee.rules import Game, game_named, games
from referee.rules.description import Choice, Data, Number
from referee.rules.frozen import Frozen

_NAME = r"\b[A-Z][\w'-]{1,39}(?: [A-Z][\w'.-]{0,39}){0,3}"
_PLAYS = r"(?:plays|is|has|had|sits|as|takes|was|plays as)(?: the| as)?"
_OWN = re.compile(r"\bI(?:'m| am| have| sit| play| take| was| had)(?: the| as)? (\w+)", re.IGNORECASE)
_PAIR = re.compile(r"(?P<key>[A-Za-z][\w -]{0,30}?)\s*[:=\t]\s*(?P<value>\S.*)")
_VERSUS = re.compile(rf"(?P<one>{_NAME})(?: \(\w+\))?,? (?:vs?\.?|versus|against|-) (?P<two>{_NAME})")
_FROM = re.compile(r"\s*(?P<name>[^<>]*[^<>\s])\s*<(?P<email>[^<>]+)>\s*")
_SEATED = re.compile(r"[^\W\d_][\w'.-]*(?:,? [\w'.&-]+){0,4}(?: <[^<>]+>)?")
_CHAT = re.compile(rf"(?P<name>{_NAME})(?::| -)(?=\s)")
_BEGINS = (
    r"(?: \([^)]*\))?(?: is \w+ and| was \w+ and)? (?:starts|started|begins|begin|began|goes first|moves first"
    r"|moved first|went first|played first|plays first|(?:has|had|gets|got) the (?:first move|move)|to start|first)\b"
)
_DISTINCT = 11
"""Minimum length of an option's value that counts without the name of the option next to it."""

_LONGEST_PROSE, _LONGEST_VALUE = 500, 1_000
"""Characters of a line that is read as prose, and of a value that is read as a game file's."""

_NO_NAMES = frozenset({"i", "i'm", "me", "my", "you", "he", "she", "we", "they", "round", "game"})
_COLUMNS = frozenset({"round", "no", "nr", "#", "move", "notes", "comment", "comments", "date", "remarks"})
_DAYS = frozenset({"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"})
"""Headings of columns and of days, which are no names."""

_LONE_NAME = re.compile(
    rf"(?:[Pp]layer \w+[:.]? )?(?P<name>{_NAME}|[a-z][\w'-]{{1,39}})"
    r"(?: \([^()]*\)| played| moved| plays| moves)?(?: -)?"
)
"""A line above a list, with the name of its player; a colon may be behind it."""

_COLOURS = ("white", "black")
_RESULTS = frozenset({"result", "score", "final score", "final"})
_TEXTS = {"date": "date", "event": "event", "tournament": "event", "id": "id"}


@dataclass(frozen=True)
class NoteFacts:
    """Facts of one game besides its moves.

    `texts` are its `date`, `event`, `id`, `result` and `end`, as far as they are known. `read` are the lines that say
    nothing else. `seats_assumed` is true if the notes name the players, but not their sides. `hints` are values of
    options that occur in the notes, but may mean something else there. `worded` are the options that a sentence
    names, each with its line; `implied` those among them that it may not mean. `lists` are the lines that name a side
    above its own list of moves. `given` has every value of a header.
    """

    game: str
    players: Mapping[str, Player] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    labels: Labels = field(default_factory=Frozen)
    start_text: str | None = None
    read: frozenset[NoteLine] = frozenset()
    seats_assumed: bool = False
    hints: Mapping[str, str] = field(default_factory=dict)
    worded: Mapping[str, NoteLine] = field(default_factory=dict)
    implied: frozenset[str] = frozenset()
    lists: Mapping[NoteLine, str] = field(default_factory=dict)
    given: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def description(self) -> Game:
        """The game."""
        return game_named(self.game)

    def with_given(self, key: str, value: str) -> NoteFacts:
        """The facts with another value of a header."""
        if key in self.description.sides:
            players = {**self.players, key: _player(value)}
            return replace(self, players=players, labels=Frozen({**self.labels, **_name_labels(players)}))
        return replace(self, texts={**self.texts, key: value})

    def turned(self) -> NoteFacts:
        """The facts with the two players on each other's sides."""
        one, two = self.players
        players = {one: self.players[two], two: self.players[one]}
        labels = Frozen({**self.labels, **_name_labels(players)})
        lists = {line: two if side == one else one for line, side in self.lists.items()}
        return replace(self, players=players, labels=labels, lists=lists, seats_assumed=False)


def games_named(lines: Iterable[NoteLine]) -> tuple[str, ...]:
    """The games that the first line which names any game names: by name or by title."""
    names = {game.name: _game_pattern(game.name) for game in games()}
    for line in lines:
        if found := tuple(name for name, pattern in names.items() if pattern.search(line.text)):
            return found
    return ()


@cache
def _game_pattern(name: str) -> re.Pattern[str]:
    words = {re.escape(said).replace(r"\-", "[ -]?") for said in (name, game_named(name).title)}
    return re.compile(rf"(?<![\w-])(?:{'|'.join(sorted(words))})(?![\w-])", re.IGNORECASE)


def facts_of(game: str, lines: Sequence[NoteLine], holds_moves: Callable[[str], bool]) -> NoteFacts:
    """Collect the facts of notes that are read as a game's; `holds_moves` is true for a text with a move of it."""
    found = _Finder(game, holds_moves)
    own = [line for line in lines if not line.is_quote]
    for line in own:
        found.line(line)
    found.listed(own)
    found.strangers(own)
    return found.facts()


class _Finder:
    """Collects the facts in the lines."""

    def __init__(self, game: str, holds_moves: Callable[[str], bool]) -> None:
        self._game = game_named(game)
        self._holds_moves = holds_moves
        self._players: dict[str, Player] = {}
        self._options: dict[str, Any] = {}
        self._texts: dict[str, str] = {}
        self._start: str | None = None
        self._assumed = False
        self._hints: dict[str, str] = {}
        self._worded: dict[str, NoteLine] = {}
        self._implied: set[str] = set()
        self._read: set[NoteLine] = set()
        self._named: list[str] = []
        self._short: dict[tuple[str, ...], str] = {}
        self._seats: dict[NoteLine, list[str]] = {}
        self._lists: dict[NoteLine, str] = {}
        self._given: dict[str, list[str]] = {}
        self._sides = _side_words(self._game)
        words = (word for word in self._sides if len(word) > 1)
        side = "|".join(sorted(map(re.escape, words), key=len, reverse=True))
        self._prose = [
            re.compile(rf"(?P<name>{_NAME})\s?\((?P<side>(?i:{side}))\)"),
            re.compile(rf"(?P<name>{_NAME}) (?:{_PLAYS} )?(?P<side>(?i:{side}))\b"),
            re.compile(rf"\b(?P<side>(?i:{side}))\s*(?:=|:|\()\s*(?P<name>{_NAME})"),
            re.compile(rf"\b(?P<side>(?i:{side})) is (?P<name>{_NAME})(?=[.,;]|$| and\b)"),
            re.compile(rf"(?P<name>{_NAME})\s?[:=]\s?(?P<side>(?i:{side}))(?=[.,;]|$)"),
            re.compile(rf"^(?P<name>{_NAME})(?:,| -) (?P<side>(?i:{side}))$"),
            re.compile(rf"^(?P<side>(?i:{side}))(?:,| -) (?P<name>{_NAME})$"),
            re.compile(rf"(?P<name>[A-Z]\w+(?: [A-Z]\w+)?)'s? \w+ \((?P<side>(?i:{side}))\)"),
            re.compile(
                rf"(?:^|[,;:]\s*|\band\s+)(?P<name>[\w.'-]{{3,40}}) (?:is|plays) (?:the )?(?P<side>(?i:{side}))\b"
            ),
        ]
        self._initial = re.compile(rf"\b(?P<short>[A-Za-z])\s?=\s?(?P<name>{_NAME})")

    def line(self, line: NoteLine) -> None:
        """Read the facts of a line."""
        before = dict(self._players)
        self._line(line)
        new = [side for side, player in self._players.items() if before.get(side) != player]
        if new:
            self._seats[line] = new

    def _line(self, line: NoteLine) -> None:
        if tag := TAG.fullmatch(line.text):
            if tag["value"].strip(" ?-") == "" or self._tag(tag["key"], tag["value"]):
                self._read.add(line)
            return
        if is_date(line.text) and "date" not in self._texts and any(map(str.isalpha, line.text)):
            self._texts["date"] = line.text
            self._read.add(line)
            return
        own = _OWN.search(line.text) if line.author else None
        if own and (side := self._sides.get(own[1].casefold())):
            self._players.setdefault(side, _player(line.author))
        pair = _PAIR.fullmatch(line.text)
        if pair and (self._option(pair["key"], pair["value"]) or self._pair(pair["key"], pair["value"])):
            self._read.add(line)
            return
        if len(line.text) > _LONGEST_PROSE:
            return
        if self._cells(line.text.split("\t")):
            self._read.add(line)
            return
        parts = re.split(r" / |, |; |\t", line.text)
        for part in parts:
            pair = _PAIR.fullmatch(part)
            if pair and pair["key"].casefold() not in self._sides:
                self._key(pair["key"], pair["value"])
        known = set(self._options)
        self._said(in_english(line.text))
        self._worded |= dict.fromkeys(self._options.keys() - known, line)

    def _tag(self, key: str, value: str) -> bool:
        """Read a tag, whose value may be any text; False for an unknown one."""
        side = self._sides.get(key.casefold())
        if side is None or value.startswith("{") or not is_text(value):
            return self._key(key, value)
        self._give(side, value)
        return True

    def _cells(self, cells: Sequence[str]) -> bool:
        """Read a row of a table with the name or the value of a header in each cell."""
        told = [cell for cell in cells if cell]
        pairs = list(zip(told[::2], told[1::2], strict=False))
        keys = {*self._sides, *_TEXTS, *_RESULTS}
        if len(pairs) < 2 or len(told) % 2 or not all(key.casefold() in keys and len(key) > 1 for key, _ in pairs):
            return False
        if any(value.casefold() in keys for _, value in pairs):
            return False
        taken = [self._pair(key, value) for key, value in pairs]
        return all(taken)

    def _give(self, key: str, value: str) -> None:
        """Add a value of a header; if there is another one, the first one counts until that is settled."""
        given = self._given.setdefault(key, [])
        if value not in given:
            given.append(value)
        if key in self._game.sides:
            self._players[key] = _player(given[0])
        else:
            self._texts[key] = given[0]

    def listed(self, lines: Sequence[NoteLine]) -> None:
        """Take the lines that name a player for headings of lists, if moves are below each of them."""
        places = [place for place, line in enumerate(lines) if line in self._seats]
        sides = [side for place in places for side in self._seats[lines[place]]]
        if len(places) != len(self._game.sides) or sorted(sides) != sorted(self._game.sides):
            return
        ends = [*places[1:], len(lines)]
        if all(
            any(self._holds_moves(line.text) for line in lines[place + 1 : end])
            for place, end in zip(places, ends, strict=True)
        ):
            self._lists = {lines[place]: self._seats[lines[place]][0] for place in places}

    def strangers(self, lines: Sequence[NoteLine]) -> None:
        """Take the names before moves as those of players, if no line says who plays which side."""
        authors = [name for line in lines if (name := line.author)]
        spoken = [
            found["name"]
            for line in lines
            if (found := _CHAT.match(line.text)) and self._holds_moves(line.text[found.end() :])
        ]
        headed = {} if authors or spoken else self._headings(lines)
        names = list(dict.fromkeys(authors or spoken or headed))
        names = [name for name in names if name.casefold() not in self._sides]
        if len(self._named) == len(self._game.sides) and not self._players:
            names = self._named
        known = {_first_name(player.name) for player in self._players.values()}
        free = [side for side in self._game.sides if side not in self._players]
        missing = [name for name in names if _first_name(_player(name).name) not in known]
        if missing and len(missing) == len(free):
            self._assumed = len(free) == len(self._game.sides)
            self._players |= {side: _player(name) for side, name in zip(free, missing, strict=True)}
        sides = {_first_name(player.name): side for side, player in self._players.items()}
        if len(set(headed.values())) > 1 and all(_first_name(name) in sides for name in headed):
            self._lists |= {line: sides[_first_name(name)] for name, line in headed.items()}
            self._read |= self._lists.keys()
        for name in authors:
            self._complete(_player(name))

    def _headings(self, lines: Sequence[NoteLine]) -> dict[str, NoteLine]:
        """The names above lists or columns of moves: each alone on a line, or all of them on one, moves below."""
        found: dict[str, NoteLine] = {}
        numbers: set[int | None] = set()
        for line, below in pairwise(lines):
            cells = [cell.strip().removesuffix(":") for cell in line.text.split("\t")]
            told = [cell for cell in cells if cell and cell.casefold() not in _COLUMNS | _DAYS]
            named = [one["name"] for cell in told if (one := _LONE_NAME.fullmatch(cell))]
            is_heading = len(told) == len(self._game.sides) > 1 or (len(cells) == 1 and not is_date(line.text))
            is_named = is_heading and 0 < len(named) == len(told) and not self._holds_moves(line.text)
            if is_named and self._holds_moves(below.text):
                found |= dict.fromkeys(named, line)
                numbers.add(first_number(below.text))
        # Where the numbers go on, the headings are those of chapters.
        return found if len(found) == len(self._game.sides) and len(numbers) == 1 else {}

    def facts(self) -> NoteFacts:
        """All of it."""
        labels = {tuple(word.split()): side for word, side in self._sides.items()}
        labels |= _name_labels(self._players) | self._short
        return NoteFacts(
            self._game.name,
            dict(sorted(self._players.items(), key=lambda one: self._game.sides.index(one[0]))),
            self._options,
            self._texts,
            Frozen(labels),
            self._start,
            frozenset(self._read),
            self._assumed,
            {name: value for name, value in self._hints.items() if name not in self._options},
            self._worded,
            frozenset(self._implied),
            self._lists,
            {key: tuple(values) for key, values in self._given.items() if len(values) > 1},
        )

    def _complete(self, player: Player) -> None:
        """Complete a player known by first name alone with the whole name and the address."""
        for side, known in self._players.items():
            if known.email is None and known.name.split()[0] == player.name.split()[0]:
                self._players[side] = replace(player, name=max(player.name, known.name, key=len))

    def _pair(self, key: str, value: str) -> bool:
        """Read a key with its value, unless the value is a move."""
        return not self._holds_moves(value) and self._key(key, value.strip(' "'))

    def _key(self, key: str, value: str) -> bool:
        """Read a key with its value; False for an unknown key."""
        key = " ".join(key.casefold().split())
        if side := self._sides.get(key):
            if len(key) == 1 and (len(value) == 1 or len(value.split()) > 4):
                return False
            return self._seat(side, value)
        if key in _TEXTS:
            if is_text(value):
                self._give(_TEXTS[key], value)
            return True
        if key in _RESULTS:
            self._give("result", value)
            return True
        if key == "end" or (key == "termination" and "time" in value.casefold()):
            self._texts["end"] = value
            return True
        if key in ("players", "moves") and value.strip("| ") == "":
            return True
        if key in ("game", "variant") and _game_pattern(self._game.name).search(value):
            return True
        if key in ("start", "position"):
            return self._begin(value)
        if key in ("options", "option"):
            return self._yaml(f"options: {value}", inside="options")
        return self._option(key, value)

    def _seat(self, side: str, value: str) -> bool:
        if value.startswith("{") and len(value) <= _LONGEST_VALUE:
            return self._mapped(side, value)
        text = value[:LONGEST_TEXT].strip()
        is_side = text.casefold() in self._sides and len(text) > 1
        if not is_text(text) or not _SEATED.fullmatch(text) or ends_in(text) or is_side:
            return False
        self._give(side, text)
        return True

    def _mapped(self, side: str, value: str) -> bool:
        """Read a player as a game file writes one."""
        document = parse_document(f"player: {value}")
        player = document.data.get("player") if isinstance(document.data, dict) else None
        if document.findings or not isinstance(player, dict) or not is_text(player.get("name")):
            return False
        email = player.get("email")
        self._players[side] = Player(player["name"], email if is_address(email) else None)
        return True

    def _begin(self, value: str) -> bool:
        if len(value) > _LONGEST_VALUE:
            return False
        try:
            parse_position(self._game.name, value, {})
        except NotationError:
            return False
        self._start = value
        return True

    def _option(self, key: str, value: str) -> bool:
        key = key.casefold().replace("-", "").replace(" ", "")
        if key not in {option.name for option in self._game.options}:
            return False
        return self._yaml(f"{key}: {value.casefold() if value.isalpha() else value}")

    def _yaml(self, text: str, inside: str = "") -> bool:
        """Read options as a game file writes them; False if they are none."""
        if len(text) > _LONGEST_VALUE:
            return False
        document = parse_document(text)
        if document.findings or not isinstance(document.data, dict):
            return False
        data = document.data.get(inside) if inside else document.data
        known = {option.name: option for option in self._game.options}
        if not isinstance(data, dict) or any(name not in known or known[name].fault(data[name]) for name in data):
            return False
        self._options |= data
        return True

    def _said(self, text: str) -> None:
        """Read the sides and options in a sentence."""
        for found in self._initial.finditer(text):
            name = found["name"].casefold()
            if side := next((s for one, s in self._prose_sides(text) if one.casefold() == name), None):
                self._short[(found["short"].casefold(),)] = side
        for name, side in self._prose_sides(text):
            if side not in self._players and not self._holds_moves(name):
                self._players[side] = _player(name)
        versus = _VERSUS.search(text)
        if versus and not self._holds_moves(text):
            self._named = self._named or [versus["one"], versus["two"]]
        for option in self._game.options:
            self._option_in(text, option)
        for pattern, options in note_words(self._game.name).HEADINGS.items():
            if heading := re.search(rf"(?<!\w)(?:{pattern})", text, re.IGNORECASE):
                known = set(self._options)
                self._yaml(heading.expand(options))
                if not is_clause(text, heading):
                    self._implied |= self._options.keys() - known

    def _prose_sides(self, text: str) -> Iterator[tuple[str, str]]:
        for pattern in self._prose:
            for found in pattern.finditer(text):
                if found["name"].casefold() not in (*self._sides, *_NO_NAMES):
                    yield found["name"], self._sides[found["side"].casefold()]

    def _option_in(self, text: str, option: Choice | Number | Data) -> None:
        """Read an option from a sentence: its value next to its name, or alone if the value is no other word."""
        if option.name in self._options:
            return
        small = text.casefold().replace("-", "")
        singular = rf"{option.name.removesuffix('s')}s?\b"
        named = re.search(rf"(?<!\w){singular}", small) is not None or f"{option.name[:3]} {option.name[3:]}" in small
        match option:
            case Number():
                if found := re.search(rf"(\d+) {singular}|(?<!\w){singular}\W{{1,3}}(\d+)", small):
                    self._yaml(f"{option.name}: {found[1] or found[2]}")
            case Choice() if self._game.takes_flip(option):
                known = {**self._sides, **{_first_name(one.name): side for side, one in self._players.items()}}
                words = "|".join(sorted(map(re.escape, known), key=len, reverse=True))
                if found := re.search(rf"(?<!\w)({words}){_BEGINS}", text, re.IGNORECASE):
                    self._options[option.name] = known[found[1].casefold()]
                    self._implied |= set() if is_clause(text, found) else {option.name}
            case Choice(values=values) | Data(names=values):
                for value in values:
                    if re.search(rf"(?<!\w){value}(?!\w)", small) is None:
                        continue
                    if named or len(value) >= _DISTINCT:
                        self._options[option.name] = value
                        self._implied |= set() if named else {option.name}
                    elif value != option.default and not self._holds_moves(text):
                        self._hints[option.name] = value


def _player(text: str) -> Player:
    """The player of a name, with an address behind it or not."""
    if (found := _FROM.fullmatch(text)) and is_address(found["email"]):
        return Player(found["name"].strip('" '), found["email"])
    return Player(text)


def _name_labels(players: Mapping[str, Player]) -> dict[tuple[str, ...], str]:
    """The words for a player in a line: the whole name, and the first one."""
    names = {side: tuple(player.name.casefold().split()) for side, player in players.items()}
    return {words: side for side, name in names.items() for words in (name, name[:1])}


def _first_name(name: str) -> str:
    return name.casefold().split()[0]


def _side_words(game: Game) -> dict[str, str]:
    """The words for the sides of a game: their names, initials that differ, and white and black for two."""
    words = {side: side for side in game.sides}
    initials = [side[0] for side in game.sides]
    if len(set(initials)) == len(initials):
        words |= dict(zip(initials, game.sides, strict=True))
    if len(game.sides) == len(_COLOURS):
        words |= {colour: side for colour, side in zip(_COLOURS, game.sides, strict=True) if colour not in words}
    return words | {word: side for word, side in foreign_sides(words).items() if word not in words}
