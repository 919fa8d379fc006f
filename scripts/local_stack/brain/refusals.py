"""Fields that the customer does not have, does not know or will not tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .prompt import Reading
from .words import fold, says, stems

_NOT_HAD = (
    r"nao (?:tenho|possuo|existe|sei|lembro|faz diferenca|informo|vou (?:passar|informar|dizer|dar))",
    r"ja (?:falei|disse|respondi) que nao",
    r"(?:prefiro|quero|queria|gostaria de) nao (?:informar|passar|dizer|dar|falar|responder)",
    r"nao (?:quero|gostaria de|posso|queria|preciso) (?:informar|passar|dizer|dar|falar|responder)",
    r"faco (?:a )?(?:menor )?ideia",
    r"sei la",
    r"tanto faz",
    r"nenhum[a]?",
)
_NOBODYS_COMPANY = (
    r"pessoa fisica",
    r"no meu (?:proprio )?nome",
    r"sem empresa",
    r"nao e (?:de |para )?empresa",
    r"particular",
)
_NO = frozenset({"nao", "nao obrigado", "nao obrigada", "n", "nop", "ainda nao"})


def refuses(plain: str) -> bool:
    """Whether a folded text says that something is not had, not known or not told."""
    return says(plain, *_NOT_HAD, *_NOBODYS_COMPANY)


def read_refusals(reading: Reading, expected: list[str], found: Iterable[str]) -> list[str]:
    """Ids of fields; a field that has a value, now or before, is not refused."""
    plain = fold(reading.text).strip(" .!,")
    fields = reading.catalogue.fields
    expected = [name for name in expected if name in fields]
    refused: list[str] = []
    if "empresa" in fields and says(plain, *_NOBODYS_COMPANY) and ("empresa" in expected or not reading.begins):
        refused.append("empresa")
    if says(plain, *_NOT_HAD) or says(plain, "sem (?:cnpj|cpf|e-?mail)"):
        named = [name for name, entry in fields.items() if _names(plain, entry)]
        refused += named or expected[:1]
    elif expected and plain in _NO:
        refused.append(expected[0])
    taken = {*found, *reading.known, *reading.declined}
    return [name for name in dict.fromkeys(refused) if name not in taken]


def _names(plain: str, entry: Mapping[str, str]) -> bool:
    """Whether a refusal speaks of this field by its name."""
    if entry["tipo"] in ("cpf", "cnpj", "e-mail"):
        return says(plain, entry["tipo"].replace("-", "-?"))
    words = stems(entry["nome"]) - {"numer", "quant", "anali", "feita", "desej", "conta", "clien", "data"}
    return bool(words) and words <= stems(plain)
