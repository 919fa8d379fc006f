"""What can go wrong, as one tree.

BalcaoError
├── BadInputError              an event that cannot be read; the reason is a fact for the log, never the content
├── IntegrationError           an outside system failed (document 002)
│   ├── LLMTimeoutError        the model did not answer in time, every attempt spent
│   ├── LLMProviderError       the provider refused or broke: "OpenAI 401: ..."
│   ├── ModelAttemptError      one request to a model failed; whoever asks decides whether another is made
│   ├── UnreadableItemError    the table holds an item that this code cannot read
│   ├── MediaError             a customer's file could not be fetched or is not fit to be heard
│   ├── FilesUnsupportedError  the channel takes no files from here
│   ├── SendRefusedError       a message surely did not arrive
│   └── SendUncertainError     a message may have arrived: never repeated blindly
├── ActionError                a reply that parses and breaks the contract: told to the agent once, then a handoff
├── AttendanceRefusedError     what an attendant asked for is not done: who has the conversation, or why
├── DeadlineError              no time is left for another model call
└── StoreConflictError         the conversation moved under a commit
    ├── NewcomerError          another message arrived since the read
    ├── TakeoverError          a person took the conversation over
    ├── OvertakenError         another worker committed first
    │   └── PartMovedError     a part that was to be cancelled is no longer pending
    └── SplitIdentityError     a customer's two identities have a conversation each
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.domain.attendant import Refusal
    from core.domain.conversation import ConversationState
    from core.domain.delivery import SendFailure
    from core.domain.llm import LLMAttempt, LLMFailure


class BalcaoError(Exception):
    """Root of the project's errors. Messages never carry personal data."""


class BadInputError(BalcaoError):
    """An event or item that cannot be used; `reason` is a snake_case fact."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class IntegrationError(BalcaoError):
    """An outside system failed."""


class UnreadableItemError(IntegrationError):
    """An item of the table is damaged, or a newer version's. `what` it is (`head`, `state`, `message`, `effect`,
    `turn`) and `reason` are facts for the log. No `BadInputError`: what came in is fine, and must not be dropped.
    """

    def __init__(self, what: str, reason: str) -> None:
        super().__init__(f"unreadable {what}: {reason}")
        self.what = what
        self.reason = reason


class LLMError(IntegrationError):
    """A model call failed; `failure` is its kind and `attempts` what was spent on it, for the ledger."""

    def __init__(self, message: str, *, failure: LLMFailure, attempts: tuple[LLMAttempt, ...] = ()) -> None:
        super().__init__(message)
        self.failure = failure
        self.attempts = attempts


class LLMTimeoutError(LLMError):
    """Every attempt timed out, or the caller's budget ran out during one."""


class LLMProviderError(LLMError):
    """The provider answered with an error, could not be reached, or gave nothing usable."""


class ModelAttemptError(IntegrationError):
    """One request to a model failed. `label` holds statuses and codes alone: providers quote keys and prompts in their
    own words. `status` is None where no answer came; the tokens are those of an answer that is of no use.
    """

    def __init__(
        self,
        label: str,
        *,
        failure: LLMFailure,
        status: int | None = None,
        request_id: str | None = None,
        retry_after_seconds: float | None = None,
        tokens_input: int = 0,
        tokens_output: int = 0,
    ) -> None:
        super().__init__(label)
        self.label = label
        self.failure = failure
        self.status = status
        self.request_id = request_id
        self.retry_after_seconds = retry_after_seconds
        self.tokens_input = tokens_input
        self.tokens_output = tokens_output


class MediaError(IntegrationError):
    """A customer's file cannot be used; `reason` is a snake_case fact."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class FilesUnsupportedError(IntegrationError):
    """This channel takes no files: nothing was given to it."""


class SendError(IntegrationError):
    """A message was not known to be sent; `code` is the provider's, when it gave one."""

    def __init__(self, message: str, *, code: int | None = None, retry_after_seconds: float | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.retry_after_seconds = retry_after_seconds


class SendRefusedError(SendError):
    """Sure not to have arrived. `failure` says what may be done about it."""

    def __init__(
        self, message: str, *, failure: SendFailure, code: int | None = None, retry_after_seconds: float | None = None
    ) -> None:
        super().__init__(message, code=code, retry_after_seconds=retry_after_seconds)
        self.failure = failure


class SendUncertainError(SendError):
    """The request was written and no answer came: the message may have arrived."""


class ErpError(IntegrationError):
    """The ERP did not do what it was asked. `label` holds statuses and names of fields alone. `lasting`: it would say
    the same of the same request again; `gone`: what the request speaks of was deleted there; `missing`: it never was
    there; `busy`: nothing was asked, or it was asked to wait.
    """

    def __init__(
        self, label: str, *, lasting: bool = False, gone: bool = False, missing: bool = False, busy: bool = False
    ) -> None:
        super().__init__(label)
        self.label = label
        self.lasting = lasting
        self.gone = gone
        self.missing = missing
        self.busy = busy


class ActionError(BalcaoError):
    """A fault of shape or state (document 004's typed error): goes back to the agent as an observation.

    Said again it is the handoff `llm_invalid_contract`. `reason` is Portuguese, for the agent. `kept` is the state with
    what was good in the faulty reply, to go on from.
    """

    def __init__(
        self, kind: str, *, field: str | None = None, reason: str = "", kept: ConversationState | None = None
    ) -> None:
        super().__init__(f"{kind}: {field or ''} {reason}".strip())
        self.kind = kind
        self.field = field
        self.reason = reason
        self.kept = kept


class AttendanceRefusedError(BalcaoError):
    """What an attendant asked for is not done; `owner` and `owner_name` are who has the conversation, where anybody."""

    def __init__(self, reason: Refusal, *, owner: str | None = None, owner_name: str | None = None) -> None:
        super().__init__(reason.value)
        self.reason = reason
        self.owner = owner
        self.owner_name = owner_name


class DeadlineError(BalcaoError):
    """The turn has no budget for another model call."""


class StoreConflictError(BalcaoError):
    """The conversation moved between the read and the commit."""


class NewcomerError(StoreConflictError):
    """`in_rev` moved: a message arrived that this answer does not know."""


class TakeoverError(StoreConflictError):
    """The mode is no longer `bot`: the reply is dropped."""


class OvertakenError(StoreConflictError):
    """`ver` moved: another worker's commit won."""


class SplitIdentityError(StoreConflictError):
    """The phone and the BSUID of a message lead to different conversations: they must be joined first."""


class PartMovedError(OvertakenError):
    """A part that the commit cancels is being sent or was: read again."""
