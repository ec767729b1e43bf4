"""Duels: two players, no server, and every move proved (docs/duel.md).

All functions are pure: from a player's `Duel` and a text to another `Duel`, and what is to be said. Files, clocks and
random numbers are the caller's business.
"""

from referee.desk.duel.course import Course, Duty, Settlement
from referee.desk.duel.exchange import Exchange, Remark, Taken, Weight, content
from referee.desk.duel.message import DuelMessage
from referee.desk.duel.opening import Opening
from referee.desk.duel.player import Duel, DuelReading, Wish, answer, join_duel, open_duel, outlook, read_text, say
from referee.desk.duel.standing import duel_link, duel_text, last_position, outcome_text, standing
from referee.desk.duel.state_file import duel_from, state_text
from referee.desk.duel.transcript import duel_game, duel_id, read_transcript, transcript

__all__ = [
    "Course",
    "Duel",
    "DuelMessage",
    "DuelReading",
    "Duty",
    "Exchange",
    "Opening",
    "Remark",
    "Settlement",
    "Taken",
    "Weight",
    "Wish",
    "answer",
    "content",
    "duel_from",
    "duel_game",
    "duel_id",
    "duel_link",
    "duel_text",
    "join_duel",
    "last_position",
    "open_duel",
    "outcome_text",
    "outlook",
    "read_text",
    "read_transcript",
    "say",
    "standing",
    "state_text",
    "transcript",
]
