"""The reader: from the lines of notes to slots, each with the moves that it may mean.

It judges no game. `referee.notes` searches for the meanings with which all moves are legal.
"""
