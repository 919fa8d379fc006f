"""What the emulator's idea of permissions lacks, added to a template that is deployed there and nowhere else."""

from __future__ import annotations

import re

_STATEMENTS = re.compile(r"^(?P<indent>\s+)Statement:\n", re.MULTILINE)
# AWS checks GetParameters name by name, and a batch as SendMessage; the emulator asks for these instead.
_MISJUDGED = '- {Effect: Allow, Action: ["ssm:GetParameters", "sqs:SendMessageBatch"], Resource: "*"}'


def with_what_it_misjudges(template: str) -> str:
    """A template of `sam build` or `sam package`, in which every role may do what the emulator asks for."""
    return _STATEMENTS.sub(rf"\g<0>\g<indent>{_MISJUDGED}\n", template)
