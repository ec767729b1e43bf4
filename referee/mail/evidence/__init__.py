"""Evidence: whether the letters that people kept show what the log of a game says.

It reads logs and letters, and changes nothing.
"""
