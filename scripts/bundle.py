"""Assemble what a Lambda function runs: the pinned packages, what of src/ is deployed, prompts/, byte-compiled.

`sam build` calls it through `make build-<Function>`. Packages are installed once for each lock, runtime and
architecture, into .local/bundle, and hard-linked from there.
"""

from __future__ import annotations

import argparse
import compileall
import hashlib
import os
import py_compile
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import checkout_path  # noqa: F401

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements" / "runtime.txt"
PLATFORMS = {"x86_64": "x86_64-manylinux_2_28", "arm64": "aarch64-manylinux_2_28"}
# What of src/ the functions run; replays and evaluations stay on the machines of those who compare.
DEPLOYED = ("core", "handlers")
UNUSED = ("bin", "*/tests", "**/__pycache__")
# botocore describes some 400 services in a third of the bundle. Others are unknown to the functions: add them here.
AWS_SERVICES = frozenset({"dynamodb", "sqs", "ssm", "sns", "socialmessaging", "lambda", "cloudformation"})
# What a function never imports stays out of its bundle: the webhook starts in a third of the time.
PROVIDER = frozenset({"openai", "jiter", "httpx2", "httpcore2", "h11", "anyio", "sniffio", "idna", "truststore"})
TURN = frozenset({"pydantic", "pydantic_core", "annotated_types", "typing_inspection"})
TURN |= {"markdown_it", "mdurl", "regex", "stdnum", "tzdata", "prompts"}
# The attendants' page.
CONSOLE = frozenset({"console"})
LEFT_OUT = {
    **dict.fromkeys(("Webhook", "Social", "Check"), PROVIDER | TURN | CONSOLE),
    **dict.fromkeys(("Process", "Sweep"), CONSOLE),
    "Attendants": PROVIDER - {"httpx2", "httpcore2", "h11", "anyio", "sniffio", "idna", "truststore"},
}


def main() -> None:
    """Command line: bundle.py TARGET --function Webhook --runtime python3.11 --architecture arm64."""
    parser = argparse.ArgumentParser(prog="scripts/bundle.py", description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("target", type=Path, help="the directory to fill")
    parser.add_argument("--function", default="", help="whose bundle (Webhook, Process ...); default: everything")
    parser.add_argument("--runtime", default="python3.11", help="the Lambda runtime (python3.11 ...)")
    parser.add_argument("--architecture", default="arm64", choices=sorted(PLATFORMS))
    options = parser.parse_args()
    assemble(
        options.target, options.runtime, options.architecture, left_out=LEFT_OUT.get(options.function, frozenset())
    )


def assemble(target: Path, runtime: str, architecture: str, *, left_out: frozenset[str] = frozenset()) -> None:
    """Fill `target`, which may exist and be empty, with all but the packages of these names."""
    packages = installed_packages(runtime, architecture)

    def unwanted(directory: str, names: list[str]) -> set[str]:
        return set(left_out.intersection(names)) if Path(directory) == packages else set()

    shutil.copytree(packages, target, copy_function=_link, ignore=unwanted, dirs_exist_ok=True)
    without_caches = shutil.ignore_patterns("__pycache__", "*.pyc")
    for package in DEPLOYED:
        shutil.copytree(ROOT / "src" / package, target / package, ignore=without_caches)
        _compile(target / package, runtime)
    if "console" not in left_out:
        shutil.copytree(ROOT / "src" / "console", target / "console", ignore=without_caches)
    if "prompts" not in left_out:
        shutil.copytree(ROOT / "prompts", target / "prompts", ignore=without_caches)


def installed_packages(runtime: str, architecture: str) -> Path:
    """The directory that holds the packages of the lock; installs them the first time."""
    wanted = "\n".join([LOCK.read_text("utf-8"), runtime, architecture, Path(__file__).read_text("utf-8")])
    home = ROOT / ".local" / "bundle"
    packages = home / hashlib.sha256(wanted.encode()).hexdigest()[:16]
    if packages.is_dir():
        return packages
    home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home) as scratch:
        fresh = Path(scratch) / "packages"
        _install(fresh, runtime, architecture)
        for unused in _unused(fresh):
            shutil.rmtree(unused, ignore_errors=True)
        if _compile(fresh, runtime):
            _leave_bytecode(fresh)
        fresh.rename(packages)
    return packages


def _install(target: Path, runtime: str, architecture: str) -> None:
    uv = Path(sys.executable).with_name("uv")
    command = [str(uv), "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:", "--python", sys.executable]
    command += ["--python-version", runtime.removeprefix("python"), "--python-platform", PLATFORMS[architecture]]
    subprocess.run([*command, "--target", str(target), "-r", str(LOCK)], check=True)


def _unused(packages: Path) -> list[Path]:
    services = (path for path in (packages / "botocore" / "data").iterdir() if path.is_dir())
    unknown = [path for path in services if path.name not in AWS_SERVICES]
    return [path for pattern in UNUSED for path in sorted(packages.glob(pattern))] + unknown


def _compile(directory: Path, runtime: str) -> bool:
    """Bytecode that holds whatever the files' dates: archives lose them, and every cold start would compile again.

    Only this Python's own can be made; whether it was.
    """
    if runtime != f"python{sys.version_info.major}.{sys.version_info.minor}":
        return False
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    compileall.compile_dir(directory, quiet=2, workers=0, invalidation_mode=mode, stripdir=str(directory))
    return True


def _leave_bytecode(directory: Path) -> None:
    """Bytecode in place of its source: half the files, and a cold start that unpacks and looks for half as many."""
    for compiled in sorted(directory.rglob("__pycache__/*.pyc")):
        source = compiled.parent.parent / f"{compiled.name.partition('.')[0]}.py"
        if source.is_file():
            compiled.rename(source.with_suffix(".pyc"))
            source.unlink()
    for emptied in sorted(directory.rglob("__pycache__")):
        emptied.rmdir()


def _link(source: str, destination: str) -> None:
    try:
        os.link(source, destination)
    except OSError:  # another file system
        shutil.copy2(source, destination)


if __name__ == "__main__":
    main()
