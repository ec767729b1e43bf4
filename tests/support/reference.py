"""The page of the Python API, spec/reference.md; `python -m tests.support.reference` prints it from docstrings."""

from __future__ import annotations

import ast
import enum
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, is_dataclass
from functools import cached_property
from itertools import pairwise
from typing import ForwardRef, cast, get_overloads

import referee

LONGEST = 100

WITHIN = frozenset(
    {
        *("Position.award", "Position.pieces", "Position.expect_side", "Position.out_of_turn"),
        *("GameFile.turns", "GameFile.finding_at", "GameFile.outcome_at", "NotationError.with_suggestions"),
        *("Position.flaw", "Position.any_move", "GameFile.first_own_ply"),
        *("Finding.at", "FileError.named", "Game.takes_flip", "Game.flips", "Game.completed", "Game.chance"),
    }
)
"""Members that games, and rooms of the package, need of each other; programs do not."""

CHAPTERS = {
    "Begin": ("new", "start", "parse_move", "games", "GAMES"),
    "Positions": ("Position", "LegalMoves", "Outcome", "Termination"),
    "Game files": ("read", "loads", "dumps", "GameFile", "Round", "AnnotatedMove", "Ply", "Player", "End"),
    "Pictures": ("svg", "png", "text", "show"),
    "Archives and data": ("archive", "frame"),
    "What a game is": ("Game", "Option"),
    "Errors": (
        "RefereeError",
        "NotationError",
        "IllegalMove",
        "OptionError",
        "FileError",
        "PackageFault",
        "Finding",
        "Span",
    ),
}
"""The order of the names; other public names come last, under `REST`."""

REST = "More"

INTRODUCTION = """# The Python API

Everything that `import referee` offers, from the docstrings. Tests run the examples in a checkout.
"""

_SECTION = re.compile(r"(Args|Attributes|Returns|Yields|Raises):")
_ITEM = re.compile(r"(\*{0,2}\w+): (.*)", re.DOTALL)
_ATTRIBUTES = (property, cached_property)
_METHODS = (classmethod, staticmethod)

Kind = inspect.Parameter


@dataclass(frozen=True)
class Member:
    """A public name, or an attribute or method of one: its title, its signatures and its docstring."""

    title: str
    signatures: tuple[str, ...]
    doc: str

    @property
    def summary(self) -> str:
        """The first sentence."""
        first = self.doc.split("\n\n")[0].replace("\n", " ")
        return re.split(r"(?<=[.:;]) ", first)[0].rstrip(".:;")


def page() -> str:
    """The whole page."""
    chapters = [(title, [name for name in names if name in referee.__all__]) for title, names in CHAPTERS.items()]
    seen = {name for _, names in chapters for name in names}
    chapters.append((REST, [name for name in referee.__all__ if name not in seen]))
    parts = [INTRODUCTION]
    for title, names in chapters:
        if names:
            parts += [f"## {title}\n", contents(names), *(entry(name) for name in names)]
    return "\n".join(parts)


def contents(names: list[str]) -> str:
    """A table of the names of a chapter, with their summaries."""
    rows = [f"| [`{name}`](#{name.lower()}) | {members(name)[0].summary} |" for name in names]
    return "\n".join(["| name | is |", "|---|---|", *rows, ""])


def entry(name: str) -> str:
    """The entry of a name, with its members."""
    first, *others = (one for one in members(name) if one.title not in WITHIN)
    lines = [f"### {first.title}\n", *body(first)]
    for member in others:
        lines += [f"#### `{member.title}`\n", *body(member)]
    return "\n".join(lines)


def body(member: Member) -> Iterator[str]:
    """The signatures of a member, and its docstring as Markdown."""
    if member.signatures:
        yield "```text\n" + "\n".join(member.signatures) + "\n```\n"
    yield from markdown(member.doc)


def members(name: str) -> list[Member]:
    """A public name, and the public attributes and methods of a class."""
    value = getattr(referee, name)
    if isinstance(value, type):
        return [Member(name, tuple(constructor(value)), doc_of(value)), *attributes(value)]
    if callable(value):
        return [Member(name, signatures(name, value), doc_of(value))]
    return [Member(name, (f"{name} = {value!r}",), assigned_doc(name, value))]


def constructor(kind: type) -> Iterator[str]:
    """The signature of a class, or the members of an enumeration; nothing of a class that users do not construct."""
    if issubclass(kind, enum.Enum):
        yield from (f"{kind.__name__}.{member.name} = {member.value!r}" for member in kind)
    elif not inspect.isabstract(kind) and (
        is_dataclass(kind) or hasattr(kind, "_fields") or any("__init__" in vars(one) for one in ours(kind))
    ):
        yield call(kind.__name__, inspect.signature(kind).replace(return_annotation=inspect.Signature.empty))


def attributes(kind: type) -> Iterator[Member]:
    """The public attributes and methods that a class has from our own code, each once."""
    seen: set[str] = set()
    for one in ours(kind):
        for name, value in vars(one).items():
            if name.startswith("_") or name in seen:
                continue
            title = f"{kind.__name__}.{name}"
            if isinstance(value, _ATTRIBUTES):
                seen.add(name)
                getter = value.fget if isinstance(value, property) else value.func
                yield Member(title, (f"{title}: {result_type(getter)}",), inherited_doc(kind, name))
            elif inspect.isfunction(value) or isinstance(value, _METHODS):
                seen.add(name)
                yield Member(title, signatures(title, value), inherited_doc(kind, name))


