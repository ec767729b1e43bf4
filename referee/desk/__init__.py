"""The desk: whole correspondences, from acts to logs that any reader can judge again.

`Desk` is the one way in; `inbox`, `outbox`, `games` and its other parts are those of a store, which needs the extra
`mail`. `records` and `errors` have its inputs and results.
"""

from referee.desk.law.audit import Audit, audit
from referee.desk.law.seat_addresses import Seat
from referee.desk.log.acts import Act, By, Order
from referee.desk.log.log import Came, Entry
from referee.desk.log.seals import Key
from referee.desk.log.terms import Terms
from referee.desk.play.decisions import Answer
from referee.desk.play.notices import Notice
from referee.desk.play.progress import Progress
from referee.desk.play.proposals import Proposal
from referee.desk.service import Desk
from referee.desk.state.clock import clock
from referee.desk.state.state import State
from referee.desk.views import public

__all__ = [
    "Act",
    "Answer",
    "Audit",
    "By",
    "Came",
    "Desk",
    "Entry",
    "Key",
    "Notice",
    "Order",
    "Progress",
    "Proposal",
    "Seat",
    "State",
    "Terms",
    "audit",
    "clock",
    "public",
]
