"""Assemble what a Lambda function runs: the pinned packages, what of src/ is deployed, prompts/, byte-compiled.

`sam build` calls it through `make build-<Function>`. Packages are installed once for each lock, runtime and
architecture, into .local/bundle, and hard-linked from there. The same sources for the same target are the same bundle,
byte for byte, on every machine and in every directory: its hash is told.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from bundling.bytecode import compile_tree

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements" / "runtime.txt"
SCRIPTS = (Path(__file__), ROOT / "scripts" / "bundling" / "bytecode.py")
PLATFORMS = {"x86_64": "x86_64-manylinux_2_28", "arm64": "aarch64-manylinux_2_28"}
# What of src/ the functions run; replays and evaluations stay on the machines of those who compare.
DEPLOYED = ("core", "handlers")
# What the bundle is for, for the function to see that it is that (handlers/start_up.py).
TARGET_FILE = "bundle_target"
UNUSED = ("bin", "**/tests", "**/test", "**/__pycache__", "**/*.pyi", "**/*.pth")
# Of a package's description, what says who made it and on which terms, and what it plugs into; the rest is the
# installer's: its name, its paths, its dates.
DESCRIBED = frozenset({"METADATA", "entry_points.txt", "licenses"})
# botocore describes some 400 services in a third of the bundle. Others are unknown to the functions: add them here.
AWS_SERVICES = frozenset({"dynamodb", "sqs", "ssm", "sns", "socialmessaging"})
DEPLOYERS_SERVICES = frozenset({"lambda", "cloudformation"})
# botocore comes along with boto3, of which nothing is used.
NEVER_USED = frozenset({"boto3", "s3transfer"})
# What a function never imports stays out of its bundle: the webhook starts in a third of the time.
PROVIDER = frozenset({"openai", "jiter", "httpx2", "httpcore2", "h11", "anyio", "sniffio", "idna", "truststore"})
TURN = frozenset({"pydantic", "pydantic_core", "annotated_types", "typing_inspection"})
TURN |= {"markdown_it", "mdurl", "regex", "stdnum", "tzdata", "prompts"}
# The attendants' page, and what only its function does without: it asks the channel for files, and no provider.
CONSOLE = frozenset({"console"})
LEFT_OUT = {
    **dict.fromkeys(("Webhook", "Social", "Check"), PROVIDER | TURN | CONSOLE),
    **dict.fromkeys(("Process", "Sweep"), CONSOLE),
    "Attendants": frozenset({"openai", "jiter"}),
}
# The function that checks a deployment is the only one that knows the services of deployments.
SERVICES = {"Check": AWS_SERVICES | DEPLOYERS_SERVICES}


class OtherPythonError(Exception):
    """The bundle is for another Python than the one that is to make it."""


def main() -> int:
    """Command line: bundle.py TARGET --function Webhook. 2 for a target that this Python cannot make."""
    runtime, architecture = template_target()
    parser = argparse.ArgumentParser(prog="scripts/bundle.py", description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("target", type=Path, help="the directory to fill")
    parser.add_argument("--function", default="", help="whose bundle (Webhook, Process ...); default: everything")
    parser.add_argument("--runtime", default=runtime, help="the Lambda runtime; default: template.yaml's, %(default)s")
    parser.add_argument("--architecture", default=architecture, choices=sorted(PLATFORMS), help="likewise, %(default)s")
    options = parser.parse_args()
    try:
        assemble(options.target, options.runtime, options.architecture, function=options.function)
    except OtherPythonError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    name = options.function or "everything"
    print(f"bundle {name} {options.runtime} {options.architecture} {tree_hash(options.target)}")
    return 0


def template_target() -> tuple[str, str]:
    """Runtime and architecture of template.yaml: what is built when nothing else is said."""
    template = (ROOT / "template.yaml").read_text("utf-8")

    def default(parameter: str) -> str:
        found = re.search(rf"^  {parameter}:\n(?:    .*\n)*?    Default: (\S+)$", template, re.MULTILINE)
        if found is None:
            raise ValueError(f"template.yaml has no default for {parameter}")
        return found[1]

    return default("LambdaRuntime"), default("LambdaArchitecture")


def assemble(target: Path, runtime: str, architecture: str, *, function: str = "") -> None:
    """Fill `target`, which may exist and be empty, with what a function runs; "" is one that runs everything.

    Raises `OtherPythonError`: bytecode can only be made by the Python that will read it.
    """
    ours = f"python{sys.version_info.major}.{sys.version_info.minor}"
    if runtime != ours:
        raise OtherPythonError(
            f"a bundle for {runtime} is made by that Python, and this is {ours} ({sys.executable}). "
            f"Next: make clean, then the same with PYTHON={runtime} behind it; or deploy with LambdaRuntime={ours}."
        )
    left_out = LEFT_OUT.get(function, frozenset())
    copy_packages(
        installed_packages(runtime, architecture),
        target,
        left_out=left_out | NEVER_USED,
        services=SERVICES.get(function, AWS_SERVICES if function else AWS_SERVICES | DEPLOYERS_SERVICES),
    )
    without_caches = shutil.ignore_patterns("__pycache__", "*.pyc")
    with tempfile.TemporaryDirectory() as scratch:
        for package in DEPLOYED:
            shutil.copytree(ROOT / "src" / package, Path(scratch) / package, ignore=without_caches)
        compile_tree(Path(scratch))
        shutil.copytree(scratch, target, dirs_exist_ok=True)
    if "console" not in left_out:
        shutil.copytree(ROOT / "src" / "console", target / "console", ignore=without_caches)
    if "prompts" not in left_out:
        shutil.copytree(ROOT / "prompts", target / "prompts", ignore=without_caches)
    (target / TARGET_FILE).write_text(f"{runtime} {architecture}\n", "utf-8")
    _same_rights(target)


def copy_packages(packages: Path, target: Path, *, left_out: frozenset[str], services: frozenset[str]) -> None:
    """All but those that are left out, their descriptions, and the services that nobody asks."""
    known = packages / "botocore" / "data"
    foreign = {path.name for path in packages.glob("*.dist-info") if _provided(path) <= left_out}

    def unwanted(directory: str, names: list[str]) -> set[str]:
        place = Path(directory)
        if place == packages:
            return set(left_out.intersection(names)) | foreign
        if place == known:
            return {name for name in names if (place / name).is_dir() and name not in services}
        if place.name.endswith(".dist-info") and place.parent == packages:
            return set(names) - DESCRIBED
        return set()

    shutil.copytree(packages, target, copy_function=_link, ignore=unwanted, dirs_exist_ok=True)


def tree_hash(tree: Path) -> str:
    """Of names and contents, in order; dates and rights do not count."""
    digest = hashlib.sha256()
    for name, path in sorted((path.relative_to(tree).as_posix(), path) for path in tree.rglob("*") if path.is_file()):
        content = path.read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:16]


def installed_packages(runtime: str, architecture: str) -> Path:
    """The directory that holds the packages of the lock; installs them the first time."""
    made_by = [path.read_text("utf-8") for path in SCRIPTS]
    wanted = "\n".join([LOCK.read_text("utf-8"), runtime, architecture, sys.version, *made_by])
    home = ROOT / ".local" / "bundle"
    packages = home / hashlib.sha256(wanted.encode()).hexdigest()[:16]
    if packages.is_dir():
        return packages
    home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home) as scratch:
        fresh = Path(scratch) / "packages"
        _install(fresh, runtime, architecture)
        for unused in _unused(fresh):
            shutil.rmtree(unused) if unused.is_dir() else unused.unlink()
        compile_tree(fresh)
        leave_bytecode(fresh)
        _same_rights(fresh)
        fresh.rename(packages)
    return packages


def _install(target: Path, runtime: str, architecture: str) -> None:
    uv = Path(sys.executable).with_name("uv")
    command = [str(uv), "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:", "--python", sys.executable]
    command += ["--python-version", runtime.removeprefix("python"), "--python-platform", PLATFORMS[architecture]]
    subprocess.run([*command, "--link-mode", "copy", "--target", str(target), "-r", str(LOCK)], check=True)


def _unused(packages: Path) -> list[Path]:
    """Outermost first; what lies in one of them is not named again."""
    found = sorted({path for pattern in UNUSED for path in packages.glob(pattern)})
    services = packages / "botocore" / "data"
    known = AWS_SERVICES | DEPLOYERS_SERVICES
    found += [path for path in sorted(services.iterdir()) if path.is_dir() and path.name not in known]
    return [path for path in found if not any(other in path.parents for other in found)]


def leave_bytecode(directory: Path) -> None:
    """Bytecode in place of its source: half the files, and a cold start that unpacks and looks for half as many."""
    for compiled in sorted(directory.rglob("__pycache__/*.pyc")):
        source = compiled.parent.parent / f"{compiled.name.partition('.')[0]}.py"
        if source.is_file():
            compiled.rename(source.with_suffix(".pyc"))
            source.unlink()
    for emptied in sorted(directory.rglob("__pycache__")):
        emptied.rmdir()


def _provided(description: Path) -> frozenset[str]:
    """What a package puts into the top directory, without its description."""
    lines = (description / "RECORD").read_text("utf-8").splitlines()
    tops = {re.split(r"[/,]", line, maxsplit=1)[0].removesuffix(".py") for line in lines}
    return frozenset(tops - {"bin", "..", "__pycache__", description.name})


def _same_rights(tree: Path) -> None:
    """Whatever the umask of who builds: archives keep them, and Lambda's user must read."""
    paths: Iterable[Path] = (tree, *tree.rglob("*"))
    for path in paths:
        path.chmod(0o755 if path.is_dir() else 0o644)


def _link(source: str, destination: str) -> None:
    try:
        os.link(source, destination)
    except OSError:  # another file system
        shutil.copy2(source, destination)


if __name__ == "__main__":
    sys.exit(main())
