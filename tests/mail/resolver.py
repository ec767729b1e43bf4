"""A name server for tests, on loopback, and a resolver that asks only this server."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from dns.flags import AA
from dns.message import from_wire, make_response
from dns.name import Name
from dns.rcode import NXDOMAIN
from dns.rdatatype import to_text
from dns.resolver import Resolver
from dns.rrset import from_text

Records = Mapping[str, Mapping[str, list[str]]]
"""The records of each name, by type."""


@contextmanager
def resolver(records: Records) -> Iterator[Resolver]:
    """A resolver that knows these records and nothing else."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", 0))
        thread = threading.Thread(target=_answer, args=(sock, records), daemon=True)
        thread.start()
        found = Resolver(configure=False)
        found.nameservers, found.port = ["127.0.0.1"], sock.getsockname()[1]
        try:
            yield found
        finally:
            sock.sendto(b"", sock.getsockname())
            thread.join(10)


def _answer(sock: socket.socket, records: Records) -> None:
    """Answer questions until an empty one comes."""
    while True:
        wire, asker = sock.recvfrom(4096)
        if not wire:
            return
        query = from_wire(wire)
        (question,) = query.question
        response = make_response(query)
        response.flags |= AA
        name = _plain(question.name)
        if name in records:
            texts = records[name].get(to_text(question.rdtype), [])
            response.answer = [from_text(question.name, 60, "IN", question.rdtype, *texts)] if texts else []
        elif not any(known.endswith(f".{name}") for known in records):
            response.set_rcode(NXDOMAIN)
        sock.sendto(response.to_wire(), asker)


def _plain(name: Name) -> str:
    return name.to_text(omit_final_dot=True)
