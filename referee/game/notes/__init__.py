"""Notes as people keep them, read as the game that they say.

`lines` has what was written, `facts` what notes say beside the moves, `meanings` what a few words may mean,
`segments` how a line can be taken apart, `slots` where the moves are. `variants` and `arrangement` give the starts
and orders that are worth a try, and `search` finds the meanings under which all moves are legal. `conclusion` is how
the game ended, `moves` has its rounds, and `importer` puts the game together.
"""

from referee.game.notes.importer import Choose, Doubt, Imported, import_notes
from referee.game.notes.lines import NoteLine, note_lines

__all__ = ["Choose", "Doubt", "Imported", "NoteLine", "import_notes", "note_lines"]
