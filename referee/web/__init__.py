"""The web: an HTTP API for other programs, and pages. It knows the desk, but no letters."""
