"""Play: what an act or an order comes to, and how a game goes on by itself.

It proposes events to the law, and writes none.
"""
