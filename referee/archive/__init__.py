"""Many games: judged file by file."""

from referee.archive.check import FileReport, check_files

__all__ = ["FileReport", "check_files"]
