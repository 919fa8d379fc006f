"""template.yaml as data, and which of its parameters stand for settings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

# Properties of the deployment that no code reads.
OF_THE_TEMPLATE = {
    "BURST_WINDOW_SECONDS": "BurstWindowSeconds",
    "BATCH_SIZE": "BatchSize",
    "MAXIMUM_CONCURRENCY": "MaximumConcurrency",
}
# Variables that a deployment makes up, not settings.
_OF_THE_DEPLOYMENT = frozenset({"CODE_VERSION", "LOG_LEVEL"})


def setting_parameters(template: Mapping[str, Any]) -> dict[str, str]:
    """Settings that are a parameter of the template, by name: straight, or under a condition."""
    variables = _variables(template)
    return OF_THE_TEMPLATE | {
        name: parameter for name, parameter in variables.items() if name not in _OF_THE_DEPLOYMENT
    }


def parameter_settings(template: Mapping[str, Any]) -> dict[str, str]:
    """Every parameter of the template by its setting: the functions' variable, or else its own name in capitals."""
    named = {parameter: name for name, parameter in _variables(template).items()}
    return {named.get(parameter) or _in_capitals(parameter): parameter for parameter in template["Parameters"]}


def _variables(template: Mapping[str, Any]) -> dict[str, str]:
    functions = [each for each in template["Resources"].values() if each["Type"] == "AWS::Serverless::Function"]
    variables: dict[str, Any] = dict(template["Globals"]["Function"]["Environment"]["Variables"])
    for function in functions:
        variables |= function["Properties"].get("Environment", {}).get("Variables", {})
    found: dict[str, str] = {}
    for name, value in variables.items():
        reference = value["Fn::If"][1] if "Fn::If" in value else value
        parameter = str(reference.get("Ref")) if isinstance(reference, dict) else ""
        if parameter in template["Parameters"]:
            found[name] = parameter
    return found


def _in_capitals(parameter: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", parameter).upper()


class _Loader(yaml.SafeLoader):
    """Knows CloudFormation's tags."""


def _read_intrinsic(loader: _Loader, suffix: str, node: yaml.Node) -> dict[str, Any]:
    name = suffix if suffix in ("Ref", "Condition") else f"Fn::{suffix}"
    if isinstance(node, yaml.ScalarNode):
        return {name: loader.construct_scalar(node)}
    if isinstance(node, yaml.SequenceNode):
        return {name: loader.construct_sequence(node, deep=True)}
    return {name: loader.construct_mapping(node, deep=True)}


_Loader.add_multi_constructor("!", _read_intrinsic)


def read_template(path: Path) -> dict[str, Any]:
    """template.yaml with intrinsic functions in their long form (`!Ref X` is `{"Ref": "X"}`)."""
    content: dict[str, Any] = yaml.load(path.read_text("utf-8"), Loader=_Loader)  # noqa: S506 - a SafeLoader
    return content
