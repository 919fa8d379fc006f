"""What no customer may see, though the reply parsed (docs/contract.md, "Egress check"). Deterministic, no model.

Most answers are plain words, which a glance tells; the rest is read closely (`closer_reading`), with patterns that are
compiled for the first text that needs them.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import Any

# Begins with no label, mark or word for nothing, and holds none of the characters without which all else that is
# stripped or stopped cannot be written. Most answers do; to know it costs a tenth of what reading them closely would.
_PLAIN = re.compile(
    r"(?!(?i:mensagem|message|resposta|texto|assistant|analysis|commentary|null|none|undefined|nan)|[\s,;:*#-]"
    r"|(?:s|agent|service|segment|reason|declined|citations|rationale|kind)\s*:)"
    r"""[^{}<>\[\]◁▷|｜【\ue200\\"'“”‘’«»`~_%=$]+"""
)


@dataclass(frozen=True, slots=True)
class EgressResult:
    """`text` may be sent, unless `unsafe`. `findings` name what was stripped or forbids it, for the log."""

    text: str = field(repr=False)
    findings: tuple[str, ...] = ()
    unsafe: bool = False


def check_egress(
    message: str, *, placeholders: Container[str] = (), parsed_object: Mapping[str, Any] | None = None
) -> EgressResult:
    """Strip what is surely debris, and say whether the rest may be sent.

    `placeholders` are names that the catalogue would fill; `parsed_object` is the reply's own, which models repeat.
    """
    if _PLAIN.fullmatch(message):
        return EgressResult(text=message)
    from core.application.reply.debris.closer_reading import read_closely

    text, findings, unsafe = read_closely(message, placeholders=placeholders, parsed_object=parsed_object)
    return EgressResult(text=text, findings=findings, unsafe=unsafe)
