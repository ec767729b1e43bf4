"""Letters that the desk writes: `render` makes one from its draft and the log of its game.

`format` holds the language and the shapes of text and HTML, `story` the news that a letter reports.
"""
