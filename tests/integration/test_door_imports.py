"""The webhook's cold start: what its function never loads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_CODE = """
import sys, handlers.webhook
sys.exit(", ".join(sorted({"openai", "httpx2", "markdown_it", "pydantic", "regex"} & set(sys.modules))) or 0)
"""


def test_the_door_loads_neither_the_provider_nor_an_http_client_nor_a_parser() -> None:
    done = subprocess.run(  # noqa: S603 -- our own code
        [sys.executable, "-c", _CODE], cwd=ROOT, env={"PYTHONPATH": "src"}, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")
