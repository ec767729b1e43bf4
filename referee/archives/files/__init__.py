"""Files of many games, divided into shards that can be read anywhere, but not judged here."""
