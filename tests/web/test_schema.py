"""The API keeps its own description: requests that are made from it get only described answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings

from tests.support.api import client

if TYPE_CHECKING:
    from schemathesis import Case

EXAMPLES = 60

pytestmark = pytest.mark.slow(minutes=2)


def test_requests_made_from_the_description_get_described_answers() -> None:
    schemathesis = pytest.importorskip("schemathesis", reason="needs pip install -e '.[dev-slow]'")
    from schemathesis import checks
    from schemathesis.core.result import Ok
    from schemathesis.specs.openapi import checks as shapes

    from referee.web.api import RequestLimits

    app = client(RequestLimits(rate=0)).app
    schema = schemathesis.openapi.from_asgi("/api/openapi.json", app, headers={"Host": "localhost"})
    wanted = [
        checks.not_a_server_error,
        shapes.status_code_conformance,
        shapes.content_type_conformance,
        shapes.response_schema_conformance,
    ]
    asked = 0
    for found in schema.get_all_operations():
        assert isinstance(found, Ok), found

        @given(found.ok().as_strategy())
        @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), database=None)
        def conforms(case: Case[Any]) -> None:
            nonlocal asked
            asked += 1
            case.call_and_validate(checks=wanted)

        conforms()
    assert asked > EXAMPLES
