"""The API's description as a page for people: made of its OpenAPI document, without script."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader


def description_page(document: Mapping[str, Any]) -> str:
    """The page of an OpenAPI document: its operations with their effects and parameters."""
    loader = FileSystemLoader(Path(__file__).parent)
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, loader=loader)
    return environment.get_template("description.html.jinja").render(document)
