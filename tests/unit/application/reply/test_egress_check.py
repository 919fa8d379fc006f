"""What a customer may not see is stripped or asked again; what a text may rightly hold stays as it is."""

from __future__ import annotations

import json
import sys
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.application.parser import LLMResponseParseError, parse_llm_response
from core.application.reply.egress_check import check_egress
from core.application.reply.rule_tables import read_table
from core.domain.actions import SILENT_CODES
from tests.cases.cpu_budget import work_that_ends
from tests.cases.parser_rows import ROWS, row_id

ANSWERS = Path(__file__).parents[3] / "cases" / "answers"
ACCEPTED = [row for row in ROWS if row["verdict"] == "ok"]
# A text that was cut off looks like a text: the provider's `incomplete` status stops these before they are parsed.
SEEN_BY_THE_PROVIDER_ONLY = {row["id"] for row in ACCEPTED if row["category"] == "truncated"}
LEAKS = [row for row in ACCEPTED if row["leak_risk"] and row["id"] not in SEEN_BY_THE_PROVIDER_ONLY]
FIT = [row for row in ACCEPTED if not row["leak_risk"] and row["s"] not in SILENT_CODES and row["message"]]
IDS = {"numero_amostras", "prazo", "nome", "coleta_pelo_laboratorio"}


def rows_of(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (ANSWERS / name).read_text("utf-8").splitlines()]


@pytest.mark.parametrize("row", LEAKS, ids=row_id)
def test_a_reply_that_would_leak_is_stripped_or_asked_again(row: dict[str, Any]) -> None:
    message = parse_llm_response(row["raw"]).message
    checked = check_egress(message)
    assert checked.ask_again or checked.text != message
    assert checked.findings


@pytest.mark.parametrize("row", FIT, ids=row_id)
def test_a_reply_that_is_fit_to_send_passes_unchanged(row: dict[str, Any]) -> None:
    message = parse_llm_response(row["raw"]).message
    checked = check_egress(message)
    assert (checked.text, checked.findings, checked.ask_again) == (message, (), "")


@pytest.mark.parametrize("row", rows_of("texts.jsonl"), ids=lambda row: row["id"])
def test_no_labelled_text_holds_any_debris(row: dict[str, Any]) -> None:
    checked = check_egress(row["text"], ids=IDS)
    assert (checked.text, checked.findings, checked.ask_again) == (row["text"], (), "")


@pytest.mark.parametrize("row", rows_of("slips.jsonl"), ids=lambda row: row["id"])
def test_a_slip_is_sent_clean_or_asked_again(row: dict[str, Any]) -> None:
    try:
        parsed = parse_llm_response(row["reply"])
    except LLMResponseParseError:
        return
    checked = check_egress(parsed.message, ids=IDS, parsed_object=parsed.json_part)
    if row["kind"] in {"placeholder", "field_label", "two_replies"}:
        assert checked.ask_again
    else:
        assert not checked.ask_again
        assert not any(
            piece in checked.text
            for piece in row["must_not_send"]
            if row["kind"] not in {"md_table", "premature_advance"}
        )


