"""The desk: whole correspondences, from requests to logs that anybody can referee again.

The store is in `referee.desk.store`; it needs the extra `mail`.
"""

from referee.desk.audit import Report, audit
from referee.desk.case import Case, Decision
from referee.desk.clock import Terms, clock
from referee.desk.deciding import Carried, carried_out, decide
from referee.desk.log import Entry, verified
from referee.desk.opening import opened
from referee.desk.requests import Answer
from referee.desk.state import State, folded
from referee.desk.tokens import Key, Seat
from referee.desk.views import public, view

__all__ = [
    "Answer",
    "Carried",
    "Case",
    "Decision",
    "Entry",
    "Key",
    "Report",
    "Seat",
    "State",
    "Terms",
    "audit",
    "carried_out",
    "clock",
    "decide",
    "folded",
    "opened",
    "public",
    "verified",
    "view",
]
