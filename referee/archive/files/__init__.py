"""Files of many games, divided into shards that can be read anywhere.

Nothing here judges a game.
"""
