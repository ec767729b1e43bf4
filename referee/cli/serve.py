"""`referee serve`: the HTTP API for other programs."""

from __future__ import annotations

import math
import re
import signal
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from ipaddress import ip_network
from pathlib import Path

import click

from referee.archives.executors.executors import cores
from referee.cli.desk import office_at
from referee.cli.shell.options import running_long, stop_when_told
from referee.cli.shell.parameters import jobs_option, number_option
from referee.extras import extra

_SITE = re.compile(r"https?://[^/\s]+")
_NAME = re.compile(r"[\w.-]+")


def _each(is_right: Callable[[str], object], wanted: str) -> Callable[..., tuple[str, ...]]:
    """A check of every value of an option: `is_right` returns None, or raises ValueError, for a wrong one."""

    def checked(_context: click.Context, _option: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
        for one in values:
            found = None
            with suppress(ValueError):
                found = is_right(one)
            if found is None:
                raise click.BadParameter(f"expected {wanted}, not {one!r}")
        return values

    return checked


def _finite(_context: click.Context, _option: click.Parameter, value: float) -> float:
    if not math.isfinite(value):
        raise click.BadParameter(f"expected a number of seconds, not {value}")
    return value


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@number_option("--port", default=8080, low=0, high=65535, says="The port; 0 for any.")
@click.option(
    "--desk",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A desk's folder: serve the public part of its games, too.",
)
@jobs_option("Number of processes that do the work.  [default: the cores]")
@click.option(
    "--seconds",
    default=10.0,
    show_default=True,
    type=click.FloatRange(min=0.1, max=3600),
    callback=_finite,
    help="Stop the work on a request after so long.",
)
@number_option("--size", default=1 << 20, high=16 << 20, says="Maximum bytes of a request's body.")
@number_option("--rate", default=600, low=0, says="Requests a minute from one address; 0 for any number.")
@click.option(
    "--host-name",
    "names",
    multiple=True,
    metavar="NAME",
    callback=_each(_NAME.fullmatch, "a name without a port, such as api.club.example"),
    help="A name by which others ask this server, as behind a proxy. Give it as often as you like.",
)
@click.option(
    "--origin",
    "origins",
    multiple=True,
    metavar="URL",
    callback=_each(_SITE.fullmatch, "a site without a path, such as https://club.example"),
    help="A site whose pages may ask. Give it as often as you like.  [default: every site; with --desk: none]",
)
@click.option(
    "--proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    callback=_each(ip_network, "an address or a network, such as 10.0.0.0/8"),
    help="A reverse proxy's address or network: believe what it says of who asks. Give it as often as you like.",
)
def serve_api(
    host: str,
    port: int,
    folder: Path | None,
    jobs: int | None,
    seconds: float,
    size: int,
    rate: int,
    names: tuple[str, ...],
    origins: tuple[str, ...],
    proxies: tuple[str, ...],
) -> None:
    """Answer other programs over HTTP.

    The server judges, completes, draws and plays games, and audits logs, without any desk; nothing is kept. /api
    describes everything. It runs until SIGTERM or SIGINT.
    """
    stop_when_told()
    with suppress(KeyboardInterrupt), running_long(), ExitStack() as stack:
        web = extra("referee.web.api", "web")
        limits = web.RequestLimits(size=size, rate=rate)
        desk = stack.enter_context(office_at(folder)).desk if folder is not None else None
        workers = stack.enter_context(closing(web.Workers(jobs or cores(), seconds))).start()
        app = web.api(workers, limits, desk and desk.state, names=(host, *names), origins=origins)
        server = web.WebServer(app, host, port, proxies)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda _number, _frame: server.stop())
        click.echo(f"listening at {server.address}/api")
        server.run()
