"""What a model writes in Markdown reaches the customer in WhatsApp's markup, with nothing lost and nothing raw."""

import re
from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.channels.whatsapp.formatting.markup import Style, marked_texts
from core.channels.whatsapp.formatting.text_format import format_ai_message_for_whatsapp
from core.domain.text import displayable_text
from tests.effort import examples

EMPHASIS = {
    "bold": ("um **preço** bom", "um *preço* bom"),
    "bold, underscores": ("__Muito importante__: leia", "*Muito importante*: leia"),
    "italic, asterisks": ("um *preço* bom", "um _preço_ bom"),
    "italic, underscores": ("um _preço_ bom", "um _preço_ bom"),
    "struck": ("de ~~R$ 100~~ por R$ 90", "de ~R$ 100~ por R$ 90"),
    "one tilde is WhatsApp's own": ("~risco~ e ~5 mg/L", "~risco~ e ~5 mg/L"),
    "bold italic": ("***já***", "_*já*_"),
    "bold around italic": ("**veja *isto* já**", "*veja _isto_ já*"),
    "italic around bold": ("*veja **isto** já*", "_veja *isto* já_"),
    "three styles": ("**o *laudo* e o ~~boleto~~** já", "*o _laudo_ e o ~boleto~* já"),
    "bold in bold is bold once": ("**a __b c__ d**", "*a b c d*"),
    "label": ("**Atenção:** texto", "*Atenção:* texto"),
    "label, colon outside": ("**Atenção**: texto", "*Atenção*: texto"),
    "label without a space": ("**Prazo:**5 dias", "Prazo:5 dias"),
    "in brackets and quotes": ('(**a**) "**b**" *c*. **d**!', '(*a*) "*b*" _c_. *d*!'),
    "before a slash and a comma": ("**R$ 350**/amostra, **R$ 1**,50", "*R$ 350*/amostra, *R$ 1*,50"),
    "after an emoji": ("⚠️**Atenção** 👍🏽 **ok**👨‍👩‍👧", "⚠️*Atenção* 👍🏽 *ok*👨‍👩‍👧"),
    "touching a letter, which WhatsApp does not read": ("**12**mg e im**por**tante", "12mg e importante"),
    "over two lines": ("**linha um\nlinha dois**", "*linha um*\n*linha dois*"),
    "a name with an underscore, in italic": ("*laudo_final.pdf*", "_laudo_final.pdf_"),
    "a spare asterisk before": ("*5 e **bom**", "*5 e bom"),
    "a spare asterisk that cannot pair": ("5* hotel **bom** 3*", "5* hotel *bom* 3*"),
    "a spare asterisk inside": ("**Nota \\*x** fim", "Nota *x fim"),
    "marks that never close": ("**a\n\nb", "**a\n\nb"),
    "WhatsApp's own bold reads as Markdown's italic": ("*negrito*", "_negrito_"),
}

UNTOUCHED = {
    "asterisks in a product": "2 * 3 e 2*3*4 e 10*20*30 cm",
    "brackets in a product": "(a+b)*c*(d) e f(x)*y*z",
    "a power": "2**3**4 e x**2**3",
    "dunder names": "use __init__ ou obj.__class__, __my_field__ e __name__",
    "underscores in names": "snake_case_x, _privado e maria_@lab.com.br",
    "arguments": "f(*args, **kwargs)",
    "globs": "*.pdf e *.docx",
    "note marks": "R$ 10,00* por amostra\n*Consulte condições",
    "comparisons": "DBO <5 mg/L e pH >6 e <10",
    "a comparison begins a line": ">10 mg/L reprova\nAté 10, não",
    "a comparison with a space": "> 10 mg/L reprova\n< 5 aprova",
    "tags": "<b>x</b> e <nome do cliente> e <pH:7>",
    "prices": "R$ 1.500,00 + frete",
    "a plus begins a line": "R$ 100\n+ frete",
    "two lines": "Olá.\nTudo bem?",
    "blank lines": "Olá.\n\n\nTudo bem?",
    "indented lines": "Endereço:\n   Rua A, 10\n\n     sala 2",
    "lettered items": "a) água\nb) solo",
    "numbered items with a bracket": "1) água\n2) solo",
    "numbered items": "1. água\n2. solo",
    "numbers that begin elsewhere": "7. água\n8. solo",
    "a list and what follows": "Itens:\n- água\n- solo\nQual deles?",
    "asterisk items": "* água\n* solo",
    "a year begins a line": "2024. Um bom ano",
    "keycaps": "*️⃣ menu *️⃣ A*️⃣ B*️⃣ 1️⃣ 2️⃣",
    "emoji": "👨‍👩‍👧‍👦 🇧🇷 👍🏽",
    "addresses with marks": "https://x.com/_a_/*b*/__c__/d_e e http://y.com/~~z",
    "an address in brackets": "(veja https://x.com/a_(b)_c)",
    "a company": "P&D, AT&T; e R&D",
    "a hashtag": "#1 em #água",
    "square brackets": "[A] ou [B](",
    "a label that looks like a definition": "[Nota]: urgente",
    "an underline that is a sign": "2 + 2\n=\n4",
    "a lone dash": "Nome:\n-",
    "a Windows path": "C:\\Users\\ana",
    "bars without a table": "a | b\nc | d",
    "dollars": "$x_1$ e $x_2$",
}