@pytest.mark.parametrize(
    ("pattern", "example"),
    [
        pytest.param(row.pattern, example, id=f"{row.name} {example[:20]!r}")
        for table in ("egress", "transfer")
        for group in read_table(table).rows.values()
        for row in group
        for example in row.examples
    ],
)
def test_every_row_finds_its_examples(pattern: Any, example: str) -> None:
    assert pattern.search(example)


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
        "R$ 1.250,00 (prazo: 10 dias), das 8:00 às 18:00",
        "No formato dd/mm/aaaa ou (XX) XXXXX-XXXX",
        "Salve em C:\\novo\\teste",
        "¯\\_(ツ)_/¯ e \\o/",
        "Opção A) água B) solo",
        "...ok — até já",
        "> citação",
        "# Título\nOlá",
        "Na etiqueta escreva [DATA] e [NOME DO PONTO].",
        "No assunto do e-mail coloque <empresa> e <data>.",
        "No intervalo ]6, 9]",
        "Combinado :}",
        "Fechado :]",
        "Os metais são {As, Cd}",
        "Combinado :} e os metais são {As, Cd}",
        "[] Água\n[] Solo",
        "[ ] Água",
        "Prazo: 5 dias úteis",
        "Nome: o do responsável",
        "Água --> solo",
        "Serviço: análise de água",
        "Salve em C:\\util\\u1",
        "100% __certo__ disso, em snake_case",
        "Um cliente nulo: null não serve, None também não",
        "O assistente virtual ajuda: assistant é a palavra em inglês",
        "\u200bOlá 👩\u200d🔬 \u202e",
        "",
        "Quantos dias: 5 ou 10? a<b e c>d",
        "Certo: DBO₅, DQO, N-NH₃ e P total.",
        "| Item | Valor |\n|---|---|\n| Amostras | 3 |",
        "Veja <https://exemplo.invalid>.",
        "Em tamanho XXG, do século XX.",
        "Sobrou água: 3_000 mL",
    ],
)
def test_what_a_text_may_rightly_hold_stays(text: str) -> None:
    checked = check_egress(text, ids=IDS)
    assert (checked.text, checked.findings, checked.ask_again) == (text, (), "")


