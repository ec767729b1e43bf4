"""Play: what an act or an order does, and the course of a game by itself; it proposes events to the law."""