BLOCKS = {
    "heading": ("# Título\ntexto", "*Título*\ntexto"),
    "heading that is bold already": ("## **Título** *sub* ##", "*Título _sub_*"),
    "heading, underlined": ("Título\n===\ntexto", "*Título*\ntexto"),
    "heading without words": ("#", "#"),
    "heading that ends in a note mark": ("# Preço*", "Preço*"),
    "thematic breaks": ("a\n\n---\n\nb\n***\nc", "a\n\n———\n\nb\n———\nc"),
    "a rule under several lines": ("Total: 5\nPrazo: 3\n---\nOk?", "Total: 5\nPrazo: 3\n———\nOk?"),
    "hard breaks": ("**a**  \nb\\\nc<br>d", "*a*\nb\nc\nd"),
    "nested bullets": ("- a\n    - **b**\n        - c\n- d", "- a\n  - *b*\n    - c\n- d"),
    "bullets in numbers": ("1. **a**\n   - b\n2. c", "1. *a*\n   - b\n2. c"),
    "numbers in numbers": ("1. a\n   1. **b**\n   2. c\n2. d", "1. a\n   1. *b*\n   2. c\n2. d"),
    "numbers all alike are counted": ("1. **a**\n1. b\n1. c", "1. *a*\n2. b\n3. c"),
    "numbers that begin again are kept": ("1. a\n2. b\n\n1. **c**\n2. d", "1. a\n2. b\n\n1. *c*\n2. d"),
    "numbers go on after a paragraph": ("1. a\n\ntexto\n\n2. **b**", "1. a\n\ntexto\n\n2. *b*"),
    "paragraphs in an item": ("- a\n\n  **b**\n- c", "- a\n\n  *b*\n- c"),
    "lines of an item as they were indented": ("- **a**\n  b\n- c\nd", "- *a*\n  b\n- c\nd"),
    "task items": ("- [ ] **a**\n- [x] b", "- [ ] *a*\n- [x] b"),
    "asterisk item in bold": ("* **pH**: 7\n* *cor*", "* *pH*: 7\n* _cor_"),
    "quote": ("> **a**\n> b", "> *a*\n> b"),
    "quote without a space, lazy": (">citação\nque segue", "> citação\n> que segue"),
    "list in a quote": ("> 1. a\n>    - **b**\n> 2. c", "> 1. a\n>    - *b*\n> 2. c"),
    "quote in a list": ("- a\n  > **b**\n- c", "- a\n  > *b*\n- c"),
    "quote in a quote": ("> > a\n> b", "> a\n> b"),
    "paragraphs in a quote": ("> a\n>\n> *b*", "> a\n\n> _b_"),
    "fence": (
        "Veja:\n```python\nx = 2 * 3 ** 4  # *a* __b__\n```\nfim",
        "Veja:\n```\nx = 2 * 3 ** 4  # *a* __b__\n```\nfim",
    ),
    "fence of tildes": ("~~~\n**a**\n~~~", "```\n**a**\n```"),
    "fence that never closes": ("```\n**a**", "```\n**a**\n```"),
    "fence with words beside it": ("```Resultado final\n5\n```", "```\nResultado final\n5\n```"),
    "fence in an item": ("1. a\n\n   ```\n   x*y*\n   ```\n2. b", "1. a\n\n```\nx*y*\n```\n2. b"),
    "fence in a quote": ("> ```\n> x\n> ```\n> fim", "```\nx\n```\n> fim"),
    "fence in a fence": ("````\n```\nx\n```\n````", "```\nx\n```"),
    "indented code that holds marks": ("Veja\n\n    a = *b*", "Veja\n\n```\na = *b*\n```"),
    "inline code": ("use `**a** _b_` aqui", "use `**a** _b_` aqui"),
    "inline code with a backtick": ("``a`b``", "```a`b```"),
    "inline code in bold": ("**use `x*`**", "*use `x*`*"),
    "table of two columns": (
        "| Dia | Hora |\n|---|:-:|\n| **Seg** | 8h |\n| Ter | |",
        "*Dia: Hora*\n- *Seg*: 8h\n- Ter",
    ),
    "table of three columns": (
        "| Análise | Prazo | Preço |\n|---|---|---|\n| **DBO** | 5 dias<br>úteis | *R$ 10* |\n| pH | | R$ 5 |",
        "- Análise: *DBO* · Prazo: 5 dias / úteis · Preço: _R$ 10_\n- Análise: pH · Preço: R$ 5",
    ),
    "table with a cell too many": ("|a|b|\n|-|-|\n|1|2|3|", "- a: 1 · b: 2 · 3"),
    "table, emphasis in its header": ("|**A**|*b*|\n|-|-|\n|x|y|", "*A: _b_*\n- x: y"),
    "table in an item": ("- |a|b|\n  |-|-|\n  |1|2|\n- c", "- *a: b*\n  - 1: 2\n- c"),
    "table with bars in code": ("|a|b|\n|-|-|\n|1|`x\\|y`|", "*a: b*\n- 1: `x|y`"),
    "table with an empty column": ("|a|b|c|\n|-|-|-|\n|1||**3**|", "*a · b · c*\n- 1 · – · *3*"),
    "table and the line below": ("|a|b|\n|-|-|\n|1|2|\nObs: **c**", "*a: b*\n- 1: 2\nObs: *c*"),
}

