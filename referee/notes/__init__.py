"""Notes as people keep them, read as a game.

`encodings` and `sheets` give the text of files, `printed` that of reports, and `markup` takes off the marks of forums
and Markdown. `lines` has the written lines, `tongues` words of other languages, `facts` the facts besides the moves,
and `meanings` the possible meanings of a few words.
`segments` takes a line apart, `slots` are the places of moves, and `reader` finds them. `wishes` are the contents of
corrections, and `amendment` finds the moves that they change. `variants` and `arrangement` give the starts and orders
to try, `search` finds the meanings with which all moves are legal, and `readings` compares them.
`verdicts` are sentences about the end of a game, `conclusion` is how this one ended, `moves` has its rounds, and
`importer` puts the game together.

Every word of the notes becomes a move, a fact of the header, an end, a comment that is kept, or a plain sign such as
a number or a name; the `leftovers`, which look like more than they became, are reported.
"""

from referee.notes.importer import Choose, Doubt, Imported, game_file, import_notes
from referee.notes.reader.lines import NoteLine, note_lines

__all__ = ["Choose", "Doubt", "Imported", "NoteLine", "game_file", "import_notes", "note_lines"]
