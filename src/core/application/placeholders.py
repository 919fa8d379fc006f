"""Blanks that a model copied from a template and did not fill: `{{nome}}`, `{nome_cliente}`, `[NOME]`, `R$ XX,XX`."""

from __future__ import annotations

import re
from collections.abc import Container

from core.domain.folding import fold_key

_COMMON_NAMES = (
    "nome cliente nome_cliente nome_do_cliente empresa cpf cnpj email e_mail telefone celular whatsapp endereco cidade"
    " uf estado cep bairro data hora horario prazo valor preco total desconto quantidade servico produto segmento"
    " protocolo numero_protocolo pedido numero_pedido orcamento link url atendente responsavel amostra numero_amostras"
    " tipo_amostra mensagem texto resposta assunto saudacao assinatura name first_name last_name customer customer_name"
    " company phone address date price value service message agent"
)
_NAMES = frozenset(_COMMON_NAMES.split())
_INSTRUCTION = re.compile(r"(?:insira|inserir|preencha|preencher|coloque|informe|seu|sua|nome|número|valor|data) \w")
_DOUBLE = re.compile(
    r"\{\{[^{}\n]{1,60}\}\}|\{%[^{}\n]{1,60}%\}|\$\{[^{}\n]{1,60}\}|%\(\w{1,40}\)[sd]|<%[^<>\n]{1,60}%>"
)
_SINGLE = re.compile(r"\{\s*(\w[\w .-]{0,40}?)\s*\}|<\s*(\w[\w -]{0,40}?)\s*>|%(\w{1,40})%|__([A-Z_]{2,40}?)__(?!\w)")
_BRACKET = re.compile(r"\[\s*([^\W\d][\w /-]{0,40}?)\s*\](?![(\[])")
_AMOUNT = re.compile(r"R\$\s*(?:[Xx]+(?:[.,][Xx]+)*|_{2,}|\?{2,})(?!\w)")


def unfilled_placeholder(text: str, names: Container[str]) -> bool:
    """Whether a blank is left. `names` are the catalogue's; a set of symbols or a link in brackets is no blank."""
    if _DOUBLE.search(text) or _AMOUNT.search(text):
        return True
    for blank in _SINGLE.finditer(text):
        name = next(group for group in blank.groups() if group)
        if _is_name(name, names) or "_" in name.strip("_"):
            return True
    return any(_asks(blank[1], names) for blank in _BRACKET.finditer(text))


def _asks(inside: str, names: Container[str]) -> bool:
    """`[NOME]` and `[inserir data]` are blanks; `[NBR 10004]` and `[opcional]` are text."""
    written_as_blank = inside.isupper() or "_" in inside or inside.islower()
    return bool(_INSTRUCTION.match(inside.casefold())) or (written_as_blank and _is_name(inside, names))


def _is_name(name: str, names: Container[str]) -> bool:
    folded = fold_key(name)
    return name in names or folded in names or folded in _NAMES