LINKS = {
    "link": ("veja [o site](https://x.com/a_b)", "veja o site (https://x.com/a_b)"),
    "link whose text is its address": ("[https://x.com](https://x.com)", "https://x.com"),
    "link with brackets in its address": ("[a (b)](https://x.com/a_(b)_c)", "a (b) (https://x.com/a_(b)_c)"),
    "link with a title": ('[a](https://x.com "Título")', "a (https://x.com)"),
    "link in bold": ("**[a](https://x.com/_b_)**", "*a (https://x.com/_b_)*"),
    "link with bold text": ("[**a**](https://x.com)", "*a* (https://x.com)"),
    "link in an item": ("- [a](https://x.com): b", "- a (https://x.com): b"),
    "link without a text": ("[](https://x.com)", "https://x.com"),
    "link without an address": ("[a]() e []()", "a e []()"),
    "address with accents": ("[a](https://x.com/água)", "a (https://x.com/água)"),
    "reference": ("veja [o site][1]\n\n[1]: https://x.com", "veja o site (https://x.com)"),
    "reference that nobody cites": ("**a**\n\n[1]: https://x.com", "*a*\n\n[1]: https://x.com"),
    "a second definition of a reference": (
        "[x]: https://a.b\n[X]: https://c.d\n\n*veja* [x]",
        "[X]: https://c.d\n\n_veja_ x (https://a.b)",
    ),
    "automatic links": ("<https://x.com/a_b> <a_b@x.com>", "https://x.com/a_b a_b@x.com"),
    "mail": ("[ana@x.com](mailto:ana@x.com) [escreva](mailto:a@x.com)", "ana@x.com escreva (a@x.com)"),
    "image": ("![logo](https://x.com/l.png)", "logo (https://x.com/l.png)"),
    "image without a text": ("![](https://x.com/l.png)", "https://x.com/l.png"),
    "bold address stays clickable": (
        "**https://x.com/a** e *veja https://x.com/b*",
        "https://x.com/a e _veja_ https://x.com/b",
    ),
    "bold label before an address": ("**Site:** https://x.com/a_b_c", "*Site:* https://x.com/a_b_c"),
    "address that ends a sentence": ("Veja https://x.com/*a*.", "Veja https://x.com/*a*."),
    "address with escapes": ("https://x.com/a\\_b?c=1&amp;d=2", "https://x.com/a_b?c=1&d=2"),
}

