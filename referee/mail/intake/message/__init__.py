"""A message as text: header, parts, characters, and the lines that its writer wrote.

1. `limits`: measure the bytes; of a letter that is too large, only the header is read.
2. `headers`: split the header into raw fields, and decode each on demand.
3. `trace`: find which of the host's own servers took the letter, and what they found.
4. `parts`, `html`: find the parts that hold text, and turn HTML into lines.
5. `text`: cut the text into lines, with plain signs; `announcements` and `phrases` know what mail programs and polite
   people write.

`referee.mail.intake` reads the commands in the lines.
"""
