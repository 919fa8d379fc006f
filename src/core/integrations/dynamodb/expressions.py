"""One action of a write: its expressions, with a placeholder for every name (many are reserved words) and value."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from core.domain.errors import BadInputError
from core.domain.record_keys import checked_sk
from core.integrations.dynamodb.attributes import Attributes, Item, marshal, marshalled

Action = dict[str, dict[str, Any]]


class Expression:
    """Collects clauses of an update and conditions joined by AND, then makes the action of a transaction."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._values: Attributes = {}
        self._clauses: dict[str, list[str]] = {}
        self._conditions: list[str] = []

    def name(self, attribute: str) -> str:
        """A placeholder for an attribute's name."""
        self._names[f"#{attribute}"] = attribute
        return f"#{attribute}"

    def value(self, value: object) -> str:
        """A placeholder for a value; an equal value keeps its placeholder."""
        typed = marshal(value)
        for placeholder, known in self._values.items():
            if known == typed:
                return placeholder
        placeholder = f":v{len(self._values)}"
        self._values[placeholder] = typed
        return placeholder

    def set(self, attribute: str, value: object) -> None:
        """SET, or REMOVE for None: absent is a missing attribute."""
        if value is None:
            self._clause("REMOVE", self.name(attribute))
        else:
            self._clause("SET", f"{self.name(attribute)} = {self.value(value)}")

    def set_default(self, attribute: str, value: object) -> None:
        """SET where the attribute is missing."""
        name = self.name(attribute)
        self._clause("SET", f"{name} = if_not_exists({name}, {self.value(value)})")

    def add(self, attribute: str, value: object) -> None:
        """ADD to a number or to a set."""
        self._clause("ADD", f"{self.name(attribute)} {self.value(value)}")

    def delete(self, attribute: str, value: frozenset[str]) -> None:
        """DELETE from a set; nothing when there is nothing to delete, since sets are never empty."""
        if value:
            self._clause("DELETE", f"{self.name(attribute)} {self.value(value)}")

    def require(self, condition: str) -> None:
        """One more condition, in placeholders."""
        self._conditions.append(f"({condition})")

    def equals(self, attribute: str, value: object) -> str:
        """A condition."""
        return f"{self.name(attribute)} = {self.value(value)}"

    def among(self, attribute: str, values: Iterable[object]) -> str:
        """A condition."""
        return f"{self.name(attribute)} IN ({', '.join(self.value(each) for each in values)})"

    def absent(self, attribute: str) -> str:
        """A condition."""
        return f"attribute_not_exists({self.name(attribute)})"

    def put(self, table: str, item: Item) -> Action:
        """Put the whole item."""
        return {"Put": {"TableName": table, "Item": _with_key(marshalled(item)), **self._terms()}}

    def update(self, table: str, pk: str, sk: str) -> Action:
        """Update by the clauses."""
        clauses = " ".join(f"{verb} {', '.join(parts)}" for verb, parts in self._clauses.items())
        return {"Update": {"TableName": table, "Key": _key(pk, sk), "UpdateExpression": clauses, **self._terms()}}

    def remove(self, table: str, pk: str, sk: str) -> Action:
        """Delete the whole item."""
        return {"Delete": {"TableName": table, "Key": _key(pk, sk), **self._terms()}}

    def check(self, table: str, pk: str, sk: str) -> Action:
        """Write nothing, only ask."""
        return {"ConditionCheck": {"TableName": table, "Key": _key(pk, sk), **self._terms()}}

    def _clause(self, verb: str, clause: str) -> None:
        self._clauses.setdefault(verb, []).append(clause)

    def _terms(self) -> dict[str, Any]:
        terms: dict[str, Any] = {}
        if self._conditions:
            terms["ConditionExpression"] = " AND ".join(self._conditions)
            terms["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
        if self._names:
            terms["ExpressionAttributeNames"] = self._names
        if self._values:
            terms["ExpressionAttributeValues"] = self._values
        return terms


def _key(pk: str, sk: str) -> Attributes:
    return _with_key(marshalled({"pk": pk, "sk": sk}))


def _with_key(attributes: Attributes) -> Attributes:
    if not attributes["pk"]["S"]:
        raise BadInputError("unusable_key")
    checked_sk(attributes["sk"]["S"])
    return attributes
