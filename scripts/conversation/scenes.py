"""The demo's scenes, each with what must come of it: a scene that ends otherwise is an error, not a transcript."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.domain.conversation import Mode
from local_stack.errors import StackError
from local_stack.stack import Stack

from .customer import Customer, TurnSeen
from .transcript import Transcript
from .webhook_body import invented_person

WHOLE_CONVERSATION = (
    "Oi, bom dia! Vocês fazem análise de água de poço?",
    "É para um condomínio",
    "São 3 amostras, queria saber se a água é potável",
    "onde fica o laboratório de vocês?",
    "ainda não sei os parâmetros",
    "vocês podem vir coletar?",
    "O condomínio fica em Campinas",
    "sem pressa",
    "Meu nome é Lara Quintela",
    "lara@vilaserena.example",
    "Administradora Vila Serena",
    "o CNPJ é 11.222.333/0001-81",
    "pode ser por aqui mesmo",
)
BROKEN_REPLY = (
    "Claro, segue a resposta no formato pedido:\n"
    "```json\n"
    '{"s": 1, "rationale": "primeira pergunta da triagem"}\n'
    "```\n"
    "Olá! Sou a assistente virtual. **Que tipo de amostra** você quer analisar?"
)


def play(stack: Stack) -> None:
    """All of them. Raises `StackError` when one does not end as it must."""
    show = Transcript()
    scenes: Sequence[tuple[str, Callable[[Stack, Transcript], None]]] = (
        ("1. Triagem, qualificação, coleta: até a pessoa que faz o orçamento", _whole_conversation),
        ("2. O modelo responde fora do formato", _broken_reply),
        ("3. O cliente pede uma pessoa", _asks_for_a_person),
        ("4. O provedor do modelo cai", _provider_down),
    )
    for title, scene in scenes:
        if stack.state.model_control is None and scene is not _whole_conversation:
            continue  # the real model cannot be told to break
        show.title(title)
        scene(stack, show)


def _whole_conversation(stack: Stack, show: Transcript) -> None:
    customer = Customer(stack=stack, person=invented_person("Lara Quintela"))
    for line in WHOLE_CONVERSATION:
        seen = customer.says(line)
        show.turn(seen)
        if seen.head.mode is Mode.HUMAN:
            break
    _must(seen.turn.handoff_reason == "completed", "the conversation did not reach its end", seen)
    show.card(_summary(seen))


def _broken_reply(stack: Stack, show: Transcript) -> None:
    stack.control_model({"script": [BROKEN_REPLY]})
    customer = Customer(stack=stack, person=invented_person("Noé Peçanha"))
    seen = customer.says("boa tarde")
    show.turn(seen)
    show.side_by_side(("o modelo escreveu", BROKEN_REPLY), ("o cliente leu", "\n".join(seen.answers)))
    _must(seen.turn.repair_method == "local", "the broken reply was not mended", seen)
    _must(not any("{" in text or "```" in text for text in seen.answers), "the customer saw the format", seen)


def _asks_for_a_person(stack: Stack, show: Transcript) -> None:
    customer = Customer(stack=stack, person=invented_person("Davi Lacerda"))
    seen = customer.says("quero falar com uma pessoa, não com robô")
    show.turn(seen)
    _must(seen.turn.handoff_reason == "human_requested", "the request for a person was not served", seen)
    _must(not seen.turn.calls, "a model was asked before a person was called", seen)


def _provider_down(stack: Stack, show: Transcript) -> None:
    stack.control_model({"fail": {"http_status": 503, "times": 8}})
    customer = Customer(stack=stack, person=invented_person("Bia Moraes"))
    try:
        seen = customer.says("Preciso calibrar uma balança com urgência")
    finally:
        stack.control_model({"reset": True})
    show.turn(seen)
    _must(seen.turn.handoff_reason == "llm_timeout", "the outage did not end in a handoff", seen)
    show.card(_summary(seen))


def _summary(seen: TurnSeen) -> dict[str, object]:
    _must(seen.effect is not None, "no summary was written", seen)
    return dict(seen.effect.payload["summary"]) if seen.effect else {}


def _must(holds: bool, otherwise: str, seen: TurnSeen) -> None:
    if not holds:
        message = f"{otherwise}: outcome {seen.turn.outcome}, handoff {seen.turn.handoff_reason}"
        raise StackError(message, next_step="make stack, then scripts/stack.py logs")
