"""What Meta says of the token, the app, the number and the webhook.

Sources: Graph API reference (debug_token, application/subscriptions, whats-app-business-account/subscribed_apps),
WhatsApp Business Phone Number API. The account is found by the token's own permissions, or named with --waba.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from core.config.loader import app_secrets
from core.config.secrets import clean_secret
from deployment.web import request

from .deployed import Deployed
from .results import Area, Check, Result

_META = Area("meta")
NEEDED_SCOPES = ("whatsapp_business_messaging", "whatsapp_business_management")
_NUMBER_FIELDS = "display_phone_number,verified_name,quality_rating,status,platform_type,throughput"
_OBJECT = "whatsapp_business_account"
_SOON_DAYS = 30
_RENEW = "make a system user's token that does not expire, and put it with scripts/deploy.py --put-secrets"


class MetaChecks:
    """Asks with the deployed token, at the deployed address. `waba`: the account's id, where the token tells none."""

    def __init__(self, deployed: Deployed, waba: str = "") -> None:
        self._deployed = deployed
        variables = deployed.variables
        self._base = f"{variables.get('WHATSAPP_API_BASE_URL', '')}/{variables.get('WHATSAPP_API_VERSION', '')}"
        self._number = variables.get("WHATSAPP_PHONE_NUMBER_ID", "")
        self._token = clean_secret(deployed.secret("WHATSAPP_ACCESS_TOKEN"))
        self._app = ""
        self._accounts = [waba] if waba else []

    def checks(self) -> list[tuple[Area, str, Check]]:
        """In an order that matters: the token tells the app and the account."""
        if not self._deployed.is_on("WHATSAPP_ENABLED"):
            return [(_META, "Meta", lambda: iter([_META.skipped("Meta", "WHATSAPP_ENABLED is false")]))]
        if self._deployed.variables.get("WHATSAPP_TRANSPORT") == "aws_social":
            skipped = _META.skipped("Meta", "messages take the road of AWS End User Messaging")
            return [(_META, "Meta", lambda: iter([skipped]))]
        return [
            (_META, "token", self.token),
            (_META, "number", self.number),
            (_META, "app secret", self.app),
            (_META, "account", self.account),
        ]

    def token(self) -> Iterator[Result]:
        """Valid, for good, and with the two permissions that it takes."""
        answer = self._get("debug_token", self._token, input_token=self._token)
        told = answer.get("data", {})
        if not told.get("is_valid"):
            yield _META.fault("token", _error(answer) or _error(told) or "Meta calls it invalid", _RENEW)
            return
        self._app = str(told.get("app_id", ""))
        yield self._expiry(int(told.get("expires_at") or 0))
        missing = [scope for scope in NEEDED_SCOPES if scope not in told.get("scopes", ())]
        mend = f"make the token anew with {' and '.join(NEEDED_SCOPES)}"
        yield _META.judged("permissions", f"without {', '.join(missing)}" if missing else "", mend)
        granted = [each for each in told.get("granular_scopes", ()) if each.get("scope") == NEEDED_SCOPES[1]]
        self._accounts += [str(target) for each in granted for target in each.get("target_ids", ())]

    def number(self) -> Iterator[Result]:
        """The token may use it, and it is connected."""
        answer = self._get(self._number, self._token, fields=_NUMBER_FIELDS)
        mend = "WHATSAPP_PHONE_NUMBER_ID is the id that Meta's page shows under the number, of the token's own account"
        if fault := _error(answer):
            yield _META.fault("number", fault, mend)
            return
        shown = f"{answer.get('display_phone_number', '?')} ({answer.get('verified_name', '?')})"
        status = answer.get("status", "CONNECTED")
        mend = "register the number in the WhatsApp Manager; a blocked account: its Quality page"
        yield _META.judged("number", "" if status == "CONNECTED" else f"{shown} is {status}", mend, found=shown)
        quality = str(answer.get("quality_rating", "UNKNOWN"))
        mend = "customers block or report it: see what it sends first, before Meta lowers its limit"
        yield _META.judged("quality", quality if quality == "RED" else "", mend, found=quality)

    def app(self) -> Iterator[Result]:
        """The app secret is this app's, and the app sends messages to this webhook."""
        if not self._app:
            yield _META.skipped("app secret", "the token tells no app")
            return
        for number, secret in enumerate(app_secrets(self._deployed.secret("WHATSAPP_APP_SECRET")), 1):
            about = "app secret" if number == 1 else f"app secret {number}"
            answer = self._get(f"{self._app}/subscriptions", f"{self._app}|{secret}")
            if fault := _error(answer):
                mend = "copy it from the app's settings (Basic); with a wrong one every message is refused"
                yield _META.fault(about, fault, mend)
                continue
            yield _META.fine(about, f"of app {self._app}")
            if number == 1:
                yield self._subscription(answer)

    def account(self) -> Iterator[Result]:
        """The account of the number sends its messages to this app, and has the template that is named."""
        account = self._account_of_number()
        if not account:
            yield _META.skipped("account", "not found by the token: name it with --waba")
            return
        answer = self._get(f"{account}/subscribed_apps", self._token)
        apps = [str(each.get("whatsapp_business_api_data", {}).get("id", "")) for each in answer.get("data", ())]
        fault = _error(answer) or ("" if self._app in apps else "the account's messages do not go to this app")
        mend = f"POST {self._base}/{account}/subscribed_apps with the token"
        yield _META.judged("account subscribed", fault, mend, found=account)
        yield from self._template(account)

    def _expiry(self, expires_at: int) -> Result:
        if not expires_at:
            return _META.fine("token", "valid, does not expire")
        days = (datetime.fromtimestamp(expires_at, UTC) - datetime.now(UTC)).days
        fault = f"expires in {days} days" if days < _SOON_DAYS else ""
        return _META.judged("token", fault, _RENEW, found=f"valid for {days} days")

    def _subscription(self, answer: Mapping[str, Any]) -> Result:
        mine = next((each for each in answer.get("data", ()) if each.get("object") == _OBJECT), None)
        mend = f"WhatsApp > Configuration > Webhook: {self._deployed.webhook}, field `messages`"
        if mine is None or not mine.get("active", True):
            return _META.fault("app subscribed", "the app sends no messages anywhere", mend)
        if mine.get("callback_url") != self._deployed.webhook:
            return _META.fault("app subscribed", f"it sends them to {mine.get('callback_url')}", mend)
        fields = [each.get("name") if isinstance(each, dict) else each for each in mine.get("fields", ())]
        fault = "" if "messages" in fields else "the field `messages` is not subscribed"
        return _META.judged("app subscribed", fault, mend, found=", ".join(map(str, fields)))

    def _account_of_number(self) -> str:
        for account in dict.fromkeys(self._accounts):
            answer = self._get(f"{account}/phone_numbers", self._token)
            if any(str(each.get("id")) == self._number for each in answer.get("data", ())):
                return account
        return ""

    def _template(self, account: str) -> Iterator[Result]:
        name, _, language = self._deployed.variables.get("WHATSAPP_TEMPLATE", "").partition(":")
        if not name:
            yield _META.skipped("template", "WHATSAPP_TEMPLATE is empty: outside 24 h people take over")
            return
        answer = self._get(f"{account}/message_templates", self._token, name=name)
        found = [
            str(each.get("status"))
            for each in answer.get("data", ())
            if each.get("name") == name and language in ("", each.get("language"))
        ]
        fault = _error(answer) or (
            "" if "APPROVED" in found else ", ".join(found) or "the account has no such template"
        )
        yield _META.judged("template", fault, "WHATSAPP_TEMPLATE=name:language of an approved one", found=name)

    def _get(self, path: str, token: str, **query: str) -> dict[str, Any]:
        headers = {"authorization": f"Bearer {token}"}
        told = request("GET", f"{self._base}/{path}", query=query, headers=headers).json()
        return told if isinstance(told, dict) else {}


def _error(answer: Mapping[str, Any]) -> str:
    """Meta's own words, with the code that its pages explain; they name no token."""
    error = answer.get("error")
    if not isinstance(error, dict):
        return ""
    details = (error.get("error_data") or {}).get("details") if isinstance(error.get("error_data"), dict) else ""
    return f"{error.get('code')}: {details or error.get('message', '')}"
