"""The table that is deployed is the table that tests create."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from core.integrations.dynamodb.table import TTL_ATTRIBUTE, table_definition

TEMPLATE = Path(__file__).parents[2] / "template.yaml"


class _Template(yaml.SafeLoader):
    """CloudFormation's own tags (`!Ref`, `!Sub`) are of no interest here."""


_Template.add_multi_constructor("!", lambda *_: None)


def the_table() -> dict[str, Any]:
    resources = yaml.load(TEMPLATE.read_text(), Loader=_Template)["Resources"]  # noqa: S506 a SafeLoader
    (properties,) = [each["Properties"] for each in resources.values() if each["Type"] == "AWS::DynamoDB::Table"]
    return properties


def test_the_deployed_table_has_the_keys_and_the_index_that_the_code_asks_for() -> None:
    wanted = table_definition("any")
    del wanted["TableName"]

    assert {name: the_table()[name] for name in wanted} == wanted


def test_the_deployed_table_drops_what_is_past_its_retention() -> None:
    assert the_table()["TimeToLiveSpecification"] == {"AttributeName": TTL_ATTRIBUTE, "Enabled": True}
