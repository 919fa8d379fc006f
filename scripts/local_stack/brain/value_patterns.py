"""How values look in what people write. `_SAID` patterns read the text itself, the tuples folded text."""

from __future__ import annotations

import re

_CAPITAL = r"[A-ZÀ-Ý][\wÀ-ÿ'&.-]*"
PROPER = rf"{_CAPITAL}(?:\s+(?:(?:d[aeo]s?|e)\s+)?{_CAPITAL}){{0,5}}"
_ANY_CASE = re.IGNORECASE

EMAIL = re.compile(r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+")
CNPJ = re.compile(r"(?<![\w.])[0-9A-Za-z]{2}\.?[0-9A-Za-z]{3}\.?[0-9A-Za-z]{3}/?[0-9A-Za-z]{4}-?\d{2}(?![\w-])")
CPF = re.compile(r"(?<![\w.])(?:\d{3}\.\d{3}\.\d{3}-?\d{2}|\d{9}-?\d{2})(?![\w-])")
PHONE = re.compile(r"(?<![\w.])(?:\+?55\s?)?\(?[1-9]{2}\)?\s?9?\d{4}[-\s]?\d{4}(?![\w-])")
DATE = re.compile(r"(?<!\d)(\d{1,2})/(\d{1,2})/(\d{4})(?!\d)")

NAME_SAID = re.compile(
    r"(?:meu nome (?:completo )?[ée]|me chamo|aqui [ée] [oa]|quem fala [ée] [oa]?)\s+([^\W\d_][^,.;!?\n\d]*)", _ANY_CASE
)
NAME_I_AM = re.compile(rf"\b[Ss]ou\s+(?:[oa]\s+)?({PROPER})")
NAME_BEGINS = re.compile(
    r"^(?:(?:é|e|sou|pode (?:colocar|pôr)|anota a[ií]|oi|bom dia|boa tarde)[,:\s]+)*(?:[oa]\s+)?", _ANY_CASE
)
NAME_ENDS = re.compile(
    r"\s+(?:e\s+(?:o|a|meu|minha|quero|preciso)|d[aeo]\s+empresa|d[ae]\s+(?=[A-ZÀ-Ý])|falo|trabalho)\b.*$"
)
NAME_WHOLE = re.compile(r"[^\W\d_][^\W\d_'.-]*(?:\s[^\W\d_][^\W\d_'.-]*){0,5}")
NO_NAME = ("meu", "nome", "mesm[oa]", "nao", "sim", "pra", "para", "quero", "preciso", "agora", "depois", "orcamento")

COMPANY_SAID = re.compile(
    rf"\b(?:[Ee]mpresa|[Rr]azão [Ss]ocial)(?:\s+(?:[ée]|se chama))?\s*:?\s+(?:[oa]\s+)?({PROPER})"
)
COMPANY_OF = re.compile(rf"(?:,|\be\b|\b[Ss]ou\b|\bfalo\b)[^,]*?\bd[ao]\s+({PROPER})")
COMPANY_BEGINS = re.compile(
    r"^(?:(?:sim|isso|claro)[,.!\s]+)?(?:[ée]\s+)?(?:(?:em|no)\s+nome\s+)?(?:d[aeo]s?\s+|[oa]\s+)?"
    r"(?:empresa\s+)?(?:(?:é|se chama)\s+)?(?:[oa]\s+)?",
    _ANY_CASE,
)

CITY_SAID = re.compile(
    r"\b(?:[Ee]m|[Cc]idade (?:de|é)|[Mm]unic[ií]pio de|[Mm]oro em|[Ss]ou de|[Aa]qui (?:de|em))\s+"
    rf"({PROPER}(?:\s*[-/,]\s*[A-Z]{{2}})?)"
)
CITY_BEGINS = re.compile(
    r"^(?:(?:é|e|fica|ficam|est[ãa]o|aqui|tudo|todas?|sou|moro|na cidade|no munic[ií]pio|cidade)\s+)*"
    r"(?:(?:em|de|do|da|no|na)\s+)?",
    _ANY_CASE,
)
NO_CITY = (
    r"janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro",
    r"segunda|terca|quarta|quinta|sexta|casa",
)

DEADLINE = re.compile(
    r"\bat[ée] (?:o |a )?(?:fim|final|dia|meio|come[çc]o|semana|pr[óo]xim|segunda|ter[çc]a|quarta|quinta|sexta|amanh)"
    r"[^,.;!?\n]*"
    r"|\b(?:em|daqui a) \w+ (?:dias?|semanas?|m[êe]s|meses)\b(?: [úu]teis)?|\bsem (?:pressa|urg[êe]ncia)"
    r"|\bn[ãa]o tenho pressa|\bo mais r[áa]pido poss[íi]vel|\b[ée] urgente|\bcom urg[êe]ncia|\bpara ontem"
    r"|\bpra (?:semana|m[êe]s) que vem",
    _ANY_CASE,
)

WE_COLLECT = (
    r"(?:voces|vcs)(?: \w+){0,3} (?:colet|colh|busc|retir)\w+",
    r"(?:voces|vcs) (?:vem|venham|podem vir)",
    r"(?:a )?equipe (?:de voces|d[eo]s? \w+)?\s*(?:coleta|vem|pode)",
    r"venham? (?:coletar|buscar|colher)",
    r"coleta (?:de|por|com) voces",
    r"(?:prefiro|quero) que (?:voces|a equipe|coletem)",
    r"(?:preciso|quero|gostaria) d[ea] coleta",
)
HE_BRINGS = (
    r"(?:lev|traz|mand|envi|entreg)(?:o|ar|amos|er|emos)(?! (?:o|um|me|por|no|pro|para o) (?:orcamento|e-?mail|whats))",
    r"trago|eu mesm[oa]|ja (?:colhi|coletei|tenho as amostras)",
)
TELEPHONE = r"telefone|celular|whats(?:app)?|zap|fone"

QUESTION = re.compile(r"\?|^(?:qual|quais|quanto|quantos|como|onde|quando|que horas|por que|pq|da pra|tem como)\b")
BARE = re.compile(
    r"(?:sim|nao|ok|okay|certo|claro|isso|pode ser|beleza|blz|show|bom dia|boa tarde|boa noite|oi|ola|opa"
    r"|obrigad[oa]|valeu|tchau|quero|por favor|[\s,.!])*"
)
