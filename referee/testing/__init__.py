"""Tests of a game: `pytest --referee-game NAME` runs the contract over an installed game.

`plugin` gives pytest the option, `contract` has the tests, which play the games of `plays`.
"""
