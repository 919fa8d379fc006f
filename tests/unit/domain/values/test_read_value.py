"""Raw values from a model, typed: what is meant without doubt is taken, the rest refused with a reason."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.application.actions.check_digits import DOCUMENT_RULES
from core.domain.catalogue.catalog import Catalog, Company, FieldScope, FieldSpec, FieldType, Option, Service
from core.domain.values.field_value import FieldScalar
from core.domain.values.identifiers import Rejected
from core.domain.values.read_value import TypedValue, ValueReader, is_blank

OPTIONS = (
    Option(id="no_laboratorio", name="No laboratório", synonyms=("vou levar",)),
    Option(id="no_cliente", name="Na empresa", synonyms=("em campo", "in loco")),
)
SPECS = {
    kind: FieldSpec(
        id=f"campo_{kind}",
        name=kind.value,
        type=kind,
        scope=FieldScope.SERVICE,
        question="?",
        values=OPTIONS if kind is FieldType.ENUM else (),
        minimum=Decimal(1) if kind in (FieldType.INTEGER, FieldType.DECIMAL) else None,
        maximum=Decimal(2000) if kind in (FieldType.INTEGER, FieldType.DECIMAL) else None,
        max_length=20,
    )
    for kind in FieldType
}
CATALOG = Catalog(
    company=Company(name="Empresa Inventada"),
    services=(Service(id="alfa", name="Alfa", description=""),),
    fields=tuple(SPECS.values()),
)
CPF, CNPJ, NEW_CNPJ = "39053344705", "11222333000181", "12ABC34501DE35"


def read(kind: FieldType, raw: Any, written: str = "") -> TypedValue:
    return ValueReader(catalog=CATALOG, written=written, documents=DOCUMENT_RULES).read(SPECS[kind], raw)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@settings(deadline=None)
@given(kind=st.sampled_from(FieldType), raw=JSON, written=st.text())
def test_any_json_becomes_a_scalar_or_nothing_or_a_refusal(kind: FieldType, raw: Any, written: str) -> None:
    value = read(kind, raw, written)
    assert value is None or isinstance(value, FieldScalar | Rejected)


@pytest.mark.parametrize("kind", FieldType)
@pytest.mark.parametrize(
    "raw", [None, "", "  ", "\u200b", "-", "?", "...", [], {}, "null", "None", "N/A", "Não informado", "nao_informada"]
)
def test_null_empty_and_the_words_for_nothing_are_no_value(kind: FieldType, raw: Any) -> None:
    assert is_blank(raw)
    assert read(kind, raw) is None


@pytest.mark.parametrize("kind", FieldType)
@pytest.mark.parametrize(
    "raw", ["{} não informado", "Cliente ainda não informou o {}", "{}: sem informação", "não informado pelo cliente"]
)
def test_a_model_s_note_that_nothing_was_said_is_no_value(kind: FieldType, raw: str) -> None:
    assert read(kind, raw.format(SPECS[kind].name)) is None


@pytest.mark.parametrize("raw", ["cliente", "o valor ainda", "não", "pendente de poda"])
def test_words_that_may_be_an_answer_are_kept(raw: str) -> None:
    assert read(FieldType.TEXT, raw) == raw


TAKEN = [
    (FieldType.TEXT, "  água  de\npoço ", "água de poço"),
    (FieldType.TEXT, 12, "12"),
    (FieldType.TEXT, 12.5, "12.5"),
    (FieldType.TEXT, 12.0, "12"),
    (FieldType.TEXT, ["pH", "DBO", 3], "pH, DBO, 3"),
    (FieldType.TEXT, "a\x00b\u200bc", "abc"),
    (FieldType.TEXT, "x" * 20, "x" * 20),
    (FieldType.TEXT, ["pH", None, ""], "pH"),
    (FieldType.TEXT, [[["pH"]]], "pH"),
    (FieldType.INTEGER, {"valor": 12}, 12),
    (FieldType.INTEGER, {"campo_integer": 12}, 12),
    (FieldType.INTEGER, 1, 1),
    (FieldType.INTEGER, 2000, 2000),
    (FieldType.DECIMAL, "1,00", Decimal("1.00")),
    (FieldType.DECIMAL, 2000.0, Decimal("2000.0")),
    (FieldType.INTEGER, 12, 12),
    (FieldType.INTEGER, 12.0, 12),
    (FieldType.INTEGER, "12", 12),
    (FieldType.INTEGER, " 12 amostras", 12),
    (FieldType.INTEGER, "umas 12, no total", 12),
    (FieldType.INTEGER, "12kg", 12),
    (FieldType.INTEGER, "1.200", 1200),
    (FieldType.INTEGER, "1.200,00", 1200),
    (FieldType.INTEGER, "1,200.0", 1200),
    (FieldType.INTEGER, "+12", 12),
    (FieldType.INTEGER, "doze", 12),
    (FieldType.INTEGER, "Três", 3),
    (FieldType.INTEGER, "vinte e cinco amostras", 25),
    (FieldType.INTEGER, "cento e vinte e um", 121),
    (FieldType.INTEGER, ["12"], 12),
    (FieldType.DECIMAL, 12.5, Decimal("12.5")),
    (FieldType.DECIMAL, 12, Decimal(12)),
    (FieldType.DECIMAL, "12,5", Decimal("12.5")),
    (FieldType.DECIMAL, "12.5 ha", Decimal("12.5")),
    (FieldType.DECIMAL, "1.234,56", Decimal("1234.56")),
    (FieldType.DECIMAL, "1,234.56", Decimal("1234.56")),
    (FieldType.DECIMAL, "1.250", Decimal(1250)),
    (FieldType.ENUM, "no_cliente", "no_cliente"),
    (FieldType.ENUM, "NO LABORATORIO", "no_laboratorio"),
    (FieldType.ENUM, "In Loco", "no_cliente"),
    (FieldType.BOOLEAN, True, True),
    (FieldType.BOOLEAN, False, False),
    (FieldType.BOOLEAN, "Não", False),
    (FieldType.BOOLEAN, "sim", True),
    (FieldType.BOOLEAN, "true", True),
    (FieldType.BOOLEAN, 0, False),
    (FieldType.BOOLEAN, 1, True),
    (FieldType.BOOLEAN, "Sim, por favor", True),
    (FieldType.BOOLEAN, "não, obrigada", False),
    (FieldType.CITY, "Itu", "Itu"),
    (FieldType.CITY, "Uá", "Uá"),
    (FieldType.CITY, "x" * 80, "x" * 80),
    (FieldType.CITY, {"cidade": "Campinas", "uf": "SP"}, "Campinas/SP"),
    (FieldType.CITY, {"Município": "Campinas", "Estado": "sp"}, "Campinas/SP"),
    (FieldType.CITY, {"cidade": "Campinas", "uf": " "}, "Campinas"),
    (FieldType.CITY, {"cidade": "Campinas", "uf": None}, "Campinas"),
    (FieldType.CITY, " São José  dos Campos/SP ", "São José dos Campos/SP"),
]


@pytest.mark.parametrize(("kind", "raw", "value"), TAKEN, ids=repr)
def test_a_value_whose_meaning_is_clear_is_taken(kind: FieldType, raw: Any, value: FieldScalar) -> None:
    taken = read(kind, raw)
    assert (taken, type(taken)) == (value, type(value))


REFUSED = [
    (FieldType.TEXT, True),
    (FieldType.TEXT, {"a": 1}),
    (FieldType.TEXT, [["a"], ["b"]]),
    (FieldType.TEXT, "x" * 21),
    (FieldType.TEXT, [[[[["a"]]]]]),
    (FieldType.TEXT, ["a", True]),
    (FieldType.TEXT, float("inf")),
    (FieldType.INTEGER, {"minimo": 12}),
    (FieldType.INTEGER, [[[[12]]]]),
    (FieldType.DECIMAL, "0,99"),
    (FieldType.DECIMAL, "2000,01"),
    (FieldType.INTEGER, True),
    (FieldType.INTEGER, 12.5),
    (FieldType.INTEGER, "12,5"),
    (FieldType.INTEGER, "1,200"),
    (FieldType.INTEGER, "1,200 amostras"),
    (FieldType.INTEGER, "10 a 12"),
    (FieldType.INTEGER, "10-12"),
    (FieldType.INTEGER, "dois ou três"),
    (FieldType.INTEGER, "um monte"),
    (FieldType.INTEGER, "12h30"),
    (FieldType.INTEGER, "H2O"),
    (FieldType.INTEGER, "muitas"),
    (FieldType.INTEGER, 0),
    (FieldType.INTEGER, -3),
    (FieldType.INTEGER, 2001),
    (FieldType.INTEGER, "9" * 5000),
    (FieldType.INTEGER, 10**5000),
    (FieldType.INTEGER, float("nan")),
    (FieldType.INTEGER, float("inf")),
    (FieldType.INTEGER, [1, 2]),
    (FieldType.INTEGER, {"valor": 1, "minimo": 2}),
    (FieldType.DECIMAL, "1.2.3"),
    (FieldType.DECIMAL, "1,2,3"),
    (FieldType.DECIMAL, "1.23,5"),
    (FieldType.DECIMAL, "1.0,2.5"),
    (FieldType.DECIMAL, 1e300),
    (FieldType.DECIMAL, 1e-300),
    (FieldType.DATE, "31/02/2026"),
    (FieldType.DATE, "amanhã"),
    (FieldType.DATE, "10/12"),
    (FieldType.DATE, 20261201),
    (FieldType.ENUM, "na lua"),
    (FieldType.ENUM, True),
    (FieldType.BOOLEAN, "talvez"),
    (FieldType.BOOLEAN, "não sei"),
    (FieldType.BOOLEAN, 2),
    (FieldType.CITY, "13000"),
    (FieldType.CITY, "U"),
    (FieldType.CITY, ["Campinas", "Itu"]),
    (FieldType.CITY, {"cidade": "Campinas", "bairro": "Centro"}),
    (FieldType.CITY, {"cidade": 5, "uf": "SP"}),
    (FieldType.CITY, {"uf": "SP", "bairro": "Centro"}),
    (FieldType.CPF, "5" * 81),
    (FieldType.CNPJ, ["11222333000181", "1"]),
    (FieldType.PHONE, True),
    (FieldType.PHONE, 10**5000),
    (FieldType.CITY, "x" * 81),
    (FieldType.CITY, 5),
    (FieldType.CPF, True),
    (FieldType.EMAIL, 5),
    (FieldType.PHONE, {"ddd": 11}),
]


@pytest.mark.parametrize(
    ("kind", "raw"), REFUSED, ids=lambda part: repr(part)[:30] if not isinstance(part, int) else ""
)
def test_a_value_that_is_wrong_or_doubtful_is_refused_with_a_reason(kind: FieldType, raw: Any) -> None:
    refused = read(kind, raw)
    assert isinstance(refused, Rejected)
    assert refused.reason


LONG_TEXT = replace(SPECS[FieldType.TEXT], max_length=40)


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        pytest.param(10**30 - 1, "9" * 30, id="thirty digits"),
        pytest.param(10**30, Rejected("precisa ser um texto"), id="thirty-one digits"),
        pytest.param(-(10**30), Rejected("precisa ser um texto"), id="thirty-one digits below zero"),
    ],
)
def test_a_number_for_a_text_has_at_most_thirty_digits(raw: int, value: TypedValue) -> None:
    reader = ValueReader(catalog=CATALOG, written="", documents=DOCUMENT_RULES)
    assert reader.read(LONG_TEXT, raw) == value


HECTARES = replace(SPECS[FieldType.INTEGER], name="Área em hectares")


@pytest.mark.parametrize(
    ("raw", "is_number"), [("12 hectares", True), ("12", True), (12, True), ("12 alqueires", False)]
)
def test_a_value_in_another_unit_than_its_field_s_is_refused(raw: object, *, is_number: bool) -> None:
    read = ValueReader(catalog=CATALOG, written="", documents=DOCUMENT_RULES).read(HECTARES, raw)
    assert (read == 12) is is_number
    assert is_number or (isinstance(read, Rejected) and "outra unidade" in read.reason)


WHEN = replace(
    SPECS[FieldType.ENUM],
    values=(Option(id="ja", name="Já"), Option(id="depois", name="Mando depois", synonyms=("mais tarde",))),
)


@pytest.mark.parametrize("raw", ["mando depois", "mais tarde", "depois"])
def test_words_that_put_off_are_an_answer_where_they_are_an_option(raw: str) -> None:
    reader = ValueReader(catalog=CATALOG, written="", documents=DOCUMENT_RULES)
    assert reader.read(WHEN, raw) == "depois"
    assert reader.read(SPECS[FieldType.ENUM], raw) is None
    assert reader.read(SPECS[FieldType.TEXT], raw) is None


@pytest.mark.parametrize(
    ("raw", "blank"),
    [
        pytest.param('"não mencionada"', True, id="sixteen characters"),
        pytest.param("pendente", True, id="one word"),
        pytest.param("-" * 40, True, id="many signs"),
        pytest.param("-" * 40 + "a", False, id="many signs and a letter"),
        pytest.param(0, False, id="zero"),
        pytest.param(False, False, id="a truth"),
        pytest.param([None], False, id="a list of nothing"),
    ],
)
def test_a_blank_is_what_says_nothing_at_all(raw: object, *, blank: bool) -> None:
    assert is_blank(raw) is blank


def test_a_model_s_note_is_short() -> None:
    note = "campo não informado"
    assert read(FieldType.TEXT, f"{note:>60}") is None
    assert read(FieldType.TEXT, f"{note:>61}") == note


def test_an_enum_s_refusal_names_the_values_that_there_are() -> None:
    assert read(FieldType.ENUM, "na lua") == Rejected("use um destes: no_laboratorio, no_cliente")


# Identifiers: only as the customer wrote them

WRITTEN = [
    (FieldType.CPF, "390.533.447-05", "meu cpf é 39053344705", CPF),
    (FieldType.CPF, "39053344705", "390.533.447-05", CPF),
    (FieldType.CPF, 39053344705, "é 390 533 447 05.", CPF),
    (FieldType.CPF, "CPF 390.533.447-05", "cpf:390.533.447-05", CPF),
    (FieldType.CPF, "39053344705", "390.533\n447-05", CPF),
    (FieldType.CPF, "39053344705", "３９０.５３３.４４７-０５", CPF),
    (FieldType.CPF, 1234567890, "012.345.678-90", "01234567890"),
    (FieldType.CNPJ, "11.222.333/0001-81", "cnpj 11222333000181", CNPJ),
    (FieldType.CNPJ, 11222333000181, "11.222.333/0001-81", CNPJ),
    (FieldType.CNPJ, "12.abc.345/01de-35", "CNPJ 12ABC34501DE35", NEW_CNPJ),
    (FieldType.CNPJ, "12ABC34501DE35", "o novo é 12.Abc.345/01dE-35 ok?", NEW_CNPJ),
    (FieldType.EMAIL, "Lara.Q@Exemplo.com.br", "é lara.q@exemplo.com.br.", "lara.q@exemplo.com.br"),
    (FieldType.EMAIL, "lara@exemplo.com", "LARA @ EXEMPLO.COM", "lara@exemplo.com"),
    (FieldType.EMAIL, "lara@exemplo.com", "lara arroba exemplo ponto com", "lara@exemplo.com"),
    (FieldType.EMAIL, "mailto:lara@exemplo.com", "<lara@exemplo.com>", "lara@exemplo.com"),
    (FieldType.PHONE, "(11) 98000-0101", "11 980000101", "+5511980000101"),
    (FieldType.PHONE, "11980000101", "+55 (11) 9 8000-0101", "+5511980000101"),
    (FieldType.PHONE, "+5511980000101", "fone 011 98000 0101", "+5511980000101"),
    (FieldType.PHONE, 1133330101, "(11) 3333-0101", "+551133330101"),
    (FieldType.PHONE, "55 98000-0101 ".replace(" ", ""), "55 98000 0101", "+5555980000101"),
    (FieldType.PHONE, "+351 210 000 101", "+351 210000101", "+351210000101"),
]


@pytest.mark.parametrize(("kind", "raw", "written", "value"), WRITTEN)
def test_an_identifier_is_taken_in_one_form_however_it_was_punctuated(
    kind: FieldType, raw: Any, written: str, value: str
) -> None:
    assert read(kind, raw, written) == value


NOT_WRITTEN = [
    pytest.param(FieldType.CPF, CPF, "não vou informar", id="a CPF that the customer never wrote"),
    pytest.param(FieldType.CPF, CPF, "39053344706", id="one digit away from what was written"),
    pytest.param(FieldType.CPF, CPF, "pedido 1390533447059", id="digits within a longer number"),
    pytest.param(FieldType.CPF, CPF, "", id="nothing written"),
    pytest.param(FieldType.CNPJ, CNPJ, "11.222.333/0001", id="half a CNPJ"),
    pytest.param(FieldType.CNPJ, NEW_CNPJ, "12ABC34501DE36", id="a letter CNPJ, one digit away"),
    pytest.param(FieldType.EMAIL, "lara@exemplo.com", "lara@exemplo.com.br", id="the start of a longer e-mail"),
    pytest.param(FieldType.EMAIL, "lara@exemplo.com", "clara@exemplo.com", id="the end of a longer e-mail"),
    pytest.param(FieldType.PHONE, "11980000101", "98000-0101", id="an area code that was not written"),
    pytest.param(FieldType.PHONE, "11980000101", "8000-0101", id="a ninth digit that was not written"),
]


@pytest.mark.parametrize(("kind", "raw", "written"), NOT_WRITTEN)
def test_an_identifier_that_the_customer_did_not_write_is_refused(kind: FieldType, raw: str, written: str) -> None:
    refused = read(kind, raw, written)
    assert isinstance(refused, Rejected)
    assert "não aparece" in refused.reason


WRONG = [
    pytest.param(FieldType.CPF, "39053344706", id="CPF check digits"),
    pytest.param(FieldType.CPF, "11111111111", id="CPF of one digit repeated"),
    pytest.param(FieldType.CPF, "3905334470", id="short CPF"),
    pytest.param(FieldType.CPF, "11222333000181", id="CNPJ as CPF"),
    pytest.param(FieldType.CNPJ, "11222333000182", id="CNPJ check digits"),
    pytest.param(FieldType.CNPJ, "12ABC34501DE36", id="letter CNPJ check digits"),
    pytest.param(FieldType.CNPJ, "12ABC34501DEF5", id="letter where a check digit stands"),
    pytest.param(FieldType.CNPJ, "00000000000000", id="CNPJ of zeros"),
    pytest.param(FieldType.EMAIL, "lara@exemplo", id="e-mail without a domain"),
    pytest.param(FieldType.EMAIL, "lara exemplo.com", id="e-mail without @"),
    pytest.param(FieldType.EMAIL, "a..b@exemplo.com", id="e-mail with two dots"),
    pytest.param(FieldType.PHONE, "98000-0101", id="phone without area code"),
    pytest.param(FieldType.PHONE, "10 98000-0101", id="area code that does not exist"),
    pytest.param(FieldType.PHONE, "+351 210", id="foreign phone too short"),
    pytest.param(FieldType.PHONE, "11 08000-0101", id="mobile that does not begin with 9"),
]


@pytest.mark.parametrize(("kind", "raw"), WRONG)
def test_an_identifier_that_cannot_be_right_is_refused_even_when_written(kind: FieldType, raw: str) -> None:
    assert isinstance(read(kind, raw, f"é {raw}"), Rejected)


@settings(deadline=None)
@given(raw=st.text(), written=st.text())
def test_a_refusal_s_reason_never_holds_the_value(raw: str, written: str) -> None:
    for kind in (FieldType.CPF, FieldType.CNPJ, FieldType.EMAIL, FieldType.PHONE):
        refused = read(kind, f"99{raw}99", written)
        if isinstance(refused, Rejected):
            assert f"99{raw}99" not in refused.reason
