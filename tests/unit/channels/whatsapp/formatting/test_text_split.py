"""A long text goes out in at most three messages, cut where a reader would pause, with nothing lost or broken."""

import re
from collections import Counter

import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.channels.whatsapp.formatting.markup import marked_texts
from core.channels.whatsapp.formatting.text_split import SplitText, split_for_whatsapp
from tests.effort import examples

FAMILY, FLAG, KEYCAP, THUMB, HEART = "👨‍👩‍👧‍👦", "🇧🇷", "1️⃣", "👍🏽", "❤️‍🔥"


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", text)


CUTS = {
    "nothing": ("", 30, ()),
    "white space": (" \n\t ", 30, ()),
    "what fits is one part": ("Olá, tudo bem?", 30, ("Olá, tudo bem?",)),
    "what just fits": ("a" * 30, 30, ("a" * 30,)),
    "white space around it is not a part": ("  Olá \n", 30, ("Olá",)),
    "paragraphs": ("Um dois três.\n\nQuatro cinco seis sete.", 30, ("Um dois três.", "Quatro cinco seis sete.")),
    "paragraphs before sentences": ("Um. Dois. Três.\n\nQuatro. Cinco. Seis.", 30, ("Um. Dois. Três.", "Quatro. Cinco. Seis.")),
    "paragraphs, though sentences would do with fewer parts": (
        "Um dois três quatro.\n\nA b c d e f g h i j.\n\nCinco seis sete.",
        30,
        ("Um dois três quatro.", "A b c d e f g h i j.", "Cinco seis sete."),
    ),
    "balanced": ("aaaaaaa\n\nbbbbbbb\n\nccccccc\n\nddddddd", 30, ("aaaaaaa\n\nbbbbbbb", "ccccccc\n\nddddddd")),
    "lines before sentences": ("- item um. Ok\n- item dois. Ok\n- tres", 30, ("- item um. Ok", "- item dois. Ok\n- tres")),
    "sentences": ("Uma frase aqui. Outra frase ali! E mais?", 30, ("Uma frase aqui.", "Outra frase ali! E mais?")),
    "sentences end after a closing mark": ("Custa *R$ 350.* Pode ser? Diga aí.", 30, ("Custa *R$ 350.*", "Pode ser? Diga aí.")),
    "an abbreviation ends no sentence": ("Falar com o Sr. João na Av. Brasil hoje", 30, ("Falar com o Sr. João", "na Av. Brasil hoje")),
    "a decimal ends no sentence": ("Custa R$ 1.500,00 por amostra de solo", 30, ("Custa R$ 1.500,00", "por amostra de solo")),
    "words": ("um dois três quatro cinco seis sete", 30, ("um dois três quatro", "cinco seis sete")),
    "prices keep their unit": ("esta análise custa R$\u00a01.500,00 agora", 30, ("esta análise custa", "R$\u00a01.500,00 agora")),
    "letters, when there is nothing else": ("a" * 50, 30, ("a" * 25, "a" * 25)),
    "graphemes": (FAMILY * 4, 30, (FAMILY * 2, FAMILY * 2)),
    "an emoji counts two or more": ("😊" * 16, 30, ("😊" * 8, "😊" * 8)),
    "an accent goes with its letter": ("e\u0301" * 20, 31, ("e\u0301" * 10, "e\u0301" * 10)),
    "bold is not cut": ("Veja aqui *tudo o que importa* sim", 30, ("Veja aqui", "*tudo o que importa* sim")),
    "italic and struck are not cut": ("_um dois tres q_ ~um dois tres q~", 30, ("_um dois tres q_", "~um dois tres q~")),
    "nested marks are not cut": ("Veja aqui *_tudo o que conta_* sim", 30, ("Veja aqui", "*_tudo o que conta_* sim")),
    "inline code is not cut": ("Use isto: `pip install x y z` ali", 30, ("Use isto:", "`pip install x y z` ali")),
    "asterisks that are no marks do not matter": ("2 * 3 * 4 * 5 * 6 * 7 * 8 * 9 * 10", 30, ("2 * 3 * 4 * 5 * 6", "* 7 * 8 * 9 * 10")),
    "a fence is not cut": ("Veja:\n```\na = 1\n\nb = 2\n```\nE mais nada.", 30, ("Veja:\n```\na = 1\n\nb = 2\n```", "E mais nada.")),
    "long bold is closed and opened": ("*um dois três quatro cinco seis sete*", 30, ("*um dois três quatro*", "*cinco seis sete*")),
    "long nested marks are closed and opened": (
        "_*um dois três quatro cinco seis sete*_",
        30,
        ("_*um dois três*_", "_*quatro cinco seis sete*_"),
    ),
    "long inline code is closed and opened": ("`um dois três quatro cinco seis sete`", 30, ("`um dois três quatro`", "`cinco seis sete`")),
    "a long fence is closed and opened at a line": (
        "```\nif um:\n    dois()\n    tres()\nquatro()\n```",
        30,
        ("```\nif um:\n    dois()\n```", "```\n    tres()\nquatro()\n```"),
    ),
    "a long fence on one line": ("```um dois três quatro cinco seis```", 30, ("```um dois três```", "```quatro cinco seis```")),
}  # fmt: skip


