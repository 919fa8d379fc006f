"""Blanks that a model copied from a template and did not fill: `{{nome}}`, `{nome_cliente}`, `[NOME]`, `R$ XX,XX`."""

from __future__ import annotations

import re
from collections.abc import Container

from core.domain.text import fold_key

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
_ANY_AMOUNT = re.compile(r"\b(?:depend|vari|conforme|exemplo|digamos|suponha|hip[oó]te)", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?](?=\s)|\n\s*\n")
_SENTENCE_MAX = 300
# Words that tell the customer to write what a bracket names; and those that write to the customer instead.
_TO_BE_WRITTEN = re.compile(
    r"\b(?:escrev|anot|preench|coloc|coloqu|identifi|inform|indi[cq]|ponha|p[oô]r|marque|marca[rn]|registr|cole|colar|digit"
    r"|substitu|troque|troca[rn]|modelo|formato|padr[aã]o|etiquet|r[oó]tulo|legenda|assunto|campos?|planilha|exemplo)",
    re.IGNORECASE,
)
_ADDRESSED = re.compile(
    r"\b(?:ol[aá]|oi|prezad[oa]s?|car[oa]s?|sra?|senhora?|bom dia|boa tarde|boa noite|obrigad[oa])\b"
    r"[^\[\]<>.!?\n]{0,20}\Z",
    re.IGNORECASE,
)
_OR_BEFORE = re.compile(r"\][*_]*\s*(?:,|/|\bou\b)\s*\Z")
_OR_AFTER = re.compile(r"\s*(?:,\s*\[[^\[\]\n]{1,40}\]\s*)*(?:/|\bou\b)\s*[*_]*\[")


def unfilled_placeholder(text: str, names: Container[str]) -> bool:
    """Whether a blank is left. `names` are the catalogue's; a set of symbols or a link in brackets is no blank."""
    if _DOUBLE.search(text) or any(_is_owed(amount, text) for amount in _AMOUNT.finditer(text)):
        return True
    for blank in _SINGLE.finditer(text):
        name = next(group for group in blank.groups() if group)
        named = is_name(name, names) or "_" in name.strip("_")
        if named and not (blank[0][0] == "<" and _is_to_be_written(blank, text)):
            return True
    return any(
        _asks(blank[1], names) and not _is_choice(blank, text) and not _is_to_be_written(blank, text)
        for blank in _BRACKET.finditer(text)
    )


def _is_owed(amount: re.Match[str], text: str) -> bool:
    """Whether an amount is missing. `R$ X por unidade, depende do modelo` speaks of any amount."""
    if amount[0][-1] not in "Xx" or len(amount[0].split("$")[1].strip()) > 1:
        return True
    end = _SENTENCE_END.search(text, amount.end(), amount.end() + _SENTENCE_MAX)
    after = text[amount.end() : end.start() if end else amount.end() + _SENTENCE_MAX]
    return not _ANY_AMOUNT.search(f"{_sentence_before(amount, text)} {after}")


def _sentence_before(found: re.Match[str], text: str) -> str:
    before = text[max(0, found.start() - _SENTENCE_MAX) : found.start()]
    return _SENTENCE_END.split(before)[-1]


def _is_to_be_written(blank: re.Match[str], text: str) -> bool:
    """Whether the customer is told to write it (`escreva [DATA]`), not written to (`Olá, [NOME]`)."""
    before = _sentence_before(blank, text)
    return bool(_TO_BE_WRITTEN.search(before)) and not _ADDRESSED.search(before)


def _is_choice(blank: re.Match[str], text: str) -> bool:
    """`[e-mail] ou [whatsapp]`."""
    before = text[max(0, blank.start() - 20) : blank.start()]
    listed = before.rstrip().endswith(("ou", "/")) and _OR_BEFORE.search(before)
    return bool(listed or _OR_AFTER.match(text, blank.end()))


def _asks(inside: str, names: Container[str]) -> bool:
    """`[NOME]` and `[inserir data]` are blanks; `[NBR 10004]` and `[opcional]` are text."""
    written_as_blank = inside.isupper() or "_" in inside or inside.islower()
    return bool(_INSTRUCTION.match(inside.casefold())) or (written_as_blank and is_name(inside, names))


def is_name(name: str, names: Container[str]) -> bool:
    """Whether the catalogue, or common usage, names a field so."""
    folded = fold_key(name)
    return name in names or folded in names or folded in _NAMES
