"""The name of what is deployed, `CodeVersion` of the template: the commit, what is changed beside it, the settings.

A new name publishes a new version of every function (docs/operations.md, "Versions"); every turn is written with it.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMMIT_DIGITS, HASH_DIGITS = 12, 8
# What a deployment is made of; documents, tests and tools beside it make no other version.
DEPLOYED = (
    "src",
    "prompts",
    "template.yaml",
    "requirements/runtime.txt",
    "scripts/bundle.py",
    "scripts/bundling/bytecode.py",
    "Makefile",
)


class NoCommitError(Exception):
    """There is no git, or no commit that the version could be named after."""


def code_version(settings: Mapping[str, str], *, root: Path = ROOT) -> str:
    """`<commit>[-dirty-<hash of what is deployed>]-<hash of settings>`: equal for what is equal, another for all else.

    `settings` are the template's parameters as they will be deployed; `CodeVersion` itself does not count. Raises
    `NoCommitError`.
    """
    parts = [_git(root, "rev-parse", f"--short={COMMIT_DIGITS}", "HEAD").strip()]
    if _git(root, "status", "--porcelain", "--untracked-files=all", "--", *DEPLOYED).strip():
        parts += ["dirty", _hash(_contents(root))]
    given = {name: value for name, value in settings.items() if name != "CodeVersion"}
    parts.append(_hash(f"{name}={value}\0".encode() for name, value in sorted(given.items())))
    return "-".join(parts)


def _contents(root: Path) -> Iterable[bytes]:
    """What git knows of or would add: ignored files are no part of it."""
    listed = _git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *DEPLOYED)
    for name in sorted(set(listed.split("\0")) - {""}):
        path = root / name
        content = path.read_bytes() if path.is_file() else b""
        yield f"{name}\0{len(content)}\0".encode() + content


def _hash(parts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()[:HASH_DIGITS]


def _git(root: Path, *arguments: str) -> str:
    git = shutil.which("git")
    if git is None:
        raise NoCommitError("git is not on the PATH: the version is named after a commit")
    # a repository that git's own variables name would be another than this one
    environ = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run([git, "-C", str(root), *arguments], env=environ, check=False, capture_output=True, text=True)
    if done.returncode:
        raise NoCommitError(f"{root} has no commit to name the version after: {done.stderr.strip()}")
    return done.stdout


def main(arguments: list[str] | None = None) -> int:
    """Prints the version; 2 where there is no commit, or a setting is no NAME=VALUE."""
    parser = argparse.ArgumentParser(
        prog="scripts/release/code_version.py", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("settings", nargs="*", metavar="NAME=VALUE", help="parameters that will be deployed")
    given = [each.partition("=") for each in parser.parse_args(arguments).settings]
    if any(not separator for _, separator, _ in given):
        print("each setting is NAME=VALUE", file=sys.stderr)
        return 2
    try:
        print(code_version({name: value for name, _, value in given}))
    except NoCommitError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
