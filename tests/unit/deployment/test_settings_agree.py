"""Code, .env.example and template.yaml say the same of every setting."""

from __future__ import annotations

import re
from typing import Any

import pytest

from core.config.loader import (
    DESK_SECRETS,
    DOOR_SECRETS,
    PROCESS_SECRETS,
    load_desk_settings,
    load_door_settings,
    load_settings,
)
from core.config.model_compatibility import EFFORTS
from core.config.ranges import RANGES
from core.config.settings import ModelSettings, OutputForm, Transport, WhatsAppSettings
from core.domain.policy import ConversationPolicy
from local_stack.template_settings import parameter_settings
from tests.template_file import ROOT, environments, template

SECRETS = frozenset(DOOR_SECRETS) | frozenset(PROCESS_SECRETS) | frozenset(DESK_SECRETS)
# Read by the doors, not by the loader.
OF_THE_DOORS = frozenset({"CODE_VERSION", "LOG_LEVEL"})
GIVEN_BY_THE_STACK = frozenset({"TABLE_NAME", "QUEUE_URL", "CONSOLE_URL"})
NEEDED = {
    "TABLE_NAME": "t",
    "QUEUE_URL": "q",
    "WHATSAPP_PHONE_NUMBER_ID": "1",
    **dict.fromkeys(SECRETS, "secret"),
}


class Recording(dict[str, str]):
    """An environment that remembers which names were asked for."""

    def __init__(self, values: dict[str, str]) -> None:
        super().__init__(values)
        self.asked: set[str] = set()

    def get(self, name: str, default: Any = None) -> Any:
        self.asked.add(name)
        return super().get(name, default)


def example() -> dict[str, str]:
    """What .env.example sets."""
    lines = (ROOT / ".env.example").read_text("utf-8").splitlines()
    pairs = [line.partition("=") for line in lines if line and not line.startswith("#")]
    return {name: value for name, _, value in pairs}


def deployed() -> dict[str, Any]:
    """Every variable that some function gets."""
    return {name: value for variables in environments().values() for name, value in variables.items()}


def parameter_of(value: dict[str, Any]) -> str:
    """The parameter behind a variable, straight or under a condition that leaves it out when empty."""
    if "Fn::If" in value:
        value = value["Fn::If"][1]
    return value["Ref"]


def template_defaults() -> dict[str, str]:
    """Variables to their parameters' defaults, as Lambda shows them; those without one left out."""
    parameters = template()["Parameters"]
    named = {name: parameter_of(value) for name, value in deployed().items() if name not in GIVEN_BY_THE_STACK}
    named |= parameter_settings(template())
    return {name: str(parameters[own]["Default"]) for name, own in named.items() if "Default" in parameters[own]}


@pytest.mark.parametrize(("name", "value"), sorted(template_defaults().items()), ids=sorted(template_defaults()))
def test_the_example_shows_the_default_that_is_deployed(name: str, value: str) -> None:
    assert example()[name] == value


def parameter(name: str) -> dict[str, Any]:
    """The template's parameter that stands for a setting."""
    found: dict[str, Any] = template()["Parameters"][parameter_settings(template())[name]]
    return found


@pytest.mark.parametrize("name", sorted(RANGES))
def test_the_template_takes_the_numbers_that_the_loader_takes(name: str) -> None:
    own, within = parameter(name), RANGES[name]

    assert own["Type"] == "Number"
    assert (own["MinValue"], own["MaxValue"]) == (within.least, within.most)


@pytest.mark.parametrize("name", sorted(RANGES))
def test_the_loader_takes_both_ends_and_nothing_beyond(name: str) -> None:
    def fault(value: float) -> str:
        try:
            load_settings({**NEEDED, "SPEND_PER_DAY_USD": "0", "SPEND_PER_HOUR_USD": "0", name: f"{value:.10g}"})
        except RuntimeError as error:
            return str(error)
        return ""

    within = RANGES[name]
    assert (fault(within.least), fault(within.most)) == ("", "")
    assert f"{name} must be" in fault(within.least - 1)
    assert f"{name} must be" in fault(within.most + 1)


