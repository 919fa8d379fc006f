"""Silence, and its end: the queue's mapping and the sweep's schedule are switched off and on.

The webhook goes on: messages are recorded and wait. The sweep is paused too, since it answers by itself: it sends what
waits, reminds, and gives people every conversation in which a message has waited for ten minutes. For the same reason
it begins again last, once the queue has been worked off.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from .deployment import Deployment
from .errors import OperatorError
from .queues import Queue
from .times import messages

_EVERY_SECONDS = 2.0
SWITCH_SECONDS = 180.0
STANDSTILL_SECONDS = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Switches:
    """Of one deployment. Raises what the clients raise."""

    deployment: Deployment
    say: Callable[[str], None]
    now: Callable[[], float] = field(default=time.monotonic)
    sleep: Callable[[float], None] = field(default=time.sleep)

    def pause(self) -> None:
        """The sweep first: nothing is to be due between the two. Raises `OperatorError` when it does not come about."""
        self.deployment.client("events").disable_rule(Name=self.deployment.sweep_rule())
        self.say("the sweep is paused; a run that has begun ends within a minute")
        self._switch(on=False)
        self.say("the process function is paused: no turn begins")

    def resume(self, inbound: Queue) -> None:
        """Turns first; the sweep when the queue is empty, or does not become shorter any more."""
        self._switch(on=True)
        self.say("the process function runs again")
        try:
            self._work_off(inbound)
        finally:
            self.deployment.client("events").enable_rule(Name=self.deployment.sweep_rule())
        self.say("the sweep runs again")

    def _switch(self, *, on: bool) -> None:
        functions, mapping = self.deployment.client("lambda"), self.deployment.mapping()
        wanted, ends = "Enabled" if on else "Disabled", self.now() + SWITCH_SECONDS
        if functions.get_event_source_mapping(UUID=mapping)["State"] != wanted:
            functions.update_event_source_mapping(UUID=mapping, Enabled=on)
        while (state := functions.get_event_source_mapping(UUID=mapping)["State"]) != wanted:
            if self.now() > ends:
                message = f"the mapping {mapping} is still {state} after {SWITCH_SECONDS:.0f} s"
                raise OperatorError(message, next_step="run the same command again: AWS goes on by itself meanwhile")
            self.sleep(_EVERY_SECONDS)

    def _work_off(self, inbound: Queue) -> None:
        fewest = waiting = inbound.depth()
        ends = self.now() + STANDSTILL_SECONDS
        while waiting and self.now() <= ends:
            if waiting < fewest:
                fewest, ends = waiting, self.now() + STANDSTILL_SECONDS
                self.say(messages(waiting))
            self.sleep(_EVERY_SECONDS)
            waiting = inbound.depth()
        if waiting:
            self.say(f"{messages(waiting)}, and they become no fewer: docs/operations.md, OldestMessageAlarm")
