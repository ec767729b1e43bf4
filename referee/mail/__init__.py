"""The desk by mail: letters in and out, and what lies between them.

`intake` reads letters, `pipeline` takes them through the desk, `replies` and `notifications` draft the answers,
`letters` writes them out, and `transport` and `daemon` carry them. `host` is what the host can do.
"""