@pytest.mark.parametrize(
    ("message", "text", "finding"),
    [
        ("}Olá", "Olá", "leading_debris"),
        ("}}", "", "invisible"),
        ("]}, Olá", "Olá", "leading_debris"),
        (",Olá", "Olá", "leading_debris"),
        ("};\nOlá", "Olá", "leading_debris"),
        (": Olá", "Olá", "leading_debris"),
        ("{ Olá", "Olá", "leading_debris"),
        ("](https://exemplo.invalid/) Olá", "Olá", "leading_debris"),
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
        ("```\npH\n```\nou\n```\nDBO", "pH\n```\nou\n```\nDBO", "unpaired_fence"),
        ("Use:\n```\npH\n```\nou\n```\nDBO", "Use:\n```\npH\n```\nou\nDBO", "unpaired_fence"),
        ("</think>Olá", "Olá", "control_token"),
        ("Olá</think>", "Olá", "control_token"),
        ("<think>depois</think>Olá", "Olá", "reasoning"),
        ('<think>talvez {"s":5}</think>Olá', "Olá", "reasoning"),
        ("Olá<|im_end|>", "Olá", "control_token"),
        ("Olá</s>\n", "Olá", "html"),
        ("<|im_start|>assistant\nOlá<|im_end|>", "Olá", "control_token"),
        ("<|channel|>final<|message|>Olá<|return|>", "Olá", "control_token"),
        ("<｜end▁of▁sentence｜>Olá", "Olá", "control_token"),
        ("</json>Olá", "Olá", "html"),
        ("Olá</resposta>", "Olá", "html"),
        ("<mensagem>\nOlá\n</mensagem>", "Olá", "html"),
        ("<mensagem>Olá", "Olá", "html"),
        ("Olá\\nTudo bem?", "Olá\nTudo bem?", "escaped_break"),
        ("{}Quantas?", "Quantas?", "leading_debris"),
        ("{ }\nQuantas?", "Quantas?", "leading_debris"),
        ("{{}}Quantas?", "Quantas?", "leading_debris"),
        ('Quantas amostras são?"}', "Quantas amostras são?", "trailing_debris"),
        ("Oi}", "Oi", "trailing_debris"),
        ("Oi\n}", "Oi", "trailing_debris"),
        ("Oi}]}", "Oi", "trailing_debris"),
        ("<s>Olá</s>", "Olá", "control_token"),
        ("<s> Olá", "Olá", "html"),
        ("<bos>Olá<eos>", "Olá", "control_token"),
        ("Olá\n```json", "Olá", "unpaired_fence"),
        ("Olá```text", "Olá", "unpaired_fence"),
        ('"message": "Quantas?"', "Quantas?", "label"),
        ("message: “Quantas?”", "Quantas?", "label"),
        ("mensagem_ao_cliente: Quantas?", "Quantas?", "label"),
        ("<script>alert(1)</script>Olá", "Olá", "script"),
        ('Olá <style type="text/css">b{color:red}</style>', "Olá", "script"),
        ('<section><img src="x.png">Olá</section>', "Olá", "html"),
        ("<!-- nota -->Olá", "Olá", "comment"),
        ("Olá <!-- nota -->", "Olá", "comment"),
    ],
)
def test_debris_is_stripped(message: str, text: str, finding: str) -> None:
    checked = check_egress(message)
    assert checked.text == text
    assert finding in checked.findings
    assert not (text and checked.ask_again)


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
        ('{"cidade":"Santos"}Olá', "second_object"),
        ('Anotei {"cidade":"Santos"} aqui', "second_object"),
        ('{"cidade":"San', "second_object"),
        ("{'cidade': 'Santos'} Olá", "second_object"),
        (',"cidade":"Santos"}Olá', "second_object"),
        ("<think>vou perguntar Olá", "reasoning"),
        ("primeiro isto</think>Olá", "reasoning"),
        ("Olá<|im_end|>\n<|im_start|>user\nquero um laudo", "reasoning"),
        ("Olá</s>[INST] quero [/INST] sim", "reasoning"),
        ("<tool_call>buscar</tool_call>", "nothing_left"),
        ("Anotado em qualification_data: solo", "internal_id"),
        ("INVALID_FORMAT", "internal_id"),
        ('<fatos>\n{"conhecidos":{}}\n</fatos>Olá', "prompt_tag"),
        ("<fatos>\nservico: solo\n</fatos>\nOlá", "prompt_tag"),
        ('<pacote id="SAMPLING">\n# Coleta\nUse frasco limpo.\n</pacote>', "prompt_tag"),
        ("<nota>Uma pessoa da equipe entrou</nota>", "prompt_tag"),
        ("rationale: fora do escopo. Olá", "field_label"),
        ('"numero_amostras":3}}Certo!', "second_object"),
        ("Tudo \\ud83d bem", "escape"),
        ('{"ph":7}Olá', "second_object"),
        ('{"ph":7}', "second_object"),
        ('Certo!{"ph":7}', "second_object"),
        ('Certo.\n{"ph":7}', "second_object"),
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
        ("Fica em R$ XX,XX", "placeholder"),
        ("Fica em R$ ____", "placeholder"),
        ('<function_calls><invoke name="x"></invoke></function_calls>', "nothing_left"),
        ("Falta o campo coleta_pelo_laboratorio: quem coleta?", "internal_id"),
        ("*numero_amostras*: 3", "internal_id"),
        ("fica pronto em XX dias", "placeholder"),
        ("O valor é ____.", "placeholder"),
    ],
)
def test_what_cannot_be_stripped_without_a_guess_is_asked_again(message: str, finding: str) -> None:
    checked = check_egress(message, ids=IDS)
    assert checked.ask_again
    assert finding in checked.findings


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<b>Prazo</b>: <strong>5 dias</strong>", "**Prazo**: **5 dias**"),
        ("<ul><li>pH</li><li>DBO</li></ul>", "- pH\n- DBO"),
        ("<p>Oi</p><p>Tudo <i>bem</i>?</p>", "Oi\n\nTudo *bem*?"),
        ("<h2>Prazos</h2>5 dias<br/>úteis", "**Prazos**\n5 dias\núteis"),
        ("Era <s>R$ 20</s> R$ 10", "Era ~~R$ 20~~ R$ 10"),
        ('H<sub>2</sub>O <span style="color:red">já</span>', "H2O já"),
        ("Um <b>só lado", "Um só lado"),
    ],
)
def test_html_becomes_the_markdown_that_whatsapp_gets_its_marks_from(html: str, markdown: str) -> None:
    assert check_egress(html).text == markdown


