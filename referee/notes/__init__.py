"""Notes as people keep them, read as a game.

`reader` finds the possible moves and facts of each line, and `repair` the smallest change that makes a list legal. Of
the rest, `search` finds the meanings with which all moves are legal, `importer` puts the game together, and
`leftovers` reports what became nothing.
"""

from referee.notes.importer import Choose, Doubt, Imported, game_file, import_notes
from referee.notes.reader.lines import NoteLine, note_lines

__all__ = ["Choose", "Doubt", "Imported", "NoteLine", "game_file", "import_notes", "note_lines"]
