"""A desk to try on one machine: two mailboxes, the game and the host on one page, and nothing left behind.

`mailboxes` holds the letters of two people, `desk` is a real desk that delivers to them, `cheats` are those of its
host, `pages` shows all of it beside the desk's own pages, and `server` serves them. It knows `mail` and `web`.
"""
