"""What `.env` and the command's own environment ask of a local stack.

Accounts, addresses and secrets are the stack's own: nothing here may lead to a real one. Only OPENAI_API_KEY is taken,
and only for `--real-model`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from .env_file import read_env_file
from .places import ROOT
from .template_settings import read_template, setting_parameters

DEFAULT_COMPANY = "laboratorio"
_OF_THE_STACK = frozenset(
    {
        "OPENAI_BASE_URL",
        "CHAT_COMPLETIONS_BASE_URL",
        "ANTHROPIC_BASE_URL",
        "WHATSAPP_ENABLED",
        "WHATSAPP_TRANSPORT",
        "WHATSAPP_AWS_PHONE_NUMBER_ID",
        "WHATSAPP_API_BASE_URL",
        "WHATSAPP_PHONE_NUMBER_ID",
        "PROMPTS_DIR",
        "HANDOFF_TOPIC_ARN",
        "EGESTOR_ENABLED",
        "EGESTOR_BASE_URL",
    }
)


def checkout_settings() -> Mapping[str, str]:
    """`.env`, where there is one, and COMPANY of the environment, which wins."""
    env = read_env_file(ROOT / ".env")
    values = {name: value for name, value in env.values.items() if value} if env is not None else {}
    if company := os.environ.get("COMPANY"):
        values["COMPANY"] = company
    return values


def chosen_company() -> str:
    """Whose front desk this checkout is now."""
    return checkout_settings().get("COMPANY", DEFAULT_COMPANY)


def setting_overrides() -> dict[str, str]:
    """The template's parameters that this checkout sets, by their names."""
    values = checkout_settings()
    parameters = setting_parameters(read_template(ROOT / "template.yaml"))
    local = {name: parameter for name, parameter in parameters.items() if not name.endswith("_SSM_PARAM")}
    return {
        parameter: values[name] for name, parameter in local.items() if name in values and name not in _OF_THE_STACK
    }