def test_a_mask_that_the_customer_wrote_is_theirs() -> None:
    assert (
        check_egress("Sobre os XX dias do edital: qual é a data?", customer_text="o edital diz XX dias").ask_again == ""
    )


@pytest.mark.parametrize(
    "message", ['{"s":1}Olá', '{"s": 1}\n{"s":1}\nOlá', 'Olá{"s":1}', 'Olá\n```json\n{"s":1}\n```']
)
def test_the_replys_own_object_said_again_is_stripped(message: str) -> None:
    checked = check_egress(message, parsed_object={"s": 1})
    assert (checked.text, checked.ask_again) == ("Olá", "")
    assert "repeated_object" in checked.findings


@pytest.mark.parametrize("message", ['{"s":2}Olá', '{"s":1,"x":2}Olá', '{"s":1}{"s":2}Olá'])
def test_another_object_is_asked_again(message: str) -> None:
    assert check_egress(message, parsed_object={"s": 1}).ask_again


def test_a_text_with_nothing_visible_is_empty() -> None:
    blank = [
        chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) in {"Zs", "Zl", "Zp", "Cf"}
    ]
    blank += list("\u034f\u115f\u1160\u17b4\u17b5\u180b\u2065\u2800\u3164\ufe0f\uffa0\U000e0100\U000e0fff")
    assert not [char for char in blank if check_egress(f"{char} {char}").text]
    assert check_egress("👍").text == "👍"


def test_debris_under_debris_is_stripped_until_it_would_never_end() -> None:
    assert check_egress('};"**Mensagem:** Olá\\nTudo bem?"').text == "Olá\nTudo bem?"
    assert "endless_debris" in check_egress("mensagem: " * 50 + "Olá").findings


@pytest.mark.parametrize(("times", "ends"), [(11, True), (12, False)])
def test_debris_is_stripped_twelve_times(times: int, *, ends: bool) -> None:
    checked = check_egress("mensagem: " * times + "Olá")
    assert ("endless_debris" not in checked.findings) is ends
    assert bool(checked.ask_again) is not ends


@pytest.mark.parametrize(("times", "asks"), [(100, False), (101, True)])
def test_the_replys_own_object_is_looked_for_a_hundred_times(times: int, *, asks: bool) -> None:
    checked = check_egress('{"s":1}' * times + "Olá", parsed_object={"s": 1})
    assert bool(checked.ask_again) is asks


def test_a_result_can_be_logged_without_what_it_says() -> None:
    assert "segredo" not in repr(check_egress("}segredo"))


@given(st.text(alphabet="abç .,!?\n0:;()/*-👍", max_size=40).filter(lambda text: text[:1].isalpha()))
def test_plain_words_always_pass_unchanged(text: str) -> None:
    assert check_egress(f"Olá {text}").text == f"Olá {text}"


@given(st.text(alphabet="{}[]\"'`~<>/|\\:;,s1bthinkn \n*", max_size=40) | st.text(max_size=40))
def test_any_text_is_judged_and_what_was_stripped_stays_stripped(message: str) -> None:
    checked = check_egress(message)
    if not checked.ask_again:
        assert check_egress(checked.text).text == checked.text


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "{",
            "[",
            "}",
            "]",
            "{{",
            "{}",
            '"',
            " ",
            "\n",
            "\\n",
            "}\n",
            '"}',
            "<|a|>",
            "</s>",
            "<s>",
            "[INST]",
            "a_",
            "X/",
            '{"a":',
        ),
        *(
            "<think>",
            "</think>",
            "</a>",
            "<b>",
            "<b ",
            "<invoke",
            "<!--",
            "-->",
            "```",
            "~~~\n",
            "mensagem:",
            "[nome",
            "R$ X",
            "__A",
        ),
    ],
)
@pytest.mark.parametrize("around", ["%s", "Olá %s x", '{"a": 1} é %s'])
def test_a_hostile_text_is_judged_in_time_that_grows_with_it(piece: str, around: str) -> None:
    with work_that_ends():
        check_egress(around % (piece * 20_000))
