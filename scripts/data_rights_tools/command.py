"""The command line of scripts/data_rights.py."""

from __future__ import annotations

import argparse
import getpass
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from core.application.people.data_rights import DataRights, Found, Receipt
from core.domain.attendant import Attendant, Role
from core.domain.errors import AttendanceRefusedError, BalcaoError
from core.integrations.dynamodb.conversation_store import DynamoConversationStore
from local_stack.errors import StackError
from operator_tools.deployment import Deployment, aws_deployment, local_deployment
from operator_tools.errors import NoConversationError, OperatorError
from operator_tools.lookup import by_id, by_phone

DONE, NOBODY, FAILED, NOT_CONFIRMED, GOES_ON = 0, 1, 2, 3, 4
_WORD = "apagar"
# Below this a clock is as good as the header that it is compared with.
_SAME_CLOCK_MS = 2_000
_EPILOG = """\
examples:
  .venv/bin/python scripts/data_rights.py export --phone '+55 11 98000-0101' --to pessoa.json   # the local stack's
  .venv/bin/python scripts/data_rights.py export --id BR.7100000000000101 --to pessoa.json --stack balcao-prod
  .venv/bin/python scripts/data_rights.py erase --phone '+55 11 98000-0101' --stack balcao-prod

Without --stack it is the local stack (make stack), and no account of yours is touched. With it, AWS as AWS_PROFILE and
AWS_REGION say: account and region are printed first. `erase` shows what it found and asks. What to answer a customer,
and what is to be erased elsewhere: docs/lgpd.md.

exit codes: 0 done · 1 nothing is held of this person · 2 it could not be done; what to do next is said · 3 not
confirmed, nothing erased · 4 begun and not finished: the sweep goes on with it
"""


def main(
    arguments: Sequence[str] | None = None,
    *,
    ask: Callable[[str], str] = input,
    opened: Callable[[argparse.Namespace], Deployment] | None = None,
) -> int:
    """Run it; the exit status (see --help)."""
    options = _parser().parse_args(arguments)
    try:
        deployment = (opened or _opened)(options)
        found = by_phone(deployment, options.phone) if options.phone else by_id(deployment, options.id)
        rights = _rights(deployment)
        person = rights.found(found.conversation)
        return (
            _export(rights, person, options.to) if options.command == "export" else _erase(rights, person, options, ask)
        )
    except (NoConversationError, AttendanceRefusedError) as error:
        moved = isinstance(error, AttendanceRefusedError) and error.reason.value == "moved"
        if moved:
            print("error: the customer has just written, or somebody else erases\nnext: run it again", file=sys.stderr)
            return FAILED
        print(error.report() if isinstance(error, OperatorError) else "nothing is held of this person", file=sys.stderr)
        return NOBODY
    except (OperatorError, StackError) as error:
        print(error.report(), file=sys.stderr)
    except BalcaoError as error:
        print(f"error: {error}\nnext: run it again; what was erased stays erased", file=sys.stderr)
    except (ClientError, BotoCoreError) as error:
        print(f"error: {error}\nnext: check AWS_PROFILE, AWS_REGION and what this account may do", file=sys.stderr)
    except OSError as error:
        print(f"error: {options.to}: {error.strerror}\nnext: name another file with --to", file=sys.stderr)
    return FAILED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/data_rights.py",
        description="Everything that is held of one person: written to a file, or erased with a receipt.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    export = commands.add_parser("export", help="everything, as one JSON document")
    export.add_argument("--to", type=Path, required=True, metavar="FILE", help="a new file, readable by you alone")
    erase = commands.add_parser("erase", help="for ever; shows what it found, and asks")
    erase.add_argument("--yes", action="store_true", help="do not ask")
    for command in (export, erase):
        who = command.add_mutually_exclusive_group(required=True)
        who.add_argument("--phone", metavar="+55…", help="with its country's code; with or without the ninth digit")
        who.add_argument("--id", metavar="ID", help="a conversation's hash, a BSUID, or a message's wamid")
        command.add_argument("--stack", metavar="NAME", help="a CloudFormation stack on AWS (default: the local stack)")
        command.add_argument("--local", metavar="NAME", default="stack", help=argparse.SUPPRESS)
    return parser


def _opened(options: argparse.Namespace) -> Deployment:
    def say(where: str) -> None:
        print(where, file=sys.stderr)

    return aws_deployment(options.stack, say=say) if options.stack else local_deployment(options.local, say=say)


def _rights(deployment: Deployment) -> DataRights:
    client, table = deployment.client("dynamodb"), deployment.outputs["TableName"]
    clock = TableClock.of(client, table)
    days = int(deployment.parameters.get("RetentionDays") or 180)
    return DataRights(
        store=DynamoConversationStore(client, table_name=table, retention_days=days, clock=clock), clock=clock
    )


@dataclass(frozen=True, slots=True)
class TableClock:
    """The time where the table is: an erasure cuts at a moment, and this machine's clock may be minutes off."""

    ahead_ms: int = 0

    @classmethod
    def of(cls, client: Any, table: str) -> TableClock:
        """By the date of an answer, which has whole seconds."""
        nobody = {"pk": {"S": "nobody"}, "sk": {"S": "nobody"}}
        answer = client.get_item(TableName=table, Key=nobody)
        date = answer.get("ResponseMetadata", {}).get("HTTPHeaders", {}).get("date")
        if date is None:
            return cls()
        ahead_ms = round((parsedate_to_datetime(date).timestamp() - time.time()) * 1000)
        return cls(ahead_ms if abs(ahead_ms) > _SAME_CLOCK_MS else 0)

    def now_ms(self) -> int:
        return round(time.time() * 1000) + self.ahead_ms


def _who() -> Attendant:
    return Attendant(id="script", name=f"scripts/data_rights.py ({getpass.getuser()})", role=Role.RESPONSAVEL)


def _export(rights: DataRights, found: Found, target: Path) -> int:
    with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        for piece in rights.document(found.id, _who()):
            file.write(piece)
    items = sum(holding.items for holding in found.holdings)
    print(f"written: {target}, {items} items of {len(found.ids)} id(s); only you can read the file")
    return DONE


def _erase(rights: DataRights, found: Found, options: argparse.Namespace, ask: Callable[[str], str]) -> int:
    print(f"conversation {found.id}, {len(found.ids)} id(s):")
    for holding in found.holdings:
        print(f"  {holding.items:>6}  {holding.kind}  ({holding.id})")
    if not options.yes:
        if ask is input and not sys.stdin.isatty():
            print("error: nobody is here to answer\nnext: run it in a terminal, or with --yes", file=sys.stderr)
            return NOT_CONFIRMED
        if ask(f"Erase all of it for ever? Type the word {_WORD}: ").strip().lower() != _WORD:
            print("nothing was erased", file=sys.stderr)
            return NOT_CONFIRMED
    receipt = rights.erase(found.id, _who(), revision=found.revision)
    _tell(receipt)
    return DONE if receipt.done else GOES_ON


def _tell(receipt: Receipt) -> None:
    print(f"erased, all of before {receipt.erased_at_ms} ms:")
    for holding in receipt.erased:
        print(f"  {holding.items:>6}  {holding.kind}  ({holding.id})")
    for name in receipt.failed:
        print(f"  FAILED under {name}: the sweep goes on with it within two minutes")
    print("Not reached by this; erase it there:")
    for place in receipt.elsewhere:
        print(f"  - {place}")