@pytest.mark.parametrize(("text", "limit", "parts"), CUTS.values(), ids=CUTS.keys())
def test_a_text_is_cut_where_a_reader_would_pause(text, limit, parts):
    split = split_for_whatsapp(text, limit=limit)
    assert split == parts
    assert not split.truncated


def test_parts_of_whatsapps_own_size_are_balanced():
    paragraphs = [f"Parágrafo {number}. " + "Uma frase de um tamanho qualquer. " * 12 for number in range(20)]
    split = split_for_whatsapp("\n\n".join(paragraphs))
    assert len(split) == 3
    assert max(map(len, split)) - min(map(len, split)) < 500
    assert all(part.startswith("Parágrafo") for part in split)


def test_three_full_parts_are_not_too_long():
    split = split_for_whatsapp("a" * 3 * 4096)
    assert split == ("a" * 4096,) * 3
    assert not split.truncated


TOO_LONG = {
    "words": ("uma frase. " * 50, 40),
    "letters": ("a" * 500, 40),
    "emoji": (FAMILY * 50, 40),
    "bold": ("*" + "palavra " * 50 + "fim*", 40),
    "fence": ("```\n" + "linha de código\n" * 50 + "```", 40),
    "a hundred thousand characters": ("uma frase comum. " * 6_000, 4096),
}


@pytest.mark.parametrize(("text", "limit"), TOO_LONG.values(), ids=TOO_LONG.keys())
def test_what_three_parts_cannot_hold_is_cut_short_and_says_so(text, limit):
    split = split_for_whatsapp(text, limit=limit)
    assert split.truncated
    assert len(split) == 3
    assert split[-1].endswith("…")
    assert all(limit / 2 < units(part) <= limit for part in split)
    assert all(part.count("*") % 2 == 0 and part.count("```") % 2 == 0 for part in split)
    shown = squeezed("".join(split)).removesuffix("…")
    assert squeezed(text).replace("*", "").replace("```", "").startswith(shown.replace("*", "").replace("```", ""))


def test_fewer_parts_may_be_asked_for():
    assert split_for_whatsapp("um dois três", limit=8, max_parts=1) == ("um …",)
    assert split_for_whatsapp("um dois três", limit=8, max_parts=2) == ("um dois", "três")


@pytest.mark.parametrize(("limit", "max_parts"), [(1, 3), (0, 3), (30, 0)])
def test_no_room_is_an_error(limit, max_parts):
    with pytest.raises(ValueError, match="room"):
        split_for_whatsapp("Olá", limit=limit, max_parts=max_parts)


