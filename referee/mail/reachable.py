"""Which addresses letters can be sent to."""

from __future__ import annotations

from email.headerregistry import Address

LONGEST = 254
"""So many characters has the longest address of the standard (RFC 5321)."""


def is_reachable(address: str) -> bool:
    """Whether an address can stand in the header of a letter as any mail server takes it: in ASCII (RFC 5322)."""
    if not address.isascii() or len(address) > LONGEST:
        return False
    try:
        return Address(addr_spec=address).addr_spec == address
    except Exception:  # the standard library raises nearly anything over an odd address
        return False
