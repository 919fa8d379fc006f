"""Outer shapes of a reply that have one plain meaning, put as the contract writes them.

Models write a text for a list, a list of one for a text, `{"cpf": true}` for a list of fields, keys in Portuguese, keys
in the map beside their own. None of it is worth a call: what it means is taken from where it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from core.domain.actions import DATA_KEYS, ActionCode, Agent
from core.domain.catalogue.catalog import RESERVED_KEYS
from core.domain.text import fold_key
from core.domain.values.read_value import is_blank

_DEPTH_MAX = 4
_JSON_MAX_CHARS = 20_000
# Portuguese for keys of the contract. A catalogue may have a field of such a name, so `KEPT_AS_DATA` stay data as well.
_ALIASES: Mapping[str, str] = {
    **dict.fromkeys(("dados_triagem", "triagem_data", "dados_da_triagem"), "triage_data"),
    **dict.fromkeys(("dados_qualificacao", "qualificacao_data", "dados_da_qualificacao"), "qualification_data"),
    **dict.fromkeys(("dados_coleta", "coleta_data", "dados_da_coleta"), "collection_data"),
    **dict.fromkeys(("agente", "target", "target_agent", "destino"), "agent"),
    **dict.fromkeys(("motivo", "razao"), "reason"),
    **dict.fromkeys(("package", "packages", "pacote", "pacotes", "contexto", "context"), "context_needed"),
    **dict.fromkeys(("recusado", "recusados", "recusas", "declinados"), "declined"),
    **dict.fromkeys(("extra_request", "pedidos_extras", "outros_pedidos"), "extra_requests"),
    **dict.fromkeys(("citation", "citacoes"), "citations"),
    "justificativa": "rationale",
}
_KEYS = {**_ALIASES, **{key: key for key in RESERVED_KEYS}}
_CODE_NAMES: Mapping[str, ActionCode] = {
    **{code.name.lower(): code for code in ActionCode},
    **dict.fromkeys(("continuar", "responder"), ActionCode.CONTINUE),
    **dict.fromkeys(("avancar",), ActionCode.ADVANCE),
    **dict.fromkeys(("recusar",), ActionCode.REFUSE),
    **dict.fromkeys(("voltar", "retornar"), ActionCode.RETURN),
    **dict.fromkeys(("encerrar", "fechar"), ActionCode.CLOSE),
    **dict.fromkeys(("transferir", "humano", "hand_off"), ActionCode.HANDOFF),
    **dict.fromkeys(("redirecionar", "rotear"), ActionCode.REROUTE),
    **dict.fromkeys(("contexto",), ActionCode.CONTEXT),
}
_AGENT_NAMES: Mapping[str, Agent] = {
    **{agent.value: agent for agent in Agent},
    **dict.fromkeys(("triage", "triar"), Agent.TRIAGEM),
    **dict.fromkeys(("qualification", "qualificar"), Agent.QUALIFICACAO),
    **dict.fromkeys(("collection", "coletar"), Agent.COLETA),
}
_AGENT_PREFIX = re.compile(r"^(?:agente?_)?(?:(?:de|da|do|a)_)?")
_NAME_KEYS = frozenset(
    {"campo", "field", "nome", "name", "id", "chave", "key", "package", "pacote", "texto", "text", "pedido"}
)
_VALUE_KEYS = frozenset({"valor", "value"})
_SAYS_NO = frozenset({"false", "falso", "no", "nao", "n", "0", "null", "none"})
_SEPARATORS = re.compile(r"\s*(?:[,;\n]|\s(?:e|ou)\s)\s*")


def named_code(s: object) -> ActionCode | None:
    """A code by its number, also written as text or with a zero fraction, or by its name."""
    if isinstance(s, str):
        key = fold_key(s)
        name = _CODE_NAMES.get(key)
        return name if name is not None or not key.isdecimal() or len(key) > 3 else named_code(int(key))
    if isinstance(s, bool) or not isinstance(s, int | float) or s not in set(ActionCode):
        return None
    return ActionCode(int(s))


def sort_keys(content: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The reply's own keys and the customer's data, from wherever they stand.

    Of one own key the outermost that says something counts; of one field, a map's value before one that lies flat.
    """
    own: dict[str, Any] = {}
    return own, _sort(content, own, _DEPTH_MAX)


