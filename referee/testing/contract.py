"""The contract of every game, as tests. Each failure is one sentence about what the game has to do."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from itertools import islice
from pathlib import PurePath

import pytest

import referee
from referee.archives.generate import Generation, random_game
from referee.codes.explanations import chapters
from referee.codes.presentation import findings
from referee.data import read_yaml
from referee.draw import drawing
from referee.draw.choices import choice_tree
from referee.draw.text import NARROW_WIDTH, REPORT_WIDTH, text_board
from referee.draw.words import words
from referee.engine import choose
from referee.errors import IllegalMove, NotationError, PackageFault
from referee.game import dumps, judge, to_json
from referee.notation.fields import LONGEST_POSITION
from referee.notation.forms.columns import fields_without_text
from referee.notation.lesson import Lesson, lesson_of
from referee.notation.moves import LONGEST_MOVE, notation, parse_move
from referee.notation.positions import position_text
from referee.rules import Frozen, Position, cursor_at, game_named, movers
from referee.rules.outcome import OPEN_ENDS, Termination
from referee.testing.plays import foreign_moves, plays, positions, possible_moves, steps


def require(holds: object, said: str) -> None:
    """Fail with a sentence unless something holds."""
    if not holds:
        pytest.fail(said, pytrace=False)


# --- The description ----------------------------------------------------------------------------------------------


def test_the_game_can_be_used(game: str) -> None:
    described = game_named(game)
    require(described.title and described.designer, "the game has no title or no designer")
    for option in described.options:
        require(option.says, f"the option {option.name} has no `says`")


def test_its_examples_hold_and_one_of_them_ends(game: str) -> None:
    folder = game_named(game).examples
    files = sorted(folder.glob("*.yaml"))
    require(files, f"there is no example game in {folder.name}/, the folder that `examples` names")
    found = {file.name: judge(referee.read(file)) for file in files}
    for name, verdict in found.items():
        require(not verdict.findings, f"the example {name} is wrong: {'; '.join(map(str, verdict.findings))}")
    require(any(one.outcome for one in found.values()), "none of the examples is played to its end")


def test_its_codes_are_those_of_its_examples(game: str) -> None:
    for chapter in (one for one in chapters() if one.game == game):
        for one in chapter.explanations:
            if not one.example.keys() & {"moves", "file"}:
                continue
            said = {finding.code: finding.message for finding in findings(chapter, one.example)}
            gives = "; ".join(f"{code}: {message}" for code, message in said.items()) or "none"
            require(one.code in said, f"the example of the code {one.code} gives {gives}")


def test_its_lesson_is_one(game: str) -> None:
    described = game_named(game)
    if described.lesson is None:
        return
    data = read_yaml(described.lesson)
    known = {one.name for one in fields(Lesson)} - {"forms", "words"} | {"notation"}
    require(data.keys() <= known, f"a lesson has no part {', '.join(sorted(data.keys() - known))}")
    ends = {*described.ends, *Termination}
    strange = data.get("endings", {}).keys() - ends
    require(not strange, f"the lesson words the end {', '.join(sorted(strange))}, which is not in `ends`")
    legal = {str(move) for one in positions(game) for side in one.to_move for move in one.legal_moves(side)}
    for form in lesson_of(described, {}).forms:
        require(
            form.example(legal), f"no legal move looks like {form.such}, the `such` of {form.write} in the lesson"
        )


# --- Moves --------------------------------------------------------------------------------------------------------


def test_legal_moves_are_listed_once_in_the_same_order(game: str) -> None:
    for position in positions(game, 10):
        for side in position.sides:
            listed = list(position.legal_moves(side))
            require(len({*listed}) == len(listed), f"a legal move of {side} is listed twice in {position!r}")
            require(listed == list(position.legal_moves(side)), f"the moves of {side} change their order")
            texts = {str(move) for move in listed}
            require(len(texts) == len(listed), f"two legal moves of {side} have the same text in {position!r}")


def test_a_side_has_a_legal_move_if_and_only_if_it_is_to_move(game: str) -> None:
    for position in positions(game, 3):
        for side in position.sides:
            has, due = bool(position.legal_moves(side)), side in position.to_move
            require(has == due, f"{side} has {'a' if has else 'no'} legal move in {position!r}")


def test_a_move_is_listed_if_and_only_if_it_is_accepted(game: str) -> None:
    for position in positions(game, 5):
        for side in position.to_move:
            listed = {*position.legal_moves(side)}
            for move in possible_moves(game) | {*islice(listed, 20)}:
                accepted = _accepts(position, side, move)
                if accepted == (move in listed) or (accepted and _is_twin(position, side, move, listed)):
                    continue
                said = "accepted, but not listed" if accepted else "listed, but not accepted"
                pytest.fail(f"{move} is {said} for {side} in {position!r}", pytrace=False)


def _accepts(position: Position, side: str, move: referee.Move) -> bool:
    try:
        position.check(side, move)
    except IllegalMove as error:
        require(error.code and error.message, f"the refusal of {move} has no code or no sentence")
        return False
    return True


def _is_twin(position: Position, side: str, move: referee.Move, listed: Iterable[referee.Move]) -> bool:
    """True for an accepted move that does the same as a listed one."""
    if len(position.to_move) > 1:
        return False
    try:
        after = position.play_unchecked({side: move})
    except PackageFault:  # no move for which the game is made
        return False
    return any(position.play_unchecked({side: one}) == after for one in listed)


def test_a_move_is_read_as_it_is_written(game: str) -> None:
    for move in {*foreign_moves(game), *(move for step in steps(game) for move in step.moves.values())}:
        text = str(move)
        require(text.isascii() and text.isprintable(), f"the move {text!r} is not in plain ASCII")
        plain = text == " ".join(text.split()) and not {*text} & {*"|{};!?"}
        require(
            plain,
            f"the move {text!r} cannot be in a list: it has two blanks in a row, or one of | {{ }} ; ! ?",
        )
        require(len(text) <= LONGEST_MOVE, f"the move {text!r} is longer than {LONGEST_MOVE} characters")
        for written in (text, text.lower(), f"  {text} "):
            try:
                same = parse_move(game, written) == move
            except NotationError as error:
                pytest.fail(f"the move {written!r} is not read: {error.message}", pytrace=False)
            require(same, f"the move {written!r} is another one once it is read")


def test_everyday_words_are_there_for_each_keyword(game: str) -> None:
    own = notation(game)
    words = {text.split(" ")[0] for text in map(str, foreign_moves(game)) if text.split(" ")[0].isalpha()}
    require(words <= own.BEGINNINGS.keys(), f"BEGINNINGS lacks {', '.join(sorted(words - own.BEGINNINGS.keys()))}")


def test_its_engine_chooses_legal_moves(game: str) -> None:
    described = game_named(game)
    if not described.engine or (described.secret and described.secret.whole):
        return
    for position in positions(game, 25):
        for side in position.to_move:
            try:
                chosen = choose(position, side, level=2, seed="contract")
            except PackageFault as error:
                pytest.fail(f"the engine finds no move for {side} in {position!r}: {error.message}", pytrace=False)
            require(
                chosen in position.legal_moves(side), f"the engine chooses {chosen}, which is not legal for {side}"
            )


# --- Positions ----------------------------------------------------------------------------------------------------


def test_no_play_changes_a_position(game: str) -> None:
    for before, moves, after in steps(game, 5):
        said, shown = json.dumps(before.facts()), repr(before)
        again = before.play(moves)
        before.events(moves, again)
        unchanged = json.dumps(before.facts()) == said and repr(before) == shown
        require(unchanged, f"a play changes the position before it: {shown}")
        require(again == after and hash(again) == hash(after), f"the same moves give another position than {after!r}")
        require(before.play_unchecked(moves) == after, f"play_unchecked gives another position than {after!r}")
        here = cursor_at(before)
        here.play(moves)
        require(here.position == after, f"the cursor comes to another position than {after!r}")


def test_positions_can_be_copied_and_pickled(game: str) -> None:
    for position in positions(game, 20):
        for twin in (copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
            require(twin == position and hash(twin) == hash(position), f"a copy of {position!r} differs from it")


def test_nothing_in_a_position_can_be_changed(game: str) -> None:
    for position in positions(game, 20):
        for value in (
            position,
            *(move for side in position.to_move for move in islice(position.legal_moves(side), 3)),
        ):
            if strange := _changeable(value, type(value).__name__):
                pytest.fail(f"{strange} can be changed: a value has frozen parts only", pytrace=False)


def _changeable(value: object, way: str) -> str:
    """The way to a part of a value that can be changed, or nothing."""
    if isinstance(value, str | int | float | None | Enum | PurePath) or callable(value):
        return ""
    if isinstance(value, Frozen):
        return next(filter(None, (_changeable(one, f"{way}[…]") for pair in value.items() for one in pair)), "")
    if isinstance(value, tuple | frozenset):
        return next(filter(None, (_changeable(one, f"{way}[…]") for one in value)), "")
    if is_dataclass(value) and vars(type(value))["__dataclass_params__"].frozen:
        parts = ((one.name, getattr(value, one.name)) for one in fields(value))
        return next(filter(None, (_changeable(one, f"{way}.{name}") for name, one in parts)), "")
    return f"{way}, a {type(value).__name__},"


def test_a_side_sees_no_more_than_is_its_own(game: str) -> None:
    for position in positions(game, 10):
        public = position.seen_by(None)
        for side in position.sides:
            seen = position.seen_by(side)
            require(seen.seen_by(side) == seen, f"{side} does not see what it sees in {position!r}")
            require(seen.seen_by(None) == public, f"{side} sees other public things than everybody in {position!r}")


def test_facts_are_data_for_json(game: str) -> None:
    for position in positions(game, 5):
        facts = position.facts()
        require(json.loads(json.dumps(facts)) == _as_lists(facts), f"the facts of {position!r} change as JSON")


def _as_lists(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _as_lists(one) for key, one in value.items()}
    return [*map(_as_lists, value)] if isinstance(value, list | tuple) else value


def test_the_game_is_over_if_and_only_if_no_side_is_to_move(game: str) -> None:
    described = game_named(game)
    own = {*described.ends, *({*Termination} - OPEN_ENDS)}
    for position in positions(game):
        require(isinstance(position.to_move, frozenset), "to_move is not a frozenset")
        require(position.to_move <= {*position.sides}, f"no side: {', '.join(position.to_move - {*position.sides})}")
        outcome = position.outcome
        require(outcome is None or not position.to_move, f"{position!r} is over, and a side is to move")
        if outcome is None:
            require(position.to_move or described.secret, f"{position!r} is not over, and no side is to move")
            continue
        winners = {None, *position.sides, *described.scored}
        require(outcome.winner in winners, f"the winner {outcome.winner!r} is not one of the sides")
        require(outcome.termination in own, f"the end {outcome.termination!r} is not in the game's `ends`")
        require(tuple(outcome.score) == described.scores, f"the points are for {', '.join(outcome.score)}")
        require(
            dict(outcome.score) == dict(position.score), f"outcome and award differ about the points: {position!r}"
        )


def test_a_position_is_read_back_from_its_text(game: str) -> None:
    own, described = notation(game), game_named(game)
    if not hasattr(own, "position_fields"):
        wordless = ", ".join(fields_without_text(described.start({}))) or "of another kind than a dataclass's"
        declined = hasattr(own, "FIELDS") or (described.secret and described.secret.whole)
        said = "give it a type that has one, or write `position_fields`, or `FIELDS = ()` to do without"
        require(declined, f"positions have no text, because of the field {wordless}: {said}")
        return
    for play in plays(game):
        for position in play.positions[::7]:
            text = position_text(position)
            require(text.isascii() and text.isprintable(), f"the text {text!r} of a position is not in plain ASCII")
            require(
                len(text) <= LONGEST_POSITION, f"the text of {position!r} has more than {LONGEST_POSITION} characters"
            )
            again = referee.start(game, position=text, options=play.options)
            same = again == position and str(again) == text and again.facts() == position.facts()
            require(same, f"the position {text!r} is another one once it is read")


def test_a_game_file_is_read_as_it_is_written(game: str) -> None:
    for number in (1, 2):
        made = random_game(Generation(game, plies=60), number)
        require(not judge(made).findings, f"a random game is refused: {'; '.join(map(str, judge(made).findings))}")
        for text in (dumps(made), to_json(made)):
            require(referee.loads(text) == made, "a game is another one once its file is read")


# --- Boards -------------------------------------------------------------------------------------------------------


def test_boards_in_text_fit_into_a_letter(game: str) -> None:
    for before, moves, after in steps(game, 15):
        events = before.events(moves, after)
        for view in after.sides:
            for unicode in (False, True):
                for width in (REPORT_WIDTH, NARROW_WIDTH):
                    lines = text_board(after, view, events, unicode=unicode, width=width)
                    wide = next((line for line in lines if len(line) > width), "")
                    require(not wide, f"a line of the board has {len(wide)} columns where {width} are free: {wide}")
                    strange = next((line for line in lines if not (line.isprintable())), "")
                    require(not strange, f"a line of the board has more than one line in it: {strange!r}")
                    require(unicode or all(map(str.isascii, lines)), "the board is not in ASCII without `unicode`")


def test_events_have_sentences(game: str) -> None:
    draw = drawing(game)
    for before, moves, after in steps(game, 3):
        for event in before.events(moves, after):
            said = draw.sentence(event)
            require(isinstance(said, str) and said, f"there is no sentence about {event}")


def test_pictures_can_be_drawn(game: str) -> None:
    for before, moves, after in steps(game, 15):
        for view in after.sides:
            scene = drawing(game).scene(after, view=view, events=before.events(moves, after))
            require(scene.title and scene.description, "a picture has no title or no description")
            require(list(scene.marks()), "a picture is empty")
            try:
                hash((scene.shapes, *scene.paints.values()))
            except TypeError as error:
                pytest.fail(f"the shapes of a picture hold tuples, so that it can be kept: {error}", pytrace=False)
        require(all(words(after)), "a sentence of the words is empty")


def test_each_legal_move_can_be_chosen_on_the_board(game: str) -> None:
    for position in positions(game, 25):
        for side in movers(position):
            try:
                tree = choice_tree(position, side)
            except (ValueError, KeyError) as error:
                pytest.fail(f"the way to a move of {side} is wrong: {error}", pytrace=False)
            require(tree["moves"] == len(position.legal_moves(side)), f"not every move of {side} can be chosen")
            require(json.dumps(tree), "")
