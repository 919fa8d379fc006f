"""What a `Response` says. Fields are read defensively: the SDK builds its models without validating them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.domain.llm import LLMCallResult, LLMFailure
from core.integrations.model_calls.answer_made import AnswerMade
from core.integrations.model_calls.faults import safe_identifier
from core.integrations.model_calls.usage import Usage
from core.integrations.openai_sdk.failures import failure_of_code

if TYPE_CHECKING:
    from openai.types.responses import Response


def read_response(response: Response, *, model: str) -> LLMCallResult:
    """The final answer's text and its telemetry.

    Raises `ModelAttemptError` for what is not completed, refused or empty. Only items whose `phase` is `final_answer`
    or absent count: `output_text` would join the commentary, and the commentary's JSON could win.
    """
    made = AnswerMade(_usage(getattr(response, "usage", None)), getattr(response, "_request_id", None))
    _require_completed(response, made)
    texts, refused = _final_parts(response)
    if refused:
        raise made.unusable(LLMFailure.REFUSED, "refused")
    return made.result("".join(texts), asked=model, returned=getattr(response, "model", None))


def _usage(raw: Any) -> Usage:
    if raw is None:
        return Usage()
    details = getattr(raw, "input_tokens_details", None)
    return Usage.told(
        input=getattr(raw, "input_tokens", None),
        output=getattr(raw, "output_tokens", None),
        cached=getattr(details, "cached_tokens", None),
        cache_written=getattr(details, "cache_write_tokens", None),
        reasoning=getattr(getattr(raw, "output_tokens_details", None), "reasoning_tokens", None),
    )


def _require_completed(response: Response, made: AnswerMade) -> None:
    if not hasattr(response, "output"):  # a proxy's HTML page comes back as a plain string
        raise made.unusable(LLMFailure.SERVER_ERROR, "no response object")
    status, error = getattr(response, "status", None), getattr(response, "error", None)
    if status == "completed" or (status is None and error is None):
        if not isinstance(response.output, list):
            raise made.unusable(LLMFailure.SERVER_ERROR, "no output")
        return
    if status == "failed" or error is not None:
        code = safe_identifier(getattr(error, "code", None)) or None
        raise made.unusable(failure_of_code(code), f"failed: {code or 'no code'}")
    if not isinstance(status, str):
        raise made.unusable(LLMFailure.SERVER_ERROR, "no status")
    why = safe_identifier(getattr(getattr(response, "incomplete_details", None), "reason", None)) or status
    failure = LLMFailure.REFUSED if why == "content_filter" else LLMFailure.INCOMPLETE
    raise made.unusable(failure, f"{failure}: {why}")


def _final_parts(response: Response) -> tuple[list[str], bool]:
    """The text of each final item, one that is given twice only once; and whether any refuses."""
    texts: list[str] = []
    refused = False
    for item in response.output:
        if getattr(item, "type", None) != "message" or getattr(item, "phase", None) not in (None, "final_answer"):
            continue
        said = ""
        content = getattr(item, "content", None)
        for part in content if isinstance(content, list) else ():
            kind, text = getattr(part, "type", None), getattr(part, "text", None)
            if kind == "output_text" and isinstance(text, str):
                said += text
            refused = refused or kind == "refusal"
        if said not in texts:
            texts.append(said)
    return texts, refused
