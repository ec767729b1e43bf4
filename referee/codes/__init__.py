"""Every stable code explained: what it means, what to do about it, and an example that shows it.

`explanations` finds the texts, and `presentation`, above it, makes text, data and tables of them.
"""

from referee.codes.explanations import Chapter, Explanation, chapters, explanations_of
from referee.codes.presentation import catalogue, entry_text

__all__ = ["Chapter", "Explanation", "catalogue", "chapters", "entry_text", "explanations_of"]
