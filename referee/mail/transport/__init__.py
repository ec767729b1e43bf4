"""How letters come and go: LMTP, Maildir and IMAP in, SMTP out."""
