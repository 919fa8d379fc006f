"""What `make check` lets pass and a deployment must not: settings that are missing, or that contradict each other."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from company_check.findings import Finding, shown_path
from core.config.secrets import SUFFIX
from local_stack.env_file import EnvFile
from local_stack.template_settings import parameter_settings

from .wanted import SECRETS, Wanted, sends_to_whatsapp, through_aws

_MADE_BY_THE_STACK = ("TABLE_NAME", "QUEUE_URL", "CONSOLE_URL")
# Where a function finds files; the bundle's own prompts are there too.
_OF_A_FUNCTION = ("/var/task", "/opt", "/mnt")
_ADDRESSES = (
    "OPENAI_BASE_URL",
    "CHAT_COMPLETIONS_BASE_URL",
    "ANTHROPIC_BASE_URL",
    "WHATSAPP_API_BASE_URL",
    "EGESTOR_BASE_URL",
)
_SNS_TOPIC = re.compile(r"arn:aws[\w-]*:sns:(?P<region>[a-z0-9-]+):\d{12}:[\w-]{1,256}")
_SSM_NAME = re.compile(r"(/[A-Za-z0-9_.-]+){1,15}")


@dataclass(frozen=True, slots=True)
class DeploymentChecks:
    """The checks of one .env file. `region` is "" where none is known yet; an emulator may reach this machine."""

    env: EnvFile
    example: EnvFile
    template: Mapping[str, Any]
    root: Path
    region: str = ""
    is_emulated: bool = False

    def findings(self, wanted: Wanted) -> Iterator[Finding]:
        """Mistakes and warnings, in no order."""
        yield from self._missing(wanted)
        yield from self._refused_by_the_template(wanted)
        yield from self._made_by_the_stack()
        yield from self._machine()
        yield from self._addresses()
        yield from self._topics()
        yield from self._ssm_names()
        yield from self._worth_a_look()

    def _at(self, setting: str, what: str, mend: str, *, is_warning: bool = False) -> Finding:
        shown = shown_path(self.env.path, self.root)
        return Finding(path=shown, line=self.env.lines.get(setting, 1), what=what, mend=mend, is_warning=is_warning)

    def _value(self, setting: str) -> str:
        return self.env.values.get(setting, "").strip() or self.example.values.get(setting, "")

    def _missing(self, wanted: Wanted) -> Iterator[Finding]:
        for setting, parameter in parameter_settings(self.template).items():
            if parameter not in wanted.parameters:
                explained = f".env.example:{self.example.lines.get(setting, 1)} says what it is"
                yield self._at(setting, f"{setting} is not set", explained)

    def _refused_by_the_template(self, wanted: Wanted) -> Iterator[Finding]:
        for setting, parameter in parameter_settings(self.template).items():
            declared, value = self.template["Parameters"][parameter], wanted.parameters.get(parameter)
            if value is not None and (wrong := _refusal(declared, value)):
                yield self._at(setting, f"{setting}={value} {wrong}", declared.get("Description", "correct it"))

    def _made_by_the_stack(self) -> Iterator[Finding]:
        for setting in _MADE_BY_THE_STACK:
            if self.env.values.get(setting):
                yield self._at(setting, f"{setting} is made by the deployment", "take the line out")

    def _machine(self) -> Iterator[Finding]:
        runtime, here = self._value("LAMBDA_RUNTIME"), f"python{sys.version_info.major}.{sys.version_info.minor}"
        if runtime != here:
            what = f"LAMBDA_RUNTIME={runtime}, and this is {here}: the bundle would hold other bytecode and packages"
            version = runtime.removeprefix("python")
            mend = f"LAMBDA_RUNTIME={here}, or make clean and then make PYTHON=python{version} setup"
            yield self._at("LAMBDA_RUNTIME", what, mend)
        if self._value("ENABLE_SNAP_START") == "true" and runtime == "python3.11":
            what = "ENABLE_SNAP_START=true needs python3.12 or newer: it would be ignored"
            yield self._at("ENABLE_SNAP_START", what, "ENABLE_SNAP_START=false, or a newer LAMBDA_RUNTIME")

    def _addresses(self) -> Iterator[Finding]:
        for setting in _ADDRESSES:
            address = self._value(setting)
            if self.is_emulated or not address:
                continue
            if _is_of_this_machine(address):
                yield self._at(setting, f"{setting}={address}: no function reaches this machine", "take the line out")
            elif urlsplit(address).scheme == "http":
                yield self._at(setting, f"{setting}={address} would carry secrets unencrypted", "use https://")
        prompts = self.env.values.get("PROMPTS_DIR", "").strip()
        if prompts and not prompts.startswith(_OF_A_FUNCTION):
            what = f"PROMPTS_DIR={prompts}: functions have only the prompts of their bundle"
            yield self._at("PROMPTS_DIR", what, "take the line out, and put your company into prompts/companies")

    def _topics(self) -> Iterator[Finding]:
        for setting in ("HANDOFF_TOPIC_ARN", "SOCIAL_TOPIC_ARN"):
            arn = self._value(setting)
            if not arn:
                continue
            match = _SNS_TOPIC.fullmatch(arn)
            if match is None:
                mend = "arn:aws:sns:<region>:<account>:<name>, as the console shows it"
                yield self._at(setting, f"{setting}={arn} is no ARN of an SNS topic", mend)
            elif self.region and match["region"] != self.region:
                what = f"{setting} is in {match['region']}, and this is deployed to {self.region}"
                yield self._at(setting, what, "a topic of the same region, or another --region")
        if sends_to_whatsapp(self.env) and through_aws(self.env) and not self._value("SOCIAL_TOPIC_ARN"):
            what = "WHATSAPP_TRANSPORT=aws_social without SOCIAL_TOPIC_ARN: no message would come in"
            mend = "SOCIAL_TOPIC_ARN: the topic that End User Messaging publishes to"
            yield self._at("WHATSAPP_TRANSPORT", what, mend)

    def _ssm_names(self) -> Iterator[Finding]:
        owners: dict[str, str] = {}
        for setting in (secret + SUFFIX for secret in SECRETS):
            name = self.env.values.get(setting, "").strip()
            if not name:
                continue
            if not _SSM_NAME.fullmatch(name):
                yield self._at(setting, f"{setting}={name} is no name of an SSM parameter", "for example /balcao/name")
            if name in owners:
                what = f"{setting} and {owners[name]} are the same parameter"
                yield self._at(setting, what, "one parameter for each secret")
            owners.setdefault(name, setting)

    def _worth_a_look(self) -> Iterator[Finding]:
        if self._value("CODE_VERSION") != self.example.values.get("CODE_VERSION"):
            what = "CODE_VERSION is given: it must be another one for each deployment that changes anything"
            yield self._at("CODE_VERSION", what, "take the line out: the commit gives it", is_warning=True)
        if not self._value("ALARM_EMAIL"):
            what = "ALARM_EMAIL is empty: nobody is told when an alarm rings"
            yield self._at("ALARM_EMAIL", what, "an address, or subscribe to AlarmTopic by hand", is_warning=True)
        if self._value("HANDOFF_ENABLED") == "true" and not self._value("HANDOFF_TOPIC_ARN"):
            what = "HANDOFF_TOPIC_ARN is empty: only who looks at the console sees that a conversation waits"
            yield self._at("HANDOFF_TOPIC_ARN", what, "the SNS topic that attendants listen to", is_warning=True)


def _refusal(declared: Mapping[str, Any], value: str) -> str:
    """Why CloudFormation would not take it, or ""."""
    allowed = [str(each) for each in declared.get("AllowedValues", ())]
    if allowed and value not in allowed:
        return f"is none of {', '.join(allowed)}"
    if (pattern := declared.get("AllowedPattern")) and not re.fullmatch(pattern, value):
        return f"does not look like {pattern}"
    if declared.get("Type") == "Number":
        least, most = declared.get("MinValue", float("-inf")), declared.get("MaxValue", float("inf"))
        try:
            number = float(value)
        except ValueError:
            return "is no number"
        if not float(least) <= number <= float(most):
            return f"is not from {least} to {most}"
    if not int(declared.get("MinLength", 0)) <= len(value) <= int(declared.get("MaxLength", 4096)):
        return "is too long or too short"
    return ""


def _is_of_this_machine(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
