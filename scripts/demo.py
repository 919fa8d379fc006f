"""`make demo`: the whole system on this machine, from a webhook body to the WhatsApp reply (see --help)."""

from __future__ import annotations

import argparse
import sys

from conversation.scenes import play
from local_stack.errors import StackError
from local_stack.lifecycle import PHASES, running_stack
from local_stack.progress import Progress

LAST_LINE = (
    "Next: change a question in prompts/catalog.toml and run `make demo` again, or talk to it yourself: make chat"
)


def main(arguments: list[str] | None = None) -> int:
    """0 when every scene went as it should; 1 with what to do next when one did not."""
    parser = argparse.ArgumentParser(
        prog="scripts/demo.py",
        description="Deploys template.yaml on an emulator, plays scenes through webhook, SQS and Lambda, cleans up.",
        epilog="Examples: make demo · OPENAI_API_KEY=sk-... .venv/bin/python scripts/demo.py --real-model",
    )
    parser.add_argument("--real-model", action="store_true", help="use OpenAI with your OPENAI_API_KEY")
    options = parser.parse_args(arguments)
    try:
        with running_stack(Progress(PHASES), name="demo", real_model=options.real_model) as stack:
            play(stack)
    except StackError as error:
        print(error.report(), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return 130
    print(LAST_LINE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
