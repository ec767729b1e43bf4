"""For a log with any JSON, the API and the page give the findings of an audit."""

from __future__ import annotations

import json

import pytest

from referee.web.onepage.bridge import answer_page
from tests.support.api import client
from tests.support.logs import audit_text
from tests.support.torn_logs import sampled_logs


@pytest.mark.slow
def test_the_api_and_the_page_judge_each_torn_log_as_an_audit_does() -> None:
    with client() as asking:
        for one in sampled_logs(0, 599):
            found = [finding.as_json() for finding in audit_text(one.text).findings]
            answer = asking.post("/api/v1/audit", content=one.text)
            assert (answer.status_code, answer.json()["findings"]) == (200, found), one.shows
            said = json.loads(answer_page(json.dumps({"call": "audit", "with": {"text": one.text}})))
            assert said["status"] == int(bool(found)), one.shows
