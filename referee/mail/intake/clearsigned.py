"""Letters that are signed with OpenPGP without being encrypted (RFC 4880, section 7): the text between the marks."""

from __future__ import annotations

from referee.mail.intake.lines import Line, plain

_BEGIN = "-----BEGIN PGP SIGNED MESSAGE-----"
_SIGNATURE, _END = "-----BEGIN PGP SIGNATURE-----", "-----END PGP SIGNATURE-----"
_ESCAPE = "- "


def signed_lines(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """The lines without the marks of a signed text, its headers and the signature; the dashes in it as written.

    The signature itself is not checked: it says nothing that the address of a seat does not say.
    """
    if not any(line.text == _BEGIN for line in lines):
        return lines
    kept: list[Line] = []
    place = "outside"
    for line in lines:
        match place:
            case "outside" if line.text == _BEGIN:
                place = "headers"
            case "headers":
                place = "headers" if line.text else "text"
            case "text" if line.text == _SIGNATURE:
                place = "signature"
            case "signature":
                place = "outside" if line.text == _END else "signature"
            case "text":
                kept.append(_unescaped(line))
            case _:
                kept.append(line)
    return tuple(kept)


def _unescaped(line: Line) -> Line:
    written = line.written.removeprefix(_ESCAPE)
    return line if written == line.written else Line(line.number, plain(written), written)
