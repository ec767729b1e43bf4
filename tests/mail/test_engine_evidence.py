"""Letters against the logs of hosts who give players other engines than the requested ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from referee.desk import Entry, audit, events
from referee.mail.evidence.evidence import LetterEvidence
from tests.support.forgeries import Timed, rechained
from tests.support.friends import ADA, friends
from tests.support.rows import each
from tests.support.witnesses import mailbox, witnessed

OPENINGS = {
    "boundary": "new boundary with engine:2",
    "beams": "new beams with engine:1 as north",
    "the-beam": "new the-beam with engine:1, engine:2 and engine:1",
    "waiting": "new the-beam with ben@example.com and engine:1",
}


def proposed(words: str, folder: Path) -> tuple[list[Entry], bytes]:
    """The valid log of a game that a letter proposes, and its letters."""
    with friends(folder) as friend:
        friend.write(ADA, words)
        (game,) = friend.office.desk.catalogue.ids()
        report, witness = witnessed(friend.office, game)
        assert report.findings == ()
        assert (witness.found, witness.unsent) == (witness.acts, 0)
        return friend.office.desk.log(game), mailbox(friend.office)


@pytest.mark.slow
@pytest.mark.parametrize("words", OPENINGS.values(), ids=OPENINGS)
def test_a_letter_asks_for_the_engines_of_its_game(words: str, tmp_path: Path) -> None:
    entries, _ = proposed(words, tmp_path)
    assert any(isinstance(entry.event, events.Engaged) for entry in entries)


Change = Callable[[list[Timed]], list[Timed]]


def stronger(timed: list[Timed]) -> list[Timed]:
    return [
        one._replace(event=replace(one.event, level=3)) if isinstance(one.event, events.Engaged) else one
        for one in timed
    ]


def left_out(timed: list[Timed]) -> list[Timed]:
    """A friend takes the seat of the last engine, with a missing letter."""
    place = max(number for number, one in enumerate(timed) if isinstance(one.event, events.Engaged))
    engine, joined = timed[place].event, timed[1]
    assert isinstance(engine, events.Engaged)
    assert joined.came is not None
    came = replace(joined.came, letter="5c" * 32)
    friend = joined._replace(event=events.Joined(engine.side, f"Engine {engine.level}", None, "tea"), came=came)
    return [*timed[:place], friend, *timed[place + 1 :]]


@pytest.mark.slow
@each([(stronger, "no engine of level 3"), (left_out, "an engine that has no seat")], name=lambda row: row[1])
def test_other_engines_than_a_player_asked_for_are_found(
    row: tuple[Change, str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    change, says = row
    entries, letters = proposed(OPENINGS["boundary"], tmp_path_factory.mktemp("desk"))
    timed = change([Timed(one.at, one.event, one.came) for one in entries])
    log = [one.as_line() for one in rechained(entries[0].game, timed)]
    assert audit(log).findings == (), "the log alone shows nothing"
    assert says in "\n".join(one.message for one in audit(log, witness=LetterEvidence([letters], {})).findings)
