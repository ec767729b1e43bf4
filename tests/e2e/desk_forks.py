"""`referee desk serve`, again and again: a process that has loaded everything forks one for each line it reads.

A line is the lead of the next process's clock, in seconds. The answer is the process id and, once
that process has ended, its wait status. So a kill ends the whole command, but without the second that loading Python
takes.
"""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime, timedelta
from unittest import mock

ahead = timedelta(0)


def later() -> datetime:
    return datetime.now(UTC) + ahead


def main(folder: str) -> None:
    global ahead
    from referee.mail import office

    mock.patch.object(office, "now", later).start()
    from referee.cli import main
    from referee.mail.host import daemon

    assert vars(daemon)["now"] is later
    for line in sys.stdin:
        ahead = timedelta(seconds=float(line))
        child = os.fork()
        if not child:
            main(["desk", "serve", "--desk", folder])
        print(child, flush=True)
        _, status = os.waitpid(child, 0)
        print(status, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
