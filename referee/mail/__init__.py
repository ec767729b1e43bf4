"""The desk by mail: letters in and out, and what lies between them.

`intake` reads letters, `handling` does what they ask, `composing` writes the answers, and `lmtp`, `maildir`,
`imap` and `outbox` carry them.
"""
