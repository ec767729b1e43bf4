"""The desk: whole correspondences, from acts to logs that anybody can judge again.

`Desk` is the one way in. Its store is in `referee.desk.store`, which needs the extra `mail`.
"""

from referee.desk.acts import Act, By, Order
from referee.desk.audit import Audit, audit
from referee.desk.clock import clock
from referee.desk.decisions import Answer
from referee.desk.invitations import Invitation
from referee.desk.log import Came, Entry
from referee.desk.notices import Notice
from referee.desk.progress import Progress
from referee.desk.proposals import Proposal
from referee.desk.seals import Key
from referee.desk.seat_addresses import Seat
from referee.desk.service import Desk
from referee.desk.state import State
from referee.desk.terms import Terms
from referee.desk.views import public, view

__all__ = [
    "Act",
    "Answer",
    "Audit",
    "By",
    "Came",
    "Desk",
    "Entry",
    "Invitation",
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
    "view",
]
