"""`make demo`: the whole system on this machine, from a webhook body to the WhatsApp reply (see --help)."""

from __future__ import annotations

import argparse
import sys

import checkout_path  # noqa: F401
from conversation.attending import play_attendance
from conversation.company import chosen_company
from conversation.playing import play
from conversation.scenes import load_scenes
from conversation.transcript import Transcript
from local_stack.errors import StackError
from local_stack.lifecycle import PHASES, running_stack
from local_stack.local_settings import DEFAULT_COMPANY
from local_stack.progress import Progress


def main(arguments: list[str] | None = None) -> int:
    """0 when every scene went as it should; 1 with what to do next when one did not."""
    parser = argparse.ArgumentParser(
        prog="scripts/demo.py",
        description="Deploys template.yaml on an emulator, plays a company's scenes through webhook, SQS and Lambda, "
        "cleans up.",
        epilog="Examples: make demo · make demo COMPANY=petshop · "
        "OPENAI_API_KEY=sk-... .venv/bin/python scripts/demo.py --real-model",
    )
    parser.add_argument("--real-model", action="store_true", help="use OpenAI with your OPENAI_API_KEY")
    options = parser.parse_args(arguments)
    try:
        company = chosen_company()
        scenes, show = load_scenes(company.folder, company.catalog), Transcript(company.catalog)
        with running_stack(Progress(PHASES), name="demo", real_model=options.real_model) as stack:
            play(stack, scenes, show)
            play_attendance(stack, show)
    except StackError as error:
        print(error.report(), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return 130
    for line in next_steps(company.id):
        print(line)
    return 0


def next_steps(company: str) -> tuple[str, ...]:
    """What to type after the demo; every command works as it stands."""
    chosen = "" if company == DEFAULT_COMPANY else f" COMPANY={company}"
    return (
        f"Next: change a question in prompts/companies/{company}/catalog.toml, then: make demo{chosen}",
        f"Or talk to it yourself: make stack{chosen} && make chat{chosen}",
        "And attend it yourself: make stack prints the console's address and its token",
    )


if __name__ == "__main__":
    sys.exit(main())
