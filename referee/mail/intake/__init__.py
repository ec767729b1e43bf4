"""A letter that came in, from its bytes to what it asks for.

The steps, in their order; each can only see what the steps before it have found:

1. `limits`: measure the bytes; of a letter that is too large, only the header is read.
2. `headers`: split the header into raw fields, and decode each on demand.
3. `parts`, `html`: find the parts that hold text, and turn HTML into lines.
4. `addresses`, `trace`: find the game and the seat's key, and which of the host's own servers took the letter.
5. `classification`: tell people's letters from those of machines (`letter` holds all of the above, and `copies`
   tells whether two letters are the same one; `delivery` reads what a server reports of a letter that came back).
6. `text`: cut the text into lines, with plain signs.
7. `quotes`, `announcements`: drop signatures and quotations.
8. `phrases`, `grammar`: parse each line that is left, without its courtesies; `titles`, `terms`, `engines` and
   `openings` read what it says of a new game, and `requests` are what it can say to the desk itself.
9. `commands`: gather the commands, and ask where they do not agree.

`read` takes steps 1 to 4, `classify` step 5, and `Letter.reading` the others, once it is clear whose letter it is.
"""

from referee.mail.addresses import Mailbox, Tag
from referee.mail.intake.classification import MARKER, POLICY, Classification, Kind, classify
from referee.mail.intake.commands import CommandLine, FailedLine, Question, Reading, read_commands, speaks
from referee.mail.intake.grammar import command_of
from referee.mail.intake.letter import Letter, read_letter
from referee.mail.intake.message.limits import LIMITS

__all__ = [
    "LIMITS",
    "MARKER",
    "POLICY",
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
