"""Text with soft line ends, as `format=flowed` marks them (RFC 3676): joined to the lines that were typed."""

from __future__ import annotations


def joined(text: str, *, delsp: bool = False) -> str:
    """The text with every soft line end taken out.

    A line that ends with a blank goes on in the next one of the same quote depth; the mark of a signature, `-- `,
    never does. Quoted lines come out with one `>` and a blank for each depth.

    Args:
        text: as it stands in the letter.
        delsp: whether the blank before a soft line end belongs to the mark, not to the text.
    """
    lines: list[list[str]] = []
    depth, flowing = 0, False
    for line in text.splitlines():
        inner = line.lstrip(">")
        deep = len(line) - len(inner)
        inner = inner.removeprefix(" ")
        if flowing and deep == depth and inner != "-- ":
            pieces = lines[-1]
            pieces[-1] = pieces[-1][:-1] if delsp else pieces[-1]
            pieces.append(inner)
        else:
            lines.append(["> " * deep, inner])
        depth, flowing = deep, inner.endswith(" ") and inner != "-- "
    return "\n".join("".join(pieces) for pieces in lines)
