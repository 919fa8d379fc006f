"""What an agent's text is held against before a customer reads it (docs/contract.md, "Egress check")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.application.reply.egress_check import EgressResult, check_egress
from core.application.reply.invention_check import Invention, find_inventions
from core.application.reply.known_facts import Sources
from core.application.turn.opening import OpenTurn
from core.domain.catalogue.catalog import Catalog
from core.domain.conversation import ConversationState
from core.domain.values.dates import resolve_dates
from core.domain.values.field_value import FieldStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyCheck:
    """`packages` and `fixed` are all that the company states: what stands in neither was made up."""

    catalog: Catalog
    packages: str
    fixed: str

    def debris(self, message: str, parsed_object: dict[str, Any], turn: OpenTurn) -> EgressResult:
        """What is stripped, and what the agent must write again."""
        return check_egress(message, ids=self.catalog.ids, parsed_object=parsed_object, customer_text=turn.written)

    def inventions(self, text: str, turn: OpenTurn, state: ConversationState) -> tuple[Invention, ...]:
        """Amounts, discounts, links, contacts, dates, deadlines and visits that nobody stated."""
        known = (str(value.value) for value in state.fields.values() if value.status is FieldStatus.KNOWN)
        said = (line.text for line in turn.history if line.role in ("assistant", "human"))
        sources = Sources(
            packages=self.packages,
            fixed=self.fixed,
            facts="\n".join((*known, *said)),
            customer=turn.written,
            states_amounts=self.catalog.prices.states_amounts,
            dates=resolve_dates(turn.written, turn.written_on),
        )
        return find_inventions(text, sources)
