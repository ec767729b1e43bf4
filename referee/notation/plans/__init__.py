"""Plans: moves that a player leaves for later, with their conditions.

`plan` has the values and their canonical text, `words` reads one line, `reading` a whole text; `following` asks a
plan for its move, and judges it.
"""

from referee.notation.plans.following import follow, judge
from referee.notation.plans.plan import Branch, Plan
from referee.notation.plans.reading import is_plan_line, read_plan

__all__ = ["Branch", "Plan", "follow", "is_plan_line", "judge", "read_plan"]
