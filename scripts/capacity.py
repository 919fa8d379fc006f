"""Which limit comes first at a rate of turns, how long an outage drains, and what a month costs (see --help)."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

import checkout_path  # noqa: F401
from capacity_model.bill import Bill, bill
from capacity_model.model import InputError, Inputs, carried, demands, drain_seconds

RATES = (1.0, 10.0, 100.0, 1000.0)
CONVERSATIONS = (1_000, 10_000, 100_000)
MODEL = "gpt-5.6-luna"
PORTUGUESE = {
    "conversations": "conversas",
    "quantity": "quantidade",
    "for": "por",
    "a million": "milhão",
    "each": "unidade",
    "model": "modelo",
    "tokens in": "tokens de entrada",
    "tokens in, cached": "tokens de entrada, em cache",
    "tokens out": "tokens de saída",
    "answers": "respostas",
    "messages": "mensagens",
    "compute": "processamento",
    "invocations": "invocações",
    "requests": "requisições",
    "writes": "escritas",
    "reads": "leituras",
    "units": "unidades",
    "storage": "armazenamento",
    "GB-months": "GB-mês",
    "pointers": "ponteiros",
    "webhooks": "webhooks",
    "logs": "logs",
    "written": "gravados",
}
_EPILOG = """\
examples:
  python scripts/capacity.py
  python scripts/capacity.py --rate 25 --set mapping_concurrency=200 --set meta_per_second=1000
  python scripts/capacity.py --model gpt-5.4-mini --json
  python scripts/capacity.py --bill 1000

Every input, with where it comes from, stands in scripts/capacity_model/inputs.toml. Nothing is measured here: what the
arithmetic takes from a run (seconds and tokens of a turn) is an input too, and `make demo` shows yours.
"""


def main(arguments: list[str] | None = None) -> int:
    """0 with the tables; 2 with the input that is wrong."""
    parser = argparse.ArgumentParser(
        prog="scripts/capacity.py",
        description="Says which limit comes first at a rate of turns, which setting passes it, and what a month costs.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rate", type=_positive, action="append", metavar="TURNS", help="turns a second (repeatable)")
    parser.add_argument("--model", default=MODEL, help="whose price is counted (default: %(default)s)")
    parser.add_argument("--set", dest="changes", action="append", default=[], metavar="NAME=VALUE", help="an input")
    parser.add_argument("--bill", type=_count, metavar="CONVERSATIONS", help="a month's bill alone, item by item")
    parser.add_argument("--pt", action="store_true", help="the bill in Portuguese")
    parser.add_argument("--json", action="store_true", help="the same as JSON")
    options = parser.parse_args(arguments)
    rates = tuple(options.rate or RATES)
    try:
        inputs = Inputs(dict(map(_change, options.changes)))
        counted = [options.bill] if options.bill else CONVERSATIONS
        bills = [bill(inputs, conversations, options.model) for conversations in counted]
    except InputError as error:
        print(f"capacity: {error}", file=sys.stderr)
        return 2
    if options.json:
        print(_as_json(inputs, rates, bills))
        return 0
    words = PORTUGUESE if options.pt else {}
    alone = bill_table(bills[0], options.model, words)
    print("\n".join(alone if options.bill else tables(inputs, rates, bills, options.model)))
    return 0


def tables(inputs: Inputs, rates: Sequence[float], bills: Sequence[Bill], model: str) -> Iterator[str]:
    """The tables as Markdown: docs/capacity.md shows them."""
    yield "| turns a second | comes first | then | ten minutes' outage drains in |"
    yield "|---|---|---|---|"
    for rate in rates:
        first, *others = demands(inputs, rate)
        then = ", ".join(f"{each.resource} ({_number(each.used)} times)" for each in others if each.used > 1)
        comes = f"{first.resource}: {_number(first.asked)} of {_number(first.capacity)} {first.unit}"
        yield f"| {_number(rate)} | {comes} | {then or '–'} | {_minutes(drain_seconds(inputs, rate))} |"
    yield ""
    yield "| limit | one turn a second asks | it carries | turns a second | passed by |"
    yield "|---|---|---|---|---|"
    for demand in demands(inputs, 1.0):
        yield (
            f"| {demand.resource} | {_number(demand.asked)} {demand.unit} | {_number(demand.capacity)} "
            f"| {_number(1 / demand.used)} | {demand.raised_by} |"
        )
    yield ""
    names = list(bills[0].lines)
    yield f"| conversations a month | {' | '.join(names)} | US$ a month ({model}) |"
    yield f"|---|{'---|' * len(names)}---|"
    for each in bills:
        yield (
            f"| {each.conversations:,} | {' | '.join(f'{each.lines[name]:,.2f}' for name in names)} "
            f"| {each.total:,.2f} |"
        )


def bill_table(bill: Bill, model: str, words: Mapping[str, str]) -> Iterator[str]:
    """One bill as Markdown: docs/go-live.md and docs/no-ar.md show it for 1,000 conversations."""

    def said(english: str) -> str:
        return words.get(english, english)

    heads = [f"{bill.conversations:,} {said('conversations')} ({model})", said("quantity"), "US$", said("for"), "US$"]
    yield f"| {' | '.join(heads)} |"
    yield "|---|---|---|---|---|"
    for item in bill.items:
        price = f"{item.price:.10f}".rstrip("0")
        per = said("a million" if item.per > 1 else "each")
        quantity = f"{_number(item.quantity)} {said(item.unit)}"
        yield f"| {said(item.line)}: {said(item.what)} | {quantity} | {price} | {per} | {item.usd:,.2f} |"
    yield f"| **total** | | | | **{bill.total:,.2f}** |"


def _as_json(inputs: Inputs, rates: Sequence[float], bills: Sequence[Bill]) -> str:
    return json.dumps(
        {
            "carries_turns_per_second": carried(inputs),
            "rates": [
                {
                    "turns_per_second": rate,
                    "drain_seconds": drain_seconds(inputs, rate),
                    "demands": [{**asdict(demand), "used": demand.used} for demand in demands(inputs, rate)],
                }
                for rate in rates
            ],
            "bills": [{**asdict(each), "lines": each.lines, "total": each.total} for each in bills],
        },
        indent=2,
    )


def _change(written: str) -> tuple[str, float]:
    name, _, value = written.partition("=")
    try:
        number = float(value)
    except ValueError:
        number = 0.0
    if number <= 0:
        raise InputError(f"--set {written}: a name, =, and a number above zero")
    return name.strip(), number


def _positive(written: str) -> float:
    value = float(written)
    if value <= 0:
        raise argparse.ArgumentTypeError("a number above zero")
    return value


def _count(written: str) -> int:
    value = int(written)
    if value <= 0:
        raise argparse.ArgumentTypeError("a whole number above zero")
    return value


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:,.3g}"


def _minutes(seconds: float | None) -> str:
    if seconds is None:
        return "never: it grows"
    return f"{seconds / 60:,.0f} min" if seconds >= 90 else f"{seconds:,.0f} s"


if __name__ == "__main__":
    sys.exit(main())
