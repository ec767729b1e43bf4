"""The log of a game, with digests, seals, signatures and heads: who holds one can verify it without the desk."""
