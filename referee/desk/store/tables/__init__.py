"""The tables of a store, the connections to them, and the values of their rows.

`schema` describes the tables; `creation` makes them and `rows` finds and reads their rows. `database` and
`group_commit` know connections and commits, and no table.
"""
