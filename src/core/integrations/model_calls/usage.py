"""Token counts as the ledger keeps them, whatever a provider includes in which."""

from __future__ import annotations

from dataclasses import dataclass

from core.integrations.model_calls.faults import count_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """`input` holds what was read from and written to the cache. `missing`: the provider told nothing that can be
    believed, so that nothing can be priced.
    """

    input: int = 0
    output: int = 0
    cached: int = 0
    cache_written: int = 0
    reasoning: int = 0
    missing: bool = True

    @classmethod
    def told(
        cls,
        *,
        input: object,  # noqa: A002 -- as the ledger names it
        output: object,
        cached: object = 0,
        cache_written: object = 0,
        reasoning: object = 0,
        excludes_cache: bool = False,
    ) -> Usage:
        """What a provider counts, read defensively. `excludes_cache`: its input is only what the cache did not hold."""
        read, written = count_of(cached), count_of(cache_written)
        whole = count_of(input) + (read + written if excludes_cache else 0)
        answered = count_of(output)
        read = min(read, whole)
        return cls(
            input=whole,
            output=answered,
            cached=read,
            cache_written=min(written, whole - read),
            reasoning=min(count_of(reasoning), answered),
            missing=not _believable(input) or not _believable(output) or whole == 0,
        )


def _believable(count: object) -> bool:
    return isinstance(count, int) and not isinstance(count, bool) and count >= 0
