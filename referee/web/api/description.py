"""The API's description as a page for people: made of its OpenAPI document, without script."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

_STYLE = (
    "body{font:1rem/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}"
    "code{font-family:ui-monospace,monospace}dt{margin-top:.5rem}h2{margin-top:2rem}"
)


def description_page(document: Mapping[str, Any]) -> str:
    """The page of an OpenAPI document: its operations with their effects and parameters."""
    info = document["info"]
    operations = "\n".join(
        line
        for path, item in document["paths"].items()
        for method, operation in item.items()
        for line in _operation(method.upper(), path, operation)
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The API of {escape(info["title"])}</title>
<style>{_STYLE}</style>
</head>
<body>
<main>
<h1>The API of {escape(info["title"])} {escape(info["version"])}</h1>
<p>{escape(info["description"])}</p>
<p>For programs, the same as OpenAPI: <a href="/api/openapi.json">openapi.json</a>.</p>
{operations}
</main>
</body>
</html>
"""


def _operation(method: str, path: str, operation: Mapping[str, Any]) -> Iterator[str]:
    yield f"<h2><code>{method} {escape(path)}</code></h2>"
    yield f"<p>{_words(operation['description'])}</p>"
    body = operation.get("requestBody", {}).get("content", {})
    taken = {one["name"]: one.get("description", "") for one in operation.get("parameters", ())}
    taken |= {f"body ({kind})": one["schema"]["description"] for kind, one in body.items()}
    if taken:
        yield "<dl>"
        yield from (f"<dt><code>{escape(name)}</code></dt><dd>{_words(says)}</dd>" for name, says in taken.items())
        yield "</dl>"


def _words(text: str) -> str:
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if number % 2 else part for number, part in enumerate(parts))
