"""The host's side of a desk by mail: the running process, its clock, backups, checks and orders.

It starts the transports and the handlers, and is used by the commands alone.
"""
