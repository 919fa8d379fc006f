"""Who calls: a bearer token of a machine's, or the cookie that the page's log-in has set; and from where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aws_lambda_powertools.shared.cookies import Cookie, SameSite

COOKIE = "__Host-balcao"
COOKIE_SECONDS = 12 * 3600
_TOKEN_CHARACTERS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the door looks at before any route does: names of headers are lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    cookies: tuple[str, ...]
    body: str | None
    is_base64: bool

    @property
    def changes(self) -> bool:
        """Whether it asks for more than to read."""
        return self.method not in ("GET", "HEAD")

    @property
    def bearer(self) -> str | None:
        """A machine's token."""
        kind, _, token = self.headers.get("authorization", "").partition(" ")
        return token.strip() if kind.lower() == "bearer" and _usable(token.strip()) else None

    @property
    def cookie(self) -> str | None:
        """The page's token."""
        for pair in self.cookies:
            name, _, value = pair.strip().partition("=")
            if name == COOKIE and _usable(value):
                return value
        return None

    @property
    def cross_site(self) -> bool:
        """Whether another site's page may have made it: browsers say so; what is no browser sends no such header."""
        site = self.headers.get("sec-fetch-site")
        if site is not None:
            return site not in ("same-origin", "none")
        origin = self.headers.get("origin")
        return origin is not None and origin.partition("://")[2] != self.headers.get("host", "")


def request_of(event: Mapping[str, Any]) -> Request:
    """API Gateway's payload 2.0; whatever is missing or odd is empty."""
    context = event.get("requestContext")
    http = context.get("http") if isinstance(context, Mapping) else None
    http = http if isinstance(http, Mapping) else {}
    headers = event.get("headers")
    named = headers.items() if isinstance(headers, Mapping) else ()
    lowered = {str(name).lower(): str(value) for name, value in named}
    cookies = event.get("cookies")
    listed = [str(each) for each in cookies] if isinstance(cookies, list) else lowered.get("cookie", "").split(";")
    body = event.get("body")
    return Request(
        method=str(http.get("method", "GET")).upper(),
        path=str(event.get("rawPath") or "/"),
        headers=lowered,
        cookies=tuple(listed),
        body=body if isinstance(body, str) else None,
        is_base64=event.get("isBase64Encoded") is True,
    )


def cookie_of(token: str) -> Cookie:
    """For the host alone, out of scripts' reach, and never sent from another site; without a token it is dropped."""
    return Cookie(
        name=COOKIE,
        value=token,
        path="/",
        secure=True,
        http_only=True,
        same_site=SameSite.STRICT_MODE,
        max_age=COOKIE_SECONDS if token else 0,
    )


def _usable(token: str) -> bool:
    return 0 < len(token) <= _TOKEN_CHARACTERS and token.isascii() and token.isprintable() and " " not in token
