"""Candidates for a word that is being typed: games, their options, sides and legal moves, codes and files.

A wrong file or word has no candidates; the command reports the fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from referee.errors import PackageFault, RefereeError, shown
from referee.rules import Game, all_games, game_named
from referee.rules.description import value_names

Candidates = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
"""A function that click calls for the words that begin like the typed one."""


def files(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The shell's own completion of file names."""
    return [CompletionItem(incomplete, type="file")]


def games(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The names of games."""
    return _beginning(incomplete, all_games())


def one_of(values: Iterable[str]) -> Candidates:
    """The candidates for a parameter with one of these values."""
    return lambda _context, _parameter, incomplete: _beginning(incomplete, values)


def games_or_files(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The names of games, or files if no game begins like this."""
    return games(context, parameter, incomplete) or files(context, parameter, incomplete)


def no_game(name: str) -> str:
    """The message for a word that is neither a game nor a file, with the game that it may mean."""
    near = get_close_matches(name.casefold(), all_games(), 1)
    meant = f"; perhaps you mean {near[0]}" if near else ""
    return f"there is no game and no file {shown(name)}; the games are: {', '.join(all_games())}{meant}"


def game_settings(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The options of the game that the command names, as KEY=, and their values."""
    options = {option.name: option for game in _named(context) for option in game.options}
    key, equals, _ = incomplete.partition("=")
    if not equals:
        return _beginning(incomplete, [f"{name}=" for name in options])
    values = value_names(options[key]) if key in options else ()
    return _beginning(incomplete, [f"{key}={value}" for value in values])


def codes(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Every code that has an explanation."""
    from referee.codes import chapters

    return _beginning(incomplete, dict.fromkeys(one.code for chapter in chapters() for one in chapter.explanations))


def sides(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The sides of the game that the command names."""
    return _beginning(incomplete, [side for game in _named(context) for side in game.sides])


def places(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The sides of the game that the command names, after the typed round, as ROUND/SIDE."""
    line, slash, _ = incomplete.partition("/")
    return _beginning(incomplete, [f"{line}/{side}" for game in _named(context) for side in game.sides if slash])


def keys(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The keys of a header of the game that the command names."""
    from referee.game.amend.amendments import keys_of

    return _beginning(incomplete, [key for game in _named(context) for key in keys_of(game)])


def named_values(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The named values of the option whose key is before the word, such as `options.mode`."""
    name = str(context.params.get("key")).removeprefix("options.")
    options = [one for game in _named(context) for one in game.options if one.name == name]
    return [item for one in options for item in _beginning(incomplete, value_names(one))]


def sides_and_moves(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """For `move`: the sides without a move so far, and after a side its legal moves, word by word."""
    words: tuple[str, ...] = context.params.get("moves") or ()
    legal = _legal(context.params.get("file"))
    if len(words) % 2 == 0:
        return _beginning(incomplete, [side for side in legal if side not in words[::2]])
    moves = [move for move in legal.get(words[-1], ()) if _begins(move.split(), incomplete.split(" "))]
    return [CompletionItem(stem, complete=stem in moves) for stem in _stems(moves, incomplete.count(" ") + 1)]


def words_of_moves(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """For `legal`: the sides to move, and the next words of legal moves that begin with the words so far."""
    words: tuple[str, ...] = context.params.get("words") or ()
    legal = _legal(context.params.get("file"))
    chosen = {words[0]: legal[words[0]]} if words and words[0] in legal else legal
    begun = [*(words[1:] if chosen is not legal else words), incomplete]
    moves = [move.split() for found in chosen.values() for move in found]
    following = [move[len(begun) - 1] for move in moves if len(move) >= len(begun) and _begins(move, begun)]
    first = [side for side in legal if side.startswith(incomplete)] if not words else []
    return [CompletionItem(word) for word in dict.fromkeys([*first, *following])]


def _beginning(incomplete: str, words: Iterable[str]) -> list[CompletionItem]:
    return [CompletionItem(word) for word in words if word.startswith(incomplete)]


def _named(context: click.Context) -> list[Game]:
    """The game that the command names, if there is one."""
    from referee.game import read

    # After an option without its value, click does not assign words to parameters.
    known = {**(context.parent.params if context.parent else {}), **context.params}
    names = (*(known.get(name) for name in ("game", "what", "file")), *context.args[:1])
    word = next((str(name) for name in names if name is not None), "")
    try:
        return [game_named(word) if word in all_games() else read(word).description]
    except (RefereeError, PackageFault):
        return []


def _legal(file: object) -> Mapping[str, list[str]]:
    from referee.game import read
    from referee.game.file.judge import completions

    if not isinstance(file, Path):
        return {}
    try:
        return {side: list(map(str, moves)) for side, moves in completions(read(file)).items()}
    except (RefereeError, PackageFault):
        return {}


def _begins(move: list[str], begun: list[str]) -> bool:
    """True if a move begins with these words in any case; the last one may be incomplete."""
    *whole, last = (word.casefold() for word in begun)
    words = [word.casefold() for word in move[: len(begun)]]
    return len(words) == len(begun) and words[:-1] == whole and words[-1].startswith(last)


def _stems(moves: list[str], words: int) -> list[str]:
    """The different beginnings of moves, of this many words, or more if all moves have the same beginning.

    So a shell, which completes a word if there is one candidate, never takes a beginning for a whole move.
    """
    stems = list(dict.fromkeys(" ".join(move.split(" ")[:words]) for move in moves))
    if len(stems) == 1 and stems[0] not in moves:
        return _stems(moves, words + 1)
    return stems
