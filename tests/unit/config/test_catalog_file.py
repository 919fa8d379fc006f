"""The catalogue's file: all that it says is read, and every mistake in it is told at once, by table and key."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from core.config.catalog_file import CatalogFileError, load_catalog
from core.domain.actions import Agent
from core.domain.catalogue.catalog import (
    Catalog,
    FieldScope,
    FieldType,
    IfDeclined,
    optional_fields,
    required_fields,
)

SOUND = """
timezone = "America/Sao_Paulo"
holidays = ["12-25", "2027-02-09"]
neutral_words = ["lixo"]

[company]
name = "Empresa Inventada"
offers = "o que ela faz"
outcome = "orçamento"

[prices]
policy = "Só a equipe fala de preço."

[business_hours]
segunda = ["08:00-12:00", "13:00-24:00"]

[[segments]]
id = "fabrica"
name = "Fábrica"
synonyms = ["indústria"]

[[fields]]
id = "quantos"
name = "quantos"
type = "integer"
scope = "service"
question = "Quantos?"
min = 1
max = 9.5

[[fields]]
id = "cpf"
name = "CPF"
type = "cpf"
scope = "customer"
question = "CPF ou CNPJ?"
required_at = ["coleta"]
one_of = "documento"
if_declined = "alternative"

[[fields]]
id = "cnpj"
name = "CNPJ"
type = "cnpj"
scope = "customer"
question = "CNPJ?"
required_at = ["coleta"]
one_of = "documento"
if_declined = "handoff"

[[fields]]
id = "lugar"
name = "lugar"
type = "enum"
scope = "service"
question = "Onde?"
max_length = 30

[[fields.values]]
id = "aqui"
name = "Aqui"

[[services]]
id = "alfa"
name = "Alfa"
description = "O primeiro."
scope_note = "Só isso."
asks_segment = true
erp_product_code = 7
required.qualificacao = ["quantos"]
optional.qualificacao = ["lugar"]

