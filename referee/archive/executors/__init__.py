"""Executors: where the work on shards is done, in this process, in several, or on a cluster."""
