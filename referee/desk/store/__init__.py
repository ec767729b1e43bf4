"""The store: logs, letters in and out, and what people chose, in SQLite or PostgreSQL.

`tables` has the database and its tables, `projections` what follows from the logs.
"""
