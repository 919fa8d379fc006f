"""`make chat`: write to the running stack as a customer would (see --help)."""

from __future__ import annotations

import argparse
import sys

from conversation.customer import Customer
from conversation.transcript import Transcript, describe
from conversation.webhook_body import invented_person
from local_stack.errors import StackError
from local_stack.stack import attach

HELP = "/novo: another customer · /sair: leave (Ctrl-D works too)"


def main(arguments: list[str] | None = None) -> int:
    """0 when left, 1 when the stack is not there or does not answer."""
    parser = argparse.ArgumentParser(
        prog="scripts/chat.py",
        description="A conversation with the local stack, through its webhook. Start the stack first: make stack",
        epilog="Examples: make chat · echo 'quero analisar água' | .venv/bin/python scripts/chat.py",
    )
    parser.parse_args(arguments)
    try:
        _talk(Transcript())
    except StackError as error:
        print(error.report(), file=sys.stderr)
        return 1
    except (EOFError, KeyboardInterrupt):
        print()
    return 0


def _talk(show: Transcript) -> None:
    stack = attach()
    model = (
        "OpenAI"
        if stack.state.model == "openai"
        else "the model stand-in (for OpenAI: scripts/stack.py up --real-model)"
    )
    print(f"Talking to {model}.\n{HELP}\n")
    customer = Customer(stack=stack, person=invented_person("Cliente"))
    while True:
        text = input("você ▸ ").strip()
        if text == "/sair":
            return
        if text == "/novo":
            customer = Customer(stack=stack, person=invented_person("Cliente"))
            continue
        if not text:
            continue
        seen = customer.says(text)
        show.answered(seen.answers)
        print(f"   {describe(seen)}")
        if seen.effect and (summary := seen.effect.payload.get("summary")):
            show.card(summary)


if __name__ == "__main__":
    sys.exit(main())
