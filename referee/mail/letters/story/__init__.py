"""The story of a letter: the news and the state of a game, as one side should read them.

Sentences come from `referee.mail.letters.format`; this part knows nothing of their form in a letter.
"""
