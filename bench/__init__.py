"""Benchmarks that run a peer beside us, alternating in one process; `python -m bench` prints the figures."""
