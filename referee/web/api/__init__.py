"""The HTTP API: judge, complete, draw and play games for other programs; it needs the extra `web`.

`api` is the whole application; `stateless_router` and `games_router` are its parts, for a server with pages too.
"""

from referee.web.api.application import api
from referee.web.api.games import games_router
from referee.web.api.limits import REQUEST_LIMITS, Gate, RequestLimits
from referee.web.api.problems import explain_problems
from referee.web.api.routes import stateless_router
from referee.web.api.server import WebServer
from referee.web.api.workers import Workers

__all__ = [
    "REQUEST_LIMITS",
    "Gate",
    "RequestLimits",
    "WebServer",
    "Workers",
    "api",
    "explain_problems",
    "games_router",
    "stateless_router",
]
