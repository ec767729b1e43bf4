"""Checks of DNS records of the desk's domain: for letters to it (MX), for its senders, and for its signatures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from dns.exception import DNSException
from dns.resolver import NXDOMAIN, NoAnswer, NoResolverConfiguration, Resolver

from referee.mail.host.checks import Diagnosis, note, well, wrong
from referee.mail.log import log_line

_KEY = re.compile(r"(?:^|;)\s*p\s*=\s*[A-Za-z0-9+/]")
"""The public key in a record; one that was taken back is empty."""

QUESTION = 5.0
"""Seconds to wait for the answers to one question."""


def name_diagnoses(
    domain: str, resolver: Resolver | None = None, *, selectors: Iterable[str] = ()
) -> Iterator[Diagnosis]:
    """The DNS records of a domain and its DKIM `selectors`, by this machine's resolver or another, if any."""
    try:
        asked = resolver or Resolver()
        asked.lifetime = QUESTION
        servers = _answers(asked, domain, "MX", unknown=False)
    except NXDOMAIN:
        says = f"the resolver knows no domain {domain}: only mail servers with a setting for it deliver letters there"
        yield note("names", says, "correct 'address', or register the domain and publish MX, SPF and DMARC for it")
        return
    except NoResolverConfiguration:
        yield note("names", "this machine has no resolver, so nothing is known of MX, SPF and DMARC")
        return
    except DNSException as error:
        says = f"the resolver has no answer about {domain}, so MX, SPF and DMARC are unknown: {_words(error)}"
        yield note("names", says, "look at /etc/resolv.conf, unless this machine is to have no network")
        return
    try:
        yield _way_in(asked, domain, servers)
        yield _senders(domain, _texts(asked, domain, "v=spf1"))
        yield _policy(domain, _policies(asked, domain))
        for selector in selectors:
            yield _signer(f"{selector}._domainkey.{domain}", asked)
    except DNSException as error:
        yield note("names", f"the resolver does not tell everything about {domain}: {_words(error)}")


def _way_in(resolver: Resolver, domain: str, servers: list[str]) -> Diagnosis:
    """Check that other mail servers find the way to the domain."""
    names = sorted(server.split()[-1].rstrip(".") for server in servers)
    if names == [""]:
        remedy = "publish an MX record with the name of your mail server"
        return wrong("names", f"{domain} says that it takes no letters (a null MX)", remedy)
    if names:
        lost = [name for name in names if not _has_address(resolver, name)]
        if lost:
            return wrong("names", f"the mail server {lost[0]} of {domain} has no address", "correct the MX record")
        return well("names", f"letters to {domain} go to {', '.join(names)} (MX)")
    if _has_address(resolver, domain):
        says = f"{domain} has no MX record; letters to it go to the machine of that name"
        return note("names", says, "publish an MX record with the name of your mail server")
    remedy = "publish an MX record with the name of your mail server, or correct 'address'"
    return wrong("names", f"no letter from elsewhere reaches {domain}: it has neither MX record nor address", remedy)


def _senders(domain: str, found: list[str]) -> Diagnosis:
    """Check for one SPF record with the senders of the domain (RFC 7208)."""
    if len(found) > 1:
        return wrong("names", f"{domain} has {len(found)} SPF records, so none counts", "keep one of them")
    if not found:
        remedy = f'publish a TXT record for {domain}, such as "v=spf1 mx -all", or letters may be taken for spam'
        return note("names", f"{domain} has no SPF record", remedy)
    if found[0].split()[-1].lower() in ("+all", "all"):
        return wrong("names", f"the SPF record of {domain} lets any server send in its name", "end it with -all")
    return well("names", f"{domain} has an SPF record: {log_line(found[0])}")


def _policy(domain: str, found: list[str]) -> Diagnosis:
    """Check for a DMARC record about forged letters (RFC 7489)."""
    if len(found) > 1:
        return wrong("names", f"{domain} has {len(found)} DMARC records, so none counts", "keep one of them")
    if not found:
        remedy = f'publish a TXT record for _dmarc.{domain}, such as "v=DMARC1; p=quarantine"'
        return note("names", f"{domain} has no DMARC record", remedy)
    return well("names", f"{domain} has a DMARC record: {log_line(found[0])}")


def _signer(name: str, resolver: Resolver) -> Diagnosis:
    """Check that DNS has the public key of a selector (RFC 6376)."""
    found = [record for record in _texts(resolver, name, "") if _KEY.search(record)]
    if len(found) > 1:
        return wrong("names", f"{name} has {len(found)} DKIM keys, so none counts", "keep one of them")
    if not found:
        remedy = f"publish your mail server's public key as a TXT record for {name}, or correct 'selectors'"
        return wrong("names", f"there is no DKIM key at {name}", remedy)
    return well("names", f"there is a DKIM key at {name}")


def _policies(resolver: Resolver, domain: str) -> list[str]:
    """The DMARC records of a domain, or else those of the one above it."""
    name = domain
    while "." in name:
        if found := _texts(resolver, f"_dmarc.{name}", "v=DMARC1"):
            return found
        name = name.partition(".")[2]
    return []


def _texts(resolver: Resolver, name: str, begin: str) -> list[str]:
    """The TXT records of a name that begin like this."""
    texts = ("".join(text.split('" "')).strip('"') for text in _answers(resolver, name, "TXT"))
    return [text for text in texts if text.lower().startswith(begin.lower())]


def _has_address(resolver: Resolver, name: str) -> bool:
    return any(_answers(resolver, name, kind) for kind in ("A", "AAAA"))


def _answers(resolver: Resolver, name: str, kind: str, *, unknown: bool = True) -> list[str]:
    """The records of a name; empty if it has none, or if it is `unknown` altogether and may be."""
    try:
        return [record.to_text() for record in resolver.resolve(f"{name}.", kind)]
    except NoAnswer:
        return []
    except NXDOMAIN:
        if unknown:
            return []
        raise


def _words(error: DNSException) -> str:
    return log_line(str(error) or type(error).__name__)
