"""Rich's console for a command whose exit code says something, whoever reads the report and how long."""

from __future__ import annotations

from rich.console import Console

from command_line.reader_gone import discard_output


class ReportConsole(Console):
    """Without a reader Rich would end the command with 1, which is a verdict here."""

    def on_broken_pipe(self) -> None:
        """The rest is left out."""
        self.quiet = True
        discard_output()
