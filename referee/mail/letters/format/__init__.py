"""The form of letters: sentences, blocks of text, their HTML and their encoding.

Nothing here knows a game or its log.
"""
