"""The guard answers before any model: mel's five scenarios, tables by kind, and its precision on labelled rows."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.conversation_guard import (
    GUARD_RESPONSE_FRUSTRATED,
    GUARD_RESPONSE_HUMAN_REQUEST,
    GUARD_RESPONSE_LOOP,
    ChatMessage,
    ConversationGuard,
    GuardInput,
    GuardKind,
    GuardPolicy,
    GuardVerdict,
)
from core.domain.guard.detectors import frustration, human_request
from core.domain.guard.loop import is_loop
from core.domain.guard.spelling import spell_out

CASES = Path(__file__).parent / "cases"
NOTHING = GuardVerdict(preempt=False)
PLAIN = GuardPolicy()


def judge(*texts: str, stuck_for: int = 0, policy: GuardPolicy = PLAIN) -> GuardVerdict:
    """The verdict on a conversation in which the bot answered each message but the last."""
    messages = [ChatMessage("user", texts[0])]
    for text in texts[1:]:
        messages += [ChatMessage("assistant", "Não entendi, pode repetir?"), ChatMessage("user", text)]
    return ConversationGuard.evaluate(GuardInput(messages, stuck_for), policy)


class TestTheFiveScenarios:
    """Document 001, in its own words."""

    def test_a_frustrated_customer_gets_the_empathic_answer(self) -> None:
        verdict = judge("esse bot é uma porra, não funciona NADA")
        assert (verdict.preempt, verdict.kind) == (True, GuardKind.FRUSTRATED)
        assert verdict.response == GUARD_RESPONSE_FRUSTRATED

    def test_three_similar_messages_without_progress_are_a_loop(self) -> None:
        verdict = judge("qual o saldo?", "saldo?", "saldo mesmo?", stuck_for=2)
        assert (verdict.preempt, verdict.kind, verdict.response) == (True, GuardKind.LOOP, GUARD_RESPONSE_LOOP)

    def test_an_explicit_request_for_a_person_is_recognised(self) -> None:
        verdict = judge("quero falar com uma pessoa, não com bot")
        assert (verdict.preempt, verdict.kind) == (True, GuardKind.HUMAN_REQUEST)
        assert verdict.response == GUARD_RESPONSE_HUMAN_REQUEST

    def test_a_plain_message_goes_to_the_model(self) -> None:
        assert judge("qual o total do mês?") == NOTHING

    def test_frustration_wins_over_a_request_for_a_person_and_remembers_it(self) -> None:
        verdict = judge("VAI A MERDA, QUERO FALAR COM HUMANO")
        assert (verdict.kind, verdict.response) == (GuardKind.FRUSTRATED, GUARD_RESPONSE_FRUSTRATED)
        assert verdict.also_human


@pytest.mark.parametrize(
    ("response", "text"),
    [
        (
            GUARD_RESPONSE_FRUSTRATED,
            "Vi que tu tá frustrado e eu entendo. Bora tentar de outro jeito — me conta o que tu precisa em 1 frase curta?",
        ),
        (
            GUARD_RESPONSE_LOOP,
            "Acho que travei. Não consegui te ajudar com isso. Quer reformular ou esperar um humano entrar pra te ajudar mais tarde?",
        ),
        (
            GUARD_RESPONSE_HUMAN_REQUEST,
            "Por enquanto só eu (mel) por aqui — sem humano. Anoto o pedido pra avisar quando suporte entrar. Enquanto isso, posso te ajudar com orçamento, metas ou fatura?",
        ),
    ],
    ids=["frustrated", "loop", "human-request"],
)
def test_the_canonical_answers_are_mels_word_for_word(response: str, text: str) -> None:
    assert response == text


class TestRequestsForAPerson:
    @pytest.mark.parametrize(
        "text",
        [
            "me passa pra uma pessoa",
            "atendente",
            "quero um humano",
            "você é robô? quero gente",
            "falar cm alguem",
            "qro flr c/ atendnte",
            "não consigo falar com um atendente",
            "por que não posso falar com uma pessoa?",
            "não quero mais falar com a IA",
            "preciso falar com o responsável técnico do laboratório",
            "quero falar com a Fernanda",
            "me põe pra prosear com gente mesmo",
            "quero resolver com uma pessoa e não com um programa",
            "qero fala cum atendente",
            "chama alguém aí por gentileza",
            "tem como passar pra um humano?",
            "num tem jeito de falar com uma pessoa não?",
        ],
    )
    def test_a_person_is_asked_for(self, text: str) -> None:
        assert judge(text).kind is GuardKind.HUMAN_REQUEST

    @pytest.mark.parametrize(
        "text",
        [
            "tem alguém aí?",
            "Ô de casa",
            "bom dia! estão atendendo?",
            "alguém pode me dar uma informação?",
            "me liga que é melhor",
            "o fiscal quer falar com o responsável técnico de vocês",
            "meu chefe quer falar com o gerente",
            "não quero falar com atendente, pode ser por aqui",
            "falar com atendente eu não preciso",
            "dá pra resolver sem falar com atendente?",
            "se eu precisar falar com alguém depois, qual o contato?",
            "vou falar com meu chefe e te retorno",
            "preciso falar com o gerente da obra",
            "a atendente disse que o prazo era 10 dias",
            "consegui falar com o atendente ontem, obrigado",
            "vc é humano ou bot?",
            "água para consumo humano",
            "água em contato com pessoas",
            "sou pessoa jurídica",
            "a gente quer analisar efluente",
            "preciso de alguém para coletar aqui",
            "tem atendente aos domingos?",
            "oi atendente",
            "quero uma ligação de esgoto na rede",
        ],
    )
    def test_nobody_is_asked_for(self, text: str) -> None:
        assert judge(text) == NOTHING

    def test_where_a_handoff_is_available_its_own_text_is_left_to_the_caller(self) -> None:
        verdict = judge("quero um atendente", policy=GuardPolicy(handoff_available=True))
        assert (verdict.preempt, verdict.kind, verdict.response) == (True, GuardKind.HUMAN_REQUEST, "")


class TestFrustration:
    @pytest.mark.parametrize(
        "text",
        [
            "que m3rda de atendimento",
            "affff que bot burroooo",
            "vc é surdo? já respondi isso",
            "puta merda, já mandei o CNPJ quatro vezes",
            "parem de me fazer a mesma pergunta",
            "cansei, vou procurar outro laboratório",
            "laudo errado pela terceira vez, assim não dá!!!",
            "estou muito irritada com essa demora",
            "seu inútil",
            "idiota",
            "🖕",
        ],
    )
    def test_anger_at_the_service_is_seen(self, text: str) -> None:
        assert judge(text).kind is GuardKind.FRUSTRATED

    @pytest.mark.parametrize(
        "text",
        [
            "análise de lixo hospitalar",
            "o equipamento não funciona",
            "ABNT NBR ISO/IEC 17025",
            "DBO DQO PH",
            "PRECISO DO LAUDO URGENTE!!!",
            "a internet da operadora é um lixo",
            "o atendimento da prefeitura é péssimo",
            "o outro laboratório era péssimo, por isso procurei vocês",
            "meu vizinho é um idiota",
            "merda de rato no grão, qual análise pega?",
            "efluente mal tratado",
            "vou precisar processar as amostras hoje?",
            "pqp vcs são bons demais",
            "porra kkkkkkkk tem pix também",
            "merda, esqueci de anexar",
            "não estou irritado, só quero entender o prazo",
            "inútil dizer que preciso urgente né? rs",
            "o prazo de vocês é ruim pra mim",
        ],
    )
    def test_samples_third_parties_capitals_and_glad_curses_are_left_alone(self, text: str) -> None:
        assert judge(text) == NOTHING

    @pytest.mark.parametrize(
        ("text", "kind"),
        [
            ("lixo", None),
            ("LIXO!", None),
            ("seu lixo", GuardKind.FRUSTRATED),
            ("esse bot é um lixo", GuardKind.FRUSTRATED),
        ],
    )
    def test_a_neutral_word_counts_only_where_it_is_aimed_at_us(self, text: str, kind: GuardKind | None) -> None:
        assert judge(text, policy=GuardPolicy(neutral_words=frozenset({"Lixo"}))).kind is kind

    @pytest.mark.parametrize(
        ("text", "kind"),
        [("não presta", None), ("você não presta", GuardKind.FRUSTRATED)],
    )
    def test_a_neutral_phrase_counts_only_where_it_is_aimed_at_us(self, text: str, kind: GuardKind | None) -> None:
        assert judge(text).kind is GuardKind.FRUSTRATED
        assert judge(text, policy=GuardPolicy(neutral_words=frozenset({"Não presta", ""}))).kind is kind

    @pytest.mark.parametrize(
        ("text", "kind"),
        [
            ("é ridículo", None),
            ("É RIDÍCULO!", None),
            ("ridículo", GuardKind.FRUSTRATED),
            ("você é ridículo", GuardKind.FRUSTRATED),
            ("é um ridículo", GuardKind.FRUSTRATED),
        ],
    )
    def test_a_neutral_phrase_that_is_all_that_was_said_is_no_insult(self, text: str, kind: GuardKind | None) -> None:
        assert judge(text, policy=GuardPolicy(neutral_words=frozenset({"é ridículo"}))).kind is kind

    def test_a_word_is_an_insult_where_the_trade_does_not_own_it(self) -> None:
        assert judge("lixo").kind is GuardKind.FRUSTRATED

    @pytest.mark.parametrize(
        ("text", "also_human"),
        [
            ("bot burro, me passa pra um atendente", True),
            ("bot burro, não quero atendente", False),
            ("bot burro", False),
        ],
    )
    def test_a_request_beside_an_insult_is_told_to_the_caller(self, text: str, also_human: bool) -> None:
        verdict = judge(text)
        assert (verdict.kind, verdict.also_human) == (GuardKind.FRUSTRATED, also_human)


class TestLoops:
    REPEATED = ("quero o laudo", "QUERO O LAUDO", "quero o laudo!!")

    @pytest.mark.parametrize("stuck_for", [0, 1])
    def test_nothing_is_a_loop_below_two_turns_without_progress(self, stuck_for: int) -> None:
        assert judge(*self.REPEATED, stuck_for=stuck_for) == NOTHING

    def test_two_messages_are_no_loop(self) -> None:
        assert judge("saldo", "saldo", stuck_for=5) == NOTHING

    def test_only_the_last_three_messages_count(self) -> None:
        assert judge("bom dia", "preciso de um laudo", *self.REPEATED, stuck_for=2).kind is GuardKind.LOOP

    @pytest.mark.parametrize(
        "texts",
        [
            ("sim", "sim", "sim"),
            ("2", "3", "2"),
            ("quanto custa a coleta em Betim?", "quanto custa a coleta em Contagem?", "quanto custa a coleta em BH?"),
            ("pode ser segunda?", "pode ser terça?", "pode ser quarta?"),
            ("é para o cliente A", "é para o cliente B", "é para o cliente C"),
            ("manda o boleto", "não chegou", "chegou agora, obrigado"),
        ],
        ids=["answers", "menu", "places", "weekdays", "letters", "solved"],
    )
    def test_a_message_that_brings_its_own_value_is_no_repeat(self, texts: tuple[str, ...]) -> None:
        assert judge(*texts, stuck_for=3) == NOTHING


class TestWhatIsJudged:
    def test_an_empty_conversation_is_no_reason_to_preempt(self) -> None:
        assert ConversationGuard.evaluate(GuardInput([])) == NOTHING

    def test_what_the_bot_or_an_attendant_wrote_is_not_judged(self) -> None:
        messages = [ChatMessage("user", "bom dia"), ChatMessage("assistant", "quer falar com um atendente, idiota?")]
        assert ConversationGuard.evaluate(GuardInput(messages)) == NOTHING

    def test_an_earlier_insult_is_not_judged_again(self) -> None:
        assert judge("seu inútil", "desculpa, qual o prazo?") == NOTHING

    def test_every_preempting_verdict_names_the_rule_that_fired(self) -> None:
        verdicts = [judge("bot burro"), judge("quero um humano"), judge(*TestLoops.REPEATED, stuck_for=2)]
        assert all(verdict.rule for verdict in verdicts)

    @pytest.mark.parametrize(
        "text", ["quero\u200b falar com um\u00ad humano", "ｑｕｅｒｏ ｕｍ ｈｕｍａｎｏ", "QUERO UM HUMÁNO"]
    )
    def test_invisible_and_dressed_up_characters_hide_nothing(self, text: str) -> None:
        assert judge(text).kind is GuardKind.HUMAN_REQUEST


SCRAPS = [
    "não",
    "quero",
    "falar",
    "com",
    "atendente",
    "bot",
    "é",
    "lixo",
    "porra",
    "?",
    ",",
    "👍",
    "m3rda",
    "p*rra",
    "3",
    "\ud800",
]
texts = st.text(st.characters(codec=None), max_size=200) | st.lists(
    st.sampled_from(SCRAPS),
    max_size=30,
).map(" ".join)


@given(
    st.lists(st.builds(ChatMessage, st.sampled_from(["user", "assistant", "tool", ""]), texts), max_size=5),
    st.integers(),
)
def test_any_input_gets_the_same_verdict_twice_and_never_an_error(messages: list[ChatMessage], stuck_for: int) -> None:
    given_input = GuardInput(tuple(messages), stuck_for)
    verdict = ConversationGuard.evaluate(given_input)
    assert verdict == ConversationGuard.evaluate(given_input)
    assert verdict.preempt == (verdict.kind is not None) == bool(verdict.rule)


@pytest.mark.parametrize(
    "unit",
    ["a", "a\u0301\u0316", "não ", "você é muito ", "quero de que ", "que merda ", "a*", "?!", "bot ", "e "],
)
def test_a_hundred_kilobytes_are_judged_in_seconds_whatever_they_hold(unit: str) -> None:
    text = (unit * 100_000)[:100_000]
    start = time.process_time()
    judge(text, text, text, stuck_for=2)
    assert time.process_time() - start < 5


Detector = Callable[[dict[str, str]], bool]
DETECTORS: dict[str, Detector] = {
    "frustration": lambda row: frustration(spell_out(row["text"])) is not None,
    "human_request": lambda row: human_request(spell_out(row["text"])) is not None,
    "loop": lambda row: is_loop(row["texts"]),
}


def measure(detector: str, of_set: str) -> tuple[float, float]:
    """Precision and recall of a detector over the labelled rows of one set."""
    lines = (CASES / f"guard_{detector}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["set"] == of_set]
    fired = [row["label"] for row in rows if DETECTORS[detector](row)]
    return sum(fired) / len(fired), sum(fired) / sum(row["label"] for row in rows)


@pytest.mark.parametrize(
    ("detector", "of_set", "precision", "recall"),
    [
        ("frustration", "tuned", 0.99, 0.98),
        ("human_request", "tuned", 0.99, 0.98),
        ("loop", "tuned", 0.97, 0.95),
        ("frustration", "heldout", 0.99, 0.96),
        ("frustration", "signs", 0.94, 0.74),
        ("human_request", "heldout", 0.99, 0.99),
        ("loop", "heldout", 0.99, 0.80),
    ],
)
def test_precision_and_recall_stay_above_what_was_measured(
    detector: str, of_set: str, precision: float, recall: float
) -> None:
    measured_precision, measured_recall = measure(detector, of_set)
    assert measured_precision >= precision
    assert measured_recall >= recall


FRESH = [json.loads(line) for line in (CASES / "guard_fresh.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    ("detector", "label", "recall"),
    [("frustration", "frustrated", 0.95), ("human_request", "human", 0.95), ("loop", "loop", 0.85)],
)
def test_lines_of_other_trades_and_regions_raise_no_false_alarm(detector: str, label: str, recall: float) -> None:
    rows = [row for row in FRESH if ("texts" in row) == (detector == "loop")]
    fired = [row for row in rows if DETECTORS[detector](row)]
    assert [row for row in fired if row["label"] != label] == []
    assert len(fired) >= recall * sum(row["label"] == label for row in rows)


UNSEEN = [json.loads(line) for line in (CASES / "guard_unseen.jsonl").read_text(encoding="utf-8").splitlines()]


def test_anger_is_heard_in_lines_that_no_rule_was_written_from() -> None:
    """Written by who had not seen the rules, and measured before anything was changed: 81 of 120, 1 of 300. A rule
    that learns from these rows makes the figure worthless: write new ones first.
    """
    fired = [row for row in UNSEEN if DETECTORS["frustration"](row)]
    angry = [row for row in fired if row["label"] == "frustrated"]
    assert len(angry) >= 0.65 * sum(row["label"] == "frustrated" for row in UNSEEN)
    assert len(fired) - len(angry) <= 0.01 * sum(row["label"] == "none" for row in UNSEEN)
