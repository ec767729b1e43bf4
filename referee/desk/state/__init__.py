"""The state of a game: a fold of its log, which says how things are, and never what may happen next."""