[[packages]]
id = "COMPANY_INFO"
title = "Quem somos"
ask_when = "perguntam quem somos"
"""


def load(tmp_path: Path, text: str) -> Catalog:
    path = tmp_path / "catalog.toml"
    path.write_text(text, encoding="utf-8")
    return load_catalog(path)


def mistakes(tmp_path: Path, text: str) -> list[str]:
    with pytest.raises(CatalogFileError) as error:
        load(tmp_path, text)
    return [line.removeprefix("- catalog.toml: ") for line in str(error.value).splitlines()[1:]]


def test_everything_that_a_file_says_is_in_the_catalogue(tmp_path: Path) -> None:
    catalog = load(tmp_path, SOUND)
    quantos, cpf, cnpj, lugar = catalog.fields
    assert catalog.company.name == "Empresa Inventada"
    assert (quantos.type, quantos.scope, quantos.minimum, quantos.maximum) == (
        FieldType.INTEGER,
        FieldScope.SERVICE,
        Decimal(1),
        Decimal("9.5"),
    )
    assert (cpf.one_of, cpf.if_declined, cnpj.if_declined) == (
        "documento",
        IfDeclined.ALTERNATIVE,
        IfDeclined.HANDOFF,
    )
    assert [spec.order for spec in catalog.fields] == [0, 1, 2, 3]
    assert (lugar.values[0].id, lugar.max_length, lugar.if_declined) == ("aqui", 30, IfDeclined.ACCEPT)
    service = catalog.services[0]
    assert (service.asks_segment, service.erp_product_code, service.scope_note) == (True, 7, "Só isso.")
    assert [spec.id for spec in required_fields(catalog, Agent.QUALIFICACAO, "alfa")] == ["quantos"]
    assert [spec.id for spec in required_fields(catalog, Agent.COLETA, "alfa")] == ["cpf", "cnpj"]
    assert [spec.id for spec in optional_fields(catalog, Agent.QUALIFICACAO, "alfa")] == ["lugar"]
    assert catalog.neutral_words == ("lixo",)
    assert catalog.hours.timezone == "America/Sao_Paulo"
    assert catalog.hours.week[0][1].end == 1440


ONE_MISTAKE = [
    (
        'name = "Empresa Inventada"',
        'nome = "Empresa"',
        ["company: name is missing", "company: nome is not a known key"],
    ),
    ("[[services]]", "[[servicos]]", ["servicos is not a known key", "services is missing"]),
    ('type = "cpf"', 'type = "rg"', ["fields[2] (cpf): type is 'rg', not one of text, integer, decimal, date, enum"]),
    ('type = "cpf"', "type = 3", ["fields[2] (cpf): type must be a text"]),
    ('scope = "customer"\nquestion = "CNPJ?"', 'question = "CNPJ?"', ["fields[3] (cnpj): scope is missing"]),
    ('question = "Onde?"', 'question = " "', ["fields[4] (lugar): question is empty"]),
    ('id = "cnpj"', 'id = "cpf"', ["fields: id 'cpf' stands more than once"]),
    ('id = "quantos"', 'id = "Quantos?"', ["fields[1] (Quantos?): id must be small letters", "names 'quantos'"]),
    ('id = "quantos"', 'id = "reason"', ["fields[1] (reason): id is a key of the reply itself", "names 'quantos'"]),
    ("min = 1", "min = 10", ["fields[1] (quantos): min is greater than max"]),
    ("min = 1", "min = true", ["fields[1] (quantos): min must be a number"]),
    ("max_length = 30", "max_length = 0", ["fields[4] (lugar): max_length must be at least 1"]),
    ("max_length = 30", "max = 30", ["fields[4] (lugar): max is only for numbers"]),
    ('[[fields.values]]\nid = "aqui"\nname = "Aqui"', "", ["fields[4] (lugar): values must be there"]),
    ('name = "Aqui"', "", ["fields[4] (lugar).values[1] (aqui): name is missing"]),
    ('one_of = "documento"\nif_declined = "handoff"', "", ["fields (cpf): one_of 'documento' has no other field"]),
    ('one_of = "documento"\nif_declined = "alternative"', 'if_declined = "alternative"', ["one_of is missing", "cnpj"]),
    (
        'required_at = ["coleta"]\none_of',
        'required_at = ["venda"]\none_of',
        ["fields[2] (cpf): required_at is 'venda'"],
    ),
    ('["quantos"]', '["quanto"]', ["services (alfa).required: qualificacao names 'quanto', which is no field"]),
    ("required.qualificacao", "required.venda", ["services[1] (alfa).required: venda is not a known key"]),
    ("asks_segment = true", 'asks_segment = "sim"', ["services[1] (alfa): asks_segment must be true or false"]),
    ("erp_product_code = 7", 'erp_product_code = "7"', ["services[1] (alfa): erp_product_code must be a whole number"]),
    ('synonyms = ["indústria"]', 'synonyms = "indústria"', ["segments[1] (fabrica): synonyms must be a list of texts"]),
    ('synonyms = ["indústria"]', "synonyms = [1]", ["segments[1] (fabrica): synonyms must be a list of texts"]),
    ('"COMPANY_INFO"', '"company"', ["packages[1] (company): id must be capital letters"]),
    ('"Quem somos"', '"Quem somos"\nbuilt_by_code = true', ["packages[1] (COMPANY_INFO): built_by_code is only for"]),
    ("America/Sao_Paulo", "America/Curitiba", ["timezone 'America/Curitiba' is not a time zone"]),
    ('"2027-02-09"', '"2027-02-30"', ["holidays '2027-02-30' is neither"]),
    ("13:00-24:00", "11:00-18:00", ["business_hours: segunda '11:00-18:00' is not a stretch"]),
    ("13:00-24:00", "18:00-13:00", ["business_hours: segunda '18:00-13:00' is not a stretch"]),
    ("segunda =", "monday =", ["business_hours: monday is not a known key"]),
    ('required_at = ["coleta"]', 'required_at = ["coleta"]\noptional_at = ["coleta"]', ["(cpf): coleta is both"]),
    (
        '[[fields.values]]\nid = "aqui"\nname = "Aqui"',
        "values = [1]",
        ["fields[4] (lugar).values[1]: must be a table", "fields[4] (lugar): values must be there"],
    ),
    ("[[packages]]", "[packages]", ["packages must be a list of tables"]),
]


@pytest.mark.parametrize(
    ("old", "new", "expected"), ONE_MISTAKE, ids=[new or f"no {old}" for old, new, _ in ONE_MISTAKE]
)
def test_a_mistake_is_told_by_table_and_key(tmp_path: Path, old: str, new: str, expected: list[str]) -> None:
    assert SOUND.count(old) >= 1
    found = mistakes(tmp_path, SOUND.replace(old, new, 1))
    assert len(found) == len(expected)
    for part, line in zip(expected, sorted(found, key=lambda line: _place(line, expected)), strict=True):
        assert part in line


def _place(line: str, expected: list[str]) -> int:
    return next((place for place, part in enumerate(expected) if part in line), len(expected))


def test_all_mistakes_are_told_in_one_message(tmp_path: Path) -> None:
    text = (
        SOUND.replace('type = "cpf"', 'type = "rg"').replace("America/Sao_Paulo", "Marte").replace("min = 1", "mim = 1")
    )
    assert len(mistakes(tmp_path, text)) == 3


def test_two_services_may_not_answer_to_the_same_name(tmp_path: Path) -> None:
    second = '\n[[services]]\nid = "beta"\nname = "Beta"\ndescription = "O segundo."\nsynonyms = ["ALFA"]\n'
    assert mistakes(tmp_path, SOUND + second) == ["services: name or synonym 'alfa' stands more than once"]


def test_a_group_of_alternatives_may_not_be_named_as_a_field(tmp_path: Path) -> None:
    found = mistakes(tmp_path, SOUND.replace('one_of = "documento"', 'one_of = "quantos"'))
    assert found == [f"fields ({name}): one_of 'quantos' is a field's id" for name in ("cpf", "cnpj")]


def test_a_service_that_asks_for_a_segment_needs_segments(tmp_path: Path) -> None:
    text = SOUND.replace('[[segments]]\nid = "fabrica"\nname = "Fábrica"\nsynonyms = ["indústria"]', "")
    assert mistakes(tmp_path, text) == ["services (alfa): asks_segment is set, and there are no segments"]


@pytest.mark.parametrize("text", ["[company", "a = 1\na = 2", "\ufeff?"], ids=["cut off", "key twice", "no TOML"])
def test_a_file_that_is_no_toml_is_named_and_not_a_traceback(tmp_path: Path, text: str) -> None:
    with pytest.raises(CatalogFileError, match=r"catalog\.toml: cannot be read"):
        load(tmp_path, text)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CatalogFileError, match=r"nada\.toml has 1 mistake"):
        load_catalog(tmp_path / "nada.toml")
