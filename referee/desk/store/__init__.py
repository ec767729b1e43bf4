"""The store: one `Store` of parts that hold each other, in SQLite or PostgreSQL.

`games` has the logs and every change of them, `catalogue` the lists of games, `inbox` and `outbox` the letters.
`tables` has the database and its tables, `projections` what follows from the logs.
"""
