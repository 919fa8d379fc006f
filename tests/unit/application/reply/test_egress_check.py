"""What a customer may not see is stripped or stopped; what a text may rightly hold stays as it is."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.application.parser import parse_llm_response
from core.application.reply.debris.closer_reading import read_closely
from core.application.reply.egress_check import check_egress
from core.domain.actions import SILENT_CODES
from tests.cases.cpu_budget import grows_with_its_size
from tests.cases.parser_rows import ROWS, row_id

ACCEPTED = [row for row in ROWS if row["verdict"] == "ok"]
# A text that was cut off looks like a text: the provider's `incomplete` status stops these before they are parsed.
SEEN_BY_THE_PROVIDER_ONLY = {row["id"] for row in ACCEPTED if row["category"] == "truncated"}
LEAKS = [row for row in ACCEPTED if row["leak_risk"] and row["id"] not in SEEN_BY_THE_PROVIDER_ONLY]
FIT = [row for row in ACCEPTED if not row["leak_risk"] and row["s"] not in SILENT_CODES]


@pytest.mark.parametrize("row", LEAKS, ids=row_id)
def test_a_reply_that_would_leak_is_stripped_or_stopped(row: dict[str, Any]) -> None:
    message = parse_llm_response(row["raw"]).message
    checked = check_egress(message)
    assert checked.unsafe or checked.text != message
    assert checked.findings


@pytest.mark.parametrize("row", FIT, ids=row_id)
def test_a_reply_that_is_fit_to_send_passes_unchanged(row: dict[str, Any]) -> None:
    message = parse_llm_response(row["raw"]).message
    checked = check_egress(message)
    assert (checked.text, checked.findings, checked.unsafe) == (message, (), False)


@pytest.mark.parametrize(
    "text",
    [
        "O conjunto {As, Cd, Pb} entra no laudo.",
        "{As, Cd, Pb} são os metais.",
        "Intervalo {x: x > 0} e {entre 6 e 9}, ou {}.",
        "DBO<5 e pH > 6; a < b > c",
        "<5 mg/L",
        "Combinado :} até já",
        ":} Olá",
        ";) Tudo certo",
        ": )",
        "Resposta: sim",
        "Resposta ao item 2: sim",
        "Mensagem recebida: ok",
        "Recebemos sua mensagem: obrigado!",
        "Veja [nosso site](https://exemplo.invalid) e a [NBR 10004].",
        "[Análise microbiológica](https://exemplo.invalid) e [análise] avulsa",
        "[1] Água [2] Solo [x] feito [OBS] Traga gelo",
        "```\npH;DBO\n7;5\n```\nColoque assim.",
        "Use `pH` e ```tabela``` no campo.",
        "- item 1\n- item 2\n\n*Atenção*: traga 2 L",
        '"Sim" ou "não"?',
        "'Tudo certo' foi o que ele disse",
        'Ele disse "oi"',
        'O tubo é de 5"',
        "Certo, “urgente” anotado.",
        "Copo d'água",
        'Para "pH": entre 6 e 9',
        '"pH": entre 6 e 9',
        "H<sub>2</sub>O, de <b>graça</b>",
        "R$ 1.250,00 (prazo: 10 dias), das 8:00 às 18:00",
        "No formato dd/mm/aaaa ou (XX) XXXXX-XXXX",
        "Salve em C:\\novo\\teste",
        "¯\\_(ツ)_/¯ e \\o/",
        "Opção A) água B) solo",
        "...ok — até já",
        "> citação",
        "# Título\nOlá",
        "Na etiqueta escreva [DATA] e [NOME DO PONTO].",
        "Identifique cada frasco assim:\n- [DATA]\n- [HORA]",
        "No assunto do e-mail coloque <empresa> e <data>.",
        "Prefere receber por [e-mail] ou [whatsapp]?",
        "Pode ser [telefone], [e-mail] ou [whatsapp].",
        "O valor fica em R$ X por amostra, depende do parâmetro.",
        '{ "ph": 7 } é o que a planilha mostra?',
        'A planilha mostra { "ph": 7, "dbo": 3 }, certo?',
        "No intervalo ]6, 9]",
        "Combinado :}",
        "Fechado :]",
        "Os metais são {As, Cd}",
        "Combinado :} e os metais são {As, Cd}",
        "[] Água\n[] Solo",
        "[ ] Água",
        "Era <s>R$ 20</s> R$ 10",
        "Prazo: 5 dias úteis",
        "Nome: o do responsável",
        "Água --> solo",
        "Serviço: análise de água",
        "Salve em C:\\util\\u1",
        "100% __certo__ disso, em snake_case",
        "Um cliente nulo: null não serve, None também não",
        "O assistente virtual ajuda: assistant é a palavra em inglês",
        "\u200bOlá 👩‍🔬 \u202e",
        "",
    ],
)  # fmt: skip
def test_what_a_text_may_rightly_hold_stays(text: str) -> None:
    checked = check_egress(text)
    assert (checked.text, checked.findings, checked.unsafe) == (text, (), False)


@pytest.mark.parametrize(
    ("message", "text", "finding"),
    [
        ("}Olá", "Olá", "leading_punctuation"),
        ("}}", "", "leading_punctuation"),
        ("]}, Olá", "Olá", "leading_punctuation"),
        (",Olá", "Olá", "leading_punctuation"),
        ("};\nOlá", "Olá", "leading_punctuation"),
        (": Olá", "Olá", "leading_punctuation"),
        ("{ Olá", "Olá", "lone_brace"),
        ("](https://exemplo.invalid/) Olá", "Olá", "broken_link"),
        ('"Olá, tudo bem?"', "Olá, tudo bem?", "quote_pair"),
        ("“Olá, tudo bem?”", "Olá, tudo bem?", "quote_pair"),
        ("'Olá'", "Olá", "quote_pair"),
        ("`Olá`", "Olá", "quote_pair"),
        ('"Olá, tudo bem?', "Olá, tudo bem?", "quote_pair"),
        ("Mensagem: Quantas amostras?", "Quantas amostras?", "label"),
        ("**Mensagem:** Quantas?", "Quantas?", "label"),
        ("MENSAGEM AO CLIENTE: Quantas?", "Quantas?", "label"),
        ("Texto para o cliente:\nQuantas?", "Quantas?", "label"),
        ("**Mensagem**\n\nQuantas?", "Quantas?", "label"),
        ("assistant\nOlá", "Olá", "label"),
        ("```json\nOlá", "Olá", "unpaired_fence"),
        ("Olá\n```", "Olá", "unpaired_fence"),
        ("```\nOlá", "Olá", "unpaired_fence"),
        ("~~~\nOlá", "Olá", "unpaired_fence"),
        ("```\npH\n```\nCerto?\n```", "```\npH\n```\nCerto?", "unpaired_fence"),
        ("</think>Olá", "Olá", "reasoning_close"),
        ("Olá</think>", "Olá", "reasoning_close"),
        ("<think>depois</think>Olá", "Olá", "reasoning"),
        ('<think>talvez {"s":5}</think>Olá', "Olá", "reasoning"),
        ("Olá<|im_end|>", "Olá", "control_token"),
        ("Olá</s>\n", "Olá", "control_token"),
        ("<|im_start|>assistant\nOlá<|im_end|>", "Olá", "control_token"),
        ("<|channel|>final<|message|>Olá<|return|>", "Olá", "control_token"),
        ("<｜end▁of▁sentence｜>Olá", "Olá", "control_token"),
        ("</json>Olá", "Olá", "envelope_tag"),
        ("Olá</resposta>", "Olá", "envelope_tag"),
        ("<mensagem>\nOlá\n</mensagem>", "Olá", "envelope_tag"),
        ("<mensagem>Olá", "Olá", "envelope_tag"),
        ("Prazo de 5 dias【4:0†prazos.md】.", "Prazo de 5 dias.", "citation_marker"),
        ("Prazo de 5 dias\ue200cite\ue202turn0file1\ue201.", "Prazo de 5 dias.", "citation_marker"),
        ("Olá\\nTudo bem?", "Olá\nTudo bem?", "escaped_break"),
        ("---\nOlá", "Olá", "rule"),
        ("{}Quantas?", "Quantas?", "leading_punctuation"),
        ("{ }\nQuantas?", "Quantas?", "leading_punctuation"),
        ("{{}}Quantas?", "Quantas?", "leading_punctuation"),
        ("[]Oi", "Oi", "leading_punctuation"),
        ('Quantas amostras são?"}', "Quantas amostras são?", "debris_at_end"),
        ("Oi}", "Oi", "debris_at_end"),
        ("Oi\n}", "Oi", "debris_at_end"),
        ("Oi}]}", "Oi", "debris_at_end"),
        ('Oi",\n}', "Oi", "debris_at_end"),
        ('Ele disse "oi"}', 'Ele disse "oi"', "debris_at_end"),
        ("Os metais são {As, Cd}}", "Os metais são {As, Cd}", "debris_at_end"),
        ("<s>Olá</s>", "Olá", "control_token"),
        ("<s> Olá", "Olá", "control_token"),
        ("<bos>Olá<eos>", "Olá", "control_token"),
        ("Olá\n```json", "Olá", "unpaired_fence"),
        ("Olá```text", "Olá", "unpaired_fence"),
        ('"message": "Quantas?"', "Quantas?", "label"),
        ("message: “Quantas?”", "Quantas?", "label"),
        ("mensagem_ao_cliente: Quantas?", "Quantas?", "label"),
        ("'texto': 'Quantas?'", "Quantas?", "label"),
        ("Quantas s\\u00e3o?", "Quantas são?", "escaped_break"),
        ("S\\\\u00e3o 3", "São 3", "escaped_break"),
        ("Combinado \\ud83d\\ude00", "Combinado 😀", "escaped_break"),
        ('Ele disse \\"oi\\" hoje', 'Ele disse "oi" hoje', "escaped_break"),
        ("<!-- nota -->Olá", "Olá", "comment"),
        ("Olá <!-- nota -->", "Olá", "comment"),
        ("--> Olá", "Olá", "comment"),
        ("<atendente>Certo, três amostras.</atendente>", "Certo, três amostras.", "prompt_tag"),
        ("<mensagens_do_cliente>\nCerto!\n</mensagens_do_cliente>", "Certo!", "prompt_tag"),
        ("<fatos>Certo!", "Certo!", "prompt_tag"),
        ("Certo!</fatos>", "Certo!", "envelope_tag"),
        ("rationale: pedido fora do escopo\nOlá", "Olá", "field_label"),
        ("reason: out\nkind: refusal\n\nOlá", "Olá", "field_label"),
        ("s=1 Olá", "Olá", "code"),
        ("s: 1\nOlá", "Olá", "code"),
        ("assistantfinal Olá", "Olá", "channel_word"),
        ("assistantfinalOlá", "Olá", "channel_word"),
        ("analysisPreciso perguntar.assistantfinalOlá", "Olá", "channel_word"),
        ("null", "", "no_text"),
    ],
)
def test_debris_is_stripped(message: str, text: str, finding: str) -> None:
    checked = check_egress(message)
    assert (checked.text, checked.unsafe) == (text, False)
    assert finding in checked.findings


def test_debris_is_stripped_until_none_is_left() -> None:
    assert check_egress('};"**Mensagem:** Olá\\nTudo bem?"').text == "Olá\nTudo bem?"


@pytest.mark.parametrize(
    ("message", "finding"),
    [
        ('{"s":2}Olá', "second_object"),
        ('{"s":1}', "second_object"),
        ('Um momento.{"s":99,"context_needed":"SERVICES"}', "second_object"),
        ("{'s': 2}Olá", "second_object"),
        ("{s: 2}Olá", "second_object"),
        ('Olá\n\n```json\n{"s":1}\n```', "second_object"),
        ('[{"s":2}]', "second_object"),
        ('Olá {"s":1', "second_object"),
        ('"s":1}Olá', "second_object"),
        ('{"cidade":"Santos"}Olá', "json_object"),
        ('Anotei {"cidade":"Santos"} aqui', "json_object"),
        ('{"cidade":"San', "json_fragment"),
        ("{'cidade': 'Santos'} Olá", "json_fragment"),
        (',"cidade":"Santos"}Olá', "json_fragment"),
        ("<think>vou perguntar Olá", "reasoning"),
        ("primeiro isto</think>Olá", "reasoning"),
        ("Olá<|im_end|>\n<|im_start|>user\nquero um laudo", "control_token"),
        ("Olá</s>[INST] quero [/INST] sim", "control_token"),
        ("<tool_call>buscar</tool_call>", "tool_call"),
        ("Anotado em qualification_data: solo", "contract_word"),
        ("INVALID_FORMAT", "contract_word"),
        ("<html><body>502 Bad Gateway</body></html>", "page"),
        ('<fatos>\n{"conhecidos":{}}\n</fatos>Olá', "json_object"),
        ("<fatos>\nservico: solo\n</fatos>\nOlá", "prompt_tag"),
        ('<pacote id="SAMPLING">\n# Coleta\nUse frasco limpo.\n</pacote>', "prompt_tag"),
        ("<nota>Uma pessoa da equipe entrou</nota>", "prompt_tag"),
        ("Olá <resposta>sim</resposta> tudo", "prompt_tag"),
        ("<!-- Olá", "prompt_tag"),
        ("rationale: fora do escopo. Olá", "field_label"),
        ('"numero_amostras":3}}Certo!', "json_fragment"),
        ("analysisPreciso perguntar", "channel_word"),
        ("Olá <s>tudo bem?", "control_token"),
        ("Tudo \\ud83d bem", "escape"),
        ('{"ph":7}Olá', "json_object"),
        ('{"ph":7}', "json_object"),
        ('Certo!{"ph":7}', "json_object"),
        ('Certo.\n{"ph":7}', "json_object"),
        ("Seu pedido [NUMERO_PEDIDO] está pronto", "placeholder"),
        ("Prezado [CLIENTE], escreva quando quiser", "placeholder"),
        ("Anotei tudo. Olá [NOME]", "placeholder"),
        ("Fica em R$ X.", "placeholder"),
        ("Fica em R$ XX,XX, depende", "placeholder"),
        ("Olá, {nome}!", "placeholder"),
        ("Olá, {{nome}}!", "placeholder"),
        ("Olá, {{ qualquer coisa }}!", "placeholder"),
        ("Olá, {nome_cliente}!", "placeholder"),
        ("Olá, [NOME]!", "placeholder"),
        ("Prezado [nome do cliente],", "placeholder"),
        ("Visita em [inserir data]", "placeholder"),
        ("Olá, <nome>!", "placeholder"),
        ("Olá, ${nome}", "placeholder"),
        ("Olá, %(nome)s", "placeholder"),
        ("Olá, %nome%", "placeholder"),
        ("Olá, __NOME__", "placeholder"),
        ("Fica em R$ XX,XX", "placeholder"),
        ("Fica em R$ ____", "placeholder"),
    ],
)
def test_what_cannot_be_stripped_without_a_guess_is_stopped(message: str, finding: str) -> None:
    checked = check_egress(message)
    assert checked.unsafe
    assert finding in checked.findings


def test_the_catalogues_own_names_are_placeholders_too() -> None:
    assert not check_egress("Ponto: {manancial}").unsafe
    assert check_egress("Ponto: {manancial}", placeholders={"manancial"}).unsafe
    assert check_egress("Ponto: [MANANCIAL]", placeholders={"manancial"}).unsafe


FIELDS = {"numero_amostras", "prazo", "coleta_pelo_laboratorio"}


def test_a_fields_line_before_the_text_is_stripped() -> None:
    checked = check_egress("numero_amostras: 3\n*coleta_pelo_laboratorio*: sim\n\nCerto!", placeholders=FIELDS)
    assert (checked.text, checked.findings, checked.unsafe) == ("Certo!", ("field_label",), False)


@pytest.mark.parametrize(
    "text",
    ["numero_amostras: 3", "numero_amostras: 3 Certo!", "Certo! numero_amostras = 3", '"numero_amostras": 3 Olá'],
)
def test_a_fields_name_as_a_label_anywhere_else_is_stopped(text: str) -> None:
    assert check_egress(text, placeholders=FIELDS).unsafe


@pytest.mark.parametrize("text", ["prazo: 5 dias\nCerto?", "Prazo: 5 dias", "O arquivo meu_laudo: recebido"])
def test_words_that_a_field_is_named_by_are_words(text: str) -> None:
    assert check_egress(text, placeholders=FIELDS).text == text


@pytest.mark.parametrize("message", ['{"s":1}Olá', '{"s": 1}\n{"s":1}\nOlá'])
def test_the_replys_own_object_said_again_is_stripped(message: str) -> None:
    checked = check_egress(message, parsed_object={"s": 1})
    assert (checked.text, checked.findings, checked.unsafe) == ("Olá", ("repeated_object",), False)


@pytest.mark.parametrize("message", ['{"s":2}Olá', '{"s":1,"x":2}Olá', 'Olá{"s":1}', '{"s":1}{"s":2}Olá'])
def test_another_object_or_one_after_the_text_is_not(message: str) -> None:
    assert check_egress(message, parsed_object={"s": 1}).unsafe


def test_debris_under_debris_without_end_is_stopped() -> None:
    assert check_egress("<mensagem>\n---\n" * 3 + "Olá").text == "Olá"
    assert "endless_debris" in check_egress("<mensagem>\n---\n" * 50 + "Olá").findings


def test_a_result_can_be_logged_without_what_it_says() -> None:
    assert "segredo" not in repr(check_egress("}segredo"))


@given(st.text(alphabet="abç .,!?\n0:;()/*_-👍", max_size=40).filter(lambda text: text[:1].isalpha()))
def test_plain_words_always_pass_unchanged(text: str) -> None:
    assert check_egress(text).text == text


PIECES = [
    "mensagem",
    "Texto",
    "null",
    "none",
    ":",
    ": ",
    "---",
    "R$ XX",
    "to=functions.",
    "\n",
    "s",
    "S1",
    "ao cliente",
    "Olá",
]
PIECES += [
    *"{}[]<>|◁▷｜【】†\ue200\ue201\\\"'“”‘’«»`~_%=$*#;,.)(-/ 5ſ👍",
    "```",
    "~~~",
    "__NOME__",
    "%nome%",
    "INVALID_FORMAT",
    *("rationale", "agent", "assistantfinal", "analysis", "numero_amostras", "fatos", "[DATA]", " ou ", "escreva "),
]


@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join) | st.text(max_size=20))
def test_a_text_that_is_passed_at_a_glance_would_pass_a_closer_reading(text: str) -> None:
    checked = check_egress(text)
    assert (checked.text, checked.findings, checked.unsafe) == read_closely(text)


@given(st.text(alphabet="{}[]\"'`~<>/|\\:;,s1thinkn \n*", max_size=40) | st.text(max_size=40))
def test_any_text_is_judged_and_what_was_stripped_stays_stripped(message: str) -> None:
    checked = check_egress(message)
    if not checked.unsafe:
        assert check_egress(checked.text).text == checked.text
        assert len(checked.text) <= len(message)


@pytest.mark.parametrize(
    "piece",
    [
        *("{", "[", "}", "]", "{{", "{}", '"', " ", "\\n", "}\n", '"}', "<|a|>", "<|a|> ", "</s>", "<s>", "[INST]"),
        *("<think>", "</think>", "</a>", "<mensagem> ", "<fatos>", "</fatos>", "<!--", "-->", "```", "~~~\n", "---\n"),
        *("mensagem:", "rationale: \n", "a_b: \n", "s=1 ", "\\u00e3", "[NOME]", "[a] ou ", "R$ X", "__A", "【†", "]0"),
    ],
)
def test_a_hostile_text_is_judged_in_time_that_grows_with_it(piece: str) -> None:
    arounds = ("%s", "Olá %s x", "<mensagem>%s</mensagem>", '{"a": 1} é %s')
    assert [around for around in arounds if not grows_with_its_size(check_egress, around, piece)] == []
