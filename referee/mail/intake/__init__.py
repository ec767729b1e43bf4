"""A letter that came in, from its bytes to what it asks for.

The steps, in their order; each can only see what the steps before it have found:

1. The part `message` turns bytes into a header, parts and lines; `letter` holds them.
2. `classification`: tell people's letters from those of machines; `delivery` reads a server's report of a letter that
   came back.
3. `quotes`: drop signatures and quotations.
4. `grammar`: parse each line that is left; `titles`, `terms`, `engines` and `openings` read what it says of a new
   game, and `requests` are what it can say to the desk itself.
5. `commands`: gather the commands, and ask where they do not agree; `intent` completes what the letter leaves open.

A move made on a page goes the same way, as one of the `statements`.

`read_letter` takes step 1, `classify` step 2, and `Letter.reading` the others, once it is clear whose letter it is.
"""

from referee.mail.addresses import Mailbox, Tag
from referee.mail.intake.classification import MARKER, Classification, Kind, classify
from referee.mail.intake.commands import CommandLine, FailedLine, Question, Reading, read_commands, speaks
from referee.mail.intake.grammar import command_of
from referee.mail.intake.letter import Letter, read_letter
from referee.mail.intake.message.limits import LIMITS

__all__ = [
    "LIMITS",
    "MARKER",
    "Classification",
    "CommandLine",
    "FailedLine",
    "Kind",
    "Letter",
    "Mailbox",
    "Question",
    "Reading",
    "Tag",
    "classify",
    "command_of",
    "read_commands",
    "read_letter",
    "speaks",
]
