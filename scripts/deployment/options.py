"""The command line of scripts/deploy.py."""

from __future__ import annotations

import argparse
from pathlib import Path

from local_stack.places import ROOT

STACK = "balcao"
_EPILOG = """\
examples:
  .venv/bin/python scripts/deploy.py --dry-run                       what would change, and nothing else
  .venv/bin/python scripts/deploy.py --env prod --put-secrets --generate-identity-key     the first time
  .venv/bin/python scripts/deploy.py --env prod                      a new version, or other settings
  .venv/bin/python scripts/deploy.py --env prod --put-secrets        new values of secrets, from .env.prod
  .venv/bin/python scripts/deploy.py --env prod --rollback           the version before, with its settings

exit status: 0 deployed, rolled back, nothing to change or dry run done; 1 settings or files are wrong, nothing was
touched; 2 wrong command line; 3 not confirmed, nothing was deployed; 4 AWS, the build or the smoke check failed.

It uses the account of your AWS credentials, and says which before it does anything. docs/go-live.md leads from no
account to the first conversation.
"""


def parser() -> argparse.ArgumentParser:
    """See --help."""
    made = argparse.ArgumentParser(
        prog="scripts/deploy.py",
        description="Deploys template.yaml with the settings of .env: checks, shows what would change, asks, deploys, "
        "and sees whether it answers.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_target(made)
    made.add_argument("--bucket", default="", help="where code goes (default: balcao-artifacts-<account>-<region>)")
    made.add_argument("--put-secrets", action="store_true", help="write the file's secrets to SSM (SecureString)")
    made.add_argument("--generate-identity-key", action="store_true", help="make one; refused where there is one")
    made.add_argument("--dry-run", action="store_true", help="show what would change; deploy and write nothing")
    made.add_argument("--rollback", action="store_true", help="go back to the version before, with its settings")
    made.add_argument("--yes", action="store_true", help="ask nothing")
    made.add_argument(
        "--allow-data-loss", action="store_true", help="replace or remove a table or a queue without being asked"
    )
    return made


def add_target(made: argparse.ArgumentParser) -> None:
    """Which settings, which stack, which account."""
    files = made.add_mutually_exclusive_group()
    files.add_argument("--env", default="", metavar="NAME", help="read .env.NAME; the stack is balcao-NAME")
    files.add_argument("--env-file", type=Path, metavar="PATH", help="read this file (default: .env)")
    made.add_argument("--stack", default="", help="another name for the stack (default: balcao, balcao-NAME)")
    made.add_argument("--region", default="", help="default: that of your AWS configuration")
    made.add_argument("--profile", default="", help="a profile of your AWS configuration")


def env_path_of(options: argparse.Namespace) -> Path:
    """The file of settings."""
    if options.env_file is not None:
        return Path(options.env_file).resolve()
    return ROOT / (f".env.{options.env}" if options.env else ".env")


def stack_name_of(options: argparse.Namespace) -> str:
    """The stack's name, which every resource's name begins with."""
    return options.stack or (f"{STACK}-{options.env}" if options.env else STACK)
