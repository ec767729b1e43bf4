"""Many games: checked, generated, converted and counted, on one machine or on a cluster.

`files` divides them into shards, `judge` judges a shard, `executors` share the work, and `run` does a whole run.
"""
