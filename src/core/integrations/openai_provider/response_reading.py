"""What a `Response` says. Fields are read defensively: the SDK builds its models without validating them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.domain.llm import LLMCallResult, LLMFailure
from core.integrations.openai_provider.failures import Fault, failure_of_code, safe_identifier

if TYPE_CHECKING:
    from openai.types.responses import Response


class UnusableResponseError(Exception):
    """A 200 that answers nothing; `fault` says how, `usage` what it cost all the same."""

    def __init__(self, fault: Fault, usage: Usage) -> None:
        super().__init__(fault.label)
        self.fault = fault
        self.usage = usage


class Usage:
    """Token counts of a response, zero where it gives none."""

    __slots__ = ("cached", "input", "missing", "output", "reasoning")

    def __init__(self, raw: Any) -> None:
        self.input = _count(raw, "input_tokens")
        self.output = _count(raw, "output_tokens")
        self.cached = min(_count(getattr(raw, "input_tokens_details", None), "cached_tokens"), self.input)
        self.reasoning = min(_count(getattr(raw, "output_tokens_details", None), "reasoning_tokens"), self.output)
        self.missing = raw is None


def read_response(response: Response, *, model: str, latency_ms: int) -> LLMCallResult:
    """The final answer's text and its telemetry.

    Raises `UnusableResponseError` for what is not completed, refused or empty. Only items whose `phase` is
    `final_answer` or absent count: `output_text` would join the commentary, and the commentary's JSON could win.
    """
    usage = Usage(getattr(response, "usage", None))
    request_id = getattr(response, "_request_id", None)
    _require_completed(response, usage, request_id)
    texts, refused = _final_parts(response)
    if refused:
        raise UnusableResponseError(_fault(LLMFailure.REFUSED, "refused", request_id), usage)
    text = "".join(texts)
    if not text.strip():
        raise UnusableResponseError(_fault(LLMFailure.EMPTY, "empty output", request_id), usage)
    return LLMCallResult(
        raw_response=text,
        model=getattr(response, "model", None) or model,
        tokens_input=usage.input,
        tokens_output=usage.output,
        latency_ms=latency_ms,
        tokens_cached=usage.cached,
        tokens_reasoning=usage.reasoning,
        usage_missing=usage.missing,
        request_id=request_id,
    )


def _require_completed(response: Response, usage: Usage, request_id: str | None) -> None:
    if not hasattr(response, "output"):  # a proxy's HTML page comes back as a plain string
        raise UnusableResponseError(_fault(LLMFailure.SERVER_ERROR, "no response object", request_id, True), usage)
    status = getattr(response, "status", None)
    if status in ("completed", None):
        return
    if status == "failed":
        code = safe_identifier(getattr(getattr(response, "error", None), "code", None)) or None
        failure = failure_of_code(code)
        label = f"failed: {code or 'no code'}"
        raise UnusableResponseError(_fault(failure, label, request_id, failure is LLMFailure.SERVER_ERROR), usage)
    why = safe_identifier(getattr(getattr(response, "incomplete_details", None), "reason", None)) or str(status)
    failure = LLMFailure.REFUSED if why == "content_filter" else LLMFailure.INCOMPLETE
    raise UnusableResponseError(_fault(failure, f"{failure}: {why}", request_id), usage)


def _final_parts(response: Response) -> tuple[list[str], bool]:
    """The text of each final item, one that is given twice only once; and whether any refuses."""
    texts: list[str] = []
    refused = False
    for item in response.output or ():
        if getattr(item, "type", None) != "message" or getattr(item, "phase", None) not in (None, "final_answer"):
            continue
        said = ""
        for part in getattr(item, "content", None) or ():
            kind = getattr(part, "type", None)
            if kind == "output_text":
                said += getattr(part, "text", None) or ""
            refused = refused or kind == "refusal"
        if said not in texts:
            texts.append(said)
    return texts, refused


def _fault(failure: LLMFailure, label: str, request_id: str | None, repeat: bool = False) -> Fault:
    event = "llm_5xx" if failure is LLMFailure.SERVER_ERROR else "llm_4xx"
    return Fault(failure=failure, label=label, repeat=repeat, event=event, status=200, request_id=request_id)


def _count(raw: Any, name: str) -> int:
    value = getattr(raw, name, None)
    return value if isinstance(value, int) and value > 0 else 0
