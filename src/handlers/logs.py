"""Structured logs of the whole core through one powertools logger: JSON lines, keys safe under threads."""

from __future__ import annotations

import logging
import os
import traceback

from aws_lambda_powertools import Logger

SERVICE = "balcao"


def build_logger() -> Logger:
    """The door's logger; `core.*` loggers write through its handler. Never logs an event: it holds customers' words."""
    logger = Logger(service=SERVICE, level=os.environ.get("LOG_LEVEL", "INFO"))
    for name in ("core", "handlers"):
        inner = logging.getLogger(name)
        inner.handlers = list(logger.handlers)
        inner.setLevel(logger.log_level)
        inner.propagate = False
    return logger


def fault_fields(error: BaseException) -> dict[str, str]:
    """An unexpected error as facts: its class and where it happened. Foreign messages may quote customers."""
    frames = traceback.extract_tb(error.__traceback__)
    where = " < ".join(f"{frame.filename.rsplit('/', 1)[-1]}:{frame.lineno}" for frame in reversed(frames[-4:]))
    return {"error": type(error).__name__, "where": where}
