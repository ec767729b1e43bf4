"""Evidence: the letters that people kept, compared with the log of a game.

It reads logs and letters, and changes nothing.
"""
