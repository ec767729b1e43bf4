"""Letters in by LMTP, Maildir and IMAP; letters out by SMTP.

`lmtp`, `maildir` and `imap` give each letter to `receipt`, which stores it before it is acknowledged. `smtp` and
`imap` take their connections from `tls`; `http` answers only with the numbers of a running desk.
"""
