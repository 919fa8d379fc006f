"""What Meta's Graph API tells of a business's own account: token, app, number, subscriptions, templates.

GET /{version}/debug_token?input_token=...            with a token of the app, or `app id|app secret`
GET /{version}/{phone number id}?fields=...
GET /{version}/{account id}/phone_numbers | subscribed_apps | message_templates?name=...
GET /{version}/{app id}/subscriptions                 with `app id|app secret` alone
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .http_standin import Request

APP_ID = "770000000000123"
ACCOUNT_ID = "550000000000321"
SCOPES = ("whatsapp_business_management", "whatsapp_business_messaging")

_PATH = re.compile(r"/v\d+\.\d+/(?P<object>[\w-]+)(?:/(?P<edge>\w+))?")


@dataclass(slots=True, kw_only=True)
class GraphAccount:
    """An account in order, whose faults are set by name. `access_token` None takes any."""

    access_token: str | None
    phone_number_id: str
    display_phone_number: str
    app_secret: str = ""
    callback_url: str = ""
    expires_at: int = 0  # never
    scopes: tuple[str, ...] = SCOPES
    fields: tuple[str, ...] = ("messages",)
    is_subscribed: bool = True
    number: dict[str, Any] = field(default_factory=dict)
    templates: tuple[dict[str, Any], ...] = ()

    def answer(self, request: Request) -> dict[str, Any] | None:
        """The body of an answer; None where this is none of its paths. Raises `GraphError`."""
        match = _PATH.fullmatch(request.path)
        if request.method != "GET" or match is None:
            return None
        token = _token_of(request)
        if match["object"] == "debug_token":
            return self._debug_token(request, token)
        if match["object"] == APP_ID and match["edge"] == "subscriptions":
            return self._subscriptions(token)
        self._check(token)
        if match["object"] == self.phone_number_id and match["edge"] is None:
            return self._number(request)
        edges: Mapping[str, Callable[[Request], list[dict[str, Any]]]] = {
            "phone_numbers": lambda asked: [self._number(asked)],
            "subscribed_apps": lambda _: self._subscribed(),
            "message_templates": self._templates,
        }
        if match["object"] == ACCOUNT_ID and match["edge"] in edges:
            return {"data": edges[match["edge"]](request)}
        raise GraphError(100, f"Object with ID '{match['object']}' does not exist", subcode=33)

    def _check(self, token: str) -> None:
        if not token or self.access_token not in (None, token):
            raise GraphError(190, "Invalid OAuth access token - Cannot parse access token")

    def _debug_token(self, request: Request, token: str) -> dict[str, Any]:
        if token != self._app_token():
            self._check(token)
        asked = request.query.get("input_token", [""])[0]
        if self.access_token not in (None, asked):
            return {"data": {"is_valid": False, "error": {"code": 190, "message": "Invalid OAuth access token"}}}
        told = {"app_id": APP_ID, "type": "SYSTEM_USER", "is_valid": True, "expires_at": self.expires_at}
        granular = [{"scope": scope, "target_ids": [ACCOUNT_ID]} for scope in self.scopes]
        return {"data": told | {"scopes": list(self.scopes), "granular_scopes": granular}}

    def _app_token(self) -> str:
        return f"{APP_ID}|{self.app_secret}"

    def _subscriptions(self, token: str) -> dict[str, Any]:
        if token != self._app_token():
            raise GraphError(190, "Error validating application. Cannot get application info")
        fields = [{"name": name, "version": "v24.0"} for name in self.fields]
        told = {"object": "whatsapp_business_account", "callback_url": self.callback_url, "active": True}
        return {"data": [told | {"fields": fields}] if self.callback_url else []}

    def _number(self, request: Request) -> dict[str, Any]:
        known: dict[str, Any] = {
            "id": self.phone_number_id,
            "display_phone_number": self.display_phone_number,
            "verified_name": "Balcão",
            "quality_rating": "GREEN",
            "status": "CONNECTED",
            "platform_type": "CLOUD_API",
            "throughput": {"level": "STANDARD"},
        } | self.number
        asked = request.query.get("fields", [""])[0]
        names = {"id", *(asked.split(",") if asked else ("display_phone_number", "verified_name", "quality_rating"))}
        return {name: value for name, value in known.items() if name in names}

    def _subscribed(self) -> list[dict[str, Any]]:
        return [{"whatsapp_business_api_data": {"id": APP_ID, "name": "Balcão"}}] if self.is_subscribed else []

    def _templates(self, request: Request) -> list[dict[str, Any]]:
        name = request.query.get("name", [""])[0]
        return [template for template in self.templates if name in template["name"]]


class GraphError(Exception):
    """An error object of Meta's."""

    def __init__(self, code: int, details: str, *, subcode: int | None = None) -> None:
        super().__init__(details)
        self.code = code
        self.details = details
        self.subcode = subcode


def _token_of(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token if scheme == "Bearer" else request.query.get("access_token", [""])[0]
