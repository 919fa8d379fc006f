"""A DynamoDB client that remembers its requests and checks them against the rules that moto does not keep."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any


class RecordingClient:
    """Passes every call on. `calls` holds (operation, request); a request that breaks a rule of the table fails."""

    def __init__(self, client: Any) -> None:
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self._client = client

    @property
    def operations(self) -> list[str]:
        return [operation for operation, _ in self.calls]

    def __getattr__(self, operation: str) -> Callable[..., Any]:
        passed_on = getattr(self._client, operation)

        def call(**request: Any) -> Any:
            check(request)
            self.calls.append((operation, request))
            return passed_on(**request)

        return call


def check(request: Any) -> None:
    """No floats, no empty sets, no empty key strings, tokens of at most 36 characters."""
    for name, value in _walk(request):
        assert not isinstance(value, float), f"{name} is a float"
        if isinstance(value, Mapping) and value.keys() <= {"SS", "NS", "BS"} and value:
            assert all(len(values) > 0 for values in value.values()), f"{name} is an empty set"
        if name in {"pk", "sk", "due_shard"}:
            assert value != {"S": ""}, f"{name} is empty"
        if name == "ClientRequestToken":
            assert 1 <= len(value) <= 36


def _walk(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    yield name, value
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from _walk(each, key)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _walk(each, name)
