"""Fixtures that several folders of tests share."""

from tests.support.stores import server, where

__all__ = ["server", "where"]
