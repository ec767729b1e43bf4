"""A message as text: header, parts, characters, and the lines that its writer wrote.

Everything is bounded before it is parsed. What the lines ask for is read by `referee.mail.intake`.
"""
