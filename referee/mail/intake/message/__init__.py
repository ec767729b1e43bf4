"""A message as text: header, parts, characters, and the lines that its writer wrote.

`limits` measures the bytes, `headers` decodes the header, and `trace` finds which of the host's own servers took the
letter. `parts` and `html` find the text, and `text` cuts it into lines, with `announcements` and `phrases` of what
mail programs and polite people write.
"""
