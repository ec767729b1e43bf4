"""Errors as problems in JSON (RFC 9457): a stable code and a sentence for every failed request, never a traceback."""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from referee.errors import FileError, NotationError, PackageFault, RefereeError, shown
from referee.terminal import join_words, visible_json

JSON, PROBLEM = "application/json", "application/problem+json"

STATUSES = {
    "parameter": 400,
    "no-such-path": 404,
    "unknown-game": 404,
    "method": 405,
    "too-slow": 408,
    "too-large": 413,
    "other-host": 421,
    "too-often": 429,
    "internal": 500,
    "missing-extra": 501,
    "busy": 503,
}
"""The status of an error by its code; all others, and errors about a file, have 422."""

_WRONG = 422


def problem(error: RefereeError, after: int | None = None) -> Response:
    """The answer for an error; `after` is the number of seconds to wait before another request."""
    status = _WRONG if isinstance(error, FileError) else STATUSES.get(error.code, _WRONG)
    span, own = error.span, (error.finding,) if isinstance(error, NotationError) else ()
    said = {
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": error.message,
        "code": error.code,
        "line": span.line if span else None,
        "column": span.column if span else None,
        "suggestions": list(error.suggestions),
        "findings": [one.as_json() for one in (error.findings if isinstance(error, FileError) else own)],
    }
    headers = {} if after is None else {"Retry-After": str(after)}
    return Response(visible_json(said) + "\n", status, headers, PROBLEM)


def explain_problems(app: FastAPI) -> None:
    """Make an application answer all its errors in this form."""
    for kind in (RefereeError, PackageFault, RequestValidationError, HTTPException, Exception):
        app.add_exception_handler(kind, _explained)


def _explained(request: Request, error: Exception) -> Response:
    match error:
        case RefereeError():
            return problem(error, 1 if error.code == "busy" else None)
        case PackageFault(code=code, message=message):
            return problem(RefereeError(code, message))
        case RequestValidationError():
            return problem(RefereeError("parameter", "; ".join(_faults(error))))
        case HTTPException():
            return _unfound(request, error)
        case _:
            return problem(RefereeError("internal", "the referee failed here: please report it"))


def _faults(error: RequestValidationError) -> Iterator[str]:
    for fault in error.errors():
        name = ".".join(map(str, fault["loc"][1:]))
        if fault["type"] == "extra_forbidden":
            yield f"there is no parameter {shown(name)} here"
        elif fault["type"] == "missing":
            yield f"the parameter '{name}' is missing"
        else:
            reason = fault["msg"].removeprefix("Value error, ")
            yield f"'{name}': {reason[:1].lower()}{reason[1:]}"


def _unfound(request: Request, error: HTTPException) -> Response:
    if error.status_code != STATUSES["method"]:
        return problem(RefereeError("no-such-path", f"there is nothing at {shown(request.url.path)}: look at /api"))
    declared = (error.headers or {}).get("Allow", "GET").split(", ")
    found = {method.upper() for method in request.app.openapi()["paths"].get(request.url.path, declared)}
    methods = sorted(found | ({"HEAD"} if "GET" in found else set()))
    answer = problem(RefereeError("method", f"there is no {shown(request.method)} here, only {join_words(methods)}"))
    answer.headers["Allow"] = ", ".join(methods)
    return answer
