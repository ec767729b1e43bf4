"""Letters: reading those that come in."""

from referee.mail.intake.addresses import Mailbox, Tag, is_game_id
from referee.mail.intake.classify import MARKER, POLICY, Kind, Treatment, Verdict, classify
from referee.mail.intake.letter import Letter, read
from referee.mail.intake.limits import LIMITS, Limits
from referee.mail.intake.questions import Question, Said
from referee.mail.intake.reading import Failed, Reading, read_commands, speaks

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
