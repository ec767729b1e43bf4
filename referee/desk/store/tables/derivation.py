"""What the tables beside the logs begin with, found in the logs by SQL: for older desks, and for repairs."""

from __future__ import annotations

ALL_DUE = (
    "insert into due (game, number, at) select game, 0, '' from event where number = 0 and not exists ("
    "select 1 from event as last where last.game = event.game and last.kind = 'closed' and not exists ("
    "select 1 from event as again where again.game = last.game and again.kind = 'reopened' "
    "and again.number > last.number))"
)
"""Makes a row of `due`, which has none, for each game that is not over."""

ALL_ENGINE_TURNS = (
    "insert into engine_turn (game, number, owed, since) select distinct game, 0, '', '' from event "
    "where kind = 'engaged' and not exists ("
    "select 1 from event as last where last.game = event.game and last.kind = 'closed')"
)
"""Makes a row of `engine_turn`, which has none, for each game with engines that is not over."""

ALL_STANDINGS = (
    "insert into standing (game, number, at, phase, paused) select game, number, at, case "
    "when opened >= 0 and closed > reopened then 'finished' when opened >= 0 then 'running' "
    "when closed > reopened then 'never-begun' else 'waiting' end, paused > resumed and paused > reopened from ("
    "select game, max(number) as number, max(at) as at, "
    + ", ".join(
        f"max(case when kind = '{kind}' then number else -1 end) as {kind}"
        for kind in ("opened", "closed", "reopened", "paused", "resumed")
    )
    + " from event group by game) as found"
)
"""Makes a row of `standing`, which has none, for each game."""
