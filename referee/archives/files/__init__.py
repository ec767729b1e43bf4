"""Files of many games, divided into shards that can be read anywhere, but not judged here.

`files` finds them, `compression` opens them, and `lines` divides them into lines without reading them whole. `shards`
stands on all three; `forms` reads the games of a shard.
"""
