"""Saves a reply that does not parse: locally, else by a model that picks one reading (docs/contract.md, "Repair")."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from core.application.journal import TurnJournal
from core.application.parser import LLMResponseParseError, ParsedLLMResponse
from core.application.ports import LLMClient
from core.domain.actions import SILENT_CODES
from core.domain.deadline import Deadline
from core.domain.errors import DeadlineError, LLMError
from core.domain.ledger import CallOutcome
from core.domain.llm import CallPurpose, ModelRoute

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyRepair:
    """`instructions` are `prompts/reparo.md`; without `tries_locally` everything is left to the model."""

    llm: LLMClient
    route: ModelRoute
    instructions: str
    tries_locally: bool

    def repair(
        self, raw: str, error: LLMResponseParseError, journal: TurnJournal, deadline: Deadline, *, may_call: bool
    ) -> ParsedLLMResponse:
        """Raises the original error when the reply cannot be saved without changing it; `may_call` pays for a model."""
        from core.application.reply.local_repair import model_may_pick, repair_locally  # most replies need no repair

        if self.tries_locally and (local := repair_locally(raw)) is not None:
            journal.repair_method, journal.dropped_prefix = "local", local.dropped_prefix or None
            dropped = len(local.dropped_prefix)
            _log.info("llm_response_repair_success", extra={"method": "local", "dropped_prefix_chars": dropped})
            return local.parsed
        journal.mark_last(CallOutcome.UNPARSEABLE)
        if may_call and model_may_pick(raw):
            return self._pick_with_model(raw, error, journal, deadline)
        raise error

    def find_message(self, raw: str, parsed: ParsedLLMResponse, journal: TurnJournal) -> ParsedLLMResponse:
        """A reply that parses and says nothing after its object: what it says may stand in the object itself."""
        if not self.tries_locally or parsed.s in SILENT_CODES:
            return parsed
        from core.application.reply.local_repair import repair_locally  # most replies need no repair

        local = repair_locally(raw)
        if local is None or not local.parsed.message.strip():
            return parsed
        journal.repair_method = "local"
        _log.info("llm_response_repair_success", extra={"method": "local", "dropped_prefix_chars": 0})
        return local.parsed

    def _pick_with_model(
        self, raw: str, error: LLMResponseParseError, journal: TurnJournal, deadline: Deadline
    ) -> ParsedLLMResponse:
        from core.application.reply.repair_check import (
            RepairRejectedError,
            accept_model_repair,
            build_repair_messages,
        )

        try:
            result = self.llm.chat(
                model=self.route[0].model,
                route=self.route,
                messages=build_repair_messages(raw, error, instructions=self.instructions),
                timeout_seconds=deadline.model_seconds(),
                purpose=CallPurpose.REPAIR,
            )
            journal.called(result, self.route[0].model, CallPurpose.REPAIR)
            parsed = accept_model_repair(raw, result.raw_response)
        except RepairRejectedError as rejected:
            journal.mark_last(CallOutcome.REJECTED)
            _log.warning("llm_response_repair_failed", extra={"reason": rejected.reason})
        except DeadlineError:
            _log.warning("llm_response_repair_unavailable", extra={"failure": "deadline"})
        except LLMError as failure:
            journal.failed(failure, self.route[0].model, CallPurpose.REPAIR)
            _log.warning("llm_response_repair_unavailable", extra={"failure": failure.failure.value})
        else:
            journal.repair_method = "model"
            _log.info("llm_response_repair_success", extra={"method": "model"})
            return parsed
        raise error
