"""Certificates for tests: an authority, and servers that it vouches for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

YEAR = timedelta(days=365)


@dataclass(frozen=True)
class Certificate:
    """A server's certificate and its key, as PEM files."""

    file: Path
    key: Path


@dataclass(frozen=True)
class Authority:
    """A certificate authority; `file` is its own certificate, as PEM."""

    file: Path
    name: x509.Name
    key: EllipticCurvePrivateKey

    def issue(self, host: str, name: str, *, until: datetime | None = None) -> Certificate:
        """A certificate for a machine with this address or name, next to the authority's own file."""
        key, folder = generate_private_key(SECP256R1()), self.file.parent
        found = Certificate(folder / f"{name}.pem", folder / f"{name}.key")
        end = until or datetime.now(UTC) + YEAR
        names = x509.SubjectAlternativeName([_general(host)])
        built = _builder(_named(host), key, end).issuer_name(self.name).add_extension(names, critical=False)
        found.file.write_bytes(built.sign(self.key, SHA256()).public_bytes(Encoding.PEM))
        found.key.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        found.key.chmod(0o600)
        return found


def authority(file: Path) -> Authority:
    """A new authority; its certificate is written to the file."""
    key, name = generate_private_key(SECP256R1()), _named(f"The authority of {file.stem}")
    built = _builder(name, key, datetime.now(UTC) + YEAR).issuer_name(name)
    uses = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
    built = built.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    signed = built.add_extension(uses, critical=True).sign(key, SHA256())
    file.write_bytes(signed.public_bytes(Encoding.PEM))
    return Authority(file, name, key)


def _builder(subject: x509.Name, key: EllipticCurvePrivateKey, end: datetime) -> x509.CertificateBuilder:
    builder = x509.CertificateBuilder().subject_name(subject).public_key(key.public_key())
    return builder.serial_number(x509.random_serial_number()).not_valid_before(end - 2 * YEAR).not_valid_after(end)


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _general(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(host))
    except ValueError:
        return x509.DNSName(host)
