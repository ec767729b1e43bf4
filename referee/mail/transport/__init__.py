"""Letters in by LMTP, Maildir and IMAP; letters out by SMTP."""
