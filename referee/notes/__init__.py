"""Notes as people keep them, read as the game that they say.

`encodings` and `sheets` give the text of files, `printed` that of reports, and `markup` takes off the marks of forums
and Markdown. `lines` has what was written, `tongues` words of other languages, `facts` what notes say beside the
moves, and `meanings` what a few words may mean.
`segments` how a line can be taken apart, `slots` where the moves are, and `reader` finds them. `wishes` are what
corrections want, and `amendment` which move they change. `variants` and `arrangement` give the starts and orders that
are worth a try, `search` finds the meanings under which all moves are legal, and `readings` compares them.
`verdicts` are sentences about the end of a game, `conclusion` is how this one ended, `moves` has its rounds, and
`importer` puts the game together.

Every word of the notes is accounted for, in the `ledger`: it is a move, a fact of the header, an end, a comment that
is kept, or a plain sign such as a number or a name; or it is unsure, and told.
"""

from referee.notes.importer import Choose, Doubt, Imported, game_file, import_notes
from referee.notes.reader.lines import NoteLine, note_lines

__all__ = ["Choose", "Doubt", "Imported", "NoteLine", "game_file", "import_notes", "note_lines"]
