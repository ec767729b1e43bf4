"""How thoroughly tests try, and fixtures that several folders of tests share.

`pytest --hypothesis-profile=thorough` tries more of everything (tests/support/examples.py).
"""

from hypothesis import settings

from tests.support.examples import QUICK
from tests.support.stores import server, where

__all__ = ["server", "where"]

settings.load_profile(QUICK)
