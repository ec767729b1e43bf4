"""`referee desk pages`, `unpair` and `try`: a desk's web pages, the browsers that may move there, and a try-out."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import click

from referee.cli.desk import desk_option, office_at, run_server
from referee.cli.shell.parameters import number_option
from referee.errors import RefereeError
from referee.extras import extra
from referee.terminal import visible

if TYPE_CHECKING:
    from referee.mail.office import Office


@click.command("pages")
@desk_option
def pages_command(folder: Path) -> None:
    """Serve the web pages of the games, without the mail.

    It runs until SIGTERM or SIGINT, and only reads the desk, unless players may submit moves there. After SIGHUP it
    restarts with the new settings, unless these are wrong. With `pages` in the settings, `serve` does this
    automatically.
    """
    from referee.mail.host import daemon

    def serve(office: Office) -> bool:
        if office.settings.pages is None:
            raise click.UsageError(_without_address(office))
        return daemon.serve_pages(office, _pages)

    run_server(folder, serve)


@click.command("unpair")
@click.argument("address")
@desk_option
def unpair_command(address: str, folder: Path) -> None:
    """Take back the browsers that may move for ADDRESS.

    Its player gets a letter about it, and can pair them again by a code in another one.
    """
    from referee.mail.browsers.pairings import Pairings

    with office_at(folder) as office:
        number = Pairings(office).take_back(address)
    click.echo(f"{number} browser{'' if number == 1 else 's'} unpaired")


@click.command("try")
@number_option("--port", default=8421, high=65535, says="The port of the page.")
@click.option("--browser/--no-browser", default=True, help="Open the page in the browser, or only print its address.")
def try_command(port: int, browser: bool) -> None:
    """Try a desk here: two mailboxes, the game and the host on one page.

    Write letters as Ada and as Ben, move on the board, turn the clock, cheat as the host, and let the audit find it.
    No mail is sent, only this machine can open the page, and nothing is left when you stop it with Ctrl-C.
    """
    from referee.cli.shell.options import running_long, stop_when_told

    def ready(address: str) -> None:
        click.echo(f"Try it at {address}; Ctrl-C ends it, and leaves nothing behind.")
        if browser:  # in a thread, because one within the terminal would keep the page from being served
            Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    server = extra("referee.tryout.server", "mail,web")
    stop_when_told()
    with suppress(KeyboardInterrupt), running_long():
        server.serve(port, ready)


def pages_beside(office: Office, acted: Callable[[], None]) -> AbstractAsyncContextManager[None] | None:
    """The pages that `serve` opens, if the settings want them; RefereeError `missing-extra`."""
    return None if office.settings.pages is None else _pages(office, acted)


def _pages(office: Office, acted: Callable[[], None] = lambda: None) -> AbstractAsyncContextManager[None]:
    """The pages of a desk; `acted` is called after an act on them.

    RefereeError `settings` if these have no address for them, or `missing-extra`.
    """
    from referee.mail.browsers.browsers import Browsers
    from referee.mail.transport.http import DESK_HEADER

    settings = office.settings
    if settings.pages is None:
        raise RefereeError("settings", _without_address(office))
    pages, web, engines = extra("referee.web.site", "web"), settings.web, settings.engines
    offered = settings.open != "host" and engines.cores
    site = pages.Site(
        office.desk,
        settings.pages.rstrip("/"),
        settings.name,
        mailbox=settings.address if web.moves != "mail" else "",
        engines=pages.EngineOffer(settings.address, engines.level, settings.open) if offered else None,
        invites=settings.address if settings.open != "host" else "",
        host=settings.host or "",
    )
    door = pages.Door(web.host, web.port, web.proxies, ((DESK_HEADER, office.port_mark),))
    intake = Browsers(office, acted=acted) if web.moves == "submit" else None
    opened: AbstractAsyncContextManager[None] = pages.open_pages(site, door, intake=intake)
    return opened


def _without_address(office: Office) -> str:
    from referee.mail.settings import FILE

    return f"{visible(str(office.folder / FILE))} names no address for web pages under 'pages'"
