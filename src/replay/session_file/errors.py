"""Why a session file is not taken: each sentence says what to do next."""

from __future__ import annotations

from core.domain.errors import BalcaoError


class SessionFileError(BalcaoError):
    """A file that cannot be used as it is: cut, changed after it was written, of a schema that this code can't read."""
