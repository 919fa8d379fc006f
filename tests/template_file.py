"""template.yaml as data: intrinsic functions in their long form (`!Ref X` is `{"Ref": "X"}`)."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[1]


class _Loader(yaml.SafeLoader):
    """Knows CloudFormation's tags."""


def _intrinsic(loader: _Loader, suffix: str, node: yaml.Node) -> dict[str, Any]:
    name = suffix if suffix in ("Ref", "Condition") else f"Fn::{suffix}"
    if isinstance(node, yaml.ScalarNode):
        return {name: loader.construct_scalar(node)}
    if isinstance(node, yaml.SequenceNode):
        return {name: loader.construct_sequence(node, deep=True)}
    return {name: loader.construct_mapping(node, deep=True)}


_Loader.add_multi_constructor("!", _intrinsic)


@cache
def template() -> dict[str, Any]:
    """The whole template."""
    return yaml.load((ROOT / "template.yaml").read_text("utf-8"), Loader=_Loader)  # noqa: S506 - a SafeLoader


def resources(kind: str) -> dict[str, dict[str, Any]]:
    """The properties of the resources of a type, by logical id."""
    return {name: each["Properties"] for name, each in template()["Resources"].items() if each["Type"] == kind}


def environments() -> dict[str, dict[str, Any]]:
    """What each function's environment holds, the shared part included, by the function's logical id."""
    shared = template()["Globals"]["Function"]["Environment"]["Variables"]
    functions = resources("AWS::Serverless::Function")
    own = {name: function.get("Environment", {}).get("Variables", {}) for name, function in functions.items()}
    return {name: {**shared, **variables} for name, variables in own.items()}
