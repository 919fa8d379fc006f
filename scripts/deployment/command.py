"""The commands of scripts/deploy.py: deploy, --dry-run and --rollback."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from botocore.exceptions import BotoCoreError, ClientError

from company_check.company import companies_in
from company_check.report import report, run_checks
from local_stack.env_file import read_env_file
from local_stack.errors import StackError
from local_stack.places import ROOT
from local_stack.template_settings import read_template
from local_stack.tools import tool

from .account import Account, open_account
from .errors import NOT_CONFIRMED, WRONG_SETTINGS, DeployError, NotConfirmedError
from .options import env_path_of, parser, stack_name_of
from .rollout import Rollout
from .setting_checks import DeploymentChecks
from .wanted import Wanted, read_wanted, versioned


def main(arguments: Sequence[str] | None = None, *, ask: Callable[[str], str] = input) -> int:
    """Run it; the exit status (see --help)."""
    options = parser().parse_args(arguments)
    try:
        return _run(options, ask)
    except (DeployError, StackError) as error:
        print(error.report(), file=sys.stderr)
        return error.status if isinstance(error, DeployError) else DeployError("").status
    except (ClientError, BotoCoreError) as error:
        refused = DeployError(f"AWS refuses: {error}", next_step="may these credentials do that?")
        print(refused.report(), file=sys.stderr)
        return refused.status
    except (KeyboardInterrupt, EOFError):
        print("\nstopped; what CloudFormation has begun goes on by itself", file=sys.stderr)
        return NOT_CONFIRMED


def _run(options: argparse.Namespace, ask: Callable[[str], str]) -> int:
    stack = stack_name_of(options)
    if options.rollback:
        account = _account(options)
        print(f"rollback of the stack {stack} in {account.described()}")
        Rollout(account, stack, options, _confirm(options, ask)).roll_back()
        return 0
    region = options.region or os.environ.get("AWS_REGION", "") or os.environ.get("AWS_DEFAULT_REGION", "")
    wanted = checked(env_path_of(options), stack, ROOT, region=region)
    if wanted is None:
        return WRONG_SETTINGS
    wanted = versioned(wanted, read_template(ROOT / "template.yaml"), ROOT)
    account = _account(options)
    print(f"deployment of the stack {stack} to {account.described()}")
    if not options.dry_run:
        _confirm(options, ask)("deploy to this account?")
    rollout = Rollout(account, stack, options, _confirm(options, ask))
    rollout.deploy(wanted, tool("sam"))
    return 0


def checked(env_path: Path, stack: str, root: Path, *, region: str) -> Wanted | None:
    """What the file asks for; None, with every mistake told, where it cannot be deployed. Raises `DeployError`."""
    began = time.monotonic()
    env, example = read_env_file(env_path), read_env_file(root / ".env.example")
    if env is None or example is None:
        message = f"there is no {env_path}"
        raise DeployError(message, next_step=f"cp .env.example {env_path}, and fill it in", status=WRONG_SETTINGS)
    template = read_template(root / "template.yaml")
    wanted = read_wanted(env, template, stack)
    companies = companies_in(root / "prompts")
    found = run_checks(root / "prompts", companies, root, env_path=env_path)
    checks = DeploymentChecks(
        env=env,
        example=example,
        template=template,
        root=root,
        region=region,
        is_emulated=bool(os.environ.get("AWS_ENDPOINT_URL")),
    )
    said = {(each.path, each.line) for each in found if not each.is_warning}
    # one line of the file, one mistake: the loader's own words come first
    found += [each for each in checks.findings(wanted) if each.line == 1 or (each.path, each.line) not in said]
    found = sorted(found, key=lambda each: (each.is_warning, each.path, each.line, each.what))
    name = f"check of {env_path.name}"
    return None if report(found, companies, seconds=time.monotonic() - began, name=name) else wanted


def _account(options: argparse.Namespace) -> Account:
    return open_account(region=options.region, profile=options.profile)


def _confirm(options: argparse.Namespace, ask: Callable[[str], str]) -> Callable[[str], None]:
    def confirm(question: str) -> None:
        if options.yes:
            return
        if ask is input and not sys.stdin.isatty():
            message = f"{question} Nobody is here to answer"
            raise NotConfirmedError(message, next_step="run it in a terminal, or with --yes")
        if ask(f"{question} [y/N] ").strip().lower() not in ("y", "yes", "s", "sim"):
            raise NotConfirmedError("not confirmed; nothing was deployed")

    return confirm
