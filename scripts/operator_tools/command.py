"""`scripts/conversations.py`: what operators ask for, and of which deployment."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable

from botocore.exceptions import BotoCoreError, ClientError

from command_line.reader_gone import nobody_may_read
from conversation.company import chosen_company
from conversation.transcript import Transcript
from local_stack.errors import StackError

from .deployment import Deployment, aws_deployment, local_deployment
from .errors import OperatorError
from .history import read_history
from .lookup import by_id, by_phone
from .pausing import Switches
from .queues import Queue
from .redriving import redrive
from .standing import standing
from .telling import tell, told_as_json
from .times import messages, span
from .waiting import ANY, told, waiting_for

_FAILED = 2
_EPILOG = """\
examples:
  .venv/bin/python scripts/conversations.py find --phone '+55 11 98000-0101'       # the local stack's
  .venv/bin/python scripts/conversations.py find --id wamid.HBgN… --stack balcao-prod
  .venv/bin/python scripts/conversations.py find --reason llm_timeout              # or any: who waits longest first
  .venv/bin/python scripts/conversations.py show 5f0c… --last 3
  .venv/bin/python scripts/conversations.py show 5f0c… --json > turns.json
  .venv/bin/python scripts/conversations.py redrive --dry-run --stack balcao-prod
  .venv/bin/python scripts/conversations.py redrive --max 10
  .venv/bin/python scripts/conversations.py pause --stack balcao-prod              # then: resume --stack balcao-prod

Without --stack it is the local stack (make stack), and no account of yours is touched. With it, AWS as AWS_PROFILE and
AWS_REGION say: account and region are printed first. Phones are looked up by their keyed hash: the key is read from the
parameter store, or given as IDENTITY_KEY. `show` prints what customers wrote: that is for your screen alone.

exit codes: 0 done · 1 no such conversation · 2 it could not be done; what to do next is said
"""


def main(arguments: list[str] | None = None) -> int:
    """Run one command; the exit status."""
    options = _parser().parse_args(arguments)
    try:
        deployment = _deployment(options)
        with nobody_may_read():
            options.run(deployment, options)
    except OperatorError as error:
        print(error.report(), file=sys.stderr)
        return error.status
    except StackError as error:
        print(error.report(), file=sys.stderr)
    except (ClientError, BotoCoreError) as error:
        print(f"error: {error}\nnext: check AWS_PROFILE, AWS_REGION and what this account may do", file=sys.stderr)
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return 130
    else:
        return 0
    return _FAILED


def _deployment(options: argparse.Namespace) -> Deployment:
    def say(where: str) -> None:
        print(where, file=sys.stderr)

    return aws_deployment(options.stack, say=say) if options.stack else local_deployment(options.local, say=say)


def _find(deployment: Deployment, options: argparse.Namespace) -> None:
    now_ms = round(time.time() * 1000)
    if options.reason:
        for entry in waiting_for(deployment, options.reason):
            print(told(entry, now_ms=now_ms))
        return
    found = by_phone(deployment, options.phone) if options.phone else by_id(deployment, options.id)
    history = read_history(deployment, found.conversation)
    for line in standing(found, history, now_ms=now_ms):
        print(line)


def _show(deployment: Deployment, options: argparse.Namespace) -> None:
    history = read_history(deployment, by_id(deployment, options.conversation).conversation)
    if options.json:
        print(json.dumps(told_as_json(history, last=options.last), ensure_ascii=False, indent=1))
    else:
        tell(history, Transcript(chosen_company(company=deployment.company).catalog), last=options.last)


def _redrive(deployment: Deployment, options: argparse.Namespace) -> None:
    dead, inbound = _queue(deployment, "DeadLetterQueueUrl"), _queue(deployment, "QueueUrl")
    done = redrive(dead, inbound, deployment.pages, say=_say, at_most=options.max, dry_run=options.dry_run)
    if not done.shown:
        print("others hold what is there" if done.there else "nothing is in the dead-letter queue")
    elif options.dry_run:
        print(f"{done.shown} of {done.there} shown, none moved; without --dry-run they are sent again")
    else:
        print(f"{done.moved} of {done.there} sent again")


def _pause(deployment: Deployment, _options: argparse.Namespace) -> None:
    inbound = _queue(deployment, "QueueUrl")
    Switches(deployment=deployment, say=_say).pause()
    kept = span(inbound.retention_seconds())
    print(f"{messages(inbound.depth())}; those that come are recorded, and the queue keeps each for {kept}")
    print("OldestMessageAlarm and SweepNotRunningAlarm ring meanwhile, rightly. Nobody is answered until: resume")


def _resume(deployment: Deployment, _options: argparse.Namespace) -> None:
    inbound = _queue(deployment, "QueueUrl")
    _say(messages(inbound.depth()))
    Switches(deployment=deployment, say=_say).resume(inbound)
    print(f"{messages(inbound.depth())} now")


def _say(line: str) -> None:
    """At once, whoever reads: these commands take their time."""
    print(line, flush=True)


def _queue(deployment: Deployment, output: str) -> Queue:
    return Queue(deployment.client("sqs"), deployment.outputs[output])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/conversations.py",
        description="What an operator does by hand: look a conversation up, see its turns, redrive, pause and resume.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")

    def command(
        name: str, run: Callable[[Deployment, argparse.Namespace], None], words: str
    ) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=words, description=words)
        added.add_argument("--stack", metavar="NAME", help="a CloudFormation stack on AWS (default: the local stack)")
        added.add_argument("--local", metavar="NAME", default="stack", help=argparse.SUPPRESS)
        added.set_defaults(run=run)
        return added

    find = command("find", _find, "where a conversation stands: mode, reason, since when, what waits")
    who = find.add_mutually_exclusive_group(required=True)
    who.add_argument("--phone", metavar="+55…", help="with its country's code; with or without the ninth digit")
    who.add_argument(
        "--id", metavar="ID", help="a conversation's hash, a BSUID, or a message's wamid (reads all items)"
    )
    who.add_argument("--reason", metavar="REASON", help=f"all that people have for a handoff's reason, or {ANY}")
    show = command("show", _show, "what happened in each turn, texts included")
    show.add_argument("conversation", metavar="ID", help="what find takes as --id")
    show.add_argument("--last", type=_positive, metavar="N", help="only the last turns")
    show.add_argument("--json", action="store_true", help="as the table holds it")
    again = command("redrive", _redrive, "messages that were given up on, back into the queue; each is shown first")
    again.add_argument("--dry-run", action="store_true", help="only show what is there")
    again.add_argument("--max", type=_positive, metavar="N", help="no more than so many")
    command("pause", _pause, "no turn begins and nothing is sent by itself; messages are recorded and wait")
    command("resume", _resume, "end a pause: first the queue is worked off, then the sweep runs again")
    return parser


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        message = f"{text!r} is no number from 1"
        raise argparse.ArgumentTypeError(message)
    return int(text)
