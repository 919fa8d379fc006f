"""Rules are passed over by their words alone, and that changes no verdict."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.domain.guard.complaints import COMPLAINTS
from core.domain.guard.frustration_rules import RULES as FRUSTRATION
from core.domain.guard.human_request import RULES as HUMAN_REQUEST
from core.domain.guard.needed_words import needed_words
from core.domain.guard.phrases import Rule, RuleBook, always, ruler, words
from tests.effort import examples

BOOKS = (FRUSTRATION, COMPLAINTS, HUMAN_REQUEST)
ALL_RULES = tuple(rule for book in BOOKS for rule in book.rules)
CLASSES = {"pet": words("gat~ ser_vivo"), "any_verb": frozenset({"[a-z]+ar"})}
VOCABULARY = sorted(
    {word for rule in ALL_RULES for needs in rule.phrase.needs for words in needs for word in words}
    | set(re.findall(r"[a-z]+(?= )", " ".join(rule.phrase.regex.pattern for rule in ALL_RULES)))
    | {"?", "!", ".", ","}
)


PETS = {"gato", "gata", "gatos", "gatas", "vivo"}


@pytest.mark.parametrize(
    ("phrase", "needs"),
    [
        ("um gato ", [{"um"}, {"gato"}]),
        ("(?:um|dois) gatos? ", [{"um", "dois"}, {"gato", "gatos"}]),
        ("quero (?:um |dois )?<pet>", [{"quero"}, PETS]),
        ("nao <pet>fala ", [{"nao"}, PETS, {"fala"}]),
        ("cal[ae] (?:a |sua )?boca ", [{"cala", "cale"}, {"boca"}]),
        ("(?:tranquil|calm)[oa] (?:com |<end>)", [{"tranquilo", "tranquila", "calmo", "calma"}]),
        ("(?:fala (?:bobagem|besteira)|enrolando) ", [{"bobagem", "besteira", "enrolando"}]),
        ("<start>(?:muito )?[a-z]+mente cansado ", [{"cansado"}]),
        ("(?:vou |vamos ){1,2}<any>{0,3}", [{"vou", "vamos"}]),
        ("(?P<who><pet>)<any_verb>(?!de )", [PETS]),
        ("um [a-c] gato ", [{"um"}, {"gato"}]),
    ],
)
def test_a_phrase_names_words_that_every_text_with_it_holds(phrase: str, needs: list[set[str]]) -> None:
    (told,) = needed_words(phrase, CLASSES)
    assert all(words in told for words in needs)


def test_each_alternative_has_words_of_its_own() -> None:
    assert needed_words("gato |<pet>|<any>", CLASSES) == (({"gato"},), (PETS,), ())


@pytest.mark.parametrize(
    "phrase",
    [
        "<any>{0,3}",
        "<any_verb>",
        "(?:um )?<pet>{0,2}",
        "gato",  # the text may go on: gatos
        "(?:outr|mesm)[a-z]+ ",
        "[a-z]+mente ",
        "[a-c]gato ",
        "<start>(?:ja )?<end>",
    ],
)
def test_a_phrase_of_which_no_word_is_sure_is_tried_on_every_text(phrase: str) -> None:
    assert needed_words(phrase, CLASSES) == ((),)
    anywhere = RuleBook(ruler(CLASSES)("seen", always, "um gato ", f"(?:{phrase})?"))
    assert list(anywhere.fired("portas ")) == ["seen"]


@pytest.mark.parametrize("rule", ALL_RULES, ids=lambda rule: rule.name)
@settings(max_examples=examples(5), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_what_a_phrase_says_holds_the_words_of_an_alternative(rule: Rule, data: st.DataObject) -> None:
    said = data.draw(st.from_regex(rule.phrase.regex, fullmatch=True))
    heard = set(said.split())
    assert any(all(heard & words for words in needs) for needs in rule.phrase.needs)


@given(st.lists(st.sampled_from(VOCABULARY), max_size=14))
def test_passing_rules_over_changes_no_verdict(spoken: list[str]) -> None:
    text = "".join(f"{word} " for word in spoken)
    for book in BOOKS:
        assert list(book.fired(text)) == [rule.name for rule in book.rules if rule.fires(text)]
