"""Whether anybody can know that a conversation waits for a person (docs/handoff.md, "Texts")."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import replace

from core.config.attendants import read_attendants
from core.config.loader import ATTENDANTS
from core.config.secrets import SecretSource
from core.config.settings import Settings
from core.domain.errors import BadInputError, IntegrationError

_log = logging.getLogger(__name__)

# Who was registered a minute ago is heard of now, and nobody's missing is told no oftener.
_ASKED_AGAIN_SECONDS = 60.0


class PeopleWhoKnow:
    """Attendants who are registered, or a topic that somebody listens to. Remembers its answer for a minute."""

    def __init__(
        self, settings: Settings, secrets: SecretSource, *, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._settings = settings
        self._secrets = secrets
        self._monotonic = monotonic
        self._known: tuple[float, bool] | None = None

    def settings(self) -> Settings:
        """Handoffs are off while nobody could know of one: what customers are told stays true, and it rings."""
        policy = self._settings.conversation
        if not policy.handoff_enabled or self._settings.handoff_topic_arn or self._somebody():
            return self._settings
        return replace(self._settings, conversation=replace(policy, handoff_enabled=False))

    def _somebody(self) -> bool:
        now = self._monotonic()
        if self._known is None or now - self._known[0] >= _ASKED_AGAIN_SECONDS:
            self._known = now, self._ask()
        return self._known[1]

    def _ask(self) -> bool:
        """A store of secrets that does not answer is no reason to say that nobody is there."""
        try:
            self._secrets.refresh(ATTENDANTS)
            somebody = bool(read_attendants(self._secrets.get(ATTENDANTS)))
        except IntegrationError:
            return True
        except BadInputError:
            somebody = False
        if not somebody:
            _log.error("handoff_nobody_can_know")
        return somebody
