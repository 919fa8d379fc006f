"""How the attendants' door answers: headers, errors in Portuguese, and what an unforeseen body gets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from core.domain.attendant import Refusal
from core.domain.errors import AttendanceRefusedError

JSON = "application/json; charset=utf-8"
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; media-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "strict-transport-security": "max-age=31536000; includeSubDomains",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
}
PRIVATE = "private, no-cache"

Answer = dict[str, Any]

MESSAGES = {
    "unauthorized": "Entre de novo: este acesso não vale.",
    "forbidden": "Só quem é responsável pode fazer isso.",
    "cross_site": "Esta chamada não veio da página do atendimento.",
    "not_found": "Não encontramos.",
    "method_not_allowed": "Este endereço não faz isso.",
    "not_json": "Envie JSON (content-type: application/json).",
    "too_large": "Isto é grande demais.",
    "invalid": "Confira o que foi enviado.",
    "file_unreadable": "O arquivo não chegou inteiro. Escolha-o de novo.",
    "file_empty": "O arquivo está vazio.",
    "file_too_large": "O arquivo passa de 4 MB. Reduza-o ou envie um link.",
    "file_type": "Só PDF e imagens (JPEG ou PNG) podem ser enviados daqui, e este arquivo não é o que diz ser.",
    "caption_too_long": "Com um arquivo, o WhatsApp aceita até 1.024 caracteres de texto.",
    "media_unsupported": "Este canal não entrega arquivos aqui: veja no aplicativo do WhatsApp.",
    "media_gone": "O WhatsApp não tem mais este arquivo, ou não o entregou.",
    "media_too_large": "O arquivo passa de 4,5 MB: veja no aplicativo do WhatsApp.",
    "export_too_large": "São dados demais para uma resposta: use scripts/data_rights.py export.",
    "upstream": "Um sistema de que dependemos não respondeu. Tente de novo.",
    "internal": "Algo deu errado do nosso lado. Tente de novo.",
    Refusal.NOT_TAKEN.value: "Assuma a conversa antes.",
    Refusal.WITH_BOT.value: "Esta conversa já está com o assistente.",
    Refusal.WINDOW_CLOSED.value: "Passou a janela de 24 horas do WhatsApp: só o cliente pode recomeçar a conversa.",
    Refusal.FILES_UNSUPPORTED.value: "Este canal não envia arquivos daqui: use o aplicativo do WhatsApp ou um link.",
    Refusal.FILE_REFUSED.value: "O WhatsApp não aceita este arquivo. Nada foi enviado.",
    Refusal.FILE_NOT_TAKEN.value: "O WhatsApp não recebeu o arquivo. Nada foi enviado: tente de novo.",
    Refusal.MOVED.value: "A conversa mudou neste instante. Tente de novo.",
}


# A conflict with what the conversation is now, but for these.
_STATUS = {Refusal.FILES_UNSUPPORTED: 422, Refusal.FILE_REFUSED: 422, Refusal.FILE_NOT_TAKEN: 502}


def error_answer(status: int, code: str, message: str = "", **more: Any) -> Answer:
    """`{"error", "message", …}`: the message may be shown as it is."""
    return json_answer(status, error_body(code, message, **more))


def error_body(code: str, message: str = "", **more: Any) -> dict[str, Any]:
    """The same, as a body."""
    return {"error": code, "message": message or MESSAGES.get(code, MESSAGES["internal"]), **more}


def refusal_body(error: AttendanceRefusedError) -> tuple[int, dict[str, Any]]:
    """Why a command is not done, and who has the conversation."""
    if error.reason is Refusal.NOT_FOUND:
        return 404, error_body("not_found", "Esta conversa não existe.")
    if error.reason is Refusal.OWNED:
        owner = {"id": error.owner, "name": error.owner_name}
        return 409, error_body("owned", f"A conversa está com {error.owner_name}.", owner=owner)
    return _STATUS.get(error.reason, 409), error_body(error.reason.value)


def json_answer(status: int, body: Any, headers: Mapping[str, str] | None = None) -> Answer:
    """As API Gateway takes it."""
    text = "" if body is None else json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return {
        "statusCode": status,
        "headers": {**HEADERS, "content-type": JSON, "cache-control": PRIVATE, **(headers or {})},
        "body": text,
        "isBase64Encoded": False,
    }
