"""The command line of scripts/attendants.py."""

from __future__ import annotations

import argparse
import os
import sys

import boto3

from attendant_tools.registry import Registry, RegistryError
from core.domain.attendant import Role
from local_stack.errors import StackError
from local_stack.stack import attach

DEFAULT_PARAMETER = "/balcao/attendants"
DONE, REFUSED = 0, 1


def main(arguments: list[str] | None = None) -> int:
    """0 done, 1 refused with the reason."""
    options = _parser().parse_args(arguments)
    try:
        registry = _registry(options)
        if options.command == "add":
            _add(registry, options)
        elif options.command == "remove":
            gone = registry.remove(options.id)
            print(f"removed: {gone.id} ({gone.name}); the token is refused within a minute")
        else:
            _list(registry)
    except (RegistryError, StackError) as error:
        print(error.report() if isinstance(error, StackError) else str(error), file=sys.stderr)
        return REFUSED
    return DONE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/attendants.py",
        description="Who may attend customers at the console. Region and account: AWS_REGION, AWS_PROFILE.",
        epilog='Example: .venv/bin/python scripts/attendants.py add bia --name "Bia Lima"',
    )
    parser.add_argument("--local", action="store_true", help="of the stack that make stack left running")
    parser.add_argument(
        "--parameter",
        default=os.environ.get("ATTENDANTS_SSM_PARAM") or DEFAULT_PARAMETER,
        help=f"the SSM parameter (default: ATTENDANTS_SSM_PARAM, else {DEFAULT_PARAMETER})",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    add = commands.add_parser("add", help="register somebody; the token is shown once")
    add.add_argument("id", help="short, in small letters: bia")
    add.add_argument("--name", required=True, help="what colleagues read")
    add.add_argument(
        "--role",
        choices=[each.value for each in Role],
        default=Role.ATENDENTE.value,
        help="only a responsavel exports and erases what is held of a customer",
    )
    remove = commands.add_parser("remove", help="take the access away")
    remove.add_argument("id")
    commands.add_parser("list", help="who may attend")
    return parser


def _registry(options: argparse.Namespace) -> Registry:
    if options.local:
        return Registry(ssm=attach().client("ssm"), parameter=DEFAULT_PARAMETER)
    return Registry(
        ssm=boto3.client("ssm", region_name=os.environ.get("AWS_REGION") or None), parameter=options.parameter
    )


def _add(registry: Registry, options: argparse.Namespace) -> None:
    attendant, token = registry.add(options.id, options.name, Role(options.role))
    print(f"registered: {attendant.id} ({attendant.name}, {attendant.role.value})")
    print("Their token, shown now and never again:")
    print(f"  {token}")


def _list(registry: Registry) -> None:
    found = registry.registrations()
    for each in found:
        print(f"{each.attendant.id:<20} {each.attendant.role.value:<12} {each.attendant.name}")
    if not found:
        print('nobody: .venv/bin/python scripts/attendants.py add ID --name "…"')
