"""Duels: two players, no server, and every move proved (docs/duel.md).

All functions are pure, from a player's `Duel` and a text to another `Duel` and remarks. Files, clocks and random
numbers are the caller's business.
"""

from referee.duel.challenge import Challenge
from referee.duel.course import Owed
from referee.duel.exchange import DuelRemark, Taken, Weight
from referee.duel.message import DuelMessage
from referee.duel.player import (
    Duel,
    DuelReading,
    Intention,
    join_duel,
    open_duel,
    outlook,
    read_paste,
    respond,
    speak,
)
from referee.duel.state_file import duel_from, state_text
from referee.duel.status import (
    is_clean,
    last_position,
    link_to_send,
    reading_lines,
    standing,
    text_to_send,
    transcript_lines,
    worthwhile_remarks,
)
from referee.duel.transcript import duel_game, duel_id, read_transcript, transcript

__all__ = [
    "Challenge",
    "Duel",
    "DuelMessage",
    "DuelReading",
    "DuelRemark",
    "Intention",
    "Owed",
    "Taken",
    "Weight",
    "duel_from",
    "duel_game",
    "duel_id",
    "is_clean",
    "join_duel",
    "last_position",
    "link_to_send",
    "open_duel",
    "outlook",
    "read_paste",
    "read_transcript",
    "reading_lines",
    "respond",
    "speak",
    "standing",
    "state_text",
    "text_to_send",
    "transcript",
    "transcript_lines",
    "worthwhile_remarks",
]