PIECES = st.sampled_from(
    [
        "água", "Olá, tudo bem?", "Sim.", "Não!", "R$\u00a01.500,00", "Sr. João", "a" * 25, "e\u0301", FAMILY, FLAG, KEYCAP, THUMB, HEART,
        "*negrito aqui*", "_itálico_", "~risco~", "`um código`", "*_os dois juntos_*", "```\nlinha um\n\n  linha dois\n```",
        "*" + "palavra " * 9 + "fim*", "```\n" + "linha de código\n" * 5 + "```",
    ]
)  # fmt: skip
GAPS = st.sampled_from([" ", " ", "\n", "\n\n", ". "])
TEXTS = st.lists(st.tuples(PIECES, GAPS), max_size=25).map(lambda pairs: "".join(piece + gap for piece, gap in pairs))
LIMITS = st.integers(min_value=30, max_value=300)
ANY_TEXT = st.one_of(TEXTS, st.text(max_size=300))


@settings(deadline=None, max_examples=examples(200))
@given(ANY_TEXT, st.integers(min_value=2, max_value=200), st.integers(min_value=1, max_value=4))
@example("👍🏽 👍🏽  \u0301 aaaa", 4, 3)
def test_no_part_is_over_the_limit_and_there_are_never_more_than_asked(text, limit, max_parts):
    split = split_for_whatsapp(text, limit=limit, max_parts=max_parts)
    assert len(split) <= max_parts
    assert all(part.strip() and units(part) <= limit for part in split)


def whole_pieces(text: str) -> list[str]:
    """What the eye sees as one, white space and marks aside."""
    return [piece for piece in regex.findall(r"\X", text) if piece.strip(" \t\n*_~`…")]


@settings(deadline=None, max_examples=examples(200))
@given(ANY_TEXT, LIMITS)
def test_nothing_is_lost_but_white_space(text, limit):
    split = split_for_whatsapp(text, limit=limit)
    if split.truncated:
        assert units(text) > limit * 2
    else:
        said = re.sub(r"[*_~`]", "", squeezed("".join(split)))
        assert said == re.sub(r"[*_~`]", "", squeezed(text))


@settings(deadline=None, max_examples=examples(200))
@given(TEXTS, LIMITS)
def test_emoji_are_whole_in_each_part(text, limit):
    split = split_for_whatsapp(text, limit=limit)
    pieces = [piece for part in split for piece in whole_pieces(part)]
    assert pieces == whole_pieces(text)[: len(pieces)]
    assert split.truncated or len(pieces) == len(whole_pieces(text))


def marked_characters(text: str) -> Counter[tuple[str, str]]:
    """How often each character stands in each kind of marked text, however often its marks close and open again."""
    return Counter(
        (each.mark, char)
        for each in marked_texts(text)
        for char in text[each.start : each.end]
        if char not in "*_~`" and not char.isspace()
    )


@settings(deadline=None, max_examples=examples(200))
@given(TEXTS, LIMITS)
def test_every_part_shows_the_styles_that_the_text_has(text, limit):
    """Marks come in pairs in each part, and what was bold, struck or code is so in whichever part it is."""
    split = split_for_whatsapp(text, limit=limit)
    for part in split:
        assert all(part.count(mark) % 2 == 0 for mark in ("*", "_", "~", "`"))
    if not split.truncated:
        assert sum(map(marked_characters, split), Counter()) == marked_characters(text)


@settings(deadline=None, max_examples=examples(200))
@given(TEXTS, LIMITS)
def test_marked_text_that_fits_in_a_part_is_in_one(text, limit):
    split = split_for_whatsapp(text, limit=limit)
    roomy = units(text) < 2 * limit  # near the limit of all three, there may be no other way to keep everything
    short = [text[each.start : each.end] for each in marked_texts(text) if units(text[each.start : each.end]) <= limit]
    if roomy and not split.truncated and len(short) == len(marked_texts(text)):
        assert all(any(each in part for part in split) for each in short)


def test_the_parts_are_a_tuple_that_knows_if_it_is_all():
    assert SplitText(["a", "b"]) == ("a", "b")
    assert not SplitText(["a"]).truncated
    assert SplitText(["a"], truncated=True).truncated
