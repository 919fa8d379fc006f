"""What people say rather than write: dictated values, options in their own words, places, answers put off."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.application.actions.check_digits import DOCUMENT_RULES
from core.domain.catalogue.catalog import Option
from core.domain.values.choices import choose
from core.domain.values.deferral import is_deferral
from core.domain.values.dictation import readings_of_emails, write_out_digits
from core.domain.values.identifiers import Rejected, read_cpf, read_email, read_phone
from core.domain.values.places import plain_city

PHONES = [
    pytest.param("11966234567", "onze nove meia meia dois três quatro cinco meia sete", id="digit by digit, meia for six"),
    pytest.param("21998887766", "vinte e um, 99888 7766", id="the area code in words"),
    pytest.param("11980000101", "zero onze, nove oito zero zero zero, traço, zero um zero um", id="with zero and dash"),
    pytest.param("11980000101", "98000-0101, meu DDD é 11", id="the area code apart"),
    pytest.param("zero onze nove oito zero zero zero zero um zero um", "zero onze nove oito zero zero zero zero um zero um", id="as it was said"),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "written"), PHONES)
def test_a_dictated_phone_is_found(raw: str, written: str) -> None:
    assert str(read_phone(raw, written=written)).startswith("+55")


def test_a_dictated_cpf_is_found_and_one_with_another_digit_is_not() -> None:
    said = "três nove zero, ponto, cinco três três, ponto, quatro quatro sete, traço, zero cinco"
    assert read_cpf("390.533.447-05", written=said, rules=DOCUMENT_RULES) == "39053344705"
    other = said.replace("zero cinco", "zero quatro")
    assert isinstance(read_cpf("390.533.447-05", written=other, rules=DOCUMENT_RULES), Rejected)


EMAILS = [
    pytest.param("rui.alves@exemplo.com", "rui ponto alves arroba exemplo ponto com", id="signs by name"),
    pytest.param("ruialves@exemplo.com", "rui alves, tudo junto, arroba exemplo ponto com", id="words together"),
    pytest.param("rui_alves-2@exemplo.com", "rui underline alves traço dois arroba exemplo ponto com", id="further signs"),
    pytest.param("rui45@minhaloja.com.br", "rui quarenta e cinco arroba minha loja ponto com ponto br", id="a number in it"),
    pytest.param("rui ponto alves arroba exemplo ponto com", "rui ponto alves arroba exemplo ponto com", id="as it was said"),
    pytest.param("e-mail: rui@exemplo.com", "rui@exemplo.com", id="with its label"),
    pytest.param("umalves@exemplo.com", "um alves arroba exemplo ponto com", id="a name that begins like a number"),
    pytest.param("rui@exemplo. com", "rui@exemplo.com", id="a space that a model put in"),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "written"), EMAILS)
def test_a_dictated_email_is_found(raw: str, written: str) -> None:
    email = read_email(raw, written=written)
    assert isinstance(email, str)
    assert "@" in email
    assert " " not in email


@pytest.mark.parametrize(
    ("raw", "written"),
    [
        pytest.param("rui@exemplo.com", "rui arroba exemplo ponto com ponto br", id="the start of a longer one"),
        pytest.param("rui.alves@exemplo.com", "rui alves arroba exemplo ponto com", id="a sign that was not said"),
        pytest.param("rui@exemplo.com, ana@exemplo.com", "rui@exemplo.com ana@exemplo.com", id="two"),
        pytest.param("ruialves@exemplo.com", "rui alves@exemplo.com", id="apart, and not dictated"),
    ],
)
def test_an_email_that_was_not_said_is_refused(raw: str, written: str) -> None:
    assert isinstance(read_email(raw, written=written), Rejected)


@settings(deadline=None)
@given(text=st.text() | st.text(alphabet="zeroumnv arobpt@.0123", max_size=200))
def test_writing_out_takes_any_text(text: str) -> None:
    assert isinstance(write_out_digits(text), str)
    assert all(isinstance(reading, str) for reading in readings_of_emails(text))


LATER = [
    *("a planilha eu mando depois", "te passo mais tarde", "vou verificar", "vou ver com o engenheiro e te falo"),
    *("o CNPJ eu envio amanhã", "preciso confirmar com a diretoria", "depois", "assim que eu tiver eu te mando"),
    *(
        "ainda não sei, vou checar",
        "não tenho aqui, mando depois",
        "deixa eu ver aqui",
        "quando chegar na loja eu passo",
    ),
]


@pytest.mark.parametrize("text", LATER)
def test_an_answer_put_off_is_known(text: str) -> None:
    assert is_deferral(text)


ANSWERS = [
    *(
        "amanhã",
        "semana que vem",
        "depois do dia 20",
        "pH e cloro, o resto mando depois",
        "não vou mandar",
        "vou enviar",
    ),
    *("água que vou mandar amanhã", "assim que possível", "Vera Passos", "Passo Fundo", "Contagem", "não sei", ""),
    *("controle depois do tratamento", "prefiro não passar", "vou levar aí depois do almoço"),
]


@pytest.mark.parametrize(
    ("text", "later"),
    [
        pytest.param("mando depois".rjust(160), True, id="a hundred and sixty characters"),
        pytest.param("mando depois".rjust(161), False, id="a hundred and sixty-one characters"),
        pytest.param("não mando depois", False, id="a refusal"),
        pytest.param("não tenho, mando depois", True, id="not knowing is no refusal"),
        pytest.param("mando depois do que não", False, id="a refusal at its end"),
        pytest.param("vou ver com a minha irmã mais velha de lá e te falo", True, id="six words of somebody else"),
        pytest.param("mandar foto de noite", False, id="what somebody else shall do"),
        pytest.param("assim eu mando", False, id="assim without que"),
        pytest.param("te mando", True, id="given to you"),
        pytest.param("mando", False, id="given, nobody knows when"),
        pytest.param("verifico amanhã", True, id="looked up on a day"),
        pytest.param("verifico", False, id="looked up, nobody knows when"),
    ],
)
def test_a_word_more_or_less_decides_whether_it_is_put_off(text: str, *, later: bool) -> None:
    assert is_deferral(text) is later


@pytest.mark.parametrize("text", ANSWERS)
def test_an_answer_is_not_put_off(text: str) -> None:
    assert not is_deferral(text)


OPTIONS = (
    Option(id="retirada", name="Retirada na loja", synonyms=("buscar aí", "vou buscar")),
    Option(id="entrega", name="Entrega em domicílio ou no trabalho", synonyms=("entregar", "delivery", "motoboy")),
    Option(id="outro", name="Outro jeito", synonyms=("outra forma",)),
)


@pytest.mark.parametrize(
    ("text", "option"),
    [
        pytest.param("entrega", "entrega", id="id"),
        pytest.param("Entrega em Domicílio ou no Trabalho", "entrega", id="name"),
        pytest.param("no trabalho", "entrega", id="half of a name"),
        pytest.param("a retirada na loja", "retirada", id="an article before it"),
        pytest.param("pode mandar por motoboy mesmo", "entrega", id="a synonym in a sentence"),
        pytest.param("eu vou buscar na sexta", "retirada", id="a phrase in a sentence"),
        pytest.param("outro", "outro", id="the catch-all, alone"),
        pytest.param("entrega ou retirada na loja", None, id="two of them"),
        pytest.param("não quero entrega", None, id="denied"),
        pytest.param("outro dia eu vejo", None, id="the catch-all within a sentence"),
        pytest.param("entregas", None, id="another word"),
        pytest.param("na lua", None, id="none"),
        pytest.param("", None, id="empty"),
        pytest.param("motoboy".rjust(120), "entrega", id="a hundred and twenty characters"),
        pytest.param("motoboy".rjust(121), None, id="a hundred and twenty-one characters"),
        pytest.param("entrega, entrega mesmo", "entrega", id="one of them twice"),
        pytest.param("ou entrega ou vou buscar, entrega", None, id="two of them, one of them twice"),
        pytest.param("talvez entrega", None, id="in doubt"),
        pytest.param("nova entrega de pizza", "entrega", id="a name within a sentence"),
    ],
)
def test_an_option_is_known_as_a_customer_would_say_it(text: str, option: str | None) -> None:
    chosen = choose(text, OPTIONS)
    assert (chosen and chosen.id) == option


SIZES = (
    Option(id="p", name="Mini"),
    Option(id="m", name="Max"),
    Option(id="g", name="Maxi grande"),
    Option(id="outra", name="Outra medida"),
)


@pytest.mark.parametrize(
    ("text", "option"),
    [
        pytest.param("m", "m", id="a short id alone"),
        pytest.param("eu quero m", None, id="a short id within a sentence says nothing"),
        pytest.param("eu quero max", None, id="three letters within a sentence say nothing"),
        pytest.param("eu quero mini", "p", id="four letters within a sentence are a name"),
        pytest.param("eu quero a maxi grande", "g", id="a longer name holds a shorter one"),
        pytest.param("mini ou maxi grande", None, id="two names"),
    ],
)
def test_a_name_within_a_sentence_has_four_letters(text: str, option: str | None) -> None:
    chosen = choose(text, SIZES)
    assert (chosen and chosen.id) == option


CLASHING = (Option(id="b", name="A", synonyms=("c",)), Option(id="a", name="C", synonyms=("d",)))


@pytest.mark.parametrize(("text", "option"), [("a", "a"), ("c", "a"), ("d", "a"), ("b", "b")])
def test_an_id_wins_over_a_name_and_a_name_over_a_synonym(text: str, option: str) -> None:
    chosen = choose(text, CLASHING)
    assert (chosen and chosen.id) == option


@pytest.mark.parametrize(
    ("text", "city"),
    [
        pytest.param("Jundiaí/SP", "Jundiaí/SP", id="slash"),
        pytest.param("SP - Campinas", "Campinas/SP", id="state first"),
        pytest.param("Belo Horizonte - mg", "Belo Horizonte/MG", id="dash, small letters"),
        pytest.param("Recife (PE)", "Recife/PE", id="brackets"),
        pytest.param("em Porto Alegre, RS", "Porto Alegre/RS", id="em and a comma"),
        pytest.param("Sorocaba SP", "Sorocaba/SP", id="a space"),
        pytest.param("Pará de Minas", "Pará de Minas", id="a city that begins like a state"),
        pytest.param("Embu das Artes", "Embu das Artes", id="a city that begins like em"),
        pytest.param("SP", "SP", id="a state alone stays"),
    ],
)
def test_a_city_and_its_state_have_one_form(text: str, city: str) -> None:
    assert plain_city(text) == city
