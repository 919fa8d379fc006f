"""`python -m tests.e2e.worker`: the process function in a process of its own, an event a line in, a response a line out."""

from __future__ import annotations

import contextlib
import json
import sys

from handlers import process_message


class Context:
    """A function that has just begun."""

    def get_remaining_time_in_millis(self) -> int:
        return 60_000


def main() -> None:
    """Until stdin closes."""
    answers = sys.stdout
    for line in sys.stdin:
        with contextlib.redirect_stdout(sys.stderr):  # where a function writes its metrics
            response = process_message.handler(json.loads(line), Context())
        answers.write(json.dumps(response) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
