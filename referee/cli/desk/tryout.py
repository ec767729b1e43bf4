"""`referee desk try`: a desk with two mailboxes on one page, on this machine."""

from __future__ import annotations

import webbrowser
from contextlib import suppress
from threading import Thread

import click

from referee.extras import extra


@click.command("try")
@click.option("--port", default=8421, show_default=True, type=click.IntRange(1, 65535), help="The port of the page.")
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

    server = extra("referee.tryout.server", "web")
    stop_when_told()
    with suppress(KeyboardInterrupt), running_long():
        server.serve(port, ready)
