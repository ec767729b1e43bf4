"""Commands for playing: against engines, against a person by messages, in matches and puzzles."""
