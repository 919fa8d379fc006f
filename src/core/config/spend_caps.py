"""Caps on money that could not be kept, found before the first customer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from core.config.providers import ModelProvider
from core.config.settings import ModelSettings
from core.domain.ledger import ModelPrice
from core.domain.llm import ModelRef
from core.domain.policy import ConversationPolicy
from core.domain.prompts import price_in

# One stranger's day may use up a tenth of everybody's hour.
_SHARE = 10


def incompatible_caps(policy: ConversationPolicy) -> Iterator[str]:
    """One stranger must not use up what all conversations have."""
    day, hour = policy.spend_per_day_micro_usd, policy.spend_per_hour_micro_usd
    if hour and day > hour // _SHARE:
        yield "SPEND_PER_DAY_USD must be at most a tenth of SPEND_PER_HOUR_USD, or one of them 0 (none)"


def unpriced_models(
    models: ModelSettings, policy: ConversationPolicy, prices: Mapping[ModelRef, ModelPrice]
) -> Iterator[str]:
    """One sentence for every model in use that a cap could not count."""
    if not (policy.spend_per_day_micro_usd or policy.spend_per_hour_micro_usd):
        return
    used = {
        f"{each.provider.value.upper()}_MODEL_{role}": ModelRef(provider=each.provider.value, model=model)
        for each in models.in_order
        if each.provider is not ModelProvider.STUB
        for role, model in (
            ("TRIAGE", each.model_triage),
            ("QUALIFICATION", each.model_qualification),
            ("COLLECTION", each.model_collection),
            ("SUMMARY", each.model_summary),
        )
    }
    if policy.transcription_enabled:
        hears = ModelRef(provider=ModelProvider.OPENAI.value, model=models.model_transcription)
        used["OPENAI_MODEL_TRANSCRIPTION"] = hears
    for setting, ref in used.items():
        if price_in(prices, ref) is None:
            yield (
                f"{setting}={ref.model} has no price in prices.toml, and a cap on money cannot count it: "
                "add its price, or set SPEND_PER_DAY_USD and SPEND_PER_HOUR_USD to 0"
            )
