"""The command line of scripts/data_rights.py."""

from __future__ import annotations

import argparse
import getpass
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import boto3

from core.application.intake.customer_ids import conversation_ids
from core.application.people.data_rights import DataRights, Found, Receipt, export_document
from core.domain.attendant import Attendant, Role
from core.domain.errors import AttendanceRefusedError, BalcaoError
from core.domain.messages import Sender
from core.integrations.dynamodb.conversation_store import DynamoConversationStore
from core.integrations.system.clock import SystemClock
from local_stack.errors import StackError
from local_stack.stack import attach

DONE, NOT_DONE, USAGE, NOT_CONFIRMED = 0, 1, 2, 3


def main(arguments: Sequence[str] | None = None) -> int:
    """0 done, 1 nobody found or something failed, 3 not confirmed."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        rights, ids = _opened(parser, options)
        home = _first_known(rights, ids)
        if home is None:
            print("nothing is held of this person", file=sys.stderr)
            return NOT_DONE
        who = Attendant(id="script", name=f"scripts/data_rights.py ({getpass.getuser()})", role=Role.RESPONSAVEL)
        return (
            _export(rights, home, who, options.to)
            if options.command == "export"
            else _erase(rights, home, who, options)
        )
    except StackError as error:
        print(error.report(), file=sys.stderr)
    except BalcaoError as error:
        print(f"failed: {error}", file=sys.stderr)
    return NOT_DONE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/data_rights.py",
        description="Everything that is held of one person: written to a file, or erased with a receipt. "
        "Region and account: AWS_REGION, AWS_PROFILE.",
        epilog="Example: .venv/bin/python scripts/data_rights.py export --local --phone 5511980000101 --to lara.json",
    )
    parser.add_argument("--local", action="store_true", help="of the stack that make stack left running")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    export = commands.add_parser("export", help="everything, as JSON")
    export.add_argument("--to", type=Path, required=True, help="the file to write")
    erase = commands.add_parser("erase", help="for ever; shows what it found, and asks")
    erase.add_argument("--yes", action="store_true", help="do not ask")
    for command in (export, erase):
        who = command.add_mutually_exclusive_group(required=True)
        who.add_argument("--phone", help="with country code; both forms of a Brazilian mobile number are one")
        who.add_argument("--id", help="the conversation's name, as in the logs")
        command.add_argument("--table", default=os.environ.get("TABLE_NAME", ""), help="default: TABLE_NAME")
        command.add_argument("--phone-number-id", default=os.environ.get("WHATSAPP_PHONE_NUMBER_ID", ""))
        command.add_argument("--local", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    return parser


def _opened(parser: argparse.ArgumentParser, options: argparse.Namespace) -> tuple[DataRights, Sequence[str]]:
    key, number, table = os.environ.get("IDENTITY_KEY", ""), options.phone_number_id, options.table
    if options.local:
        state = attach().state
        client, table = attach().client("dynamodb"), state.table
        key, number = state.identity_key, state.phone_number_id
    else:
        client = boto3.client("dynamodb")
    if not table:
        parser.error("--table, or TABLE_NAME, is needed")
    if options.phone and not (key and number):
        parser.error("--phone needs IDENTITY_KEY and WHATSAPP_PHONE_NUMBER_ID (or give --id)")
    clock = SystemClock()
    days = int(os.environ.get("RETENTION_DAYS") or 180)
    store = DynamoConversationStore(client, table_name=table, retention_days=days, clock=clock)
    digits = "".join(each for each in options.phone or "" if each.isdigit())
    ids = (options.id,) if options.id else conversation_ids(Sender(phone=digits), number, key)
    return DataRights(store=store, clock=clock), ids


def _first_known(rights: DataRights, ids: Sequence[str]) -> Found | None:
    for name in ids:
        try:
            return rights.found(name)
        except AttendanceRefusedError:
            continue
    return None


def _export(rights: DataRights, found: Found, who: Attendant, target: Path) -> int:
    document = export_document(rights.export(found.id, who))
    target.touch(mode=0o600)
    target.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", "utf-8")
    print(f"written: {target}, {len(document['items'])} items of {len(found.ids)} id(s); only you can read the file")
    return DONE


def _erase(rights: DataRights, found: Found, who: Attendant, options: argparse.Namespace) -> int:
    print(f"conversation {found.id}, {len(found.ids)} id(s):")
    for holding in found.holdings:
        print(f"  {holding.items:>6}  {holding.kind}  ({holding.id})")
    if not options.yes and input("Erase all of it for ever? Type the word apagar: ").strip() != "apagar":
        print("nothing was erased", file=sys.stderr)
        return NOT_CONFIRMED
    receipt = rights.erase(found.id, who, revision=found.revision)
    _tell(receipt)
    return DONE if receipt.done else NOT_DONE


def _tell(receipt: Receipt) -> None:
    print(f"erased ({receipt.erased_at_ms} ms):")
    for holding in receipt.erased:
        print(f"  {holding.items:>6}  {holding.kind}  ({holding.id})")
    for name in receipt.failed:
        print(f"  FAILED under {name}: the sweep goes on with it within two minutes")
    print("Not reached by this; erase it there:")
    for place in receipt.elsewhere:
        print(f"  - {place}")
