"""Squares such as e4, as several games write them."""

from __future__ import annotations

from lark import Token

from referee.rules.squares import Square


def square(text: Token | str) -> Square:
    """The square that a letter and a digit name, on some board or on none."""
    return Square(ord(text[0].lower()) - 96, int(text[1:]))
