"""Write every golden playthrough anew: `python -m tests.playthroughs`."""

from tests.playthroughs import write

write()