def ours(kind: type) -> list[type]:
    """A class and its bases, as far as they are our own."""
    return [one for one in kind.__mro__ if one.__module__.partition(".")[0] == "referee"]


def signatures(name: str, value: object) -> tuple[str, ...]:
    """The signatures of a function or method: each of its overloads, if it has some."""
    bare = cast(Callable[..., object], getattr(value, "__func__", value))
    method = "." in name and not isinstance(value, staticmethod)
    return tuple(call(name, inspect.signature(one), method=method) for one in get_overloads(bare) or [bare])


def call(name: str, signature: inspect.Signature, *, method: bool = False) -> str:
    """A call in one line, or with a line for each parameter if that is too long."""
    inside = [*parameters([*signature.parameters.values()][method:])]
    result = "" if signature.return_annotation is signature.empty else f" -> {source(signature.return_annotation)}"
    line = f"{name}({', '.join(inside)}){result}"
    if len(line) <= LONGEST:
        return line
    return f"{name}(\n" + "".join(f"    {one},\n" for one in inside) + f"){result}"


def parameters(those: list[inspect.Parameter]) -> Iterator[str]:
    """The parameters as in source text, with the marks between their kinds."""
    before = None
    for one in those:
        if before is Kind.POSITIONAL_ONLY and one.kind is not before:
            yield "/"
        if one.kind is Kind.KEYWORD_ONLY and before not in (Kind.KEYWORD_ONLY, Kind.VAR_POSITIONAL):
            yield "*"
        yield parameter(one)
        before = one.kind
    if before is Kind.POSITIONAL_ONLY:
        yield "/"


def parameter(one: inspect.Parameter) -> str:
    """A parameter with its type and default; `...` replaces a default that has no source text."""
    stars = "*" * (one.kind is Kind.VAR_POSITIONAL) + "**" * (one.kind is Kind.VAR_KEYWORD)
    kind = "" if one.annotation is one.empty else f": {source(one.annotation)}"
    default = "..." if one.default is ... or repr(one.default).startswith("<") else repr(one.default)
    return f"{stars}{one.name}{kind}" + ("" if one.default is one.empty else f" = {default}")


def source(annotation: object) -> str:
    """An annotation as in the source."""
    annotation = annotation.__forward_arg__ if isinstance(annotation, ForwardRef) else annotation
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


def result_type(getter: Callable[..., object] | None) -> str:
    """The type of an attribute that is computed."""
    return source(inspect.signature(getter).return_annotation) if getter else ""


def doc_of(value: object) -> str:
    return inspect.getdoc(value) or ""


def inherited_doc(kind: type, name: str) -> str:
    """The docstring of a member: its own, or that of what it overrides."""
    values = (vars(one)[name] for one in kind.__mro__ if name in vars(one))
    return next((inspect.cleandoc(value.__doc__) for value in values if value.__doc__), "")


def assigned_doc(name: str, value: object) -> str:
    """The text below the assignment of a value, in the module where it was made."""
    for module in [one for key, one in sorted(sys.modules.items()) if key.startswith("referee.")]:
        if getattr(module, name, None) is value:
            statements = ast.parse(inspect.getsource(module)).body
            for one, after in pairwise(statements):
                if name in targets(one) and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                    return inspect.cleandoc(str(after.value.value))
    return ""


def targets(statement: ast.stmt) -> set[str]:
    """The names that a statement assigns to."""
    ends = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    return {end.id for end in ends if isinstance(end, ast.Name)}


def markdown(doc: str) -> Iterator[str]:
    """The paragraphs of a docstring, its sections as lists and its examples as code."""
    for paragraph in paragraphs(doc):
        head, _, rest = paragraph.partition("\n")
        if paragraph.startswith(">>>"):
            yield f"```python\n{paragraph}\n```\n"
        elif section := _SECTION.fullmatch(head):
            yield from bullets(section[1], inspect.cleandoc("\n" + rest))
        else:
            yield paragraph + "\n"


def paragraphs(doc: str) -> Iterator[str]:
    """The text between blank lines; a section that follows without one is a paragraph of its own."""
    for paragraph in doc.split("\n\n"):
        begin = 0
        lines = paragraph.split("\n")
        for number, line in enumerate(lines):
            if number > begin and _SECTION.fullmatch(line):
                yield "\n".join(lines[begin:number])
                begin = number
        if text := "\n".join(lines[begin:]).strip("\n"):
            yield text


def bullets(section: str, text: str) -> Iterator[str]:
    """A section of a docstring: an item for each name, or for the returned value."""
    if section in ("Returns", "Yields"):
        yield f"**{section}** {text}\n"
        return
    items = re.split(r"\n(?=\S)", text)
    lines = [re.sub(_ITEM, r"`\1`: \2", re.sub(r"\n\s+", "\n  ", item)) for item in items]
    yield f"**{'Arguments' if section == 'Args' else section}**\n"
    yield "\n".join(f"- {line}" for line in lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(page())
