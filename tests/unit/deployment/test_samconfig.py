"""Plain sam deploys the same stacks with the same names as the script, and says what is missing."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest

from core.config.loader import DOOR_SECRETS, PROCESS_SECRETS
from core.config.secrets import SUFFIX
from deployment.options import parser, stack_name_of
from local_stack.template_settings import parameter_settings
from tests.template_file import ROOT, template

# What only whoever deploys knows.
ASKED = {"WhatsAppPhoneNumberId"}
CONFIG = tomllib.loads((ROOT / "samconfig.toml").read_text("utf-8"))
ENVIRONMENTS = sorted(set(CONFIG) - {"version"})


def deploy(environment: str) -> dict[str, Any]:
    found: dict[str, Any] = CONFIG[environment]["deploy"]["parameters"]
    return found


def overrides(environment: str) -> dict[str, str]:
    pairs = [each.partition("=") for each in deploy(environment)["parameter_overrides"]]
    return {name: value for name, _, value in pairs}


def test_dev_and_prod_are_there_and_dev_is_what_is_deployed_without_a_word() -> None:
    assert ENVIRONMENTS == ["default", "dev", "prod"]
    assert CONFIG["default"] == CONFIG["dev"]


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_every_parameter_without_a_default_is_given_or_asked_for(environment: str) -> None:
    needed = {name for name, each in template()["Parameters"].items() if "Default" not in each}

    assert needed - set(overrides(environment)) == ASKED


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_what_is_given_is_a_parameter_and_may_be_what_it_is(environment: str) -> None:
    for name, value in overrides(environment).items():
        parameter = template()["Parameters"][name]
        assert re.fullmatch(parameter.get("AllowedPattern", ".*"), value)
        assert value in map(str, parameter.get("AllowedValues", [value]))


@pytest.mark.parametrize("environment", ["dev", "prod"])
def test_stack_and_secrets_have_the_names_that_the_script_gives_them(environment: str) -> None:
    stack = stack_name_of(parser().parse_args(["--env", environment]))
    named = parameter_settings(template())
    secrets = {*DOOR_SECRETS, *PROCESS_SECRETS}

    assert deploy(environment)["stack_name"] == stack
    for secret in secrets:
        parameter = named.get(secret + SUFFIX)
        if parameter and "Default" not in template()["Parameters"][parameter]:
            assert overrides(environment)[parameter] == f"/{stack}/{secret.lower().replace('_', '-')}"


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_whoever_deploys_sees_what_would_change_and_whose_it_is(environment: str) -> None:
    assert deploy(environment)["confirm_changeset"] is True
    assert f"stage={'prod' if environment == 'prod' else 'dev'}" in deploy(environment)["tags"]


def test_what_customers_wrote_is_protected_in_prod() -> None:
    assert "TableDeletionProtection" not in overrides("prod")
