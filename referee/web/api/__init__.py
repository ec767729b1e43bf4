"""The HTTP API: judge, complete, draw and play games for other programs; it needs the extra `web`.

`api` makes the application. Its routes ask `Workers` for anything that takes time, within the `RequestLimits`.
"""

from referee.web.api.application import api
from referee.web.api.limits import Gate, RequestLimits
from referee.web.api.workers import Workers
from referee.web.server import WebServer

__all__ = ["Gate", "RequestLimits", "WebServer", "Workers", "api"]
