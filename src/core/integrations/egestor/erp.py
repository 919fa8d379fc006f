"""`Erp` over eGestor: it has no idempotency, so everything is looked for before it is made (docs/egestor.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from core.domain.errors import ErpError
from core.domain.quote import Quote
from core.integrations.egestor.api import Call, EgestorApi

QUOTE_STATUS = 10  # orçamento
UNPRICED = "a orçar"
_NAME_MAX, _NOTE_MAX = 60, 4000
# As many pages as are looked through: ours are new, and stand on the first ones.
_PAGES = 2


class EgestorErp:
    """See `Erp`. What was made and not answered for is found again: a contact by its phone or our tag, a quote by our
    tag.
    """

    def __init__(self, api: EgestorApi) -> None:
        self._api = api

    def contact(self, quote: Quote, *, timeout_seconds: float, anew: bool = False) -> int:
        """See `Erp.contact`."""
        return self._api.together(timeout_seconds, lambda call: _contact(call, quote, anew=anew))

    def quote(self, quote: Quote, contact: int, *, timeout_seconds: float) -> int:
        """See `Erp.quote`."""
        return self._api.together(timeout_seconds, lambda call: _quote(call, quote, contact))


def _contact(call: Call, quote: Quote, *, anew: bool) -> int:
    found = _found_contact(call, quote, anew=anew)
    if found is not None:
        return found
    wanted = _contact_body(quote, anew=anew)
    try:
        return _code(call("POST", "contatos", body=wanted))
    except ErpError as error:
        bare = {name: wanted[name] for name in ("nome", "tipo", "fones", "tags", "obs") if name in wanted}
        if not error.lasting or bare == wanted:
            raise
        # one value that it does not take must not cost the whole quote: people find it in the note
        return _code(call("POST", "contatos", body=bare))


def _found_contact(call: Call, quote: Quote, *, anew: bool) -> int | None:
    """By phone, as many numbers as it is written in; one that was deleted is not the customer's any more, but for the
    one that we made anew.
    """
    tag = _contact_tag(quote, anew=anew)
    if anew or quote.phone is None:
        rows = _rows(call, "contatos", {"filtro": tag})
        return next((_code(row) for row in rows if tag in _tags(row)), None)
    for phone in _forms(quote.phone):
        for row in _rows(call, "contatos", {"telefone": phone}):
            if any(_same_phone(each, quote.phone) for each in _phones(row)):
                return _code(row)
    return None


def _contact_body(quote: Quote, *, anew: bool) -> dict[str, Any]:
    body: dict[str, Any] = {
        "nome": quote.name[:_NAME_MAX],
        "tipo": ["cliente"],
        "tags": [_contact_tag(quote, anew=anew)],
        "obs": quote.note[:_NOTE_MAX],
    }
    optional = {
        "cpfcnpj": quote.tax_id,
        "emails": [quote.email] if quote.email else None,
        "fones": [_national(quote.phone)] if quote.phone else None,
        "cidade": quote.city,
        "uf": quote.uf,
    }
    return body | {name: value for name, value in optional.items() if value}


def _quote(call: Call, quote: Quote, contact: int) -> int:
    for row in _rows(call, "vendas", {"filtro": quote.tag}):
        if quote.tag in _tags(row):
            return _code(row)
    price = None if quote.product is None else _price(call, quote.product)
    named = "\n".join(filter(None, (quote.service, UNPRICED if price is None else "")))
    body: dict[str, Any] = {
        "codContato": contact,
        "dtVenda": quote.day,
        "situacao": QUOTE_STATUS,
        "tags": [quote.tag],
        "customizado": {"xCampo1": f"{named}\n{quote.note}"[:_NOTE_MAX]},
    }
    if quote.product is not None:
        body["produtos"] = [{"codProduto": quote.product, "quant": 1, "preco": price or 0, "obs": named}]
    return _code(call("POST", "vendas", body=body))


def _price(call: Call, product: int) -> float | None:
    """What eGestor's own catalogue asks for a product, or a service; None where it says nothing."""
    for path in (f"produtos/{product}", f"servicos/{product}"):
        try:
            price = call("GET", path).get("precoVenda")
        except ErpError as error:
            if not (error.gone or error.missing):
                raise
            continue
        return float(price) if isinstance(price, int | float) and price > 0 else None
    return None


def _rows(call: Call, path: str, query: Mapping[str, str]) -> Iterator[Mapping[str, Any]]:
    for page in range(1, _PAGES + 1):
        answer = call("GET", path, query={**query, "page": str(page)})
        data = answer.get("data")
        rows = [row for row in data if isinstance(row, dict)] if isinstance(data, list) else []
        yield from rows
        if page >= _last_page(answer) or not rows:
            return


def _last_page(answer: Mapping[str, Any]) -> int:
    last = answer.get("last_page")
    return last if isinstance(last, int) else 1


def _code(row: Mapping[str, Any]) -> int:
    code = row.get("codigo")
    if isinstance(code, str) and code.isdigit():
        code = int(code)
    if not isinstance(code, int) or isinstance(code, bool):
        raise ErpError("answer without codigo")
    return code


def _tags(row: Mapping[str, Any]) -> list[str]:
    tags = row.get("tags")
    if isinstance(tags, str):
        return [each.strip() for each in tags.split(",")]
    return [each for each in tags if isinstance(each, str)] if isinstance(tags, list) else []


def _phones(row: Mapping[str, Any]) -> list[str]:
    phones = row.get("fones")
    return [each for each in phones if isinstance(each, str)] if isinstance(phones, list) else []


def _contact_tag(quote: Quote, *, anew: bool) -> str:
    return f"{quote.tag}-novo" if anew else quote.tag


def _national(phone: str) -> str:
    return phone[2:] if phone.startswith("55") and len(phone) in (12, 13) else phone


def _forms(phone: str) -> tuple[str, ...]:
    """A Brazilian mobile with and without its ninth digit."""
    national = _national(phone)
    if len(national) == 11 and national[2] == "9":
        return (national, national[:2] + national[3:])
    if len(national) == 10 and national[2] in "6789":
        return (national, f"{national[:2]}9{national[2:]}")
    return (national,)


def _same_phone(written: str, phone: str) -> bool:
    """A search may answer with numbers that merely hold this one."""
    return _national("".join(filter(str.isdigit, written))) in _forms(phone)
