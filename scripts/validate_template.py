"""`make validate`: template.yaml as AWS's own tools read it. Nothing of it needs an account.

`sam validate` finds what the transform refuses, cfn-lint (`sam validate --lint`, and by itself, which looks at more
regions) what CloudFormation would. Whatever they say is a failure: nothing is left out.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from local_stack.environment import REGION, downloading_environment
from local_stack.errors import StackError
from local_stack.places import HOME, ROOT
from local_stack.tools import tool

SECONDS = 120.0


def main(arguments: Sequence[str] | None = None) -> int:
    """0 when no tool says a word against the template; else 1, with what each says."""
    parser = argparse.ArgumentParser(prog="scripts/validate_template.py", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("template", nargs="?", type=Path, default=ROOT / "template.yaml")
    template: Path = parser.parse_args(arguments).template
    try:
        tools = tool("sam")
    except StackError as error:
        print(error.report(), file=sys.stderr)
        return 1
    sam = [str(tools / "sam"), "validate", "--region", REGION, "--template-file", str(template.resolve())]
    commands = {
        "sam validate": sam,
        "sam validate --lint": [*sam, "--lint"],
        "cfn-lint": [str(tools / "cfn-lint"), "--", str(template.resolve())],
    }
    with ThreadPoolExecutor(max_workers=len(commands)) as pool:
        said = dict(zip(commands, pool.map(_said, commands.values()), strict=True))
    for name, words in said.items():
        print(f"{name}: {words or 'nothing to say'}")
    return 1 if any(said.values()) else 0


def _said(command: Sequence[str]) -> str:
    """What a tool has against the template; "" for nothing."""
    environment = downloading_environment() | {
        "SAM_CLI_TELEMETRY": "0",
        "__SAM_CLI_APP_DIR": str(HOME / "sam"),
        "AWS_DEFAULT_REGION": REGION,
    }
    done = subprocess.run(
        command, check=False, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS
    )
    if done.returncode == 0:
        return ""
    return (done.stdout + done.stderr).strip() or f"exit status {done.returncode}"


if __name__ == "__main__":
    sys.exit(main())
