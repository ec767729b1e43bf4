"""Play: the decision on an act or an order, and the course of a game by itself.

It proposes events to the law, and writes none.
"""
