"""What only a template or the system would write: a blank left to fill (`[NOME]`, `XX/XX`), an internal id."""

from __future__ import annotations

import re
from collections.abc import Container

from core.application.reply.rule_tables import read_table, sentences

# A word with an underscore in it, outside addresses and file names.
_ID = re.compile(r"(?<![\w@/.])[^\W_]+(?:_[^\W_]+)+(?![\w@/]|\.\w)")


def shows_id(text: str, ids: Container[str]) -> bool:
    """Whether an id stands in a text as such. One without an underscore (`prazo`) is a word."""
    contract: list[str] = read_table("egress").words["contract"]
    return any(
        name in ids or name.lower() in ids or name.lower() in contract
        for name in (found[0] for found in _ID.finditer(text))
    )


def shows_blank(text: str, customer_text: str) -> bool:
    """Whether a blank is left: no set of symbols, no link, none that the customer wrote or is told to write."""
    written = re.compile(rf"\b(?:{'|'.join(read_table('egress').words['written'])})\b", re.IGNORECASE)
    for sentence in sentences(text):
        for row in read_table("egress").rows["blank"]:
            for found in row.pattern.finditer(sentence):
                if not written.search(sentence, 0, found.start()) and found[0] not in customer_text:
                    return True
    return False
