"""The notation of a game that brings none: moves by their forms, positions by the fields of their dataclass.

`notation` knows `columns`.
"""
