"""How long each agent's prompt is, and how much of it the provider can keep from one call to the next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from core.agents.prompt_assembly import PromptAssembler
from core.domain.actions import Agent
from core.domain.agent_call import AgentRequest
from core.domain.catalogue.catalog import Catalog, FieldScope, FieldType, Service, required_fields
from core.domain.prompts import PromptSet
from core.domain.values.field_value import FieldStatus, FieldValue

# OpenAI's tokenizers write Portuguese prose and JSON in about four bytes of UTF-8 a token.
BYTES_PER_TOKEN = 4
CACHED_SHARE_LEAST = 0.90


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptSize:
    """`tokens` of what never changes, approximated; `cached_share` of all before the history, in the worst case."""

    agent: Agent
    tokens: int
    cached_share: float


def approximate_tokens(text: str) -> int:
    """A rule, no tokenizer: the bytes of UTF-8 by four, rounded up."""
    return -(-len(text.encode()) // BYTES_PER_TOKEN)


def prompt_sizes(prompts: PromptSet, catalog: Catalog) -> Iterator[PromptSize]:
    """One for each agent."""
    assembler = PromptAssembler(prompts, catalog)
    for agent in Agent:
        static = assembler.prefix(agent).text
        shares = []
        for service in catalog.services:
            facts = str(assembler.assemble(longest_request(catalog, service, agent))[1]["content"])
            shares.append(len(static.encode()) / (len(static.encode()) + len(facts.encode())))
        yield PromptSize(agent=agent, tokens=approximate_tokens(static), cached_share=min(shares, default=1.0))


def longest_request(catalog: Catalog, service: Service, agent: Agent) -> AgentRequest:
    """A conversation with as much known of the customer as there is room for, and one long answer about the request."""
    texts = [spec for spec in catalog.fields if spec.type is FieldType.TEXT]
    own = {spec.id for stage in Agent for spec in required_fields(catalog, stage, service.id)}
    about = [spec for spec in texts if spec.scope is FieldScope.SERVICE and spec.id in own]
    told = [spec for spec in texts if spec.scope is FieldScope.CUSTOMER]
    told += sorted(about, key=lambda spec: spec.max_length)[-1:]
    return AgentRequest(
        agent=agent,
        service=service.id,
        segment=catalog.segments[0].id if service.asks_segment else None,
        known={
            spec.id: FieldValue(status=FieldStatus.KNOWN, value="N" * spec.max_length, source="M#1") for spec in told
        },
        packages=(),
        history=(),
        pending_text="oi",
        extra_requests=tuple(each.name for each in catalog.services if each is not service)[:2],
    )
