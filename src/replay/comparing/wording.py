"""A change in a few words that hold nothing of a customer's: equal changes of many sessions are one line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.domain.actions import ActionCode


def change_in_words(aspect: str, before: Any, after: Any) -> str:
    """`before → after`, for the aspects that `facts_of` names; for fields the names of those that changed."""
    match aspect:
        case "code":
            return _pair(_codes(before), _codes(after))
        case "fields":
            return "; ".join(_fields(before or {}, after or {}))
        case "guard":
            return _guard(before or {}, after or {})
        case "checks":
            return _checks(before or {}, after or {})
        case "packages" | "effects" | "calls":
            return _sequences(before or (), after or ())
    return _pair(str(before or ""), str(after or ""))


def _pair(before: str, after: str) -> str:
    return f"{before or 'nothing'} → {after or 'nothing'}"


def _codes(facts: Mapping[str, Any] | None) -> str:
    facts = facts or {}
    names = " ".join(_code(code) for code in facts.get("codes", ()))
    said = [facts[name] for name in ("outcome", "kind") if facts.get(name)]
    return f"{names} ({', '.join(said)})" if names else ", ".join(said)


def _code(code: int) -> str:
    try:
        return ActionCode(code).name
    except ValueError:
        return str(code)


def _fields(before: Mapping[str, Any], after: Mapping[str, Any]) -> Sequence[str]:
    said = [
        f"{name} {_pair(str(before.get(name, '')), str(after.get(name, '')))}"
        for name in ("service", "segment")
        if before.get(name) != after.get(name)
    ]
    one, other = before.get("values", {}), after.get("values", {})
    said += [f"−{name}" for name in one if name not in other]
    said += [f"+{name}" for name in other if name not in one]
    said += [f"{name} otherwise" for name in one if name in other and one[name] != other[name]]
    if before.get("extra") != after.get("extra"):
        said.append("extra requests otherwise")
    return said


def _guard(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    def fired(facts: Mapping[str, Any]) -> str:
        return f"{facts['kind']} by {facts.get('rule')}" if facts.get("kind") else ""

    if fired(before) != fired(after):
        return _pair(fired(before), fired(after))
    names = sorted(name for name in {*before, *after} if before.get(name) != after.get(name))
    return ", ".join(f"{name} {_pair(str(before.get(name, '')), str(after.get(name, '')))}" for name in names)


def _checks(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    names = [name for name in ("repair", "findings", "errors") if before.get(name) != after.get(name)]
    return "; ".join(f"{name} {_pair(_listed(before.get(name)), _listed(after.get(name)))}" for name in names)


def _listed(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value or "")


def _sequences(before: Sequence[Any], after: Sequence[Any]) -> str:
    gone, come = [each for each in before if each not in after], [each for each in after if each not in before]
    if not gone and not come:
        return _pair(_listed(before), _listed(after))
    return "; ".join([f"−{each}" for each in gone] + [f"+{each}" for each in come])
