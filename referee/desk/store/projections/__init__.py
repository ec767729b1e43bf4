"""What follows from the logs, in one table with one writer: where games stand, and snapshots of their states."""
