"""Answers to questions of players: their games, rules and notation, earlier boards, and hypothetical moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from referee.desk import State, acts
from referee.draw.words import by_name
from referee.errors import pointed, shown
from referee.game.foresight import Obstacle, foresee
from referee.mail.intake.titles import games_in
from referee.mail.letters.agenda import agenda, browser_blocks, calendar_blocks, listings, waiting_list
from referee.mail.letters.format.blocks import Block, LetterSection, Paragraph, Pointed, Quote
from referee.mail.letters.format.language import phrase
from referee.mail.letters.format.text import quote
from referee.mail.letters.lessons import notation_blocks, rules_blocks
from referee.mail.letters.sections import tries
from referee.mail.letters.story.draft import Diagram
from referee.mail.letters.story.story import names_for
from referee.mail.office import Office
from referee.rules import Game, Position, first_position, game_named, games
from referee.terminal import join_words

_MOST_TRIES = 3
"""Maximum boards of hypothetical moves in one letter."""


def sections(
    office: Office, state: State, side: str, address: str, commands: Iterable[object], at: datetime
) -> Iterator[LetterSection | Diagram]:
    """The sections that the player of a side, at an address, asks for beyond those of every letter."""
    tried = 0
    for command in commands:
        match command:
            case acts.Games():
                mine = listings(office, address, at)
                told = (*agenda(office, mine, at), *calendar_blocks(office, address, mine), *waiting_list(office))
                yield LetterSection(phrase("heading.games"), told)
            case acts.PairedBrowsers():
                yield LetterSection(phrase("heading.browsers"), tuple(browser_blocks(office, address, at)))
            case acts.Board(int() as number):
                yield _board_after(state, side, number)
            case acts.Try(lines) if (tried := tried + 1) <= _MOST_TRIES:
                yield _what_if(state, side, lines)
            case acts.Try():
                yield LetterSection(phrase("heading.trial"), (Paragraph(phrase("trial.most", most=_MOST_TRIES)),))
            case acts.Rules(name) | acts.HowToWrite(name) if not name:
                position = None if state.undrawn else state.position
                yield _lesson(command, state.description, state.options, position, side)
            case _:
                yield from taught(command)


def taught(command: object) -> Iterator[LetterSection]:
    """The rules or the notation of a named game; nothing for other commands."""
    if not isinstance(command, acts.Rules | acts.HowToWrite):
        return
    named = games_in(command.game)
    if len(named) != 1:
        sentence = "lesson.no-game" if command.game else "lesson.which-game"
        names = ", ".join(quote(game.name) for game in games())
        told = phrase(sentence, game=shown(command.game), names=names)
        yield LetterSection(phrase("heading.which-game"), (Paragraph(told),))
    else:
        (name,) = named
        yield _lesson(command, game_named(name), {}, first_position(name, {}), None)


def _lesson(
    command: acts.Rules | acts.HowToWrite,
    game: Game,
    options: Mapping[str, object],
    position: Position | None,
    side: str | None,
) -> LetterSection:
    """The rules or the notation of a game, as `rules_blocks` and `notation_blocks` have them."""
    if isinstance(command, acts.Rules):
        return LetterSection(phrase("heading.rules", title=game.title), tuple(rules_blocks(game, options)))
    return LetterSection(phrase("heading.notation", title=game.title), notation_blocks(game, options, position, side))


def _board_after(state: State, side: str, number: int) -> LetterSection | Diagram:
    heading = phrase("heading.board-after", round=number)
    if state.undrawn:
        return LetterSection(heading, (Paragraph(phrase("board.undrawn")),))
    size, made = state.description.moves_per_round, 0
    plies = 0
    while plies < len(state.plies) and made < number * size:
        made += len(state.plies[plies])
        plies += 1
    if made < number * size and not (state.closed is not None and number == state.last_round):
        sentence = "trial.not-begun" if number > state.round else "trial.not-over"
        return LetterSection(heading, (Paragraph(phrase(sentence, round=number, now=state.round)),))
    return Diagram(plies, number)


def _what_if(state: State, side: str, lines: tuple[str, ...]) -> LetterSection | Diagram:
    """The board after hypothetical moves, and the obstacle to the rest of them."""
    game, heading, names = state.description, phrase("heading.trial"), names_for(state, side)
    if not game.trials:
        return LetterSection(heading, (Paragraph(phrase("trial.none", title=game.title, code="no-trials")),))
    made = [ply[one] for ply in state.plies for one in state.position.sides if one in ply]
    seen = foresee(state.position, made, lines, game.moves_per_round, writer=side)
    below = [] if seen.obstacle is None else list(_obstacle(seen.obstacle, names, shown=bool(seen.plies)))
    if not seen.plies:
        return LetterSection(heading, tuple(below))
    tried = [ply[one] for ply in seen.plies for one in state.position.sides if one in ply]
    rounds = Quote(tuple(_rounds(tried, len(made), game.moves_per_round)))
    unknown = [Paragraph(phrase("trial.unknown"))] if seen.waits and seen.obstacle is None else []
    return Diagram(
        len(state.plies),
        tried=tuple(tuple(ply.items()) for ply in seen.plies),
        above=(Paragraph(phrase("trial.made")), rounds),
        below=(*_whose(seen.plies, names), *unknown, *below),
    )


def _whose(plies: Sequence[Mapping[str, str]], names: Mapping[str, str]) -> Iterator[Block]:
    """The sides of the first moves that would be made at once: their writer may have meant another order."""
    together = next((ply for ply in plies if len(ply) > 1), None)
    if together is not None:
        moves = join_words(
            phrase("trial.whose", move=quote(move), whose=by_name(f"{side}'s", names))
            for side, move in together.items()
        )
        yield Paragraph(phrase("trial.read", moves=moves))


def _rounds(moves: list[str], made: int, size: int) -> Iterator[str]:
    """Moves as lines of a move list, after `made` others; dots stand for moves of a round that were made before."""
    begun = made % size
    cells = ["..."] * begun + moves
    for at in range(0, len(cells), size):
        yield f"{(made - begun + at) // size + 1:3d}.  {' | '.join(cells[at : at + size])}"


def _obstacle(obstacle: Obstacle, names: Mapping[str, str], *, shown: bool) -> Iterator[Block]:
    sentence = "trial.stopped" if shown else "trial.nothing"
    yield Paragraph(phrase(sentence, message=obstacle.error.message, code=obstacle.error.code))
    if obstacle.side is not None:
        yield Paragraph(phrase("trial.read-here", whose=by_name(f"{obstacle.side}'s", names)))
    yield Pointed(tuple(pointed(obstacle.line, obstacle.column, 60)))
    yield from tries(obstacle.error.suggestions)
