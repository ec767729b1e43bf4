"""The desk by mail: letters in and out, and what lies between them.

`transport` carries letters, `intake` reads them, `handlers` takes them through the desk and drafts the answers, and
`letters` writes these out. `browsers` has players at pages, `evidence` compares letters with a log, and `host` is
what the host can do.
"""
