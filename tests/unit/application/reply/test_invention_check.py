"""What a text makes up is told from what a package, a fixed text, a fact or the customer said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.application.reply.invention_check import Invention, find_inventions, without_inventions
from core.application.reply.known_facts import Sources
from core.application.reply.rule_tables import read_table
from tests.cases.cpu_budget import work_that_ends

ROOT = Path(__file__).parents[4]
TEXTS = [json.loads(line) for line in (ROOT / "tests/cases/answers/texts.jsonl").read_text("utf-8").splitlines()]
COMPANY = ROOT / "prompts" / "companies" / "laboratorio"
FOUND = ("price", "discount", "link", "phone", "deadline", "visit")
LABORATORY = Sources(
    packages="\n\n".join(path.read_text("utf-8") for path in sorted(COMPANY.glob("packages/*.md"))),
    fixed=(COMPANY / "textos.toml").read_text("utf-8"),
)
PET_SHOP = """Pet Shop Patinhas: banho e tosa, creche, ração e acessórios, em Curitiba (PR).
- Endereço: Rua das Araucárias, 500, Água Verde. Estacionamento conveniado.
- Atendimento: segunda a sexta das 9h às 19h; sábado das 9h às 14h.
- Contato: WhatsApp (41) 99999-0123, telefone (41) 3333-0100, oi@patinhas.example, site www.patinhas.example, Instagram @patinhas.
Preços.
- Banho: porte pequeno R$ 60, médio R$ 80, grande R$ 110.
- Banho e tosa higiênica: pequeno R$ 85, médio R$ 105, grande R$ 140.
- Creche: diária R$ 70; pacote de 10 diárias R$ 600.
- Leva e traz: R$ 20 por trajeto, grátis para quem tem pacote mensal.
- Pacote mensal (4 banhos): 10% de desconto sobre o valor avulso.
- Pagamento: Pix, cartão em até 3 vezes sem juros, dinheiro.
Prazos.
- Banho leva cerca de 2 horas; banho e tosa, 3 horas. O aviso de pronto é por WhatsApp.
- Ração por encomenda chega em 5 dias úteis.
- Troca de produto: até 7 dias com a nota.
- Leva e traz: o motorista passa entre 8h e 10h nos bairros Água Verde, Batel e Portão, às terças e quintas.
"""
SHOP = """Loja Casa Clara: móveis e decoração, Recife (PE). Site casaclara.example. Atendimento: segunda a sábado, 9h às 18h.
- Televendas: 0800 700 0199. Assistência: assistencia@casaclara.example.
- Entrega: Recife e Olinda em até 7 dias úteis; interior de Pernambuco em até 15 dias úteis. Frete grátis acima de R$ 499.
- Frete para compras menores: R$ 39,90 no Recife; interior a consultar.
- Montagem: R$ 90 por móvel, agendada pela equipe depois da entrega.
- Sofá Maré, 3 lugares: R$ 2.199. Mesa Jangada: R$ 1.290. Cadeira Jangada: R$ 310. Luminária Coqueiro: R$ 149,90.
- Pagamento: até 10x sem juros no cartão; 5% de desconto no Pix.
- Troca e devolução: 7 dias corridos após o recebimento. Garantia de 12 meses.
- Pedido sob medida: orçamento em até 3 dias úteis; produção de 30 a 45 dias.
"""


def kinds(text: str, sources: Sources) -> set[str]:
    return {invention.kind for invention in find_inventions(text, sources)}


def pet_shop(**more: Any) -> Sources:
    return Sources(packages=PET_SHOP, states_amounts=True, **more)


@pytest.mark.parametrize("row", TEXTS, ids=lambda row: row["id"])
def test_the_labelled_texts_are_told_apart(row: dict[str, Any]) -> None:
    """What is said of identity, law, results and openness is for no rule to judge."""
    if row["label"] == "invention":
        assert row["what"] not in FOUND or row["what"] in kinds(row["text"], LABORATORY)
    else:
        assert not kinds(row["text"], LABORATORY)


@pytest.mark.parametrize(
    ("pattern", "example"),
    [
        pytest.param(row.pattern, example, id=f"{row.name} {example[:20]!r}")
        for group in read_table("invention").rows.values()
        for row in group
        for example in row.examples
    ],
)
def test_every_row_finds_its_examples(pattern: Any, example: str) -> None:
    assert pattern.search(example)


@pytest.mark.parametrize(
    ("text", "customer"),
    [
        ("Oi! Aqui é a assistente virtual da Patinhas 🐾 Qual é o porte do seu cachorro?", "oi queria um banho"),
        (
            "O banho para porte médio sai por R$ 80. Quer que eu deixe o pedido anotado?",
            "quanto é o banho? ele é médio",
        ),
        (
            "Banho e tosa higiênica de porte grande fica em R$ 140. Seu cachorro tem alguma alergia?",
            "preço banho e tosa grande",
        ),
        (
            "Para os três pequenos, o banho fica em R$ 180, R$ 60 cada. Qual é o nome deles?",
            "tenho três cachorros pequenos",
        ),
        (
            "O leva e traz custa R$ 20 por trajeto, então ida e volta sai R$ 40. Em que bairro você mora?",
            "quero leva e traz ida e volta, 2 trajetos",
        ),
        (
            "O banho leva cerca de 2 horas, e avisamos por WhatsApp quando ele estiver pronto. Qual dia você prefere?",
            "quanto tempo demora",
        ),
        ("A ração por encomenda chega em 5 dias úteis. Qual é a marca?", "vcs tem ração especial?"),
        (
            "Quem tem pacote mensal não paga o leva e traz, e os 4 banhos saem com 10% de desconto. Quer saber mais?",
            "tem pacote?",
        ),
        ("Dá para parcelar em até 3 vezes sem juros no cartão. Prefere Pix ou cartão?", "parcela?"),
        ("Anotado: sábado de manhã, se a equipe tiver vaga. Qual é o nome do seu gato?", "pode ser sábado de manhã?"),
        ("Você prefere quinta ou sexta? Deixo a sua preferência anotada para a equipe confirmar.", "semana que vem"),
        ("Estamos na Rua das Araucárias, 500, no Água Verde. Já conhece a loja?", "onde fica"),
        (
            "Pode falar com a gente também pelo (41) 3333-0100 ou pelo site www.patinhas.example. Posso ajudar em mais alguma coisa?",
            "tem telefone?",
        ),
        (
            "Sobre o desconto que você pediu, quem avalia é a equipe; deixei anotado. Qual é o porte dela?",
            "faz 20% de desconto?",
        ),
        ("Não consigo confirmar os R$ 50 que te falaram; o banho pequeno é R$ 60. Seguimos?", "me falaram 50 reais"),
        ("Que fofo o nome! E a Mel, toma banho toda semana ou é a primeira vez?", "o nome dela é Mel"),
        ("A vacina de raiva não é com a gente, mas banho e tosa sim. Quer marcar interesse em algum?", "vcs vacinam?"),
        (
            "Anotei que o Thor morde quando mexem na pata. Mais alguma coisa que a equipe deva saber?",
            "ele morde se mexer na pata",
        ),
        ("O motorista passa entre 8h e 10h, às terças e quintas, no Batel. Serve para você?", "passam no batel?"),
        ("Para trocar o produto são até 7 dias, com a nota. Qual foi o produto?", "comprei errado"),
        ("Vou passar suas observações para os tosadores junto com o pedido. O pelo está com nós?", "pelo embolado"),
        (
            "Entendi, você precisa dele pronto até as 16h. Isso a equipe confirma no horário. Qual é o porte?",
            "preciso pegar ele até as 16h",
        ),
    ],
)
def test_what_packages_and_customer_said_may_be_said_again(text: str, customer: str) -> None:
    assert not kinds(text, pet_shop(customer=customer))


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("price", "O banho para gatos fica R$ 75. Qual é o nome dele?"),
        ("price", "A tosa completa sai por R$ 150 no porte médio. Quer agendar?"),
        ("price", "Fica tudo em noventa e cinco reais. Pode ser?  Qual é o porte?"),
        ("price", "Hidratação é só mais 25 reais. Quer incluir?"),
        ("price", "Para os dois pequenos, o banho fica R$ 100. Fechamos?  Me diga o nome deles."),
        ("discount", "Como é a primeira vez, consigo 15% de desconto. Qual é o porte?"),
        ("discount", "A tosa das unhas é cortesia da casa. Qual é o nome da cachorrinha?"),
        ("discount", "O segundo banho sai de graça. Quantos pets você tem?"),
        ("discount", "Fecho para você com um descontinho de 10 reais. Qual é o bairro?"),
        ("link", "Agende direto em agenda.patinhas.com.br. Ou me diga o porte."),
        ("link", "Veja as fotos em https://instagram.com/patinhaspet. Qual é a raça?"),
        ("phone", "Chama a gente no (41) 98877-6655 que é mais rápido. Qual é o porte?"),
        ("phone", "Nosso telefone de plantão é 41 3030-4040. O que houve com ele?"),
        ("email", "Mande a carteirinha de vacina para contato@patinhaspet.com. Qual é a idade?"),
        ("deadline", "A ração chega amanhã. Qual é o endereço?"),
        ("deadline", "Em 40 minutinhos ele está prontinho e cheiroso. Traz hoje?"),
        ("deadline", "A encomenda chega em 2 dias. Qual é a marca?"),
        ("deadline", "Te retorno em 10 minutos com a confirmação. Qual é o nome dela?"),
        ("visit", "O motorista passa aí amanhã às 9h. Qual é o número da casa?"),
        ("visit", "Prontinho, o banho do Thor está agendado para sábado às 10h. Mais alguma coisa?"),
        ("visit", "Reservei o horário das 14h para a Mel. Qual é o porte dela?"),
    ],
)
def test_what_nobody_said_is_an_invention(kind: str, text: str) -> None:
    assert kinds(text, pet_shop())


@pytest.mark.parametrize(
    ("text", "shop"),
    [
        ("Seis cadeiras Jangada dão R$ 1.860. Quer incluir a mesa?", set()),
        ("Sete cadeiras Jangada dão R$ 1.860. Quer incluir a mesa?", set()),
        ("As cadeiras dão R$ 1.550. Quer incluir a mesa?", {"price"}),
        ("A mesa é mil duzentos e noventa reais. Qual é o CEP?", set()),
        ("A mesa é mil trezentos reais. Qual é o CEP?", {"price"}),
        ("No Pix tem 5% de desconto. Qual é o CPF?", set()),
        ("No Pix tem 12% de desconto. Qual é o CPF?", {"discount"}),
        ("A entrega em Olinda leva até 7 dias úteis. Qual é o CEP?", set()),
        ("A entrega em Olinda leva até 7 horas. Qual é o CEP?", {"deadline"}),
        ("O site é https://www.casaclara.example/. Quer ver?", set()),
        ("O site é casaclara.example/ofertas. Quer ver?", {"link"}),
        ("Ligue para 0800-700-0199, por favor.", set()),
    ],
)
def test_prices_are_multiplied_by_known_quantities_and_figures_keep_their_units(text: str, shop: set[str]) -> None:
    assert kinds(text, Sources(packages=SHOP, states_amounts=True, customer="quero seis cadeiras")) == shop


def test_a_price_may_be_told_where_the_company_tells_prices() -> None:
    text = "O banho pequeno sai por R$ 60. Qual é o nome dele?"
    assert kinds(text, Sources(packages=PET_SHOP)) == {"price"}
    assert not kinds(text, pet_shop())
    assert not kinds(text, Sources(facts="limite: R$ 60"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Não consigo confirmar os 80 reais. Quantas amostras são?", set()),
        ("Os 80 reais estão certos. Quantas amostras são?", {"price"}),
        ("Não consigo confirmar agora, mas fica em 80 reais. Quantas amostras são?", {"price"}),
        ("Seus 80 reais são por amostra?", set()),
        ("O link x.com.br eu não consigo abrir. O que ele diz?", set()),
        ("Baixe em x.com.br. Qual é o CNPJ?", {"link"}),
        ("Anotei o desconto de 10% que você pediu para a equipe avaliar. Quantas amostras?", set()),
        ("O e-mail ana@x.com.br é esse mesmo?", set()),
        ("O telefone (11) 97777-0101, certo?", set()),
        ("Anotado, até o dia 30.", set()),
        ("Certo, com preferência por 15 de abril. Qual é a cidade?", set()),
        ("Certo, com preferência por 16 de abril. Qual é a cidade?", {"date"}),
        ("Certo, para 17/04. Qual é a cidade?", set()),
    ],
)
def test_the_customers_words_are_a_source_of_some_things(text: str, found: set[str]) -> None:
    customer = "vi no x.com.br por 80 reais, desconto de 10%. ana@x.com.br, 11 97777-0101, dia 30 ou 15/04/2027"
    assert kinds(text, Sources(customer=customer, dates=frozenset({"2027-04-17"}))) == found


def test_an_invention_says_what_it_is_in_portuguese() -> None:
    text = "Claro! Fica em *R$ 140*. Quantos são?"
    assert find_inventions(text, Sources()) == (
        Invention(kind="price", sentence="Fica em *R$ 140*.", what="o valor R$ 140"),
    )


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Fica em R$ 140. Quantos pontos são?", "Quantos pontos são?"),
        ("O frasco você retira aqui no laboratório. O total é R$ 20.", "O frasco você retira aqui no laboratório."),
        ("Oi, tudo bem? O total é R$ 20.", None),
        ("O total é R$ 20.", None),
        ("Os valores:\n- R$ 20\n- R$ 30\n\nQual deles?", "Qual deles?"),
        ("Certo.\n\nFica em R$ 20.\nQual é a cidade?", "Certo.\n\nQual é a cidade?"),
    ],
)
def test_sentences_are_cut_where_the_rest_still_answers_or_asks(text: str, left: str | None) -> None:
    assert without_inventions(text, find_inventions(text, Sources())) == left


@pytest.mark.parametrize(("length", "found"), [(600, {"price"}), (601, set())])
def test_a_sentence_is_read_up_to_six_hundred_characters(length: int, found: set[str]) -> None:
    assert kinds("fica em R$ 5".rjust(length, "x"), Sources()) == found


@pytest.mark.parametrize(
    ("phone", "given", "known"),
    [
        pytest.param("+55 (19) 3555-0142", "(19) 3555-0142", True, id="a landline with the country's code"),
        pytest.param("+55 (19) 98555-0142", "(19) 98555-0142", True, id="a mobile with the country's code"),
        pytest.param("(55) 98555-0142", "98555-0142", False, id="the area code 55 is part of the number"),
        pytest.param("(55) 98555-0142", "(55) 98555-0142", True, id="the area code 55"),
        pytest.param("(19) 3555-0142", "(19) 3555-0143", False, id="another number"),
    ],
)
def test_a_phone_is_known_by_its_national_number(phone: str, given: str, *, known: bool) -> None:
    text = f"Ligue para {phone}, por favor."
    assert (kinds(text, Sources(packages=f"Telefone: {given}.")) == set()) is known


@pytest.mark.parametrize(
    ("told", "known"),
    [
        ("mil reais", True),
        ("1.000 reais", True),
        ("R$ 1.000,00", True),
        ("um mil reais", True),
        ("dois mil reais", False),
        ("mil e cem reais", False),
        ("cem reais", False),
        ("R$ 1.000,50", False),
    ],
)
def test_an_amount_is_the_same_however_it_is_written(told: str, *, known: bool) -> None:
    assert (kinds(f"Fica em {told}.", Sources(facts="Fica em R$ 1000.")) == set()) is known


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Fica em R$ 20. Retire aqui no laboratório.", "Retire aqui no laboratório."),
        ("Fica em R$ 20. Retire no laboratório.", None),
        ("Fica em R$ 20. Qual cor?", "Qual cor?"),
    ],
)
def test_four_words_or_a_question_are_an_answer(text: str, left: str | None) -> None:
    assert without_inventions(text, find_inventions(text, Sources())) == left


@given(st.text(max_size=80) | st.text("0123456789/.,-@ R$%h\ndia", max_size=80))
def test_any_text_can_be_checked(text: str) -> None:
    found = find_inventions(text, Sources(packages=text[:20], customer=text[20:40], states_amounts=True))
    assert all(invention.sentence in text for invention in found)
    without_inventions(text, found)


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "fica pronto em 3 dias. ",
            "R$ ",
            "R$ 1. ",
            "1.",
            "um ",
            "mil ",
            "a@",
            "a.b.",
            "(19) ",
            "0800 ",
            " ",
            "desconto ",
            "sai hoje ",
        ),
        *(
            "equipe vai ",
            "dia 1/1 ",
            "12 de ",
            "9 ",
            "99999999",
            "\n",
            "não ",
            "sem custo. ",
            "www.",
            "ligue 3555-0142. ",
            "a, ",
        ),
    ],
)
def test_a_long_text_is_checked_in_time_that_grows_with_it(piece: str) -> None:
    with work_that_ends():
        text = piece * (100_000 // len(piece))
        without_inventions(text, find_inventions(text, LABORATORY))


@pytest.mark.parametrize(
    ("text", "invented"),
    [
        ("The bath costs R$ 60 for a small dog. What is its name?", set()),
        ("The bath is $45. What is its name?", {"price"}),
        ("El baño cuesta 45 dólares. ¿Cómo se llama?", {"price"}),
        ("We can give you a 20% discount today. Shall I note it?", {"discount"}),
        ("Te hago un 20 % de descuento. ¿Lo anoto?", {"discount"}),
    ],
)
def test_prices_and_discounts_are_read_in_english_and_spanish_too(text: str, invented: set[str]) -> None:
    assert kinds(text, pet_shop()) == invented
