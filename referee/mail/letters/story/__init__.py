"""The story of a letter: what happened in a game and how it is now, told to one side.

Sentences come from `referee.mail.letters.format`; what they are put into is no business of this part.
"""