def as_object(value: object) -> object:
    """An object that was written as a text, as a list of objects or as `{"campo": …, "valor": …}`."""
    if isinstance(value, str) and value.lstrip().startswith("{") and len(value) <= _JSON_MAX_CHARS:
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return value
    if isinstance(value, Mapping):
        return _as_pair(value) or value
    parts = [as_object(part) for part in value] if isinstance(value, list) else []
    merged: dict[str, Any] = {}
    for part in parts:
        if not isinstance(part, Mapping) or any(merged.get(key, part[key]) != part[key] for key in part):
            return value
        merged.update(part)
    return merged or value


def as_names(value: object) -> object:
    """Names in a list: one or several in a text, the keys of an object that are true, the names of objects."""
    return _names(value, split=True)


def as_texts(value: object) -> object:
    """As `as_names`, but a text is one entry whatever it holds."""
    return _names(value, split=False)


def as_text(value: object) -> object:
    """A text that stands alone in a list or object, or was written as a number."""
    for _ in range(_DEPTH_MAX):
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        elif isinstance(value, Mapping) and value:
            value = _named_in(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:.12g}" if abs(value) < 10**9 else None
    return None if value is False else value


def as_optional_text(value: object) -> object:
    """As `as_text`; what is none after all is left out, since nothing hangs on it."""
    text = as_text(value)
    return text if isinstance(text, str) else None


def as_agent(value: object) -> object:
    """`Qualificação` and `agente de coleta` are agents; what names none is left to be refused."""
    text = as_text(value)
    if not isinstance(text, str):
        return value
    key = fold_key(text)
    return _AGENT_NAMES.get(key) or _AGENT_NAMES.get(_AGENT_PREFIX.sub("", key), text)


def _sort(content: Mapping[str, Any], own: dict[str, Any], depth: int) -> dict[str, Any]:
    data: dict[str, Any] = {}
    inner: list[Any] = []
    for key, value in content.items():
        folded = fold_key(key)
        name = _KEYS.get(folded)
        shaped = as_object(value) if name in DATA_KEYS else value
        if name in DATA_KEYS and isinstance(shaped, Mapping):
            inner.append(shaped)
        elif name and (name not in own or is_blank(own[name])):
            own[name] = value
        if name is None or (folded in _ALIASES and name not in DATA_KEYS):
            nested = isinstance(value, Mapping) and depth > 0
            _put(data, key, _sort(value, own, depth - 1) if nested else value)
    for values in inner if depth > 0 else ():
        for key, value in _sort(values, own, depth - 1).items():
            _put(data, key, value)
    return data


def _put(data: dict[str, Any], key: str, value: object) -> None:
    """The last that says something counts."""
    if key not in data or not is_blank(value):
        data[key] = value


def _as_pair(value: Mapping[str, Any]) -> dict[str, Any] | None:
    keys = {fold_key(key): key for key in value}
    name, content = keys.keys() & _NAME_KEYS, keys.keys() & _VALUE_KEYS
    if len(value) != 2 or len(name) != 1 or len(content) != 1:
        return None
    field = value[keys[name.pop()]]
    return {field: value[keys[content.pop()]]} if isinstance(field, str) else None


def _names(value: object, *, split: bool) -> object:
    if value is False or is_blank(value):
        return None
    if isinstance(value, str | list | Mapping):
        return list(_each_name(value, split=split, depth=_DEPTH_MAX)) or None
    return value


def _each_name(value: object, *, split: bool, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield from (part for part in (_SEPARATORS.split(value) if split else [value]) if not is_blank(part))
    elif isinstance(value, list) and depth > 0:
        for part in value:
            yield from _each_name(part, split=split, depth=depth - 1)
    elif isinstance(value, Mapping) and depth > 0:
        for key, inner in value.items():
            if fold_key(key) in _NAME_KEYS and isinstance(inner, str | list):
                yield from _each_name(inner, split=split, depth=depth - 1)
            elif not _says_no(inner) and value.keys().isdisjoint(_NAME_KEYS):
                yield key


def _named_in(value: Mapping[str, Any]) -> object:
    """What an object names: its `id` or name, or the one key that is true."""
    named = [inner for key, inner in value.items() if fold_key(key) in _NAME_KEYS | _VALUE_KEYS]
    if named:
        return next((inner for key, inner in value.items() if fold_key(key) == "id"), named[0])
    true = [key for key, inner in value.items() if inner is True]
    return true[0] if len(true) == 1 else None if is_blank(value) else value


def _says_no(value: object) -> bool:
    return value is False or value == 0 or is_blank(value) or (isinstance(value, str) and fold_key(value) in _SAYS_NO)
