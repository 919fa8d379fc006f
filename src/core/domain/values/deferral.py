"""Words that only put an answer off ("a lista eu mando depois"): neither a value nor a refusal."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.domain.text import fold

_MAX_CHARS = 160
_WORD = re.compile(r"[a-z]+|[0-9]+")
_GIVE_STEMS = "mand|envi|pass|encaminh|inform|avis|respond|confirm|complet|repass"
_LOOK_STEMS = "verific|confer|consult|pergunt|chec|levant|pesquis|procur|olh|avali|analis|pens|calcul|cont"
_GIVE = re.compile(
    rf"(?:{_GIVE_STEMS})(?:o|ar|amos)"
    r"|digo|dizer|falo|falar|trago|trazer|retorno|retornar|mostro|mostrar"
)
_LOOK = re.compile(
    rf"(?:{_LOOK_STEMS})(?:o|ar)"
    r"|confirmar|conferir|confiro|ver|vejo|saber|decidir|descobrir|definir"
)
_FIRST_PERSON = re.compile(
    rf"(?:{_GIVE_STEMS}|{_LOOK_STEMS})(?:o|amos)|digo|falo|trago|retorno|mostro|confiro|vejo|confirmo"
)
_CLAUSE_WORDS_MAX = 6
_WITH = frozenset({"com", "pra", "para", "pro", "no", "na", "ao"})
_LATER = frozenset({"depois", "dps", "breve", "logo", "outra", "outro", "adiante"})
# Days and hours put off only what is given or looked up then: "amanhã" alone is an answer.
_WHEN = frozenset(
    {"amanha", "hoje", "manha", "noite", "tarde", "cedo", "semana", "segunda", "terca", "quarta", "quinta", "sexta"}
)
_TO_YOU = frozenset({"te", "lhe", "vos", "ja"})
_WILL = frozenset(
    {"vou", "vamos", "irei", "preciso", "precisamos", "tenho", "temos", "deixa", "deixe", "fico", "fiquei"}
)
_THINGS = frozenset(
    {
        *("lista", "relacao", "planilha", "dado", "dados", "informacao", "informacoes", "documento", "documentos"),
        *("cnpj", "cpf", "email", "mail", "telefone", "numero", "numeros", "quantidade", "quantidades", "endereco"),
        *("detalhe", "detalhes", "parametro", "parametros", "foto", "fotos", "nome", "nomes", "valores", "medidas"),
        *("faixa", "faixas", "modelo", "modelos", "data", "prazo", "resto", "restante", "isso", "tudo", "ele", "ela"),
        *("certo", "certinho", "direito", "completo", "completa", "calma", "resposta"),
    }
)
_PLAIN_WORDS = frozenset(
    {
        *(
            "a",
            "o",
            "as",
            "os",
            "um",
            "uma",
            "e",
            "de",
            "do",
            "da",
            "dos",
            "das",
            "que",
            "eu",
            "gente",
            "nos",
            "me",
            "se",
        ),
        *("em", "por", "aqui", "ai", "la", "ainda", "agora", "mais", "bem", "so", "voces", "voce", "vc", "vcs", "pra"),
        *(
            "para",
            "na",
            "no",
            "melhor",
            "momento",
            "hora",
            "pouco",
            "daqui",
            "frente",
            "vem",
            "ok",
            "ta",
            "tudo",
            "posso",
        ),
        *(
            "podemos",
            "quero",
            "ter",
            "esta",
            "whats",
            "whatsapp",
            "sei",
            "lembro",
            "cabeca",
            "nao",
            "meu",
            "minha",
            "ate",
        ),
        *("entao", "dai", "ha", "dar", "olhada", "uma", "pode", "ser", "primeiro"),
    }
)
_ALONE = frozenset({"depois", "dps", "mais tarde", "outra hora", "outro momento", "em outro momento", "bem depois"})
_NOT_KNOWING = frozenset({"sei", "tenho", "lembro", "me"})


def is_deferral(text: str) -> bool:
    """Whether the whole text says "later" and nothing else: `vou ver e te falo`, `o CNPJ mando depois`."""
    if len(text) > _MAX_CHARS:
        return False
    words = _WORD.findall(fold(text))
    if " ".join(words) in _ALONE:
        return True
    if not words or _denies(words):
        return False
    kept, hangs_on = _without_clauses(words)
    gives, looks = (any(map(pattern.fullmatch, kept)) for pattern in (_GIVE, _LOOK))
    later = hangs_on or not _LATER.isdisjoint(kept) or not _WHEN.isdisjoint(kept)
    speaks = any(map(_FIRST_PERSON.fullmatch, words)) or not _WILL.isdisjoint(words) or not _LATER.isdisjoint(words)
    if not speaks:  # "mandar foto de noite" is what somebody else shall do
        return False
    puts_off = (gives and (later or not _TO_YOU.isdisjoint(kept))) or (looks and (later or not _WILL.isdisjoint(kept)))
    return puts_off and all(map(_belongs, kept))


def _denies(words: Sequence[str]) -> bool:
    """`não vou mandar` is a refusal; `não sei` is none."""
    return any(
        word == "nao" and {*words[place + 1 : place + 2]}.isdisjoint(_NOT_KNOWING) for place, word in enumerate(words)
    )


def _without_clauses(words: Sequence[str]) -> tuple[list[str], bool]:
    """The words without `com o meu chefe` and `assim que eu tiver`, and whether there was such a clause."""
    kept: list[str] = []
    skipping, hangs_on, looked = 0, False, False
    for place, word in enumerate(words):
        is_verb = _is_verb(word)
        asks_somebody = looked and word in _WITH
        waits = word == "quando" or (word == "assim" and words[place + 1 : place + 2] == ["que"])
        if asks_somebody or waits:
            skipping, hangs_on = _CLAUSE_WORDS_MAX, True
        elif is_verb or not skipping or word in _LATER or word == "e":
            skipping = 0
            kept.append(word)
        else:
            skipping -= 1
        looked = looked or _LOOK.fullmatch(word) is not None
    return kept, hangs_on


def _is_verb(word: str) -> bool:
    return _GIVE.fullmatch(word) is not None or _LOOK.fullmatch(word) is not None


def _belongs(word: str) -> bool:
    known = (
        word in _PLAIN_WORDS or word in _THINGS or word in _LATER or word in _WHEN or word in _TO_YOU or word in _WILL
    )
    return known or _is_verb(word)
