"""How thoroughly properties are tried, and fixtures that several folders of tests share.

`pytest --hypothesis-profile=thorough` tries each property with five times as many examples.
"""

from hypothesis import settings

from tests.support.stores import server, where

__all__ = ["server", "where"]

settings.register_profile("quick", max_examples=20, deadline=None)
settings.register_profile("thorough", max_examples=100, deadline=None)
settings.load_profile("quick")
