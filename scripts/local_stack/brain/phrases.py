"""What the stand-in says, a few ways each; questions are the catalogue's own."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from .prompt import Reading
from .words import fold, listed, lower_first, pick

NAME_NEEDED = "O nome é só para identificar o orçamento."
WHAT_IS_NEEDED = "O que você precisa analisar ou calibrar?"
ROBOT = "Sou a assistente virtual do laboratório."
CANNOT_OPEN = "Obrigada! O arquivo fica aqui na conversa para a nossa equipe, mas eu não consigo abrir."
NO_AMOUNTS = "Valor eu não consigo passar por aqui, nem uma base."
FOR_THE_TEAM = "Isso a nossa equipe confirma com você no orçamento."
WHAT_FOR = "É só para o orçamento e para a equipe falar com você."
ALSO_NOTED = "O outro pedido também ficou anotado."
SEGMENT_ASKED = (
    "É para a sua casa, para uma empresa, para um condomínio?",
    "De que ramo você é: residência, condomínio, restaurante, indústria?",
)
_ACKNOWLEDGED = ("Certo!", "Anotado.", "Perfeito.", "Combinado.", "Entendi.")
_NEVER_MIND = ("Sem problema.", "Tudo bem.", "Não tem problema.")
_ASKED_AGAIN = ("Ainda preciso de um dado: {}", "Só falta eu saber: {}", "Voltando ao seu pedido: {}")
_REFUSALS = {
    "out_of_scope": (
        "Isso a gente não faz: nosso trabalho é {services}.",
        "Com isso não consigo ajudar; aqui cuidamos de {services}.",
    ),
    "out_of_scope_interpretation": (
        "Isso eu não posso avaliar: quem interpreta é um responsável técnico. Quer que eu chame alguém da equipe?",
        "O que um resultado significa, só o responsável técnico pode dizer. Quer que eu chame alguém da equipe?",
    ),
    "out_of_scope_diagnosis": (
        "Sinto muito. Sobre a saúde eu não posso orientar: procure um serviço de saúde e, se for urgente, ligue 192.",
    ),
    "out_of_scope_pii": ("Dados de outras pessoas eu não posso passar.",),
    "out_of_scope_meta": ("Com isso não consigo ajudar.", "Isso eu não posso fazer."),
    "input_malformed": ("Não consegui entender essa mensagem. Pode escrever de outro jeito?",),
}
_TO_THE_TEAM = "vou passar a conversa para uma pessoa da equipe."
_HANDED_OVER = {
    "laudo_emitido": f"Laudo e certificado emitidos são com a nossa equipe: {_TO_THE_TEAM} Já deixei anotado.",
    "boleto_ou_cobranca": f"Boleto e cobrança são com a nossa equipe: {_TO_THE_TEAM} Já deixei anotado.",
    "reclamacao": f"Sinto muito por isso. Com tudo o que você contou, {_TO_THE_TEAM}",
    "pedido_de_pessoa": f"Claro, {_TO_THE_TEAM}",
    "oferta_aceita": f"Certo, {_TO_THE_TEAM}",
    "fornecedor_ou_vaga": f"Esse assunto é com outra área: {_TO_THE_TEAM}",
    "recusou_o_nome": f"Entendo. Sem um nome eu não consigo deixar o orçamento pronto, então {_TO_THE_TEAM}",
    "recusou_os_documentos": f"Entendo. Sem um documento o orçamento é visto de outro jeito, então {_TO_THE_TEAM}",
}
_CLOSED = {
    "desistencia": (
        "Sem problema! Quando quiser retomar, é só mandar mensagem por aqui.",
        "Combinado! Se mudar de ideia, é só chamar.",
    ),
    "despedida": ("Eu que agradeço! Quando precisar, é só chamar por aqui.", "Por nada! Até a próxima."),
}


def greeting(reading: Reading) -> str:
    """A first message introduces itself; later ones do not."""
    if not reading.begins:
        return ""
    plain = fold(reading.text)
    hello = next((said for said in ("Bom dia", "Boa tarde", "Boa noite") if fold(said) in plain), "Oi")
    article = "da" if fold(reading.catalogue.company.split()[0]).endswith("a") else "do"
    return f"{hello}! Sou a assistente virtual {article} {reading.catalogue.company}."


def acknowledged(reading: Reading, *, refused: bool = False) -> str:
    """A word on what was told, or was not, and never the same twice running; a greeting is one already."""
    words = [word for word in (_NEVER_MIND if refused else _ACKNOWLEDGED) if word not in reading.last_said]
    return "" if reading.begins else pick(words, *reading.seed)


def question(reading: Reading, field: str | None, refused: Set[str] = frozenset()) -> str:
    """The catalogue's question, put otherwise when it was the last thing said or when its alternative was refused."""
    if field is None:
        return ""
    entry = reading.catalogue.fields[field]
    asked = str(entry["pergunta"])
    if refused & {
        name for name, other in reading.catalogue.fields.items() if other.get("grupo") == entry.get("grupo", "")
    }:
        return f"Pode ser o {entry['nome']}?"
    if fold(asked) in fold(reading.last_said):
        fresh = [wording for wording in _ASKED_AGAIN if wording.removesuffix("{}") not in reading.last_said]
        return pick(fresh, *reading.seed).format(lower_first(asked))
    return asked


def refused(reading: Reading, reason: str) -> str:
    """Why not, and nothing more."""
    names = listed((lower_first(service["nome"]) for service in reading.catalogue.services), "e")
    return pick(_REFUSALS[reason], *reading.seed).format(services=names)


def handed_over(reason: str) -> str:
    """A person goes on."""
    return _HANDED_OVER[reason]


def closed(reading: Reading, reason: str) -> str:
    """Good-bye."""
    return pick(_CLOSED[reason], *reading.seed)


def concluded(reading: Reading, service: dict[str, Any], values: dict[str, Any]) -> str:
    """What was noted; never a document's number."""
    whole = {**reading.known, **values}
    name = str(whole.get("nome", "")).split(" ")[0].capitalize()
    count = next((whole[n] for n, f in reading.catalogue.fields.items() if f["tipo"] == "inteiro" and n in whole), None)
    what = lower_first(service["nome"]) if service else "atendimento"
    units = f", quantidade {count}" if count else ""
    noted = f"Ficou anotado o pedido de orçamento: {what}{units}."
    return f"Prontinho{', ' + name if name else ''}! {noted} A partir daqui é com a nossa equipe."


def joined(*parts: str) -> str:
    """Sentences that were found, in order."""
    return " ".join(part for part in parts if part)
