"""Other people's names and numbers: the same type, mask, length and validity, alike everywhere, and proved by replay."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conversation.scenes import ModelOrders, Scene
from core.domain.text import fold
from replay.anonymising.days import day_of
from replay.anonymising.pseudonyms import COMPACT, Pseudonyms, is_document, name_lists
from replay.anonymising.rewriting import Rewriter
from replay.anonymising.sessions import Anonymiser, NotProvedError
from replay.comparing.differences import Verdict, compare
from replay.playing.company import Company, settings_of, settings_to_plain
from replay.playing.player import Player
from replay.session_file.lines import session_lines
from replay.session_file.records import RecordedSession
from tests.desk import Desk
from tests.effort import examples
from tests.replay.scene_recording import laboratory, recorded_desk, recorded_sessions

KEY = b"a key of the tests, thirty-two bytes"
VALID_CPF, WRONG_CPF, CNPJ, LETTERED_CNPJ = (
    "529.982.247-25",
    "529.982.247-26",
    "11.222.333/0001-81",
    "12.ABC.345/01DE-35",
)


@pytest.fixture
def pseudonyms() -> Pseudonyms:
    return Pseudonyms(KEY)


def rewriter(pseudonyms: Pseudonyms, names: str = "", **others: object) -> Rewriter:
    return Rewriter(pseudonyms=pseudonyms, names=frozenset(names.split()), **others)  # type: ignore[arg-type]


@pytest.mark.parametrize("written", [VALID_CPF, CNPJ, LETTERED_CNPJ, "52998224725", "11222333000181"])
def test_a_document_keeps_its_mask_and_its_validity(pseudonyms: Pseudonyms, written: str) -> None:
    made = rewriter(pseudonyms).text(f"meu número é {written}, ok?")
    number = made.removeprefix("meu número é ").removesuffix(", ok?")

    assert number != written
    assert [each.isalnum() for each in number] == [each.isalnum() for each in written]
    assert [each.isdigit() for each in number] == [each.isdigit() for each in written]
    assert is_document(COMPACT.sub("", number))


def test_a_wrong_document_stays_wrong_in_every_spelling(pseudonyms: Pseudonyms) -> None:
    compact = COMPACT.sub("", WRONG_CPF)
    masked, bare = rewriter(pseudonyms, documents=frozenset({compact})).text(f"{WRONG_CPF} {compact}").split()

    assert not is_document(bare)
    assert COMPACT.sub("", masked) == bare != compact


@pytest.mark.parametrize("written", ["(11) 98000-0101", "+55 11 98000-0101", "5511980000101", "11 9 8000 0101"])
def test_a_phone_keeps_country_area_and_ninth_digit_in_every_spelling(pseudonyms: Pseudonyms, written: str) -> None:
    made = rewriter(pseudonyms).text(written)

    digits, before = COMPACT.sub("", made), COMPACT.sub("", written)
    assert digits != before
    assert digits[:-8] == before[:-8]
    assert digits[-8:] == pseudonyms.number("80000101")
    assert [each.isdigit() for each in made] == [each.isdigit() for each in written]


def test_a_landline_stays_one(pseudonyms: Pseudonyms) -> None:
    assert rewriter(pseudonyms).text("(19) 3555-0166").startswith("(19) 3")


def test_a_name_is_the_same_one_in_every_spelling(pseudonyms: Pseudonyms) -> None:
    said = "Lara Quintela, LARA QUINTELA, lara quintela; a Lara e lara.quintela@vilaserena.example"
    made = rewriter(pseudonyms, "lara quintela vilaserena").text(said)

    first, last = pseudonyms.word("lara"), pseudonyms.word("quintela")
    assert (len(first), len(last)) == (4, 8)
    titled = f"{first.capitalize()} {last.capitalize()}"
    mail = f"{first}.{last}@{pseudonyms.word('vilaserena')}.example"
    assert made == f"{titled}, {titled.upper()}, {first} {last}; a {first.capitalize()} e {mail}"


def test_a_word_that_the_company_says_too_is_a_name_only_beside_one_or_with_a_capital(pseudonyms: Pseudonyms) -> None:
    one = rewriter(pseudonyms, "paula campos", common=frozenset({"campos"}))

    assert one.text("quais campos faltam?") == "quais campos faltam?"
    assert "campos" not in fold(one.text("sou paula campos"))
    assert "Campos" not in one.text("dona Campos")


def test_digits_that_were_said_one_by_one_are_other_ones(pseudonyms: Pseudonyms) -> None:
    made = rewriter(pseudonyms).text("é nove oito zero zero zero um zero um")

    assert made != "é nove oito zero zero zero um zero um"
    assert len(made.split()) == 9


@pytest.mark.parametrize("written", ["12/03/1990", "12-03-90", "1990-03-12", "12.3.1990"])
def test_a_birthday_is_another_day_of_its_year_in_every_mask(pseudonyms: Pseudonyms, written: str) -> None:
    born = date(1990, 3, 12)
    made = rewriter(pseudonyms, days=frozenset({born})).text(f"nasci em {written}, volto em 12/03/2027")

    other = pseudonyms.day(born)
    assert other.year == 1990
    assert other != born
    assert made.endswith(", volto em 12/03/2027")
    assert day_of(made.removeprefix("nasci em ").split(",")[0]) == other


def test_dates_and_small_numbers_stay(pseudonyms: Pseudonyms) -> None:
    said = "são 3 amostras, dia 12/03/2026, das 08:00 às 12:00, R$ 1.250,00, 2026-12-01, pedido 12345"

    assert rewriter(pseudonyms).text(said) == said


@pytest.mark.parametrize(
    "raw",
    [
        '{"s":1,"collection_data":{"nome":"Jos\\u00e9 Lara","cpf":52998224725}}Certo, José!',
        '{"s": 1, "nome": "José Lara"}\nCerto, José!',
        '```json\n{"s":1,"nome":"José Lara"}\n``` José',
        '{"s":1,"nome":"José Lara" Certo, Jos\\u00e9!',
        '{"s":1,"nome":"José Lara","outro":"{\\"nome\\":\\"José\\"}"}',
    ],
)
def test_the_json_of_a_reply_is_changed_inside_and_the_rest_around_it(pseudonyms: Pseudonyms, raw: str) -> None:
    made = rewriter(pseudonyms, "jose lara").raw_reply(raw)

    decoded = made.encode().decode("unicode_escape", "replace") if "\\u" in made else made
    assert not any(name in fold(decoded) for name in ("jose", "lara", "52998224725"))
    assert made.startswith(raw[:9])
    assert made.count("{") == raw.count("{")


@pytest.mark.parametrize(
    "written", ["Lara²", "La\u0301ra", "LARA\u200b", "La\u00adra", "Ⓛⓐⓡⓐ", "Lara⑴", "1Lara_", "Ｌａｒａ"]
)
def test_a_name_is_known_however_its_letters_are_written(pseudonyms: Pseudonyms, written: str) -> None:
    made = rewriter(pseudonyms, "lara").text(f"Sou a {written}, oi")

    assert "lara" not in fold(made)
    assert made.startswith("Sou a ")
    assert made.endswith(", oi")


def test_a_longer_word_is_not_the_name_in_it(pseudonyms: Pseudonyms) -> None:
    assert rewriter(pseudonyms, "lara").text("LaraÆ e Larai, clara") == "LaraÆ e Larai, clara"


def test_a_reply_without_anybody_in_it_is_left_byte_by_byte(pseudonyms: Pseudonyms) -> None:
    raw = '{ "s" : 1,"x":[1, 2] }Ol\\u00e1'

    assert rewriter(pseudonyms, "lara").raw_reply(raw) == raw


PIECES = st.sampled_from(
    [
        '{"s":1,"nome":"',
        "Lara",
        "LARA ",
        '"}',
        "\\u004c",
        "{",
        "[1,",
        "\n",
        "(11) 98000-0101",
        "a@lara.example",
        ", ",
        "x",
        "\u0301",
        "\u200b",
        "²",
        "Ⓛara",
    ]
)


@given(st.lists(PIECES | st.text(max_size=4), max_size=12).map("".join))
@settings(max_examples=examples(100), deadline=None)
def test_whatever_a_model_wrote_is_rewritten_without_the_name(raw: str) -> None:
    made = rewriter(Pseudonyms(KEY), "lara").raw_reply(raw)

    read = re.sub(r"\\u([0-9a-fA-F]{4})", lambda escape: chr(int(escape[1], 16)), made)
    assert "lara" not in re.split(r"[\W\d_]+", fold(read))
    assert made.count("\n") == raw.count("\n") or "\\u" in raw


def test_five_thousand_people_get_five_thousand_names(pseudonyms: Pseudonyms) -> None:
    chance = random.Random(7)
    first, last = sorted(name_lists().first), sorted(name_lists().last)
    people = {f"{chance.choice(first)} {chance.choice(last)}" for _ in range(5_000)}

    made = {" ".join(pseudonyms.word(word) for word in person.split()) for person in people}

    assert len(made) == len(people)
    assert not made & people or all(len(each) > 3 for each in made)


def test_another_key_gives_other_names() -> None:
    assert Pseudonyms(KEY).word("quintela") != Pseudonyms(KEY + b"2").word("quintela")


# Whole sessions


def anonymiser(desk: Desk, **others: object) -> Anonymiser:
    files = laboratory()
    company = Company(name=files.name, folder=files.folder, catalog=files.catalog, prompts=files.prompts)
    settings = settings_of(settings_to_plain(desk.settings), company=files.name)
    return Anonymiser(Player(company=company, settings=settings), Pseudonyms(KEY), **others)  # type: ignore[arg-type]


def written(session: RecordedSession) -> str:
    return json.dumps(list(session_lines(session)), ensure_ascii=False)


PERSONAL = (
    "Lara", "Quintela", "Serena", "vilaserena", "11.222.333/0001-81", "11222333000181", "80000001", "Peçanha",
    "Noé", "Davi", "Lacerda", "Bia", "Moraes", "Iara", "Camargo", "Sampaio",
)  # fmt: skip


def test_the_demo_s_sessions_hold_nobody_of_before_and_replay_alike() -> None:
    desk = recorded_desk(laboratory())
    changer = anonymiser(desk)
    for session in recorded_sessions(desk):
        changed, residue = changer.anonymised(session)

        assert residue == ()
        names = {entry.message.sender.name for turn in session.turns for entry in turn.arrived}
        text = written(changed)
        for value in (*PERSONAL, session.conversation, session.id):
            if any(value in str(name) for name in names) or not value.isalpha() or len(value) > 8:
                assert value not in text
        played = changer.player.play(changed)
        assert compare(changed, played).verdict is Verdict.SAME
        assert not any(turn.drift for turn in played.turns)
        assert [turn.record.codes for turn in changed.turns] == [turn.record.codes for turn in session.turns]


def one_session(*says: str, replies: Sequence[str] = ()) -> tuple[Desk, RecordedSession]:
    scene = Scene(title="x", customer="Ruy Falcão", says=says, model=ModelOrders(replies=tuple(replies)))
    desk = recorded_desk(laboratory(), [scene])
    return desk, next(iter(recorded_sessions(desk)))


def test_a_number_that_was_said_in_tens_blocks_the_export() -> None:
    desk, session = one_session(
        "meu telefone é onze noventa e oito mil zero zero zero um zero um", replies=['{"s":1}Certo!']
    )

    _, residue = anonymiser(desk).anonymised(session)

    assert "said number" in {each.what for each in residue}


def test_somebody_else_s_full_name_in_a_reply_blocks_the_export_until_it_is_allowed() -> None:
    desk, session = one_session("oi", replies=['{"s":1}Falei com Beatriz Nogueira ontem.'])

    _, residue = anonymiser(desk).anonymised(session)
    assert [(each.what, each.hint) for each in residue][:1] == [("name", "B… (16 characters)")]

    _, allowed = anonymiser(desk, allowed=frozenset({"Beatriz Nogueira"})).anonymised(session)
    assert allowed == ()


def test_a_session_that_says_otherwise_of_other_names_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    desk, session = one_session("oi", replies=['{"s":1}Oi!'])
    changer = anonymiser(desk)
    broken = replace(session.turns[0], record=replace(session.turns[0].record, calls=()))
    monkeypatch.setattr("replay.anonymising.sessions.session_of", lambda _lines: replace(session, turns=(broken,)))

    with pytest.raises(NotProvedError, match="turn 1"):
        changer.anonymised(session)
