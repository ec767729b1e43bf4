"""The desk: whole correspondences, from acts to logs that any reader can judge again.

`Desk` is the one way in; `inbox`, `outbox`, `games` and its other parts are those of a store, which needs the extra
`mail`. `log` has events, `state` what follows from them, `law` what may happen, `play` what acts do, and `proof` what
players check. `records` and `errors` have inputs and results.
"""

from referee.desk.errors import BrokenGameError, StoreError
from referee.desk.law.attestations import signed_words
from referee.desk.law.audit import Audit, audit
from referee.desk.law.engine_seats import (
    EngineFirstError,
    EngineSeats,
    EngineTurn,
    engine_to_move,
    engine_turn,
    found_move,
)
from referee.desk.law.seat_addresses import Seat, seat_token
from referee.desk.log import acts, events
from referee.desk.log.acts import (
    Accept,
    Act,
    By,
    Claim,
    Close,
    KeptPlan,
    MakeMove,
    OfferDraw,
    Order,
    Reopen,
    Replace,
    Resign,
    Reveal,
    Seal,
    UseKey,
)
from referee.desk.log.bodies import canonical, event_data
from referee.desk.log.events import LogEvent, MessageSent, Played, acting_side, kind_of
from referee.desk.log.heads import Head, HeadSource, each_once, heads_in
from referee.desk.log.log import GAME_ID, START, Came, Entry, log_lines, new_entry, read_entry, read_time, write_time
from referee.desk.log.seals import Key, commitment, digits, seal_lines
from referee.desk.log.secrets import Secrets, sealed_name
from referee.desk.log.signatures import Past, Signer, act_text, head_text, signed
from referee.desk.log.terms import CLAIM, LOSS, TIMEOUT, Terms
from referee.desk.play import progress
from referee.desk.play.decisions import Answer, Context
from referee.desk.play.notices import Notice
from referee.desk.play.progress import Progress
from referee.desk.play.proposals import Proposal
from referee.desk.play.setup import set_up
from referee.desk.records import (
    HOLD,
    LEASE,
    Change,
    DomainKey,
    Held,
    Incoming,
    Outgoing,
    Pairing,
    Preference,
    Submission,
)
from referee.desk.service import Desk, Table
from referee.desk.state.clock import clock
from referee.desk.state.invitations import Invitation
from referee.desk.state.state import ABANDONED, State, moves_of
from referee.desk.views import public

__all__ = [
    "ABANDONED",
    "CLAIM",
    "GAME_ID",
    "HOLD",
    "LEASE",
    "LOSS",
    "START",
    "TIMEOUT",
    "Accept",
    "Act",
    "Answer",
    "Audit",
    "BrokenGameError",
    "By",
    "Came",
    "Change",
    "Claim",
    "Close",
    "Context",
    "Desk",
    "DomainKey",
    "EngineFirstError",
    "EngineSeats",
    "EngineTurn",
    "Entry",
    "Head",
    "HeadSource",
    "Held",
    "Incoming",
    "Invitation",
    "KeptPlan",
    "Key",
    "LogEvent",
    "MakeMove",
    "MessageSent",
    "Notice",
    "OfferDraw",
    "Order",
    "Outgoing",
    "Pairing",
    "Past",
    "Played",
    "Preference",
    "Progress",
    "Proposal",
    "Reopen",
    "Replace",
    "Resign",
    "Reveal",
    "Seal",
    "Seat",
    "Secrets",
    "Signer",
    "State",
    "StoreError",
    "Submission",
    "Table",
    "Terms",
    "UseKey",
    "act_text",
    "acting_side",
    "acts",
    "audit",
    "canonical",
    "clock",
    "commitment",
    "digits",
    "each_once",
    "engine_to_move",
    "engine_turn",
    "event_data",
    "events",
    "found_move",
    "head_text",
    "heads_in",
    "kind_of",
    "log_lines",
    "moves_of",
    "new_entry",
    "progress",
    "public",
    "read_entry",
    "read_time",
    "seal_lines",
    "sealed_name",
    "seat_token",
    "set_up",
    "signed",
    "signed_words",
    "write_time",
]