CHARACTERS = {
    "escaped marks": ("\\*x\\* a\\_b \\# c 1\\. d", "*x* a_b # c 1. d"),
    "entities": ("P&amp;D &lt;5 &copy;", "P&D <5 ©"),
    "an entity that ends a line": ("**a&#10;b**", "*a*\n*b*"),
    "entities in code": ("`&amp;`", "`&amp;`"),
    "NUL": ("a\0b", "ab"),
    "control characters": ("a\x07\x7f\x9cb\x0bc\td", "ab c\td"),
    "terminal commands": ("a \x1b[31;1mvermelho\x1b[0m\x9b2J b", "a vermelho b"),
    "a lone escape": ("a\x1bb", "ab"),
    "overrides of direction": ("pague \u202egpj.exe\u202c \u2066**x**\u2069", "pague gpj.exe *x*"),
    "an override as an entity": ("**a** &#8238;b&#x202C;", "*a* b"),
    "emoji of several characters": ("**x** 👩🏽\u200d🔬 \u2764\ufe0f 🇧🇷", "*x* 👩🏽\u200d🔬 \u2764\ufe0f 🇧🇷"),
    "lone surrogate": ("a\ud83db", "a\ufffdb"),
    "surrogates of a pair": ("a\ud83d\ude00", "a😀"),
    "carriage returns": ("a\r\n**b**\rc", "a\n*b*\nc"),
    "nothing": ("", ""),
    "white space": (" \n\t\n", ""),
    "trailing white space": ("Olá.  \n\n", "Olá."),
}

CASES = {**EMPHASIS, **BLOCKS, **LINKS, **CHARACTERS, **{name: (text, text) for name, text in UNTOUCHED.items()}}


@pytest.mark.parametrize(("markdown", "expected"), CASES.values(), ids=CASES.keys())
def test_markdown_becomes_what_whatsapp_reads(markdown, expected):
    assert format_ai_message_for_whatsapp(markdown) == expected


def test_a_whole_reply_reads_as_one():
    reply = (
        "### Orçamento 📋\n\nOlá, **Ana**! Segue:\n\n1. **Potabilidade** – R$ 350,00\n   * prazo: *5 dias úteis*\n"
        "2. **Efluente** (DBO <5 mg/L) – R$ 1.500,00\n\n> Valores válidos por 30 dias.\n\n"
        "Saiba mais [no site](https://lab.com.br/analises_2026)."
    )
    assert format_ai_message_for_whatsapp(reply) == (
        "*Orçamento 📋*\n\nOlá, *Ana*! Segue:\n\n1. *Potabilidade* – R$ 350,00\n   * prazo: _5 dias úteis_\n"
        "2. *Efluente* (DBO <5 mg/L) – R$ 1.500,00\n\n> Valores válidos por 30 dias.\n\n"
        "Saiba mais no site (https://lab.com.br/analises_2026)."
    )


def test_long_headers_are_said_once():
    table = f"|{'a' * 400}|b|c|\n|-|-|-|\n" + "|1||3|\n" * 20
    lines = format_ai_message_for_whatsapp(table).split("\n")
    assert lines == [f"*{'a' * 400} · b · c*", *["- 1 · – · 3"] * 20]


HUGE = {
    "prose": "olá tudo bem. " * 7_000,
    "quotes in quotes": "> " * 1_000 + "fim",
    "quotes in quotes, many lines": ("> " * 60 + "fim\n") * 100,
    "lists in lists": "".join("  " * depth + "- fim\n" for depth in range(100)),
    "items on a line": "- " * 2_000 + "fim",
    "asterisks": "*" * 100_000 + "fim",
    "openings": "**a " * 3_000 + "fim",
    "pairs": "_a_ **b** " * 1_000 + "fim",
    "brackets": "[" * 5_000 + "fim",
    "images": "![" * 5_000 + "fim",
    "backticks": "`".join("`" * length for length in range(100)) + "fim",
    "bars": "|a" * 3_000 + "\n" + "|-" * 3_000 + "\n|fim",
    "an address of brackets": "https://x.com/" + ")" * 20_000 + "fim",
    "NUL": "\0" * 100_000 + "fim",
    "lone surrogates": "\ud800" * 50_000 + "fim",
}


