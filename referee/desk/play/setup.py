"""The set-up of a game on the desk: from a game file and terms to the first entries of a log."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from referee.desk.law import automatic, law
from referee.desk.law.engine_seats import EngineSeats, engagements, engine_names, expect_engines
from referee.desk.log import events
from referee.desk.log.bodies import expect_fit
from referee.desk.log.log import GAME_ID, START, Came, Entry, new_entry
from referee.desk.log.secrets import CHANCE, Chance, Secrets, address_name
from referee.desk.log.terms import Terms
from referee.desk.play.progress import Progress, enter
from referee.desk.state.state import State
from referee.errors import FileError, Refusal, shown
from referee.game import GameFile, is_address, is_text, judge
from referee.rules import movers


def set_up(
    name: str,
    game: GameFile,
    at: datetime,
    *,
    terms: Terms | None = None,
    addresses: Mapping[str, str] | None = None,
    secret: str | None = None,
    desk: str | None = None,
    engines: EngineSeats | None = None,
    chance: Chance | None = None,
) -> Progress:
    """A game of this id, with the moves that its file already has; `engines` are levels by side.

    `secret` is the seed of chance, drawn if there is none and the file does not reveal all. FileError if moves are
    wrong; RefereeError `game-id`, `own-start`, `game-over`, `name`, `secret-missing` or `engine-start`, or as
    `expect_engines`; OptionError if the file's deal is not that of the secret.
    """
    refuse_unfit(name, game)
    engines = engines or {}
    expect_engines(game.game, engines)
    if engines and game.rounds:
        raise Refusal("engine-start", "a game with engines begins without moves: this file has some")
    options, secrets = options_and_secret(game, secret)
    position = game.description.start(options)
    event = events.Opened(
        log=events.LOG_FORMAT,
        game=game.game,
        rules=game.description.versions[-1] if game.rules is None else game.rules,
        title=game.event,
        players={
            **{side: game.players[side].name if side in game.players else side for side in position.sides},
            **engine_names(engines),
        },
        options=options,
        clock=terms.as_json() if terms else None,
        owing=movers(position),
        desk=desk,
    )
    first = first_entry(name, at, event)
    taken, seeds = engagements(first, engines, chance) if chance is not None else ((), {})
    kept = {**secrets, **seeds, **kept_addresses(game, addresses or {})}
    result = enter(Progress(None, State.start(first), (first,), kept), taken, at)
    for ply in game.replay():
        moves = {side: str(move) for side, move in ply.moves.items()}
        result = enter(result, [automatic.ply(result.state, moves, {}, secrets)], at)
    return result


def first_entry(name: str, at: datetime, event: events.Opened | events.Invited, came: Came | None = None) -> Entry:
    """The first entry of a log; RefereeError with the code of an audit if the event cannot begin one."""
    expect_fit(event)
    for code, message in law.first_findings(event, at, came):
        raise Refusal(code, message)
    return new_entry(name, 0, at, event, START, came=came)


def refuse_unfit(name: str, game: GameFile) -> None:
    """Refuse a game that cannot be played on a desk."""
    if not GAME_ID.fullmatch(name):
        raise Refusal("game-id", f"a game's id is at most 32 small letters, digits and hyphens, not {shown(name)}")
    if game.start_text is not None:
        message = "the desk opens games from their usual start: this file has a position of its own under 'start'"
        raise Refusal("own-start", message)
    verdict = judge(game)
    if verdict.findings:
        raise FileError(game.file, verdict.findings)
    if verdict.outcome is not None:
        raise Refusal("game-over", f"the game of this file is over ({verdict.outcome.termination})")
    for text in (*(player.name for player in game.players.values()), *([] if game.event is None else [game.event])):
        if not is_text(text):
            raise Refusal("name", f"a name is a line of text, not {shown(text)}")


def options_and_secret(game: GameFile, secret: str | None) -> tuple[dict[str, Any], dict[str, str]]:
    """The public options at the start, and the secret of what is left to chance, drawn if none is given."""
    kept, options = game.description.secret, dict(game.options)
    if kept is None:
        return options, {}
    drawn = secret or kept.draw()
    known = kept.known(options if secret else {}, drawn, None)
    if secret is None and known.keys() & options.keys():
        if kept.needed(options):
            message = (
                "the file does not tell all that chance decided, so the game would stop on the way: give the desk "
                "the secret that the file's commitment was made from, or write everything out in the file"
            )
            raise Refusal("secret-missing", message)
        return options, {}
    return {**options, **known}, {CHANCE: drawn}


def kept_addresses(game: GameFile, given: Mapping[str, str]) -> Secrets:
    """The sides' addresses, by the names under which they are kept."""
    addresses = {side: player.email for side, player in game.players.items() if player.email} | dict(given)
    for side, address in addresses.items():
        if side not in game.description.sides or not is_address(address):
            raise Refusal("address", f"{shown(address)} is not an e-mail address of a side of this game")
    return {address_name(side): address for side, address in addresses.items()}
