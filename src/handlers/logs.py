"""Structured logs of the whole core through one powertools logger: JSON lines, keys safe under threads."""

from __future__ import annotations

import logging
import os
import traceback
from functools import cache

from aws_lambda_powertools import Logger

from core.application.log_context import current_conversation
from handlers.metrics import MetricCollector

SERVICE = "balcao"
METRICS = MetricCollector()


@cache
def build_logger() -> Logger:
    """The doors' logger; `core.*` loggers write through its handler. Never logs an event: it holds customers' words.

    Metrics are made of events, so events are heard at INFO whatever `LOG_LEVEL` is; it says what is written. Of
    libraries, which may quote a request, nothing below a warning is.
    """
    logger = Logger(service=SERVICE, level=os.environ.get("LOG_LEVEL", "INFO"), use_rfc3339=True, utc=True)
    heard = min(logger.log_level, logging.INFO)
    console = logger.registered_handler
    console.setLevel(logger.log_level)
    console.addFilter(add_conversation)
    logger.addHandler(METRICS)
    logger.setLevel(heard)
    for name in ("core", "handlers"):
        inner = logging.getLogger(name)
        inner.handlers = list(logger.handlers)
        inner.setLevel(heard)
        inner.propagate = False
    logging.getLogger().setLevel(logging.WARNING)
    return logger


def add_conversation(record: logging.LogRecord) -> bool:
    """Names the conversation on every line that concerns one."""
    conversation = current_conversation()
    if conversation and not hasattr(record, "conversation"):
        record.conversation = conversation
    return True


def fault_fields(error: BaseException) -> dict[str, str]:
    """An unexpected error as facts: its class and where it happened. Foreign messages may quote customers."""
    frames = traceback.extract_tb(error.__traceback__)
    where = " < ".join(f"{frame.filename.rsplit('/', 1)[-1]}:{frame.lineno}" for frame in reversed(frames[-4:]))
    return {"error": type(error).__name__, "where": where}
