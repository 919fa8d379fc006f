"""Which items of a body belong together: those that share a name, directly or through others."""

from __future__ import annotations

from collections.abc import Sequence


def groups_by_shared_name(keys: Sequence[tuple[str, ...]]) -> list[list[int]]:
    """Places that share a name, directly or through others, in their order. A place without names stands alone."""
    leads_to: dict[str, str] = {}

    def first_name(name: str) -> str:
        while (next_name := leads_to.setdefault(name, name)) != name:
            name = next_name
        return name

    for names in keys:
        for name in names[1:]:
            leads_to[first_name(name)] = first_name(names[0])
    groups: dict[str, list[int]] = {}
    for place, names in enumerate(keys):
        groups.setdefault(first_name(names[0]) if names else f"#{place}", []).append(place)
    return list(groups.values())
