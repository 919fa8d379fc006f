"""`make chat`: write to the running stack as a customer would (see --help)."""

from __future__ import annotations

import argparse
import sys

import checkout_path  # noqa: F401
from conversation.company import chosen_company
from conversation.customer import Customer
from conversation.transcript import Transcript
from conversation.typed_lines import TypedLines
from conversation.webhook_body import invented_person
from local_stack.errors import StackError
from local_stack.stack import Stack, attach

TOY = """\
Quem responde é um modelo de faz de conta: lê o mesmo catálogo e os mesmos pacotes que um modelo de verdade leria, e
entende pouco. Com um modelo de verdade: export OPENAI_API_KEY=sk-… e .venv/bin/python scripts/stack.py up --real-model
"""
HELP = """\
/atender TEXTO  responde como alguém da equipe, pelo aplicativo da empresa: a assistente se cala
/novo           outro cliente
/sair           sai (Ctrl-D também)
Linhas escritas enquanto ela responde vão juntas, como no WhatsApp.
"""


def main(arguments: list[str] | None = None) -> int:
    """0 when left, 1 when the stack is not there or does not answer."""
    parser = argparse.ArgumentParser(
        prog="scripts/chat.py",
        description="A conversation with the local stack, through its webhook. Start the stack first: make stack",
        epilog="Examples: make chat · printf 'oi\\nquanto custa?\\n' | .venv/bin/python scripts/chat.py",
    )
    parser.parse_args(arguments)
    try:
        _talk(attach())
    except StackError as error:
        print(error.report(), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print()
    return 0


def _talk(stack: Stack) -> None:
    company = chosen_company(company=stack.company)
    show = Transcript(company.catalog)
    show.note(f"{company.catalog.company.name}, no WhatsApp de mentira desta máquina.")
    for line in (TOY if stack.state.model != "openai" else "") + HELP, "":
        print(line)
    lines = TypedLines(sys.stdin)
    customer = Customer(stack=stack, person=invented_person("Cliente"))
    while True:
        print("você ▸ ", end="", flush=True)
        burst = lines.next_burst()
        if burst is None or burst == ["/sair"]:
            print()
            return
        if not burst:
            continue
        if burst == ["/novo"]:
            customer = Customer(stack=stack, person=invented_person("Cliente"))
            show.note("outro cliente, do começo")
        elif burst[0].startswith("/atender"):
            _answer_as_staff(customer, show, burst[0].removeprefix("/atender").strip())
        elif burst[0].startswith("/"):
            print(HELP)
        else:
            show.brought(customer.says(*burst))


def _answer_as_staff(customer: Customer, show: Transcript, text: str) -> None:
    if not text:
        show.note("escreva o que a equipe diz: /atender Oi, aqui é a Bia, vi o seu pedido")
        return
    customer.is_answered_by_staff(text)
    show.answered([text], name="equipe")
    show.note("A equipe tem a palavra: o que o cliente escrever vai para ela, e a assistente fica em silêncio.")


if __name__ == "__main__":
    sys.exit(main())
