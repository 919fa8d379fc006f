"""`make audit`: known vulnerabilities of everything that the lock files pin; needs the network (see --help)."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import checkout_path  # noqa: F401
from local_stack.environment import downloading_environment
from local_stack.errors import StackError
from local_stack.tools import tool
from release_tools.audit import Audit, audit
from release_tools.errors import ReleaseError

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 600
_EPILOG = """\
examples:
  make audit
  .venv/bin/python scripts/audit.py --ignore GHSA-xxxx-xxxx-xxxx     # known, and it cannot reach us

exit codes: 0 nothing is known · 1 something is · 2 it could not be asked, whole or in part
"""


def main(arguments: list[str] | None = None) -> int:
    """The exit code of the page: what nobody looked at never counts as clear."""
    parser = argparse.ArgumentParser(
        prog="scripts/audit.py",
        description="Asks pypi.org about every package of requirements/*.txt, with pip-audit.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--ignore", action="append", default=[], metavar="ID", help="a vulnerability; repeatable")
    options = parser.parse_args(arguments)
    try:
        found = audit(sorted((ROOT / "requirements").glob("*.txt")), pip_audit, ignored=options.ignore)
    except StackError as error:
        print(f"{error.report()}\nThe audit needs the network.", file=sys.stderr)
        return 2
    except ReleaseError as error:
        print(f"audit: {error}", file=sys.stderr)
        return 2
    return report(found)


def pip_audit(arguments: Sequence[str]) -> tuple[str, str]:
    """As requirements/audit.txt pins it, in an environment of its own. Raises `StackError` where it cannot be had."""
    try:
        done = subprocess.run(
            [tool("audit") / "pip-audit", *arguments],
            env=downloading_environment(),
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "", f"no answer within {SECONDS} s"
    return done.stdout, done.stderr


def report(audit: Audit) -> int:
    """What was found, then what nobody looked at."""
    for each in audit.found:
        print(each, file=sys.stderr)
    for name, why in audit.unknown.items():
        print(f"not looked at: {name}: {why}", file=sys.stderr)
    if audit.found:
        print(
            f"audit: {len(audit.found)} known\nnext: raise it in pyproject.toml or requirements/*.in, make lock",
            file=sys.stderr,
        )
        return 1
    if audit.unknown:
        print(
            f"audit: {len(audit.unknown)} of {audit.asked} packages could not be asked about\n"
            "next: is pypi.org itself reachable? A mirror of the index knows no vulnerabilities",
            file=sys.stderr,
        )
        return 2
    print(f"audit: nothing is known of {audit.asked} packages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
