"""Executors of the work on shards: this process, several processes, or a cluster."""
