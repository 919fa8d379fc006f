"""Pairs of model and reasoning effort that the provider is known to refuse with a 400, found before the first customer.

Sources: the API's own messages ("'minimal' is not supported with the 'gpt-5.1' model", "'reasoning.effort' is not
supported with this model") and the enum's description in the API reference. Only what is known is refused: a model
that is not listed here passes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.config.settings import ModelSettings

EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
# The first pattern that matches a model's name gives the efforts it takes.
_TAKES: tuple[tuple[re.Pattern[str], frozenset[str]], ...] = (
    (re.compile(r"gpt-(3\.5|4|4o|4\.1|4\.5)(-|$)"), frozenset()),
    (re.compile(r"chatgpt-4o|gpt-5-chat"), frozenset()),
    (re.compile(r"gpt-5-pro"), frozenset({"high"})),
    (re.compile(r"o[134](-|$)"), frozenset({"low", "medium", "high"})),
    (re.compile(r"gpt-5(-mini|-nano)?(-\d{4}-\d{2}-\d{2})?$"), frozenset({"minimal", "low", "medium", "high"})),
    (re.compile(r"gpt-5\.1(-\d{4}-\d{2}-\d{2})?$"), frozenset({"none", "low", "medium", "high"})),
    (re.compile(r"gpt-5\.\d"), frozenset(EFFORTS) - {"minimal"}),
)


def incompatible_pairs(models: ModelSettings) -> Iterator[str]:
    """One sentence for every configured model that would refuse the configured effort."""
    effort = models.reasoning_effort
    if not effort:
        return
    if effort not in EFFORTS:
        yield f"OPENAI_REASONING_EFFORT must be empty or one of {', '.join(EFFORTS)}, not {effort!r}"
        return
    for setting, model in (
        ("OPENAI_MODEL_TRIAGE", models.model_triage),
        ("OPENAI_MODEL_QUALIFICATION", models.model_qualification),
        ("OPENAI_MODEL_COLLECTION", models.model_collection),
        ("OPENAI_MODEL_SUMMARY", models.model_summary),
    ):
        takes = next((efforts for pattern, efforts in _TAKES if pattern.match(model)), None)
        if takes is not None and effort not in takes:
            wanted = f"takes only {', '.join(sorted(takes))}" if takes else "takes no reasoning effort"
            yield f"OPENAI_REASONING_EFFORT={effort} does not work with {setting}={model}, which {wanted}"
