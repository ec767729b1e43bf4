"""Projections: what is kept beside the logs although it follows from them, so that lists are quick."""
