"""Saves a reply that does not parse: locally, else with exactly one model call (docs/contract.md, "Repair")."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from core.application.journal import TurnJournal
from core.application.parser import LLMResponseParseError, ParsedLLMResponse
from core.application.ports import LLMClient
from core.domain.deadline import Deadline
from core.domain.errors import DeadlineError, LLMError
from core.domain.ledger import CallOutcome
from core.domain.llm import CallPurpose

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyRepair:
    """`instructions` are `prompts/reparo.md`; without `tries_locally` everything is left to the model."""

    llm: LLMClient
    model: str
    instructions: str
    tries_locally: bool

    def repair(
        self, raw: str, error: LLMResponseParseError, journal: TurnJournal, deadline: Deadline
    ) -> ParsedLLMResponse:
        """Raises the original error when neither way saves the reply without changing it."""
        from core.application.reply.local_repair import (  # most replies need no repair
            RepairRejectedError,
            repair_locally,
        )

        if self.tries_locally and (local := repair_locally(raw)) is not None:
            journal.repair_method, journal.dropped_prefix = "local", local.dropped_prefix or None
            dropped = len(local.dropped_prefix)
            _log.info("llm_response_repair_success", extra={"method": "local", "dropped_prefix_chars": dropped})
            return local.parsed
        journal.mark_last(CallOutcome.UNPARSEABLE)
        try:
            return self._with_model(raw, error, journal, deadline)
        except RepairRejectedError as rejected:
            journal.mark_last(CallOutcome.REJECTED)
            _log.warning("llm_response_repair_failed", extra={"reason": rejected.reason})
        except DeadlineError:
            _log.warning("llm_response_repair_unavailable", extra={"failure": "deadline"})
        except LLMError as failure:
            journal.failed(failure, self.model, CallPurpose.REPAIR)
            _log.warning("llm_response_repair_unavailable", extra={"failure": failure.failure.value})
        raise error

    def _with_model(
        self, raw: str, error: LLMResponseParseError, journal: TurnJournal, deadline: Deadline
    ) -> ParsedLLMResponse:
        from core.application.reply.local_repair import accept_model_repair, build_repair_messages

        result = self.llm.chat(
            model=self.model,
            messages=build_repair_messages(raw, error, instructions=self.instructions),
            timeout_seconds=deadline.model_seconds(),
            purpose=CallPurpose.REPAIR,
        )
        journal.called(result, self.model, CallPurpose.REPAIR)
        parsed = accept_model_repair(raw, result.raw_response)
        journal.repair_method = "model"
        _log.info("llm_response_repair_success", extra={"method": "model"})
        return parsed