def test_every_number_of_the_template_that_is_a_setting_has_the_loaders_range() -> None:
    numbers = {
        name
        for name, value in deployed().items()
        if name not in GIVEN_BY_THE_STACK and template()["Parameters"][parameter_of(value)]["Type"] == "Number"
    }

    assert numbers == set(RANGES)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("WHATSAPP_TRANSPORT", list(Transport)),
        ("OPENAI_REASONING_EFFORT", ["", *EFFORTS]),
        ("LLM_OUTPUT", list(OutputForm)),
    ],
)
def test_the_template_takes_the_words_that_the_loader_takes(name: str, values: list[str]) -> None:
    assert parameter(name)["AllowedValues"] == values


@pytest.mark.parametrize("name", sorted(name for name, value in example().items() if value in ("true", "false")))
def test_a_switch_is_true_or_false_in_the_template_too(name: str) -> None:
    assert parameter(name)["AllowedValues"] == ["true", "false"]


@pytest.mark.parametrize(
    "name",
    [
        "OPENAI_BASE_URL",
        "CHAT_COMPLETIONS_BASE_URL",
        "ANTHROPIC_BASE_URL",
        "WHATSAPP_API_BASE_URL",
        "EGESTOR_BASE_URL",
    ],
)
@pytest.mark.parametrize(
    "address", ["https://api.example", "http://127.0.0.1:8080/v1", "api.example", "https://", "ftp://a"]
)
def test_an_address_that_the_loader_refuses_is_refused_by_the_template(name: str, address: str) -> None:
    try:
        load_settings({**NEEDED, name: address})
        taken = True
    except RuntimeError:
        taken = False

    assert bool(re.fullmatch(parameter(name)["AllowedPattern"], address)) is taken


def test_the_example_names_every_setting_and_no_other() -> None:
    wanted = set(deployed()) | set(parameter_settings(template())) | SECRETS

    assert set(example()) == wanted


def test_no_two_parameters_are_the_same_setting() -> None:
    assert sorted(parameter_settings(template()).values()) == sorted(template()["Parameters"])


def test_functions_get_what_the_code_reads_and_nothing_else() -> None:
    environment = Recording(NEEDED)
    load_settings(environment)
    load_door_settings(environment)
    load_desk_settings(environment)
    read = {f"{name}_SSM_PARAM" if name in SECRETS else name for name in environment.asked}

    assert set(deployed()) - OF_THE_DOORS == read


@pytest.mark.parametrize("values", [example, template_defaults], ids=["example", "template"])
def test_leaving_a_setting_out_is_the_same_as_giving_its_default(values: Any) -> None:
    assert load_settings({**values(), **NEEDED}) == load_settings(NEEDED)
    assert load_door_settings({**values(), **NEEDED}) == load_door_settings(NEEDED)
    assert load_desk_settings({**values(), **NEEDED}) == load_desk_settings(NEEDED)


def test_the_loader_adds_no_defaults_of_its_own() -> None:
    loaded = load_settings(NEEDED)

    assert loaded.models == ModelSettings(api_key="secret")
    assert loaded.whatsapp == WhatsAppSettings(phone_number_id="1", access_token="secret")
    assert loaded.conversation == ConversationPolicy()


def test_secrets_are_deployed_by_the_name_of_their_parameter_only() -> None:
    assert not SECRETS & set(deployed())
    assert {f"{name}_SSM_PARAM" for name in SECRETS} <= set(deployed())


def test_each_setting_of_the_example_is_explained() -> None:
    blocks = re.split(r"\n\s*\n|\n(?=#)", (ROOT / ".env.example").read_text("utf-8"))
    orphans = [block for block in blocks if block.strip() and not block.lstrip().startswith("#")]

    assert orphans == []
