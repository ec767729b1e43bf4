"""Letters: reading those that come in."""

from referee.mail.addresses import Mailbox, Tag, is_game_id
from referee.mail.classify import MARKER, POLICY, Kind, Treatment, Verdict, classify
from referee.mail.letter import Letter, read
from referee.mail.limits import LIMITS, Limits
from referee.mail.questions import Question, Said
from referee.mail.reading import Failed, Reading, read_commands, speaks

__all__ = [
    "LIMITS",
    "MARKER",
    "POLICY",
    "Failed",
    "Kind",
    "Letter",
    "Limits",
    "Mailbox",
    "Question",
    "Reading",
    "Said",
    "Tag",
    "Treatment",
    "Verdict",
    "classify",
    "is_game_id",
    "read",
    "read_commands",
    "speaks",
]
