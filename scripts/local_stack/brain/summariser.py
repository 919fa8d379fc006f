"""The operational summary, as `prompts/resumo.md` orders it: pure JSON, from the facts and the talk."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_POINTS_MAX = 6
_QUOTE_MAX_CHARS = 120


def summary(content: str) -> str:
    """Raises ValueError when what is to be summed up is no JSON."""
    told: Mapping[str, Any] = json.loads(content)
    facts, talk = told.get("fatos", {}), told.get("conversa", [])
    said = [" ".join(str(line["texto"]).split()) for line in talk if line.get("papel") == "user"]
    return json.dumps(
        {
            "motivo_encerramento": facts.get("motivo_encerramento", ""),
            "servico_identificado": facts.get("servico_identificado", ""),
            "segmento": facts.get("segmento", ""),
            "pontos_chave": _points(facts, talk, said),
            "dados_coletados": facts.get("dados_coletados", {}),
            "proxima_acao": _next_action(facts),
            "resumo_texto": _text(facts, said),
        },
        ensure_ascii=False,
    )


def _points(facts: Mapping[str, Any], talk: list[Mapping[str, Any]], said: list[str]) -> list[str]:
    points = [f"Também pediu: {text}" for text in facts.get("pedidos_adicionais", [])]
    points += [f"Perguntou: {text[:_QUOTE_MAX_CHARS]}" for text in said if "?" in text]
    points += ["Enviou arquivo" for text in said if "[o cliente enviou" in text]
    points += ["Uma pessoa da equipe já falou com o cliente" for line in talk if line.get("papel") == "human"]
    return list(dict.fromkeys(points))[:_POINTS_MAX]


def _next_action(facts: Mapping[str, Any]) -> str:
    reason = str(facts.get("motivo_encerramento", ""))
    if reason.startswith("completed"):
        return "Montar o orçamento com os dados coletados e enviar ao cliente."
    if reason.startswith("agent_requested"):
        return "Resolver o pedido que o cliente trouxe e responder por aqui."
    return "Ler a última mensagem do cliente e continuar o atendimento."


def _text(facts: Mapping[str, Any], said: list[str]) -> str:
    if not said:
        return "O cliente não escreveu nada que se possa resumir."
    service = facts.get("servico_identificado")
    wanted = f"O cliente procurou {service[:1].lower()}{service[1:]}." if service else "O serviço não ficou definido."
    data = facts.get("dados_coletados", {})
    gathered = f"Foram coletados {len(data)} dados." if data else "Nenhum dado foi coletado."
    return f"{wanted} {gathered} A última mensagem foi: “{said[-1][:_QUOTE_MAX_CHARS]}”."
