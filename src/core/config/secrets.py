"""Where secrets come from: a setting `NAME`, or the SSM parameter that `NAME_SSM_PARAM` names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

SUFFIX = "_SSM_PARAM"
# What is pasted along with a secret and seen by nobody: zero-width characters and byte-order marks.
_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad"


def clean_secret(value: str) -> str:
    """The secret without the white space and invisible characters that a paste brings along at its ends."""
    while (stripped := value.strip().strip(_INVISIBLE)) != value:
        value = stripped
    return value


def fits_a_header(value: str) -> bool:
    """Whether an HTTP header can carry it: printable ASCII without blanks."""
    return all("!" <= character <= "~" for character in value)


class SecretSource(Protocol):
    """Reads secrets by the setting's name. Raises `IntegrationError` when the store behind it does not answer and no
    value was read before: an old one serves until a newer one is there.
    """

    def prefetch(self, names: Iterable[str]) -> Sequence[str]:
        """Read many with few requests; returns the parameter names that the store does not know."""
        ...

    def get(self, name: str) -> str:
        """The value, or "" when there is none."""
        ...

    def refresh(self, name: str, *, older_than_seconds: float = 0.0) -> str:
        """Read again what was last asked for so long ago: somebody refused it. Never raises for a value once read."""
        ...


@dataclass(frozen=True, slots=True)
class EnvironmentSecrets:
    """Only what the environment itself holds: where no parameter is named, nothing else is needed."""

    environ: Mapping[str, str]

    def prefetch(self, names: Iterable[str]) -> Sequence[str]:
        """The parameters that are named stay unread."""
        return [self.environ[name + SUFFIX] for name in names if not self.get(name) and self.environ.get(name + SUFFIX)]

    def get(self, name: str) -> str:
        """The variable."""
        return clean_secret(self.environ.get(name, ""))

    def refresh(self, name: str, *, older_than_seconds: float = 0.0) -> str:
        """The variable: a process's environment does not change."""
        del older_than_seconds
        return self.get(name)
