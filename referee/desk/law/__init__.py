"""The law: what may happen next in a game, asked before an event is written and again by the audit.

It knows the log and the state, and no store.
"""
