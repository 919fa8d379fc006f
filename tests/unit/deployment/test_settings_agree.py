"""Code, .env.example and template.yaml say the same of every setting."""

from __future__ import annotations

import re
from typing import Any

import pytest

from core.config.loader import DOOR_SECRETS, PROCESS_SECRETS, load_door_settings, load_settings
from core.config.settings import ModelSettings, WhatsAppSettings
from core.domain.policy import ConversationPolicy
from local_stack.template_settings import parameter_settings
from tests.template_file import ROOT, environments, template

SECRETS = frozenset(DOOR_SECRETS) | frozenset(PROCESS_SECRETS)
# Read by the doors, not by the loader.
OF_THE_DOORS = frozenset({"CODE_VERSION", "LOG_LEVEL"})
GIVEN_BY_THE_STACK = frozenset({"TABLE_NAME", "QUEUE_URL"})
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


def test_the_example_names_every_setting_and_no_other() -> None:
    wanted = set(deployed()) | set(parameter_settings(template())) | SECRETS

    assert set(example()) == wanted


def test_no_two_parameters_are_the_same_setting() -> None:
    assert sorted(parameter_settings(template()).values()) == sorted(template()["Parameters"])


def test_functions_get_what_the_code_reads_and_nothing_else() -> None:
    environment = Recording(NEEDED)
    load_settings(environment)
    load_door_settings(environment)
    read = {f"{name}_SSM_PARAM" if name in SECRETS else name for name in environment.asked}

    assert set(deployed()) - OF_THE_DOORS == read


@pytest.mark.parametrize("values", [example, template_defaults], ids=["example", "template"])
def test_leaving_a_setting_out_is_the_same_as_giving_its_default(values: Any) -> None:
    assert load_settings({**values(), **NEEDED}) == load_settings(NEEDED)
    assert load_door_settings({**values(), **NEEDED}) == load_door_settings(NEEDED)


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
