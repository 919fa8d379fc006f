"""The command of scripts/doctor.py."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence

from botocore.exceptions import BotoCoreError, ClientError

from deployment.account import Account, open_account
from deployment.errors import DeployError
from deployment.options import add_target, env_path_of, stack_name_of
from deployment.wanted import read_wanted
from local_stack.deploy import STACK_NAME
from local_stack.env_file import read_env_file
from local_stack.environment import emulated_account, forget_user_accounts
from local_stack.errors import StackError
from local_stack.places import ROOT, SHARED_NAME
from local_stack.stack import attach
from local_stack.template_settings import parameter_settings, read_template

from .aws_checks import AwsChecks
from .deployed import Deployed, read_deployed
from .meta_checks import MetaChecks
from .provider_checks import ProviderChecks
from .results import Area, Result, State, as_json, as_table, ask_all

_SETTINGS = Area("settings")
_EPILOG = """\
examples:
  .venv/bin/python scripts/doctor.py --local               the stack of `make stack`
  .venv/bin/python scripts/doctor.py --env prod            what scripts/deploy.py --env prod deployed
  .venv/bin/python scripts/doctor.py --env prod --json     for a program

It asks what is deployed and changes nothing. One thing costs money: each model is asked a question of one word, for
some millionths of a dollar (--free leaves that out). An empty body, signed, is posted to the webhook.

exit status: 0 all well (or not asked), 1 something is at fault, 2 wrong command line, 4 there is nothing to ask.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask everything; the exit status (see --help)."""
    options = _parser().parse_args(arguments)
    try:
        account, stack = _target(options)
        deployed = read_deployed(account, stack)
    except StackError as error:
        print(error.report(), file=sys.stderr)
        return 4
    except DeployError as error:
        print(error.report(), file=sys.stderr)
        return error.status
    except (ClientError, BotoCoreError) as error:
        print(f"error: AWS does not say what is deployed: {error}", file=sys.stderr)
        return 4
    results = list(_results(deployed, options))
    print(as_json(results) if options.json else f"{stack} in {account.described()}\n{as_table(results)}")
    return 1 if any(result.state is State.FAULT for result in results) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/doctor.py",
        description="Asks AWS, Meta and the model provider whether each setting of a deployment works.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--local", nargs="?", const=SHARED_NAME, metavar="NAME", help="the local stack (of that name)")
    add_target(parser)
    parser.add_argument("--waba", default="", help="the WhatsApp Business Account, where the token does not tell it")
    parser.add_argument("--free", action="store_true", help="ask nothing that costs money")
    parser.add_argument("--json", action="store_true", help="the same for a program")
    return parser


def _target(options: argparse.Namespace) -> tuple[Account, str]:
    """Raises `DeployError`, `StackError`."""
    if not options.local:
        return open_account(region=options.region, profile=options.profile), stack_name_of(options)
    state = attach(options.local).state
    forget_user_accounts()
    os.environ.update(emulated_account(state.endpoint))
    return open_account(region=state.region), STACK_NAME


def _results(deployed: Deployed, options: argparse.Namespace) -> Iterator[Result]:
    aws, meta = AwsChecks(deployed), MetaChecks(deployed, options.waba)
    provider = ProviderChecks(deployed, ROOT / "prompts", free=options.free)
    if not options.local:
        yield from _same_as_file(deployed, options)
    yield from ask_all([*aws.checks(), *meta.checks(), *provider.checks()])


def _same_as_file(deployed: Deployed, options: argparse.Namespace) -> Iterator[Result]:
    """Whether the settings of the file are those that are deployed."""
    path = env_path_of(options)
    env = read_env_file(path)
    if env is None:
        yield _SETTINGS.skipped(path.name, "no such file here")
        return
    template = read_template(ROOT / "template.yaml")
    wanted = read_wanted(env, template, deployed.stack).parameters
    named = {parameter: setting for setting, parameter in parameter_settings(template).items()}
    differing = sorted(
        named[parameter]
        for parameter, value in wanted.items()
        if parameter != "CodeVersion" and deployed.parameters.get(parameter) != value
    )
    fault = f"other than deployed: {', '.join(differing)}" if differing else ""
    yield _SETTINGS.judged(
        path.name, fault, "scripts/deploy.py shows the changes and deploys them", found="as deployed"
    )
