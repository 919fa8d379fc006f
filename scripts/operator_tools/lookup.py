"""A conversation by what an operator has in hand: a phone, an id of WhatsApp's, or the hash that stands in the logs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.application.intake.customer_ids import conversation_ids
from core.domain.messages import Sender

from .deployment import Deployment
from .errors import NoConversationError, OperatorError

_HASH = re.compile(r"[0-9a-f]{32}")
_BSUID = re.compile(r"[A-Z]{2}\.[0-9A-Za-z.]+")
_DIGITS = range(10, 16)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """`moved_from` is the id that was asked for, where the customer is known under another since."""

    conversation: str
    moved_from: str | None = None


def by_phone(deployment: Deployment, phone: str) -> Found:
    """Of a number with its country's code, a Brazilian one with or without its ninth digit. Raises `OperatorError`."""
    digits = re.sub(r"[^0-9]", "", phone)
    if len(digits) not in _DIGITS or re.search(r"[^0-9+() .\-]", phone):
        message = "that is no phone number"
        raise OperatorError(message, next_step="write it with its country's code: --phone +5511980000101")
    found = _first(deployment, _ids(deployment, Sender(phone=digits)))
    if found is None:
        message = f"there is no conversation of that phone with the number {deployment.phone_number_id}"
        tries = [] if phone.strip().startswith("+") else ["write it with its country's code, +55 for Brazil"]
        tries += ["is the IDENTITY_KEY of your environment this deployment's?"] if deployment.given_key else []
        tries += ["check the number: who has a user name only is found by --id BSUID"]
        raise NoConversationError(message, next_step="; ".join(tries))
    return found


def by_id(deployment: Deployment, identity: str) -> Found:
    """Of a conversation's hash, a customer's BSUID or a message's wamid. Raises `OperatorError`."""
    if _HASH.fullmatch(identity):
        what, found = "under that hash", _first(deployment, [identity])
    elif _BSUID.fullmatch(identity):
        what, found = "of that BSUID", _first(deployment, _ids(deployment, Sender(bsuid=identity)))
    else:
        held = deployment.pages.conversation_with(identity)
        what, found = "with a message of that id", _first(deployment, [held] if held else [])
    if found is None:
        message = f"there is no conversation {what}"
        raise NoConversationError(
            message,
            next_step="--id takes a conversation's hash, a BSUID (BR.…) or a message's wamid; items expire, too",
        )
    return found


def _ids(deployment: Deployment, sender: Sender) -> Sequence[str]:
    return conversation_ids(sender, deployment.phone_number_id, deployment.identity_key())


def _first(deployment: Deployment, ids: Sequence[str]) -> Found | None:
    pages = deployment.pages
    for each in ids:
        home = pages.home(each)
        if pages.head(home):
            return Found(conversation=home, moved_from=each if home != each else None)
    return None
