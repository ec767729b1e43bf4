"""The tables of a store, the connections to them, and the values of their rows."""
