"""`referee desk`: a correspondence service that is kept in a folder."""

from __future__ import annotations

import click

from referee.cli.lazy import Entry, Lazy

COMMANDS = {
    "init": Entry("referee.cli.desk.games:init", "Begin a desk in a folder."),
    "open": Entry("referee.cli.desk.games:open_", "Open a game and invite its players."),
    "status": Entry("referee.cli.desk.games:status", "Show where the games stand, and what the host has to do."),
    "log": Entry("referee.cli.desk.games:log", "Print a game's log."),
    "export": Entry("referee.cli.desk.games:export", "Print a game as a game file."),
    "audit": Entry("referee.cli.desk.audit:audit", "Check a game's whole log: digests, commitments, every verdict."),
    "clock": Entry("referee.cli.desk.games:clock_", "Show the clocks of a game at a time."),
    "receive": Entry(
        "referee.cli.desk.receive:receive", "Take letters in: one on the standard input, a Maildir, or by IMAP."
    ),
    "serve": Entry(
        "referee.cli.desk.post:serve", "Run the desk: take letters by LMTP, answer them, watch the clock."
    ),
    "tick": Entry("referee.cli.desk.post:tick", "Let time pass: reminders, and losses by time."),
    "deliver": Entry("referee.cli.desk.post:deliver", "Hand the letters that wait to the mail server."),
    "extend": Entry("referee.cli.desk.host:extend", "Give a side, or all who owe a move, more time."),
    "pause": Entry("referee.cli.desk.host:pause", "Stop all clocks of a game."),
    "resume": Entry("referee.cli.desk.host:resume", "Let the clocks of a game go on."),
    "adjudicate": Entry("referee.cli.desk.host:adjudicate", "Decide a game against a side, or as a draw."),
    "reopen": Entry("referee.cli.desk.host:reopen", "Take back the end of a game."),
    "replace": Entry("referee.cli.desk.host:replace", "Give a side to another player."),
    "resend": Entry("referee.cli.desk.host:resend", "Send players their last letter once more."),
    "backup": Entry("referee.cli.desk.host:backup", "Copy the desk's store to a file, for safekeeping."),
    "renew": Entry("referee.cli.desk.host:renew", "Draw a new key, after a restore from a backup or a fail-over."),
    "retry": Entry("referee.cli.desk.host:retry", "Try letters again that were set aside."),
}


@click.group(cls=Lazy, table=COMMANDS, needs="mail")
def desk() -> None:
    """Run whole correspondences by e-mail.

    A desk keeps games, players, clocks and sealed moves in a folder. Commands work on the one named by --desk, or
    REFEREE_DESK, or the current folder.
    """
