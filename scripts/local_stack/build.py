"""`sam build`, once for each state of the sources; its directories zipped once, so that deploying only uploads."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import platform
import re
import shutil
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .environment import downloading_environment
from .errors import StackError
from .permissions import with_what_it_misjudges
from .places import BUILDS, HOME, LOCAL, ROOT
from .processes import run
from .template_settings import read_template

BUILD_SECONDS = 300.0
KEPT_BUILDS = 3
DEPLOYED = "template.json"
RUNTIME = f"python{sys.version_info.major}.{sys.version_info.minor}"
NEWEST_RUNTIME = (3, 14)  # the newest that template.yaml knows
ARCHITECTURES = {"x86_64": "x86_64", "amd64": "x86_64", "aarch64": "arm64", "arm64": "arm64"}

_SOURCES = (
    "template.yaml",
    "Makefile",
    "requirements/runtime.txt",
    "requirements/sam.txt",
    "scripts/bundle.py",
    "scripts/bundling/bytecode.py",
)
_SOURCE_TREES = ("src", "prompts")
_CODE = re.compile(r"^(?P<indent>\s+CodeUri: )(?P<directory>\w+Function)$", re.MULTILINE)


def architecture() -> str:
    """Lambda's name for this machine. Raises `StackError` where there is none."""
    machine = platform.machine().lower()
    if sys.platform != "linux" or machine not in ARCHITECTURES:
        message = f"the local stack runs on Linux (or WSL) on x86_64 or arm64; this is {sys.platform} on {machine}"
        raise StackError(message)
    if sys.version_info[:2] > NEWEST_RUNTIME:
        message = f"Lambda has no {RUNTIME}"
        raise StackError(message, next_step="make clean, then the same command with PYTHON=python3.13 behind it")
    return ARCHITECTURES[machine]


def fingerprint() -> str:
    """A hash of everything that the build is made of."""
    digest = hashlib.sha256(f"{RUNTIME} {architecture()}".encode())
    files = [ROOT / name for name in _SOURCES]
    files += [path for tree in _SOURCE_TREES for path in sorted((ROOT / tree).rglob("*"))]
    for path in files:
        if path.is_file() and "__pycache__" not in path.parts:
            digest.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def built_template(tool: Path) -> Path:
    """The template of the current sources, ready to deploy. Builds when they have changed."""
    with _only_one_builds():
        home = BUILDS / fingerprint()
        if not (home / DEPLOYED).is_file():
            shutil.rmtree(home, ignore_errors=True)
            _build(tool)
            _pack(home)
            _forget_old_builds()
        os.utime(home)
        return home / DEPLOYED


def sam_build(tool: Path, into: Path, *, runtime: str, architecture: str, log: Path) -> Path:
    """The template that `sam build` writes in `into`, beside a directory of code for each function.

    Raises `StackError`.
    """
    environment = downloading_environment()
    environment |= {
        "PATH": f"{tool}{os.pathsep}{environment.get('PATH', os.defpath)}",  # its Python is the runtime's
        "LAMBDA_RUNTIME": runtime,
        "LAMBDA_ARCHITECTURE": architecture,
        "SAM_CLI_TELEMETRY": "0",
        "__SAM_CLI_APP_DIR": str(HOME / "sam"),
    }
    command = [str(tool / "sam"), "build", "--template-file", str(ROOT / "template.yaml"), "--base-dir", str(ROOT)]
    command += ["--build-dir", str(into), "--parameter-overrides"]
    command += [f"LambdaRuntime={runtime}", f"LambdaArchitecture={architecture}"]
    run(
        command,
        environment=environment,
        log=log,
        directory=ROOT,
        seconds=BUILD_SECONDS,
        what="sam build",
        next_step="fix what the log names and run the same command again",
    )
    return into / "template.yaml"


def _build(tool: Path) -> None:
    log = LOCAL / "logs" / "sam-build.log"
    sam_build(tool, BUILDS / "sam", runtime=RUNTIME, architecture=architecture(), log=log)


def _pack(home: Path) -> None:
    """What sam build made, with each directory of code as an archive; equal directories share one."""
    built, fresh = BUILDS / "sam", BUILDS / "fresh"
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir()

    def packed(match: re.Match[str]) -> str:
        directory = built / match["directory"]
        archive = fresh / f"{_tree_hash(directory)}.zip"
        if not archive.exists():
            _zip(directory, archive)
        return f"{match['indent']}{archive.name}"

    template = with_what_it_misjudges(_CODE.sub(packed, (built / "template.yaml").read_text("utf-8")))
    (fresh / "template.yaml").write_text(template, "utf-8")
    # sam deploy reads it seven times, and YAML at a tenth of a megabyte a second
    (fresh / DEPLOYED).write_text(json.dumps(read_template(fresh / "template.yaml")), "utf-8")
    fresh.rename(home)


def _tree_hash(directory: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(path for path in directory.rglob("*") if path.is_file()):
        digest.update(f"{path.relative_to(directory)}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _zip(directory: Path, archive: Path) -> None:
    # level 1: it travels over loopback only, and time is what a person waits for
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=1, strict_timestamps=False) as out:
        for path in sorted(path for path in directory.rglob("*") if path.is_file()):
            out.write(path, path.relative_to(directory))


def _forget_old_builds() -> None:
    homes = [path for path in BUILDS.iterdir() if (path / "template.yaml").is_file() and path.name != "sam"]
    for old in sorted(homes, key=lambda path: path.stat().st_mtime, reverse=True)[KEPT_BUILDS:]:
        shutil.rmtree(old, ignore_errors=True)


@contextmanager
def _only_one_builds() -> Iterator[None]:
    BUILDS.mkdir(parents=True, exist_ok=True)
    with (BUILDS / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