@pytest.mark.parametrize("text", HUGE.values(), ids=HUGE.keys())
def test_no_text_is_too_long_or_too_deep(text):
    written = format_ai_message_for_whatsapp(text)
    assert ("fim" in written) == ("fim" in text)
    assert Counter(written)["a"] >= Counter(text)["a"]


MARKDOWN_PIECES = [
    *"*_~`#>-+|[]()!<\\&:.1 \n\t",
    "**",
    "```",
    "- ",
    "1. ",
    "> ",
    "    ",
    "|-|-|\n",
    "água",
    "5",
    "😊",
    "x_y",
]


@settings(deadline=None, max_examples=examples(300))
@given(st.one_of(st.text(), st.lists(st.sampled_from(MARKDOWN_PIECES), max_size=40).map("".join)))
@example("\ud800\udc00*\udc00")
def test_no_input_raises_and_none_becomes_nothing(text):
    written = format_ai_message_for_whatsapp(text)
    written.encode()
    assert bool(written.strip()) == bool(displayable_text(text).strip())


@settings(deadline=None, max_examples=examples(300))
@given(st.lists(st.sampled_from(MARKDOWN_PIECES), max_size=40).map("".join))
def test_no_word_is_lost(text):
    def words(of: str) -> Counter[str]:
        return Counter(re.findall(r"água|😊|[xy]", of))

    assert not words(text) - words(format_ai_message_for_whatsapp(text))


WORDS = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=8)
PLAIN_WORDS = st.one_of(
    WORDS, st.sampled_from(["R$", "5,00", "(x)", "p/", "é?", "—", "a;", "50%", "👩🏽‍🔬", '"b"', "1.5"])
)
PLAIN_LINES = st.builds(
    lambda first, rest, end: " ".join([first, *rest]) + end,
    WORDS,
    st.lists(PLAIN_WORDS),
    st.sampled_from(["", ".", "!"]),
)
PLAIN_TEXTS = st.lists(PLAIN_LINES, min_size=1, max_size=5).flatmap(
    lambda lines: st.sampled_from(["\n", "\n\n", "\n\n\n"]).map(lambda gap: gap.join(lines))
)


@settings(deadline=None)
@given(PLAIN_TEXTS)
def test_sentences_without_markup_come_back_identical(text):
    assert format_ai_message_for_whatsapp(text) == text


MARKDOWN_MARKS = {Style.BOLD: "**", Style.ITALIC: "*", Style.STRUCK: "~~"}
STYLED = st.tuples(st.sampled_from([None, *Style]), st.lists(WORDS, min_size=1, max_size=4).map(" ".join))


@settings(deadline=None)
@given(st.lists(STYLED, min_size=1, max_size=6), st.sampled_from([" ", ", ", "\n", ": "]))
def test_whatsapp_shows_each_style_just_where_the_markdown_had_it(stretches, between):
    """As WhatsApp reads the result: the styles are those written, no more, no fewer, and no other mark is to be seen."""
    markdown = between.join(
        f"{MARKDOWN_MARKS.get(style, '')}{text}{MARKDOWN_MARKS.get(style, '')}" for style, text in stretches
    )
    written = format_ai_message_for_whatsapp(f"ok {markdown}")
    shown = [(each.mark, written[each.start + 1 : each.end - 1]) for each in marked_texts(written)]
    assert shown == [(style, text) for style, text in stretches if style]
    assert re.sub(r"[*_~]", "", written) == f"ok {between.join(text for _, text in stretches)}"


@given(st.text(alphabet="ab ç.\n-+1)(:!?;, \t'\"R$%/é🙂", max_size=80))
def test_a_text_that_skips_the_parser_reads_as_the_parser_would_have_left_it(text: str) -> None:
    from core.channels.whatsapp.formatting import text_format

    if text_format._MARKUP.search(text) is None:
        assert format_ai_message_for_whatsapp(text) == text_format._format(text)
