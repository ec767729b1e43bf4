"""Plans: moves that a player leaves for later, with their conditions.

`plan` has the values, `text` reads them, `lines` one line with its `words`, and `judgement` judges and follows them.
"""

from referee.notation.plans.judgement import follow, judge
from referee.notation.plans.plan import Branch, Plan
from referee.notation.plans.text import is_plan_line, names_move, read_plan

__all__ = ["Branch", "Plan", "follow", "is_plan_line", "judge", "names_move", "read_plan"]
