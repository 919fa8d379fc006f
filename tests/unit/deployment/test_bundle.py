"""What goes into a function's bundle."""

from __future__ import annotations

import ast
import re

import bundle
from tests.template_file import ROOT, resources

_CLIENT = re.compile(r"client$")


def aws_services_named_in_the_code() -> set[str]:
    named: set[str] = set()
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and _CLIENT.search(ast.unparse(node.func)) and node.args:
                first = node.args[0]
                named |= {first.value} if isinstance(first, ast.Constant) and isinstance(first.value, str) else set()
    return named


def test_every_aws_service_that_the_code_uses_is_described_in_the_bundle() -> None:
    named = aws_services_named_in_the_code()

    assert {"dynamodb", "sqs", "ssm"} <= named <= bundle.AWS_SERVICES


def test_bundles_are_trimmed_for_functions_that_exist() -> None:
    functions = {name.removesuffix("Function") for name in resources("AWS::Serverless::Function")}

    assert set(bundle.LEFT_OUT) <= functions


def test_a_bundle_holds_what_the_functions_run_and_nothing_that_compares() -> None:
    handlers = {res["Handler"].split(".")[0] for res in resources("AWS::Serverless::Function").values()}

    assert handlers <= set(bundle.DEPLOYED)
    assert set(bundle.DEPLOYED) == {path.name for path in (ROOT / "src").iterdir() if path.is_dir()} - {
        "__pycache__",
        "replay",
        "evaluation",
        "console",
    }
