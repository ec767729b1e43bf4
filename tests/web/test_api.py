"""Answers of the API: the same as those of the commands, errors as JSON, and headers that are safe everywhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

from tests.support.api import Inline, client
from tests.support.command_line import referee
from tests.support.rows import each

if TYPE_CHECKING:
    from starlette.testclient import TestClient

ROOT = Path(__file__).resolve().parents[2]
GAMES = sorted((ROOT / "games").glob("*/*.yaml"))
LOGS = sorted((ROOT / "spec" / "vectors").glob("*.jsonl"))


@pytest.fixture(scope="module")
def api() -> TestClient:
    return client()


def problem(answer: Any) -> tuple[int, str, str]:  # noqa: ANN401 - a response
    from referee.web.api.answers import ProblemAnswer

    told = ProblemAnswer.model_validate_json(answer.content)
    return answer.status_code, told.code, told.detail


@pytest.mark.slow
@each(GAMES, every=4)
def test_a_check_is_that_of_the_command(file: Path, api: TestClient) -> None:
    (said,) = referee("check", "--format", "jsonl", file).objects
    answer = api.post("/api/v1/check", params={"file": str(file)}, content=file.read_bytes())
    assert answer.json() == said


@pytest.mark.slow
@each(GAMES, every=4)
def test_a_report_is_that_of_the_command(file: Path, api: TestClient) -> None:
    answer = api.post("/api/v1/report", content=file.read_bytes())
    assert answer.json() == json.loads(referee("report", "--every", "--format", "json", file).out)
    last = api.post("/api/v1/position", content=file.read_bytes())
    assert last.json() == json.loads(referee("report", "--format", "json", file).out)


@each(GAMES, every=6)
def test_legal_moves_are_those_of_the_command(file: Path, api: TestClient) -> None:
    run = referee("legal", file)
    answer = api.post("/api/v1/legal", content=file.read_bytes())
    if run.status:
        assert problem(answer)[1] in run.err
        return
    several = len(answer.json()) > 1
    assert [
        f"{side} {one}" if several else one for side, moves in answer.json().items() for one in moves
    ] == run.lines


@each(GAMES, every=8)
def test_a_picture_is_that_of_the_command(file: Path, api: TestClient) -> None:
    answer = api.post("/api/v1/board.svg", content=file.read_bytes())
    assert (answer.headers["content-type"], answer.text) == (
        "image/svg+xml",
        referee("report", "--format", "svg", file).out,
    )
    ElementTree.fromstring(answer.text)


@pytest.mark.slow
@each(LOGS, every=8)
def test_an_audit_is_that_of_the_command(file: Path, api: TestClient) -> None:
    run = referee("audit", file)
    found = api.post("/api/v1/audit", content=file.read_bytes()).json()
    assert found["ok"] == (run.status == 0)
    for finding in found["findings"]:
        assert f":{finding['line']}:{finding['column']}: {finding['code']}: {finding['message']}" in run.out
    assert f"head {found['head']}" in run.out or found["head"] is None


def test_a_head_exposes_a_log_that_was_cut_short(api: TestClient) -> None:
    whole = (ROOT / "spec" / "vectors" / "boundary.jsonl").read_bytes()
    head = api.post("/api/v1/audit", content=whole).json()["head"]
    cut = whole[: whole.rindex(b"\n", 0, -1) + 1]
    found = api.post("/api/v1/audit", params={"head": head}, content=cut).json()
    assert [one["code"] for one in found["findings"]] == ["cut", "cut"] or found["findings"][-1]["code"] == "cut"
    assert api.post("/api/v1/audit", params={"head": head.upper()}, content=whole).json()["behind"] == 0


def test_a_game_is_played_to_its_next_ply(api: TestClient) -> None:
    begun = b'{"game": "beams", "players": {"south": {"name": "Ada"}}, "moves": ""}'
    moves = ["south p m1 a2 12:00", "north P S B3"]
    made = api.post("/api/v1/play", params={"move": moves}, content=begun).json()
    assert made["ply"]["moves"] == {"south": "P M1 A2 12", "north": "P S B3"}
    assert json.loads(made["file"])["players"] == {"south": {"name": "Ada"}}
    again = api.post("/api/v1/position", content=made["file"].encode()).json()
    assert again == made["ply"]
    at = api.get("/api/v1/position", params={"game": "beams", "position": made["position"]}).json()
    assert at["position"] == made["ply"]["position"]


def test_a_file_keeps_its_comments_when_a_ply_is_made(api: TestClient) -> None:
    text = "# ours\ngame: boundary\nmoves: |\n  1. P a1-b2   ; well\n"
    made = api.post("/api/v1/play", params={"move": "north P f1-e2"}, content=text.encode()).json()
    assert made["file"].startswith("# ours\ngame: boundary\nmoves: |\n  1. P a1-b2")
    assert "{ well} | P f1-e2" in made["file"]


def test_a_bare_list_belongs_to_the_game_that_is_named(api: TestClient) -> None:
    asked = {"game": "boundary", "file": "ours"}
    answer = api.post("/api/v1/check", params=asked, content=b"P a1-b2 | P f1-e2\n")
    assert answer.json() == {"file": "ours", "ok": True, "plies": 2, "findings": []}


def test_a_bare_list_can_be_of_a_game_with_options(api: TestClient) -> None:
    """`columns=17` makes room for A16, which the usual board has not."""
    wide = {"game": "beams", "option": ["columns=17", "mode=synchronous"]}
    judged = [api.post("/api/v1/report", params=one, content="P M1 A16 12") for one in (wide, {"game": "beams"})]
    assert [one.status_code for one in judged] == [200, 422]
    assert "P M1 A16 12" in api.get("/api/v1/legal", params=wide | {"prefix": "P M1 A16"}).text


def test_an_archive_is_judged_line_by_line(api: TestClient) -> None:
    lines = b'{"game": "boundary", "moves": "P a1-b2"}\n{"game": "boundary", "moves": "P a1-f6"}\n'
    found = api.post("/api/v1/check", content=lines).json()
    assert (found["ok"], [one["line"] for one in found["findings"]]) == (False, [2])


@pytest.mark.slow
def test_a_picture_has_the_size_and_paper_that_are_wanted(api: TestClient) -> None:
    asked = {"game": "laser-chess", "width": "100"}
    light, dark = (api.get("/api/v1/board.png", params={**asked, "paper": paper}) for paper in ("light", "dark"))
    assert light.headers["content-type"] == "image/png"
    assert int.from_bytes(light.content[16:20], "big") == 100
    assert light.content != dark.content


@pytest.mark.slow
@each(
    [
        ("GET", "/api/v1/legal", (400, "parameter")),
        ("GET", "/api/v1/legal?game=chess", (404, "unknown-game")),
        ("GET", "/api/v1/legal?gme=beams", (400, "parameter")),
        ("GET", "/api/v1/legal?position=board", (400, "parameter")),
        ("GET", "/api/v1/legal?game=beams&position=board", (422, "position")),
        ("GET", "/api/v1/legal?option=columns%3D17", (400, "parameter")),
        ("GET", "/api/v1/legal?game=boundary&option=first%3Dnorth&option=first%3Dsouth", (400, "parameter")),
        ("GET", "/api/v1/legal?game=beams&option=columns", (400, "parameter")),
        ("GET", "/api/v1/legal?game=beams&option=columns%3D%5B", (400, "parameter")),
        ("GET", "/api/v1/legal?game=beams&option=colums%3D17", (422, "option")),
        ("GET", "/api/v1/legal?game=beams&side=west", (422, "unknown-side")),
        ("GET", "/api/v1/legal?game=boundary&prefix=Q", (422, "syntax")),
        ("GET", "/api/v1/legal?game=boundary&prefix=P+c3", (422, "no-legal-move")),
        ("GET", "/api/v1/position?game=beams&ply=1", (422, "no-such-ply")),
        ("GET", "/api/v1/position?game=beams&ply=-1", (400, "parameter")),
        ("GET", "/api/v1/position?game=beams&ply=one", (400, "parameter")),
        ("GET", "/api/v1/board.svg?game=beams&view=west", (400, "parameter")),
        ("GET", "/api/v1/board.png?game=beams&width=9999", (400, "parameter")),
        ("GET", "/api/v1/board.png?game=beams&paper=pink", (400, "parameter")),
        ("GET", "/api/v1/board.gif?game=beams", (404, "no-such-path")),
        ("GET", "/api/v1/check", (405, "method")),
        ("GET", "/api/v1/games/spring-7", (404, "no-such-path")),
        ("PUT", "/api/v1/legal", (405, "method")),
        ("POST", "/api/v1/play?game=boundary", (400, "parameter")),
        ("POST", "/api/v1/play?game=boundary&move=south", (422, "syntax")),
        ("POST", "/api/v1/play?game=boundary&move=south+P+a1-f6", (422, "distance")),
        ("POST", "/api/v1/play?game=boundary&move=south+P+a1-a2&move=south+P+a1-a2", (400, "parameter")),
        ("POST", "/api/v1/audit?head=abc", (400, "parameter")),
        ("GET", "/ap", (404, "no-such-path")),
        ("GET", "/api/v1/legal?game=beams&game=boundary", (400, "parameter")),
        ("POST", "/api/v1/check?game=beams&file=a&file=a", (400, "parameter")),
    ]
)
def test_every_fault_has_a_code(row: tuple[str, str, tuple[int, str]], api: TestClient) -> None:
    method, path, expected = row
    assert problem(api.request(method, path))[:2] == expected


def test_an_unknown_method_is_refused_with_a_list_of_those_allowed(api: TestClient) -> None:
    found = {path: api.put(f"/api/{path}") for path in ("v1/legal", "v1/check", "openapi.json")}
    assert {path: one.headers["allow"] for path, one in found.items()} == {
        "v1/legal": "GET, HEAD, POST",
        "v1/check": "POST",
        "openapi.json": "GET, HEAD",
    }
    assert problem(found["v1/legal"])[2] == "there is no 'PUT' here, only GET, HEAD and POST"


def test_a_wrong_file_is_reported_with_all_its_findings(api: TestClient) -> None:
    told = api.post("/api/v1/report", content=b'{"game": "boundary", "dat": 2027, "moves": "P a1"}').json()
    assert [(one["column"], one["code"]) for one in told["findings"]] == [(22, "unknown-key"), (35, "syntax")]
    assert (told["line"], told["column"], told["suggestions"]) == (1, 22, ["date"])


def test_a_mistake_of_ours_is_no_traceback(api: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_self: Inline, _task: object, _client: str) -> bytes:
        raise ZeroDivisionError("the secret of this line")

    monkeypatch.setattr(Inline, "do", broken)
    answer = api.get("/api/v1/legal?game=beams")
    assert problem(answer)[:2] == (500, "internal")
    assert "secret" not in answer.text


@each(["/api", "/api/openapi.json", "/api/v1/legal?game=boundary", "/api/v1/board.svg?game=boundary", "/nothing"])
def test_every_answer_has_safe_headers(path: str, api: TestClient) -> None:
    answer = api.get(path, headers={"Origin": "https://club.example.org"})
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "ETag" in answer.headers["access-control-expose-headers"]
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "set-cookie" not in answer.headers
    assert "access-control-allow-credentials" not in answer.headers


def test_the_description_names_every_path_and_no_other(api: TestClient) -> None:
    page, document = api.get("/").text, api.get("/api/openapi.json").json()
    assert all(
        f"<code>{method.upper()} {path}</code>" in page for path, item in document["paths"].items() for method in item
    )
    assert "<script" not in page
    assert "src=" not in page
    assert "//" not in page
    names = [one["operationId"] for item in document["paths"].values() for one in item.values()]
    assert len(names) == len(set(names))


@pytest.mark.slow
def test_answers_have_the_shape_that_the_description_says(api: TestClient) -> None:
    from referee.web.api import answers

    text = GAMES[0].read_bytes()
    for path, model in (("check", answers.CheckAnswer), ("position", answers.PlyAnswer)):
        model.model_validate_json(api.post(f"/api/v1/{path}", content=text).content)
    answers.CheckAnswer.model_validate_json(api.post("/api/v1/check", content=b"game: beems").content)
    answers.AuditAnswer.model_validate_json(api.post("/api/v1/audit", content=LOGS[0].read_bytes()).content)
    answers.AuditAnswer.model_validate_json(api.post("/api/v1/audit", content=b"{").content)
    played = api.post("/api/v1/play", params={"game": "boundary", "move": "south P a1-b2"})
    answers.PlayAnswer.model_validate_json(played.content)


def test_an_answer_that_has_not_changed_is_not_given_again(api: TestClient) -> None:
    path = "/api/v1/legal?game=boundary"
    first = api.get(path)
    again = api.get(path, headers={"If-None-Match": first.headers["etag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert api.get(path, headers={"If-None-Match": "*"}).status_code == 304
    assert api.get(path, headers={"If-None-Match": '"other"'}).content == first.content
    assert "etag" not in api.get("/api/v1/legal?game=chess").headers


def test_answers_are_compressed_for_those_who_can_read_it(api: TestClient) -> None:
    path = "/api/openapi.json"
    packed, plain = (api.get(path, headers={"Accept-Encoding": one}) for one in ("gzip", "identity"))
    assert (packed.headers.get("content-encoding"), plain.headers.get("content-encoding")) == ("gzip", None)
    assert packed.content == plain.content
    picture = api.get("/api/v1/board.png?game=boundary&width=100", headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in picture.headers


def test_problems_have_the_type_of_problems(api: TestClient) -> None:
    answer = api.get("/api/v1/legal?game=chess")
    assert answer.headers["content-type"] == "application/problem+json"
    told = answer.json()
    assert (told["status"], told["title"], told["code"]) == (404, "Not Found", "unknown-game")
    for path in api.get("/api/openapi.json").json()["paths"].values():
        for failed in ("4XX", "5XX"):
            assert all(
                [*one["responses"][failed]["content"]] == ["application/problem+json"] for one in path.values()
            )


def test_a_generated_client_has_one_class_for_all_game_files(api: TestClient) -> None:
    """It takes any keys: typed clients of some generators could send none but the empty object otherwise."""
    document = api.get("/api/openapi.json").json()
    asked = [
        one["requestBody"]["content"]
        for path in document["paths"].values()
        for one in path.values()
        if "requestBody" in one
    ]
    bodies = [one["application/json"]["schema"] for one in asked if "application/json" in one]
    assert len(bodies) > 5
    assert {one["$ref"] for one in bodies} == {"#/components/schemas/GameFile"}
    assert document["components"]["schemas"]["GameFile"]["additionalProperties"] is True
