"""The company's ERP, where it has one."""

from __future__ import annotations

from typing import Any

from core.application.ports import Erp
from core.config.secrets import SecretSource
from core.config.settings import EgestorSettings
from core.domain.quote import Quote
from core.integrations.wiring.channel import http_clients


def build_erp(settings: EgestorSettings | None, secrets: SecretSource) -> Erp | None:
    """None: quotes are not made. Otherwise its parts are imported by the first quote that is: the sweep's."""
    return None if settings is None else _OnFirstUse(settings, secrets)


class _OnFirstUse:
    """One for each environment: it keeps the access token, and how much was asked in the last minute."""

    def __init__(self, settings: EgestorSettings, secrets: SecretSource) -> None:
        self._settings = settings
        self._secrets = secrets
        self._erp: Any = None

    def contact(self, quote: Quote, *, timeout_seconds: float, anew: bool = False) -> int:
        """See `Erp.contact`."""
        return int(self._made().contact(quote, timeout_seconds=timeout_seconds, anew=anew))

    def quote(self, quote: Quote, contact: int, *, timeout_seconds: float) -> int:
        """See `Erp.quote`."""
        return int(self._made().quote(quote, contact, timeout_seconds=timeout_seconds))

    def _made(self) -> Any:
        if self._erp is None:
            from core.integrations.egestor.api import EgestorApi
            from core.integrations.egestor.erp import EgestorErp

            api = EgestorApi(
                base_url=self._settings.base_url, personal_token=self._personal_token, new_client=http_clients()
            )
            self._erp = EgestorErp(api)
        return self._erp

    def _personal_token(self, refetch: bool) -> str:
        read = self._secrets.refresh if refetch else self._secrets.get
        return read("EGESTOR_PERSONAL_TOKEN")
