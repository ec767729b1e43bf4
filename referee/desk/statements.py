"""The statements that every letter needs, built once: to build one takes as long as to carry it out."""

from __future__ import annotations

from sqlalchemy import bindparam, exists, func, or_, select, text, update

from referee.desk.schema import CONTENT, EVENT, IS_ADDRESS, LETTER_IN, META, SECRET

LETTERS = select(LETTER_IN, CONTENT.c.bytes).outerjoin(CONTENT, CONTENT.c.digest == LETTER_IN.c.content)
"""Letters with their bytes."""

WAITING = (
    LETTERS.where(
        LETTER_IN.c.done.is_(None),
        or_(LETTER_IN.c.next <= bindparam("at"), LETTER_IN.c.next > bindparam("beyond")),
    )
    .order_by(LETTER_IN.c.number)
    .limit(bindparam("most"))
)
"""The letters that are to be dealt with at a time, in the order in which they came: those that would wait until
`beyond` or later, too."""

DEALT_WITH = (
    update(LETTER_IN)
    .where(LETTER_IN.c.digest == bindparam("letter"), LETTER_IN.c.done.is_(None))
    .values(done=bindparam("at"), next=None, note=bindparam("said"))
)
"""The mark that a letter is dealt with."""

LOG = (
    select(EVENT)
    .where(EVENT.c.game == bindparam("of"), EVENT.c.number >= bindparam("first"))
    .order_by(EVENT.c.number)
)
"""The entries of a game's log, from one on."""

_AGAIN = EVENT.alias()

OVER = select(EVENT.c.game).where(
    EVENT.c.kind == "closed",
    ~exists().where(_AGAIN.c.game == EVENT.c.game, _AGAIN.c.kind == "reopened", _AGAIN.c.number > EVENT.c.number),
)
"""The games that are over: none that was reopened since."""

SECRETS = select(SECRET.c.name, SECRET.c.value).where(SECRET.c.game == bindparam("of"))
"""What is secret of a game."""

KEY = select(SECRET.c.value).where(SECRET.c.game == "", SECRET.c.name == "key")
"""The desk's key."""

IDENTITY = select(META.c.value).where(META.c.name == "id")
"""The desk's id."""

CHARGED = select(func.coalesce(func.sum(LETTER_IN.c.size), 0)).where(
    LETTER_IN.c.account == bindparam("to"), LETTER_IN.c.received > bindparam("since")
)
"""The bytes that somebody's letters added to the store since a time."""

SEATS = (
    select(SECRET.c.game)
    .where(text(IS_ADDRESS), func.lower(SECRET.c.value) == bindparam("address"))
    .group_by(SECRET.c.game)
)
"""The games in which a seat has an address; the index `secret_address` finds it."""
