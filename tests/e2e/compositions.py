"""The work of Docker and Compose with the files in deploy/, done on a machine without them.

Each instruction for an image is carried out on the machine, and each service runs there as a unit, with the user, the
environment and the rights that the files name. All services share the machine's files and its network; a Debian of
the machine stands for the base image, and its PostgreSQL for the one of `postgres`.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from yaml import safe_load

from tests.e2e.machines import Machine

LOGS = "/var/log"
"""The folder of the machine in which the services write what they do: NAME.log."""

_INSTRUCTION = re.compile(r"^([A-Z]+) (.*)$", re.MULTILINE)
_VARIABLE = re.compile(r"\$\{(\w+):\?[^}]*\}")


@dataclass
class Image:
    """The facts of an image after its instructions were carried out."""

    environment: dict[str, str] = field(default_factory=dict)
    user: str = "root"
    volumes: list[str] = field(default_factory=list)
    entrypoint: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)
    health: str = ""


@dataclass
class Composition:
    """The services of a file for Compose, in a folder of the machine that has the same files as `source`."""

    machine: Machine
    source: Path
    folder: str
    images: dict[str, Image] = field(default_factory=dict)
    running: set[str] = field(default_factory=set)

    @cached_property
    def services(self) -> dict[str, Any]:
        variables = dict(line.split("=") for line in self.machine.run(f"cat {self.folder}/.env").splitlines())
        text = (self.source / "compose.yaml").read_text(encoding="utf-8")
        services: dict[str, Any] = safe_load(_VARIABLE.sub(lambda found: variables[found[1]], text))["services"]
        return services

    def do(self, line: str) -> str:
        """The output of a line that begins with `docker compose`."""
        words = [word for word in shlex.split(line)[2:] if word not in ("-T", "--rm", "--detach", "--wait")]
        match words:
            case ["build"]:
                return "".join(map(self._build, self.services))
            case ["up", *names]:
                return "".join(map(self._up, names or self._in_order()))
            case ["run", "--entrypoint", program, name, *rest]:
                return self._run(name, [program, *rest])
            case ["run", name, *rest]:
                return self._run(name, [*self.images[name].entrypoint, *rest])
            case ["exec", name, *rest]:
                return self._run(name, rest)
        raise AssertionError(line)

    def _build(self, name: str) -> str:
        """Carry out the instructions for the image of a service."""
        if "build" not in self.services[name]:
            return ""
        build = self.services[name]["build"]
        context, file = (
            (build, f"{build}/Containerfile") if isinstance(build, str) else (build["context"], "Containerfile")
        )
        image = self.images[name] = Image()
        for instruction, rest in _INSTRUCTION.findall((self.source / file).read_text(encoding="utf-8")):
            match instruction:
                case "FROM":
                    assert rest == "debian:12-slim"
                case "RUN":
                    self.machine.run(rest, internet=True)
                case "COPY":
                    self.machine.run("\n".join(self._copies(f"{self.folder}/{context}", *rest.rsplit(" ", 1))))
                case "ENV":
                    image.environment |= [rest.split("=", 1)]
                case "USER":
                    image.user = rest
                case "VOLUME":
                    image.volumes.append(rest)
                case "HEALTHCHECK":
                    image.health = rest.partition(" CMD ")[2]
                case "ENTRYPOINT":
                    image.entrypoint = json.loads(rest)
                case "CMD":
                    image.command = json.loads(rest)
                case _:
                    assert instruction == "EXPOSE", instruction
        return f"{name}: built\n"

    def _copies(self, context: str, sources: str, target: str) -> Iterator[str]:
        yield f"cd {context}; mkdir -p {target if target.endswith('/') else f'$(dirname {target})'}"
        for source in sources.split():
            whole = f"mkdir -p {target} && cp -r {source}/. {target}"
            yield f"if [ -d {source} ]; then {whole}; else cp {source} {target}; fi"

    def _in_order(self) -> list[str]:
        """The services, each behind those that it depends on."""
        found: list[str] = []
        while len(found) < len(self.services):
            found += [
                name
                for name, service in self.services.items()
                if name not in found and set(service.get("depends_on", ())) <= set(found)
            ]
        return found

    def _up(self, name: str) -> str:
        """Start a service that does not run yet; the others know it by its name."""
        if name not in self.running:
            self.running.add(name)
            self.machine.run(f"echo 127.0.0.1 {name} >> /etc/hosts")
            service = self.services[name]
            if service.get("image", "").startswith("postgres:"):
                self._start_postgres(service["environment"])
            else:
                self._start(name, service)
        return f"{name}: healthy\n"

    def _start(self, name: str, service: dict[str, Any]) -> None:
        """Start a service, and wait until it is healthy."""
        image = self.images[name]
        rights = [f"--property=ReadWritePaths={volume}" for volume in image.volumes]
        rights += ["--property=ProtectSystem=strict", "--property=PrivateTmp=yes"] * service.get("read_only", False)
        rights += ["--property=CapabilityBoundingSet="] * ("cap_drop" in service)
        rights += ["--property=NoNewPrivileges=yes"] * ("security_opt" in service)
        given = [f"--setenv={key}={value}" for key, value in self._environment(name).items()]
        mounts = [one.split(":") for one in service.get("volumes", ()) if one.startswith("./")]
        shown = [f"--property=BindReadOnlyPaths={self.folder}/{mount[0]}:{mount[1]}" for mount in mounts]
        words = [f"--unit=compose-{name}", f"--uid={image.user}", *rights, *given, *shown]
        words += [f"--property=Standard{stream}=append:{LOGS}/{name}.log" for stream in ("Output", "Error")]
        program = [*image.entrypoint, *image.command]
        if image.user != "root":
            program = ["env", *program]  # looks for the program on the path of the image
        self.machine.run(f"systemd-run --quiet {shlex.join(words)} -- {shlex.join(program)}")
        healthy = shlex.join([*self._as(name), "sh", "-c", image.health])
        self.machine.run(f"for n in $(seq 100); do if {healthy}; then exit; fi; sleep 0.2; done; exit 1")

    def _start_postgres(self, given: dict[str, str]) -> None:
        """Do the first steps of the image: create a user with a password, and their database."""
        user, database, password = (given[f"POSTGRES_{key}"] for key in ("USER", "DB", "PASSWORD"))
        self.machine.run("systemctl start postgresql")
        for asked in (
            f"CREATE ROLE {user} LOGIN PASSWORD '{password}'",
            f"CREATE DATABASE {database} OWNER {user}",
        ):
            self.machine.run(f"cd /; runuser -u postgres -- psql --command {shlex.quote(asked)}")

    def _run(self, name: str, words: list[str]) -> str:
        """The output of a command in the container of a service."""
        given = ""
        if "<" in words:
            place = words.index("<")
            words, given = words[:place], f" < {words[place + 1]}"
        return self.machine.run(f"cd {self.folder}; {shlex.join([*self._as(name), *words])}{given}")

    def _as(self, name: str) -> list[str]:
        given = [f"{key}={value}" for key, value in self._environment(name).items()]
        return ["runuser", "-u", self.images[name].user, "--", "env", *given]

    def _environment(self, name: str) -> dict[str, str]:
        return {**self.images[name].environment, **self.services[name].get("environment", {})}
