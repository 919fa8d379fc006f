"""`MediaFetcher` over the Graph API: a media id's address, then its bytes, both with the access token."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote, urlsplit

import httpx2

from core.channels.whatsapp.inbound.tolerant_json import as_code, as_number, as_object, as_text, read_object
from core.domain.errors import BadInputError, IntegrationError, MediaError
from core.domain.media import MediaFile
from core.integrations.http_client.deadline_client import deadline

_ANSWER_BYTES = 64 * 1024
# Where Meta keeps files. The token goes nowhere else, whatever an answer says.
_HOSTS = (".fbsbx.com", ".facebook.com", ".whatsapp.net", ".fbcdn.net")
_AUTH_CODES = (0, 190)


class GraphMediaFetcher:
    """`token(refetch)` gives the access token, read anew when `refetch`: once, for a token that was refused.

    Connections live for one file. Times bound the whole fetch, a server that drips bytes included.
    """

    def __init__(
        self,
        *,
        base_url: str,
        api_version: str,
        token: Callable[[bool], str],
        new_client: Callable[[], httpx2.Client],
    ) -> None:
        self._base = urlsplit(base_url)
        self._root = f"{base_url.rstrip('/')}/{api_version.strip('/')}"
        self._token = token
        self._new_client = new_client

    def fetch(self, media_id: str, *, phone_number_id: str, max_bytes: int, timeout_seconds: float) -> MediaFile:
        """See `MediaFetcher.fetch`."""
        try:
            with deadline(timeout_seconds), self._new_client() as client:
                return self._fetch(client, media_id, phone_number_id, max_bytes)
        except (httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL):
            raise MediaError("not_reached") from None
        except MediaError:
            raise
        except IntegrationError:
            raise MediaError("token_unreadable") from None

    def _fetch(self, client: httpx2.Client, media_id: str, phone_number_id: str, max_bytes: int) -> MediaFile:
        about = f"{self._root}/{quote(media_id, safe='')}?phone_number_id={quote(phone_number_id, safe='')}"
        token = self._token(False)
        try:
            status, body = self._get(client, about, token, _ANSWER_BYTES)
            if _is_unauthorised(status, body):
                token = self._token(True)
                status, body = self._get(client, about, token, _ANSWER_BYTES)
            answer = read_object(body)
        except BadInputError:
            raise MediaError("answer_unreadable") from None
        url, size = as_text(answer.get("url"), 4096), as_number(answer.get("file_size"))
        if status != 200 or url is None:
            raise MediaError("gone" if status in {404, 400} else "refused")
        if size is not None and size > max_bytes:
            raise MediaError("too_large")
        status, content = self._get(client, self._check_trusted(url), token, max_bytes)
        if status != 200 or not content:
            raise MediaError("download_refused")
        return MediaFile(content=content, mime_type=as_text(answer.get("mime_type"), 128) or "")

    def _get(self, client: httpx2.Client, url: str, token: str, most: int) -> tuple[int, bytes]:
        headers = {"authorization": f"Bearer {token.strip()}", "user-agent": "balcao"}
        content = bytearray()
        with client.stream("GET", url, headers=headers) as response:
            for chunk in response.iter_bytes():
                content += chunk
                if len(content) > most:
                    raise MediaError("too_large")
            return response.status_code, bytes(content)

    def _check_trusted(self, url: str) -> str:
        found = urlsplit(url)
        ours = (found.scheme, found.netloc) == (self._base.scheme, self._base.netloc)
        if ours or (found.scheme == "https" and f".{found.hostname or ''}".endswith(_HOSTS)):
            return url
        raise MediaError("address_not_trusted")


def _is_unauthorised(status: int, body: bytes) -> bool:
    if status == 401:
        return True
    if status < 400:
        return False
    try:
        return as_code(as_object(read_object(body).get("error")).get("code")) in _AUTH_CODES
    except BadInputError:
        return False
