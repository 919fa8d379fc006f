"""The webhook works without the packages that its bundle leaves out."""

from __future__ import annotations

import subprocess
import sys

import pytest

import bundle
from tests.template_file import ROOT

_CODE = """
import sys, pathlib
for name in sys.argv[1:]:
    sys.modules[name] = None  # importing it fails from here on
import handlers.webhook
from core.channels.whatsapp.inbound.webhook_body import parse_webhook_body
from core.domain.errors import BadInputError
for path in sorted(pathlib.Path("tests/cases/webhooks").glob("*.json")):
    try:
        parse_webhook_body(path.read_bytes(), received_at_ms=0)
    except BadInputError:
        pass
"""


@pytest.mark.parametrize("left_out", [bundle.LEFT_OUT["Webhook"] - {"prompts"}], ids=["webhook"])
def test_the_door_opens_and_reads_every_body_without_what_its_bundle_leaves_out(left_out: frozenset[str]) -> None:
    done = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", _CODE, *sorted(left_out)],
        cwd=ROOT,
        env={"PYTHONPATH": "src"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
