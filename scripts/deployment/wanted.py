"""What an .env file asks for: a value for every parameter of the template, and the secrets behind their names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from core.config.loader import DOOR_SECRETS, PROCESS_SECRETS
from core.config.providers import KEY_SETTINGS, ModelProvider
from core.config.secrets import SUFFIX, clean_secret
from local_stack.env_file import EnvFile
from local_stack.template_settings import parameter_settings
from release.code_version import NoCommitError, code_version

from .errors import WRONG_SETTINGS, DeployError

SECRETS = tuple(dict.fromkeys((*PROCESS_SECRETS, *DOOR_SECRETS)))
IDENTITY_KEY = "IDENTITY_KEY"
VERIFY_TOKEN = "WHATSAPP_VERIFY_TOKEN"  # noqa: S105 - a setting's name
_OPENAI = KEY_SETTINGS[ModelProvider.OPENAI]
_ALWAYS = frozenset({"true", "1", "yes", "on"})
_EGESTOR_TOKEN = "EGESTOR_PERSONAL_TOKEN"  # noqa: S105 -- a setting's name
_NEVER = frozenset({"false", "0", "no", "off"})
# What the template asks for and a front desk without WhatsApp has not.
_UNUSED_NUMBER = "0"
_VERSION = "CodeVersion"


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """A secret's setting, the SSM parameter that holds it, and its value where the file gives one ("" else)."""

    setting: str
    parameter: str
    value: str = field(default="", repr=False)
    line: int = 1
    is_needed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """`parameters` has all of the template's that have a value."""

    stack: str
    parameters: Mapping[str, str]
    secrets: tuple[Secret, ...]

    def secret(self, setting: str) -> Secret:
        """By its setting's name."""
        return next(secret for secret in self.secrets if secret.setting == setting)


def read_wanted(env: EnvFile, template: Mapping[str, Any], stack: str) -> Wanted:
    """A setting that is left out or empty has the template's default, whatever was deployed before."""
    secrets = tuple(_secret(env, setting, stack) for setting in SECRETS if _is_of_use(env, setting))
    named = {secret.setting + SUFFIX: secret.parameter for secret in secrets}
    unused = {} if sends_to_whatsapp(env) else {"WHATSAPP_PHONE_NUMBER_ID": _UNUSED_NUMBER}
    parameters = {}
    for setting, parameter in parameter_settings(template).items():
        default = template["Parameters"][parameter].get("Default")
        value = env.values.get(setting, "").strip() or named.get(setting) or default
        value = unused.get(setting) if value is None else value
        if value is not None:
            parameters[parameter] = str(value)
    return Wanted(stack=stack, parameters=parameters, secrets=secrets)


def versioned(wanted: Wanted, template: Mapping[str, Any], root: Path) -> Wanted:
    """With the name of the version, where the file gives none. Raises `DeployError` where there is no commit."""
    unnamed = template["Parameters"][_VERSION]["Default"]
    if wanted.parameters[_VERSION] != unnamed:
        return wanted
    try:
        version = code_version(wanted.parameters, root=root)
    except NoCommitError as error:
        next_step = "clone the repository instead of unpacking it, or name the version: CODE_VERSION=..."
        raise DeployError(str(error), next_step=next_step, status=WRONG_SETTINGS) from None
    return replace(wanted, parameters={**wanted.parameters, _VERSION: version})


def sends_to_whatsapp(env: EnvFile) -> bool:
    """Whether the channel is on."""
    return env.values.get("WHATSAPP_ENABLED", "").strip().lower() not in _NEVER


def through_aws(env: EnvFile) -> bool:
    """Whether messages leave by AWS End User Messaging, which needs no token of Meta's."""
    return env.values.get("WHATSAPP_TRANSPORT", "").strip() == "aws_social"


def quotes_in_egestor(env: EnvFile) -> bool:
    """Whether the ERP is on."""
    return env.values.get("EGESTOR_ENABLED", "").strip().lower() in _ALWAYS


def _is_of_use(env: EnvFile, setting: str) -> bool:
    """Keys of providers that are not asked are no part of a deployment, unless the file names them. OpenAI's is the
    template's in any case.
    """
    of_others = [key for key in KEY_SETTINGS.values() if key != _OPENAI]
    named = env.values.get(setting, "") or env.values.get(setting + SUFFIX, "")
    if setting == _EGESTOR_TOKEN:
        return bool(named) or quotes_in_egestor(env)
    return setting not in of_others or bool(named) or setting in _keys_asked(env)


def _keys_asked(env: EnvFile) -> set[str]:
    """The keys of the providers that are asked, and of the one who hears voice notes."""
    asked = env.values.get("LLM_PROVIDERS", "").strip() or ModelProvider.OPENAI.value
    providers = {name.strip() for name in asked.split(",")}
    keys = {key for provider, key in KEY_SETTINGS.items() if provider.value in providers}
    hears = env.values.get("TRANSCRIPTION_ENABLED", "").strip().lower() in _ALWAYS
    return keys | {_OPENAI} if hears else keys


def _secret(env: EnvFile, setting: str, stack: str) -> Secret:
    of_whatsapp = setting.startswith("WHATSAPP_")
    unneeded = of_whatsapp and not sends_to_whatsapp(env)
    unneeded |= setting == "WHATSAPP_ACCESS_TOKEN" and through_aws(env)
    unneeded |= setting == _EGESTOR_TOKEN and not quotes_in_egestor(env)
    unneeded |= setting in KEY_SETTINGS.values() and setting not in _keys_asked(env)
    return Secret(
        setting=setting,
        parameter=env.values.get(setting + SUFFIX, "").strip() or f"/{stack}/{setting.lower().replace('_', '-')}",
        value=clean_secret(env.values.get(setting, "")),
        line=env.lines.get(setting, env.lines.get(setting + SUFFIX, 1)),
        is_needed=not unneeded,
    )
