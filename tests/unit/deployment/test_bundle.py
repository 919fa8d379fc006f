"""What goes into a function's bundle."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import bundle
from bundling.bytecode import compile_tree
from tests.template_file import ROOT, resources, template

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

    assert {"dynamodb", "sqs", "ssm"} <= named - bundle.DEPLOYERS_SERVICES <= bundle.AWS_SERVICES
    assert bundle.SERVICES["Check"] >= bundle.DEPLOYERS_SERVICES


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


def test_the_attendants_page_goes_along_with_the_function_that_gives_it_and_no_other() -> None:
    functions = {name.removesuffix("Function") for name in resources("AWS::Serverless::Function")}

    assert {name for name in functions if "console" not in bundle.LEFT_OUT.get(name, frozenset())} == {"Attendants"}


# What comes out is the same everywhere

SOURCE = """
def paid(word: str) -> bool:
    return word in {"pago", "quitado", "liquidado", "baixado", "acertado"}

class Name:
    openai = core = "tree"
"""


def compiled(tree: Path) -> dict[str, bytes]:
    """A small package, put there and compiled."""
    (tree / "core" / "inner").mkdir(parents=True)
    (tree / "core" / "__init__.py").write_text(SOURCE, "utf-8")
    (tree / "core" / "inner" / "module.py").write_text(SOURCE * 3, "utf-8")
    (tree / "single.py").write_text(SOURCE, "utf-8")
    compile_tree(tree)
    return {str(path.relative_to(tree)): path.read_bytes() for path in sorted(tree.rglob("*.pyc"))}


def test_bytecode_is_the_same_in_every_directory_and_holds_whatever_the_files_dates(tmp_path: Path) -> None:
    """A directory of the name of a constant would leave its mark, and so would the seed of hashes and a date."""
    first = compiled(tmp_path / "here")
    again = compiled(tmp_path / "openai" / "core" / "tree")

    assert len(first) == 3
    assert first == again
    assert not [name for name, content in first.items() if str(tmp_path).encode() in content]
    assert {content[4:8] for content in first.values()} == {b"\x01\0\0\0"}  # a hash that nobody checks


def test_what_is_no_python_of_this_one_stays_a_source(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "two.py").write_text("print 'two'\n", "utf-8")
    compile_tree(tmp_path)
    bundle.leave_bytecode(tmp_path)

    assert [path.name for path in tmp_path.rglob("*.py*")] == ["two.py"]


def installed(packages: Path, distribution: str, *modules: str) -> None:
    """As an installer leaves it, its own traces included."""
    description = packages / f"{distribution}-1.0.dist-info"
    (description / "licenses").mkdir(parents=True)
    (description / "licenses" / "LICENSE").write_text("terms\n", "utf-8")
    for name in ("METADATA", "WHEEL", "INSTALLER", "REQUESTED", "direct_url.json", "uv_cache.json"):
        (description / name).write_text(f"{packages}\n", "utf-8")
    lines = [f"{module}/__init__.py,sha256=x,1" for module in modules]
    lines += [f"{description.name}/METADATA,,", "../../bin/tool,,", f"{modules[0]}/__pycache__/x.pyc,,"]
    (description / "RECORD").write_text("\n".join(lines), "utf-8")
    for module in modules:
        (packages / module).mkdir(exist_ok=True)
        (packages / module / "__init__.pyc").write_bytes(b"code")


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    home = tmp_path / "packages"
    for distribution, modules in {
        "botocore": ["botocore"],
        "boto3": ["boto3"],
        "s3transfer": ["s3transfer"],
        "openai": ["openai"],
        "python_dateutil": ["dateutil"],
        "typing_both": ["openai_types", "kept"],
    }.items():
        installed(home, distribution, *modules)
    for service in ("dynamodb", "lambda", "ec2"):
        (home / "botocore" / "data" / service).mkdir(parents=True)
        (home / "botocore" / "data" / service / "service.json").write_text("{}", "utf-8")
    (home / "botocore" / "data" / "endpoints.json").write_text("{}", "utf-8")
    return home


def test_a_bundle_describes_the_packages_that_it_holds_and_no_other(packages: Path, tmp_path: Path) -> None:
    left_out = frozenset({"openai", "openai_types"}) | bundle.NEVER_USED
    bundle.copy_packages(packages, tmp_path / "out", left_out=left_out, services=frozenset({"dynamodb"}))

    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "botocore",
        "botocore-1.0.dist-info",
        "dateutil",
        "kept",
        "python_dateutil-1.0.dist-info",
        "typing_both-1.0.dist-info",
    ]
    assert sorted(path.name for path in (tmp_path / "out" / "botocore" / "data").iterdir()) == [
        "dynamodb",
        "endpoints.json",
    ]


def test_no_trace_of_who_installed_it_and_where_is_left(packages: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    bundle.copy_packages(packages, out, left_out=frozenset(), services=frozenset())

    assert {path.name for path in (out / "botocore-1.0.dist-info").iterdir()} == {"METADATA", "licenses"}


def test_the_hash_is_of_names_and_contents_alone(tmp_path: Path) -> None:
    for tree in ("a", "b"):
        (tmp_path / tree).mkdir()
        (tmp_path / tree / "file").write_text("same", "utf-8")
    os.utime(tmp_path / "b" / "file", (0, 0))
    (tmp_path / "b" / "file").chmod(0o600)
    assert bundle.tree_hash(tmp_path / "a") == bundle.tree_hash(tmp_path / "b")

    (tmp_path / "b" / "file").rename(tmp_path / "b" / "other")
    assert bundle.tree_hash(tmp_path / "a") != bundle.tree_hash(tmp_path / "b")


# What it is for


def test_a_build_without_further_words_is_for_what_the_template_deploys() -> None:
    parameters = template()["Parameters"]
    defaults = tuple(parameters[name]["Default"] for name in ("LambdaRuntime", "LambdaArchitecture"))

    assert bundle.template_target() == defaults
    assert not re.search(r"python3\.\d|arm64|x86_64", (ROOT / "Makefile").read_text("utf-8").partition("build-%")[2])


def test_a_bundle_for_another_python_is_refused_with_what_to_do(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "scripts" / "bundle.py"), str(tmp_path / "out"), "--runtime", "python2.7"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own code

    assert done.returncode == 2
    assert "a bundle for python2.7 is made by that Python" in done.stderr
    assert "PYTHON=python2.7" in done.stderr
    assert not (tmp_path / "out").exists()


def test_boto3_is_in_no_bundle() -> None:
    assert {"boto3", "s3transfer"} == bundle.NEVER_USED
