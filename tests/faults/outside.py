"""The outside as the code under test reaches it: every call of every port goes down one line, where it can be counted,
made to fail, or be the last thing that its process does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from core.domain.llm import CallPurpose

# What the calls are named in test ids and in the table.
_NAMES = {"send_text": "send", "retry_in": "shorten"}
_MODEL_NAMES = {CallPurpose.REPAIR: "repair", CallPurpose.SUMMARY: "summary"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request to the outside: a method of a port with its arguments."""

    port: str
    method: str
    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What a reader calls it."""
        if self.port == "model":
            return _MODEL_NAMES.get(self.kwargs.get("purpose", CallPurpose.AGENT), "model")
        return _NAMES.get(self.method, self.method)


Line = Callable[[Call], Any]


class Port:
    """Any port: faithful because each of its methods is the same method of the real thing at the line's other end."""

    def __init__(self, line: Line, port: str) -> None:
        self._line = line
        self._port = port

    def __getattr__(self, method: str) -> Callable[..., Any]:
        if method.startswith("_"):
            raise AttributeError(method)
        return partial(self._call, method)

    def _call(self, method: str, *args: Any, **kwargs: Any) -> Any:
        return self._line(Call(port=self._port, method=method, args=args, kwargs=kwargs))


@dataclass(slots=True)
class Counting:
    """Passes every call on and remembers its name."""

    line: Line
    names: list[str] = field(default_factory=list)

    def __call__(self, call: Call) -> Any:
        self.names.append(call.name)
        return self.line(call)

    @property
    def steps(self) -> tuple[str, ...]:
        """The calls in order, told apart where one comes twice: send, send-2."""
        seen: dict[str, int] = {}
        for name in self.names:
            seen[name] = seen.get(name, 0) + 1
        twice = {name for name, times in seen.items() if times > 1}
        count: dict[str, int] = {}
        steps = []
        for name in self.names:
            count[name] = count.get(name, 0) + 1
            steps.append(f"{name}-{count[name]}" if name in twice and count[name] > 1 else name)
        return tuple(steps)
