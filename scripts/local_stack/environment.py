"""What child processes see. A user's own accounts (AWS_*, OPENAI_*) never reach them."""

from __future__ import annotations

import os
from pathlib import Path

from .places import HOME

REGION = "us-east-1"
# Whoever runs the emulator needs an account number; nobody checks it.
ACCESS_KEY = "000000000000"
SECRET_KEY = "local"  # noqa: S105 - a word that the emulator ignores

_ACCOUNTS = ("AWS_", "OPENAI_", "ANTHROPIC_", "CHAT_COMPLETIONS_", "SAM_CLI_", "SAMCLI_")
_OTHER_PYTHONS = ("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "VIRTUAL_ENV", "CONDA_PREFIX", "__PYVENV_LAUNCHER__")
_MACHINE_CERTIFICATES = ("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt")
_PLAIN = ("LANG", "LC_ALL", "TZ", "TERM")
# What a process needs to reach the internet from here.
_ROUTE = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE")


def forget_user_accounts() -> str:
    """Drop the accounts from this process too, so that no client made here can reach one. Returns OPENAI_API_KEY."""
    key = os.environ.get("OPENAI_API_KEY", "")
    for name in [name for name in os.environ if name.startswith(_ACCOUNTS)]:
        del os.environ[name]
    return key


def downloading_environment() -> dict[str, str]:
    """The user's own (proxies, certificates, package indexes), less accounts and other Pythons."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(_ACCOUNTS) and name not in _OTHER_PYTHONS
    }
    # as in the Makefile: a company's proxy signs with a certificate that only the machine knows
    return {"UV_SYSTEM_CERTS": str(any(Path(bundle).exists() for bundle in _MACHINE_CERTIFICATES)).lower()} | kept


def closed_environment(*, first_on_path: Path, scratch: Path, reach_internet: bool = False) -> dict[str, str]:
    """Only what is listed here."""
    kept = {name: os.environ[name] for name in _PLAIN if name in os.environ}
    if reach_internet:
        names = (*_ROUTE, *(name.lower() for name in _ROUTE))
        kept |= {name: os.environ[name] for name in names if name in os.environ}
        kept["NO_PROXY"] = kept["no_proxy"] = "127.0.0.1,localhost"
    path = f"{first_on_path}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    return kept | {"PATH": path, "HOME": str(HOME), "TMPDIR": str(scratch)}


def emulated_account(endpoint: str) -> dict[str, str]:
    """An account that exists only at `endpoint`; files and metadata services with other ones are not looked at."""
    return {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": ACCESS_KEY,
        "AWS_SECRET_ACCESS_KEY": SECRET_KEY,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_REGION": REGION,
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_EC2_METADATA_DISABLED": "true",
    }
