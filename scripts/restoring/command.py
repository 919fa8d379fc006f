"""The command of scripts/restore_items.py."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

from botocore.exceptions import BotoCoreError, ClientError

from core.domain.record_keys import pk_of
from deployment.account import Account, open_account
from deployment.change_set import Stack
from deployment.errors import DeployError, NotConfirmedError
from deployment.options import STACK

from .items import Plan, Tables

_EPILOG = """\
examples:
  .venv/bin/python scripts/restore_items.py --from balcao-Table-X-before --stack balcao-prod --conversation 5f0c…
  .venv/bin/python scripts/restore_items.py --from balcao-Table-X-before --stack balcao-prod --missing

The desk must be paused (scripts/conversations.py pause). What waited for somebody then waits again: after `resume` the
sweep looks at it, and a customer may be written to.

exit status: 0 done, or nothing to do; 2 wrong command line; 3 not confirmed; 4 it could not be done.
"""


def main(arguments: Sequence[str] | None = None, *, ask: Callable[[str], str] = input) -> int:
    """Run it; the exit status (see --help)."""
    options = _parser().parse_args(arguments)
    try:
        account = open_account(region=options.region, profile=options.profile)
        _restore(account, options, ask)
    except DeployError as error:
        print(error.report(), file=sys.stderr)
        return error.status
    except (ClientError, BotoCoreError) as error:
        print(f"error: AWS refuses: {error}", file=sys.stderr)
        return 4
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/restore_items.py",
        description="Puts items of a table that was restored beside back into the one that serves.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--from", dest="before", required=True, metavar="TABLE", help="the table restored beside")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--conversation", metavar="ID", help="one, as it was: what came since is deleted")
    what.add_argument("--missing", action="store_true", help="all that is not there any more; nothing is overwritten")
    parser.add_argument("--stack", default=STACK, help="whose table (default: %(default)s)")
    parser.add_argument("--region", default="", help="default: that of your AWS configuration")
    parser.add_argument("--profile", default="", help="a profile of your AWS configuration")
    parser.add_argument("--yes", action="store_true", help="ask nothing")
    return parser


def _restore(account: Account, options: argparse.Namespace, ask: Callable[[str], str]) -> None:
    now = Stack(account.client("cloudformation"), options.stack).now()
    if now is None:
        raise DeployError(f"there is no stack {options.stack} in {account.described()}")
    serving = now.outputs["TableName"]
    print(f"from {options.before} into {serving} of {options.stack}, {account.described()}")
    _check_paused(account, now.outputs["QueueUrl"], options.stack)
    tables = Tables(account.client("dynamodb"), before=options.before, serving=serving)
    is_one = options.conversation is not None
    plan = tables.plan_partition(pk_of(options.conversation)) if is_one else tables.plan_missing()
    if is_one and not plan.puts and plan.deletes:
        message = f"{options.before} knows no conversation {options.conversation}: it would only be deleted"
        raise DeployError(message, next_step="scripts/conversations.py find tells a conversation's id")
    if not plan.puts and not plan.deletes:
        print("nothing to do: all of it is there")
        return
    _ask(plan, options, ask)
    print(f"{tables.carry_out(plan, overwrites=is_one)} items written, {len(plan.deletes)} deleted")
    print(f"next: .venv/bin/python scripts/conversations.py resume --stack {options.stack}")


def _check_paused(account: Account, queue: str, stack: str) -> None:
    """Raises `DeployError` where turns run: one that has read what is about to change would write over it."""
    arn = account.client("sqs").get_queue_attributes(QueueUrl=queue, AttributeNames=["QueueArn"])["Attributes"][
        "QueueArn"
    ]
    mappings = account.client("lambda").list_event_source_mappings(EventSourceArn=arn)["EventSourceMappings"]
    if any(mapping["State"] != "Disabled" for mapping in mappings):
        next_step = f".venv/bin/python scripts/conversations.py pause --stack {stack}"
        raise DeployError("the desk is not paused", next_step=next_step)


def _ask(plan: Plan, options: argparse.Namespace, ask: Callable[[str], str]) -> None:
    print(f"{len(plan.puts)} items to write ({plan.due} of them wait for somebody), {len(plan.deletes)} to delete")
    if options.yes:
        return
    if ask is input and not sys.stdin.isatty():
        raise NotConfirmedError("nobody is here to answer", next_step="run it in a terminal, or with --yes")
    if ask("write and delete them? [y/N] ").strip().lower() not in ("y", "yes", "s", "sim"):
        raise NotConfirmedError("not confirmed; nothing was changed")
