"""The tolerant reading: slips as ordinary models make them, of companies of every kind, and properties of any text."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.application.parser import LLMResponseParseError, parse_llm_response
from core.application.reply.tolerant_reading import read_tolerantly
from tests.cases.cpu_budget import work_that_ends

# name, reply, content, message
SLIPS: list[tuple[str, str, dict[str, Any], str]] = [
    # --- around the reply
    (
        "fence around the object, clinic for pets",
        '```json\n{"s": 1, "qualification_data": {"especie": "gato", "idade_anos": 3}}\n```\n\nQue fofo! Ele já é castrado?',
        {"s": 1, "qualification_data": {"especie": "gato", "idade_anos": 3}},
        "Que fofo! Ele já é castrado?",
    ),
    (
        "fence around all without a language, bakery",
        '```\n{"s":2,"service":"bolo_festa","triage_data":{"pessoas":40}}\nBolo para 40, anotado! Qual sabor?\n```',
        {"s": 2, "service": "bolo_festa", "triage_data": {"pessoas": 40}},
        "Bolo para 40, anotado! Qual sabor?",
    ),
    (
        "polite words before a fence, dentist",
        'Claro! Segue a resposta no formato solicitado:\n\n```json\n{"s":1,"collection_data":{"nome":"Íris Campos"}}\n```\nObrigada, Íris! Qual o seu convênio?',
        {"s": 1, "collection_data": {"nome": "Íris Campos"}},
        "Obrigada, Íris! Qual o seu convênio?",
    ),
    (
        "thinking with a draft, car workshop",
        '<thinking>Carro com barulho. Poderia ser {"s":6}, mas ainda falta o modelo.</thinking>\n\n{"s":1,"triage_data":{"problema":"barulho na suspensão"}}Entendi. Qual o modelo e o ano do carro?',
        {"s": 1, "triage_data": {"problema": "barulho na suspensão"}},
        "Entendi. Qual o modelo e o ano do carro?",
    ),
    (
        "tag of the prompt around all, gym",
        '<saida>\n{"s":1,"qualification_data":{"objetivo":"emagrecimento"}}\nLegal! Você prefere treinar de manhã ou à noite?\n</saida>',
        {"s": 1, "qualification_data": {"objetivo": "emagrecimento"}},
        "Legal! Você prefere treinar de manhã ou à noite?",
    ),
    (
        "one tag for each half, florist",
        '<json>{"s":1,"triage_data":{"ocasiao":"casamento"}}</json>\n<mensagem>Parabéns! Para que dia é o casamento?</mensagem>',
        {"s": 1, "triage_data": {"ocasiao": "casamento"}},
        "Parabéns! Para que dia é o casamento?",
    ),
    (
        "labels for each half, movers",
        'JSON: {"s":1,"qualification_data":{"andar_origem":4,"elevador":false}}\nMensagem: Anotado, quarto andar sem elevador. E no destino?',
        {"s": 1, "qualification_data": {"andar_origem": 4, "elevador": False}},
        "Anotado, quarto andar sem elevador. E no destino?",
    ),
    (
        "bold label of the message, language school",
        '```json\n{"s":1,"qualification_data":{"idioma":"francês"}}\n```\n**Mensagem ao cliente:** Très bien! Qual o seu nível hoje?',
        {"s": 1, "qualification_data": {"idioma": "francês"}},
        "Très bien! Qual o seu nível hoje?",
    ),
    (
        "chat tokens, optician",
        '<|im_start|>assistant\n{"s":1,"triage_data":{"produto":"lentes de contato"}}Certo! Você tem a receita em mãos?<|im_end|>',
        {"s": 1, "triage_data": {"produto": "lentes de contato"}},
        "Certo! Você tem a receita em mãos?",
    ),
    (
        "byte order mark, notary",
        '\ufeff{"s":3,"reason":"out_of_scope"}Divórcio é com um advogado. Posso ajudar com firma?',
        {"s": 3, "reason": "out_of_scope"},
        "Divórcio é com um advogado. Posso ajudar com firma?",
    ),
    # --- quotes
    (
        "python's dict, travel agency",
        "{'s': 1, 'qualification_data': {'destino': 'Fernando de Noronha', 'adultos': 2, 'criancas': 0}}Que delícia! Quais as datas?",
        {"s": 1, "qualification_data": {"destino": "Fernando de Noronha", "adultos": 2, "criancas": 0}},
        "Que delícia! Quais as datas?",
    ),
    (
        "python's dict with an apostrophe, farm shop",
        "{'s': 1, 'collection_data': {'bairro': 'Olho d'Água', 'cidade': 'São Luís'}}Entregamos aí sim! Qual a rua e o número?",
        {"s": 1, "collection_data": {"bairro": "Olho d'Água", "cidade": "São Luís"}},
        "Entregamos aí sim! Qual a rua e o número?",
    ),
    (
        "typographer's quotes, print shop",
        "{“s”: 2, “service”: “cartao_visita”, “triage_data”: {“quantidade”: 500, “papel”: “couché 300g”}}Ótimo! Você já tem a arte?",
        {"s": 2, "service": "cartao_visita", "triage_data": {"quantidade": 500, "papel": "couché 300g"}},
        "Ótimo! Você já tem a arte?",
    ),
    (
        "quoted name in a value, event hall",
        '{"s":1,"qualification_data":{"tema":"festa "Anos 80" com DJ","convidados":120}}Adorei o tema! É à tarde ou à noite?',
        {"s": 1, "qualification_data": {"tema": 'festa "Anos 80" com DJ', "convidados": 120}},
        "Adorei o tema! É à tarde ou à noite?",
    ),
    (
        "quoted name at a value's start, bookshop",
        '{"s":1,"triage_data":{"pedido":""Grande Sertão: Veredas", edição de bolso"}}Temos sim! Quer retirar na loja?',
        {"s": 1, "triage_data": {"pedido": '"Grande Sertão: Veredas", edição de bolso'}},
        "Temos sim! Quer retirar na loja?",
    ),
    (
        "inches, television repair",
        '{"s":1,"triage_data":{"aparelho":"TV 55" LED","marca":"Semp"}}Certo. O que acontece quando você liga a TV?',
        {"s": 1, "triage_data": {"aparelho": 'TV 55" LED', "marca": "Semp"}},
        "Certo. O que acontece quando você liga a TV?",
    ),
    (
        "quoted name in a list, restaurant",
        '{"s":1,"extra_requests":["mesa perto do palco "Jazz"","bolo"]}Anotado! Para quantas pessoas?',
        {"s": 1, "extra_requests": ['mesa perto do palco "Jazz"', "bolo"]},
        "Anotado! Para quantas pessoas?",
    ),
    (
        "no quotes around keys, car rental",
        '{s: 1, qualification_data: {categoria: "SUV", diarias: 5}}Certo, SUV por cinco diárias. Onde você retira o carro?',
        {"s": 1, "qualification_data": {"categoria": "SUV", "diarias": 5}},
        "Certo, SUV por cinco diárias. Onde você retira o carro?",
    ),
    (
        "windows path, computer repair",
        r'{"s":1,"triage_data":{"erro":"não abre C:\Users\Lia"}}Entendi. O computador mostra algum código?',
        {"s": 1, "triage_data": {"erro": "não abre C:\\Users\\Lia"}},
        "Entendi. O computador mostra algum código?",
    ),
    # --- commas, literals, comments, white space
    (
        "trailing commas, pretty printed, plumber",
        '{\n  "s": 1,\n  "triage_data": {\n    "problema": "vazamento",\n    "comodos": ["banheiro", "cozinha",],\n  },\n}\nEntendi. A água já foi fechada?',
        {"s": 1, "triage_data": {"problema": "vazamento", "comodos": ["banheiro", "cozinha"]}},
        "Entendi. A água já foi fechada?",
    ),
    (
        "missing comma at a line's end, tailor",
        '{\n  "s": 1\n  "qualification_data": {\n    "peca": "terno"\n    "ajuste": "barra"\n  }\n}\nPerfeito. Para quando você precisa?',
        {"s": 1, "qualification_data": {"peca": "terno", "ajuste": "barra"}},
        "Perfeito. Para quando você precisa?",
    ),
    (
        "python's words, insurance broker",
        '{"s": 1, "qualification_data": {"condutor_jovem": True, "sinistro": False, "bonus": None}}Obrigado! Qual o CEP onde o carro dorme?',
        {"s": 1, "qualification_data": {"condutor_jovem": True, "sinistro": False, "bonus": None}},
        "Obrigado! Qual o CEP onde o carro dorme?",
    ),
    (
        "javascript's undefined, photographer",
        '{"s":1,"service":"ensaio","segment":undefined}Que lindo! É ensaio de gestante ou de família?',
        {"s": 1, "service": "ensaio", "segment": None},
        "Que lindo! É ensaio de gestante ou de família?",
    ),
    (
        "comment that explains, solar panels",
        '{\n  "s": 1, // falta a conta de luz\n  "qualification_data": {"consumo_kwh": 450}\n}\nÓtimo! Você pode mandar uma foto da conta de luz?',
        {"s": 1, "qualification_data": {"consumo_kwh": 450}},
        "Ótimo! Você pode mandar uma foto da conta de luz?",
    ),
    (
        "address on two lines, pharmacy",
        '{"s":1,"collection_data":{"endereco":"Rua das Acácias, 12\nfundos"}}Anotado! Qual a forma de pagamento?',
        {"s": 1, "collection_data": {"endereco": "Rua das Acácias, 12\nfundos"}},
        "Anotado! Qual a forma de pagamento?",
    ),
    # --- the code
    (
        "code as text, school",
        '{"s":"1","triage_data":{"serie":"5º ano"}}Que bom! A criança já estuda conosco?',
        {"s": 1, "triage_data": {"serie": "5º ano"}},
        "Que bom! A criança já estuda conosco?",
    ),
    (
        "code by its name, law office",
        '{"s":"HANDOFF","reason":"processo_em_andamento"}Vou chamar a advogada responsável.',
        {"s": 6, "reason": "processo_em_andamento"},
        "Vou chamar a advogada responsável.",
    ),
    (
        "name in small letters, hairdresser",
        '{"s":"advance","service":"corte"}Corte, anotado. Qual dia você prefere?',
        {"s": 2, "service": "corte"},
        "Corte, anotado. Qual dia você prefere?",
    ),
    (
        "silent code in a fence, hotel",
        '```json\n{"s":"99","context_needed":["CAFE_DA_MANHA"]}\n```',
        {"s": 99, "context_needed": ["CAFE_DA_MANHA"]},
        "",
    ),
    # --- braces
    (
        "last brace missing, carpenter",
        '{"s":1,"qualification_data":{"movel":"estante","largura_cm":180}Certo, 180 cm. Qual a altura do pé-direito?',
        {"s": 1, "qualification_data": {"movel": "estante", "largura_cm": 180}},
        "Certo, 180 cm. Qual a altura do pé-direito?",
    ),
    (
        "last brace missing after a list, swimming school",
        '{"s":1,"declined":["cpf"]\nSem problema! Qual o nome do aluno?',
        {"s": 1, "declined": ["cpf"]},
        "Sem problema! Qual o nome do aluno?",
    ),
    (
        "one brace too many, accountant",
        '{"s":1,"collection_data":{"cnpj":"11.222.333/0001-81"}}}Obrigado! Qual o regime tributário?',
        {"s": 1, "collection_data": {"cnpj": "11.222.333/0001-81"}},
        "Obrigado! Qual o regime tributário?",
    ),
    (
        "a list of one, cinema",
        '[{"s":1,"triage_data":{"sessao":"19h"}}]\nSessão das 19h, certo. Quantos ingressos?',
        {"s": 1, "triage_data": {"sessao": "19h"}},
        "Sessão das 19h, certo. Quantos ingressos?",
    ),
    (
        "braces of a template doubled, kennel",
        '{{"s":1,"triage_data":{"porte":"médio"}}}\nEntendi! Ele está com as vacinas em dia?',
        {"s": 1, "triage_data": {"porte": "médio"}},
        "Entendi! Ele está com as vacinas em dia?",
    ),
    # --- where the message stands
    (
        "message as a key, ice cream",
        '{"s": 1, "qualification_data": {"sabor": "pistache"}, "mensagem": "Boa escolha! Quantos litros?"}',
        {"s": 1, "qualification_data": {"sabor": "pistache"}},
        "Boa escolha! Quantos litros?",
    ),
    (
        "message as a key in a fence after words, laundry",
        'Aqui está:\n```json\n{\n  "s": 1,\n  "message": "Lavamos edredom sim!\\nQual o tamanho?",\n}\n```',
        {"s": 1},
        "Lavamos edredom sim!\nQual o tamanho?",
    ),
    (
        "message first, then a fence, architect",
        'Que projeto bonito! Qual a metragem do terreno?\n\n```json\n{"s":1,"triage_data":{"obra":"casa térrea"}}\n```',
        {"s": 1, "triage_data": {"obra": "casa térrea"}},
        "Que projeto bonito! Qual a metragem do terreno?",
    ),
    (
        "object again at the end, tutor",
        '{"s":1,"triage_data":{"materia":"química"}}\nCombinado, química. Qual a série?\n\n{"s": 1, "triage_data": {"materia": "química"}}',
        {"s": 1, "triage_data": {"materia": "química"}},
        "Combinado, química. Qual a série?",
    ),
    (
        "quoted message, parcel service",
        '{"s":1,}\n"Certo! Qual o peso aproximado da encomenda?"',
        {"s": 1},
        "Certo! Qual o peso aproximado da encomenda?",
    ),
    # --- several at once
    (
        "fence, single quotes, python's words and a trailing comma, vineyard",
        "Segue:\n```python\n{'s': 1, 'qualification_data': {'pessoas': 8, 'almoco': True,},}\n```\nOito pessoas com almoço, certo. Qual a data da visita?",
        {"s": 1, "qualification_data": {"pessoas": 8, "almoco": True}},
        "Oito pessoas com almoço, certo. Qual a data da visita?",
    ),
    (
        "message with braces, links, quotes and smiles of its own, climbing gym",
        '{"s":1,"triage_data":{"nivel":"iniciante"},}Temos a aula {intro} ;) Veja "Como começar": https://exemplo.com.br/a{1} :}',
        {"s": 1, "triage_data": {"nivel": "iniciante"}},
        'Temos a aula {intro} ;) Veja "Como começar": https://exemplo.com.br/a{1} :}',
    ),
]

AROUND: list[tuple[str, str, str]] = [
    ("a thought within a thought", '{"s":1,}<think>a<think>b</think>Qual a cor?', "Qual a cor?"),
    ("two thoughts after the object", '{"s":1,}<think>a</think>Qual <think>b</think>a cor?', "Qual a cor?"),
    ("a thought without end after the object", '{"s":1,}Qual a cor? <think>a', "Qual a cor? <think>a"),
    ("a fence around all, and one within", '```\n{"s":1,}\nUse ```pH``` assim\n```', "Use ```pH``` assim"),
    ("a fence that opens and the message's own", '```\n{"s":1,}\nUse:\n```\npH\n```', "Use:\n```\npH\n```"),
    ("four tags around it", '<a1><b1><c1><d1>{"s":1,}</d1></c1></b1></a1>Qual a cor?', "Qual a cor?"),
    ("bold around the object", '**{"s":1,}**Qual a cor?', "Qual a cor?"),
    ("quotes around all", '"{"s":1,}Qual a cor?"', "Qual a cor?"),
    ("quotes of the message's own", '"{"s":1,}"Qual "cor" é?', 'Qual "cor" é?'),
    ("a bracket around the object", '({"s":1,})Qual a cor?', "Qual a cor?"),
    ("two words before it", 'Tudo bem?{"s":1,}', "Tudo bem?"),
    ("one word before it", 'Certo!{"s":1,}', ""),
    ("words before a silent code", 'Um momento, por favor.{"s":99,"context_needed":"X",}', ""),
    ("a link at its beginning", '{"s":1,}[site](https://exemplo.invalid)', "[site](https://exemplo.invalid)"),
    ("a semicolon after it", '{"s":1,}; Qual a cor?', "Qual a cor?"),
    ("twelve objects", '{"s":1,}' * 12 + "Qual a cor?", "Qual a cor?"),
    ("lists in lists", '{"s":1,"a":' + "[" * 31 + "1" + "]" * 31 + ",}Qual a cor?", "Qual a cor?"),
]


@pytest.mark.parametrize(("raw", "message"), [row[1:] for row in AROUND], ids=[row[0] for row in AROUND])
def test_a_message_is_what_is_left_without_its_wrapping(raw: str, message: str) -> None:
    assert [each.message.strip() for each in read_tolerantly(raw).candidates] == [message]


CODES = [
    ('"2"', 2),
    ('"0002"', 2),
    ("2.0", 2),
    ('" advance "', 2),
    ('"00002"', None),
    ("2.5", None),
    ("true", None),
    ("null", None),
    ('"dois"', None),
]


@pytest.mark.parametrize(("written", "code"), CODES)
def test_a_code_is_read_as_the_whole_number_that_it_is(written: str, code: int | None) -> None:
    found = [each.content["s"] for each in read_tolerantly(f'{{"s":{written},}}Qual a cor?').candidates]
    assert found == ([] if code is None else [code])


@pytest.mark.parametrize(
    ("raw", "keys"),
    [
        pytest.param('{"s":1,"mensagem":"Qual a cor?",}', {"s"}, id="one message"),
        pytest.param('{"s":1,"mensagem":"Qual?","texto":"a cor",}', {"s", "mensagem", "texto"}, id="two messages"),
        pytest.param('{"s":1,"mensagem":"Qual?",}A cor?', {"s", "mensagem"}, id="one within and one behind"),
        pytest.param('{"s":1,"mensagem":["Qual?"],}', {"s", "mensagem"}, id="no text"),
    ],
)
def test_a_message_is_taken_out_of_the_object_where_it_is_the_only_one(raw: str, keys: set[str]) -> None:
    assert [set(each.content) for each in read_tolerantly(raw).candidates] == [keys]


UNREADABLE = {
    "nothing": "",
    "only words": "Bom dia! Qual o tamanho da sala?",
    "no code": '{"triage_data":{"sala":"20 m²"}}Qual a altura?',
    "code as a truth": '{"s":true}Certo!',
    "unknown name of a code": '{"s":"SUCCESS"}Certo!',
    "code in another object": '{"resposta":{"s":1}}Certo!',
    "two codes": '{"s":1,"s":2}Certo!',
    "cut in a text": '{"s":1,"triage_data":{"sala":"20 m',
    "cut in a number": '{"s":1,"pessoas":1',
    "cut in a code": '{"s":9',
    "cut after a comma": '{"s":1,',
    "cut with an object open": '{"s":1,"triage_data":{"sala":"vinte"',
    "value missing": '{"s":1,"pessoas":,}Certo!',
    "value without quotes": '{"s":1,"sala":vinte}Certo!',
    "quote missing before a key": '{"s":1,"sala":"vinte,"andar":"dois"}Certo!',
    "quote missing before an item": '{"s":1,"salas":["um, "dois"]}Certo!',
    "key named twice": '{"s":1,"andar":1,"andar":2,}Certo!',
    "object that goes on after a brace too many": '{"s":1,"triage_data":{"a":1}},"declined":["cpf"],}Certo!',
    "data in an object of its own before": '{"triage_data":{"a":1}}\n{"s":1}Certo!',
    "thought without end": '<think>talvez {"s":1}Certo!',
    "only a thought": '<think>{"s":1}Certo!</think>',
    "thirteen objects": '{"s":1,}' * 13 + "Certo!",
    "lists in lists without end": '{"s":1,"a":' + "[" * 32 + "1" + "]" * 32 + ",}Certo!",
    "broken second object": '{"s":1,}Certo! {"s":2,"a":}',
    "xml": '<invoke name="responder"><parameter name="s">1</parameter></invoke>Certo!',
}


@pytest.mark.parametrize(("raw", "content", "message"), [row[1:] for row in SLIPS], ids=[row[0] for row in SLIPS])
def test_an_ordinary_slip_has_exactly_one_reading(raw: str, content: dict[str, Any], message: str) -> None:
    reading = read_tolerantly(raw)
    assert [(each.content, each.message.strip()) for each in reading.candidates] == [(content, message)]
    assert raw.removeprefix("\ufeff").startswith(reading.dropped_prefix.removeprefix("\ufeff"))


@pytest.mark.parametrize("raw", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_what_would_have_to_be_guessed_has_none(raw: str) -> None:
    assert read_tolerantly(raw).candidates == ()


def test_two_different_objects_are_two_candidates() -> None:
    reading = read_tolerantly('{"s":1,"a":1,}Qual a cor?\n\n{"s":2}Qual o nome?')
    assert [(each.content["s"], each.message.strip()) for each in reading.candidates] == [
        (1, "Qual a cor?"),
        (2, "Qual o nome?"),
    ]
    assert reading.objects == 2


def test_a_text_that_may_end_at_two_quotes_gives_two_readings_of_one_object() -> None:
    reading = read_tolerantly('{"s":1,"obs":"tubo "5" fino"}Diga "sim"}.')
    assert len(reading.candidates) == 1  # its quotes come in pairs
    reading = read_tolerantly('{"s":1,"obs":"tubo de 5"}Diga "sim"}.')
    assert len(reading.candidates) == 1  # nothing is wrong with it
    reading = read_tolerantly('{"s":1,"obs":"tubo de 5" roscado"}Diga "sim"}.')
    assert [each.content["obs"] for each in reading.candidates] == [
        'tubo de 5" roscado',
        'tubo de 5" roscado"}Diga "sim',
    ]
    assert reading.objects == 1


def test_one_object_with_two_messages_stays_a_doubt() -> None:
    reading = read_tolerantly('{"s":1}Qual a cor?\n{"s":1}Qual o nome?')
    assert [each.message.strip() for each in reading.candidates] == ["Qual a cor?", "Qual o nome?"]
    assert reading.objects == 1


def test_words_that_announce_the_object_are_no_message() -> None:
    for words in ("Segue o JSON:", "resposta =", "json", "assistant\n"):
        assert [each.message for each in read_tolerantly(f'{words}{{"s":1}}').candidates] == [""]


@pytest.mark.parametrize(
    "raw",
    [
        "{" * 100_000,
        '{"s":1,' * 14_000,
        '{"a":' * 20_000,
        '{"s":1}' * 14_000,
        "x{} " * 25_000,
        "{a: 1} " * 14_000,
        '{"s":1,"x":' + "[" * 50_000,
        '{"s":1,"x":"' + 'a" ' * 33_000 + '",}Olá',
        '{"s":1,"x":"' + '"/* "' * 20_000,
        '{"s":1,"x":"' + '"#' * 50_000,
        '{"s":1,"x":"' + "\\" * 100_000,
        '{"s":1,' + '"a":1,' * 14_000 + "}Olá",
        '{"s":1,}' + "<think>" * 14_000 + "</think>" + "<think>" * 14_000,
        '{"s":1,}' + "</think>" * 12_000,
        '{"s":1,}' + "`" * 100_000,
        '{"s":1}' + "]\n" * 50_000,
        '{"s":1' + "/*" * 50_000,
        "<b1>" * 25_000 + '{"s":1,}' + "</b1>" * 20_000,
        "*" * 100_000 + '{"s":1,}' + "*" * 100_000,
        '{"s":1,}' + " " * 100_000 + "mensagem",
        '{"s":1,}' + "<|im_end|>" * 10_000 + "x",
        " " * 100_000 + "x",
    ],
    ids=lambda raw: raw[:14] if len(raw) > 14 else raw,
)
def test_a_hostile_reply_is_read_in_time_that_grows_with_it(raw: str) -> None:
    with work_that_ends():
        read_tolerantly(raw)


MARKS = "{}[]\":,'`~<>/|\\s1 \nthinkaTrue*#“”‘’"


@given(st.text(MARKS, max_size=80) | st.text(max_size=60))
def test_no_text_makes_the_reading_raise(raw: str) -> None:
    for text in (raw, f'{raw}{{"s":1}}Olá', f'{{"s":1,{raw}', f'{{"s":1,"x":"{raw}",}}{raw}'):
        for candidate in read_tolerantly(text).candidates:
            assert type(candidate.content["s"]) is int
            json.dumps(candidate.content, ensure_ascii=False).encode()


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("abç_", min_size=1, max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
CONTENTS = st.dictionaries(st.text("abç_", min_size=1, max_size=5), VALUES, max_size=4)
MESSAGES = st.text("abçãé ÁZ09.?!;-+%@\n😀", max_size=30).map(lambda text: f"Olá {text}")


@given(CONTENTS, st.integers(), MESSAGES | st.just(""))
def test_what_the_strict_parser_accepts_is_read_as_itself(fields: dict[str, Any], s: int, message: str) -> None:
    raw = json.dumps({"s": s, **fields}, ensure_ascii=False) + message
    try:
        parsed = parse_llm_response(raw)
    except LLMResponseParseError:
        assume(False)
    (candidate,) = read_tolerantly(raw).candidates
    assert (candidate.content, candidate.message.strip()) == (parsed.json_part, parsed.message.strip())


TEXTS = st.text('ab c"çé.;-\n', max_size=12).map(lambda text: f"x{text.strip()}")
DATA = st.dictionaries(st.text("abç_", min_size=1, max_size=5), TEXTS | st.booleans() | st.none(), max_size=3)


@given(DATA, MESSAGES)
def test_a_python_dict_is_read_as_what_it_holds(data: dict[str, Any], message: str) -> None:
    content = {"s": 1, "data": data}
    (candidate,) = read_tolerantly(f"{content!r}{message}").candidates
    assert (candidate.content, candidate.message.strip()) == (content, message.strip())


@given(st.dictionaries(st.text("abç_", min_size=1, max_size=5), TEXTS, max_size=3), MESSAGES)
def test_bare_quotes_in_a_text_are_kept_or_the_reply_is_left(data: dict[str, str], message: str) -> None:
    members = ",".join(f'"{key}":"{value}"' for key, value in data.items())
    candidates = read_tolerantly(f'{{"s":1,"data":{{{members}}}}}{message}').candidates
    assert not candidates or ({"s": 1, "data": data}, message.strip()) in [
        (each.content, each.message.strip()) for each in candidates
    ]
