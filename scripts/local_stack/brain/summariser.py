"""The operational summary, as `prompts/resumo.md` orders it: pure JSON, from the facts and the talk."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from .words import lower_first

_POINTS_MAX = 6
_QUOTE_MAX_CHARS = 120


def summary(content: str) -> str:
    """Raises ValueError when what is to be summed up is no JSON."""
    told: Mapping[str, Any] = json.loads(content)
    facts, talk = told.get("fatos", {}), told.get("conversa", [])
    said = [" ".join(str(line["texto"]).split())[:_QUOTE_MAX_CHARS] for line in talk if line.get("papel") == "user"]
    points = [f"Também pediu: {text}" for text in facts.get("pedidos_adicionais", [])]
    points += [f"Perguntou: {text}" for text in said if "?" in text]
    points += ["Enviou arquivo" for text in said if "[o cliente enviou" in text]
    points += ["Uma pessoa da equipe já falou com o cliente" for line in talk if line.get("papel") == "human"]
    written = {
        "pontos_chave": list(dict.fromkeys(points))[:_POINTS_MAX],
        "proxima_acao": _next_action(str(facts.get("motivo_encerramento", ""))),
        "resumo_texto": _text(facts, said),
    }
    return json.dumps(written, ensure_ascii=False)


def _next_action(reason: str) -> str:
    if reason.startswith("atendimento concluído"):
        return "Conferir os dados coletados e dar ao cliente o que ele pediu."
    if reason.startswith("o assunto é de uma pessoa"):
        return "Resolver o pedido que o cliente trouxe e responder por aqui."
    return "Ler a última mensagem do cliente e continuar o atendimento."


def _text(facts: Mapping[str, Any], said: list[str]) -> str:
    if not said:
        return "O cliente não escreveu nada que se possa resumir."
    service, data = facts.get("servico_identificado"), facts.get("dados_coletados", {})
    wanted = f"O cliente procurou {lower_first(service)}." if service else "O serviço não ficou definido."
    gathered = f"Foram coletados {len(data)} dados." if data else "Nenhum dado foi coletado."
    return f"{wanted} {gathered} A última mensagem foi: “{said[-1]}”."
