"""Requests to the table: their limits, their retries, their errors.

botocore repeats lost connections and throttling, with the same token; it repeats neither a `TransactionConflict` nor a
transaction cancelled for throttling. Those are sent here again, the same request with the same token, so that one that
was executed after all is not executed twice. A token belongs to one request of one worker: made of the content alone,
it would tell a second worker who asks for the same that it won, as the table answers a known token by the success that
it had. What is left is raised as `IntegrationError`, by its code alone: the
table's own messages can quote items.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

from botocore.exceptions import BotoCoreError, ClientError

from core.domain.errors import BadInputError, IntegrationError
from core.integrations.dynamodb.attributes import Attributes, Item, item_size, size_of, unmarshalled
from core.integrations.dynamodb.expressions import Action

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef

MAX_ACTIONS = 100
MAX_ITEM_BYTES = 400 * 1024
MAX_TRANSACTION_BYTES = 4 * 1024 * 1024
BATCH_GET_KEYS = 100

TRIES = 8
_PAUSE_SECONDS, _PAUSE_CAP_SECONDS = 0.025, 0.4

_CONDITION = "ConditionalCheckFailed"
_PASSING_REASONS = {"TransactionConflict", "ProvisionedThroughputExceeded", "ThrottlingError"}
_PASSING_ERRORS = {
    "TransactionInProgressException",
    "TransactionConflictException",
    "ProvisionedThroughputExceededException",
    "ThrottlingException",
    "RequestLimitExceeded",
    "InternalServerError",
}


class TableRequests:
    """`client` is botocore's low-level one. `random` (0 to 1) spreads the retries of workers that collided."""

    def __init__(
        self, client: DynamoDBClient, *, table_name: str, sleep: Callable[[float], None], random: Callable[[], float]
    ) -> None:
        self.table_name = table_name
        self._client = client
        self._sleep = sleep
        self._random = random

    def transact(self, actions: Sequence[Action]) -> Mapping[int, Item]:
        """All or nothing. Returns the actions whose condition failed, by their place, with the item as it was.

        Empty when the transaction was done; an item that was not there is empty. Raises `IntegrationError`, and
        `BadInputError` for what is over the table's limits.
        """
        _check_limits(actions)
        items = cast("Sequence[TransactWriteItemTypeDef]", actions)
        token = new_token()
        for attempt in range(TRIES):
            self._pause(attempt)
            try:
                with translate_errors("TransactWriteItems"):
                    self._client.transact_write_items(TransactItems=items, ClientRequestToken=token)
            except TransactionCancelledError as error:
                if error.refused or not error.passing:
                    return error.refused_or_raise()
            except PassingError:
                continue
            else:
                return {}
        raise IntegrationError("DynamoDB TransactWriteItems: conflicts without end")

    def write_all(self, actions: Sequence[Action]) -> None:
        """Actions without conditions, in as few transactions as hold them: what was done before a failure is done."""
        some: list[Action] = []
        size = 0
        for action in actions:
            more = _size_of_action(action)
            if some and (len(some) == MAX_ACTIONS or size + more > MAX_TRANSACTION_BYTES):
                self.transact(some)
                some, size = [], 0
            some.append(action)
            size += more
        if some:
            self.transact(some)

    def update(self, **request: Any) -> None:
        """One update outside any transaction."""
        with translate_errors("UpdateItem"):
            self._client.update_item(TableName=self.table_name, **request)

    def query(self, *, start: Mapping[str, Any] | None = None, **request: Any) -> list[Item]:
        """The first `Limit` items behind `start`, following pages that ended early because of their size."""
        limit: int = request.pop("Limit")
        items: list[Item] = []
        start = dict(start or {})
        while True:
            with translate_errors("Query"):
                page = self._client.query(TableName=self.table_name, Limit=limit - len(items), **request, **start)
            items += [unmarshalled(item) for item in page.get("Items", ())]
            if "LastEvaluatedKey" not in page or len(items) >= limit:
                return items
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}

    def batch_get(self, keys: Sequence[Attributes]) -> list[Item]:
        """Items by their keys, consistently read, in no order; those that do not exist are left out."""
        items: list[Item] = []
        for start in range(0, len(keys), BATCH_GET_KEYS):
            items += self._batch_get(keys[start : start + BATCH_GET_KEYS])
        return items

    def _batch_get(self, keys: Sequence[Attributes]) -> Iterator[Item]:
        wanted: dict[str, Any] = {self.table_name: {"Keys": list(keys), "ConsistentRead": True}}
        for attempt in range(TRIES):
            self._pause(attempt)
            with translate_errors("BatchGetItem"):
                answer = self._client.batch_get_item(RequestItems=wanted)
            yield from (unmarshalled(item) for item in answer.get("Responses", {}).get(self.table_name, ()))
            wanted = answer.get("UnprocessedKeys") or {}
            if not wanted:
                return
        raise IntegrationError("DynamoDB BatchGetItem: keys left unprocessed")

    def _pause(self, attempt: int) -> None:
        if attempt:
            longest: float = min(_PAUSE_CAP_SECONDS, _PAUSE_SECONDS * 2 ** (attempt - 1))
            self._sleep(longest * self._random())


class PassingError(IntegrationError):
    """The same request, sent again, may well be taken."""


class TransactionCancelledError(IntegrationError):
    """`refused`: the actions whose condition failed. `passing`: nothing stands in the way of the same request again."""

    def __init__(self, reasons: Sequence[Mapping[str, Any]]) -> None:
        codes = [str(reason.get("Code", "None")) for reason in reasons]
        super().__init__("DynamoDB TransactWriteItems: cancelled, " + ", ".join(codes))
        self.refused = {
            place: unmarshalled(reason.get("Item") or {})
            for place, reason in enumerate(reasons)
            if reason.get("Code") == _CONDITION
        }
        self.passing = all(code in _PASSING_REASONS for code in codes if code != "None")

    def refused_or_raise(self) -> Mapping[int, Item]:
        """Conditions are answers; any other reason is an error."""
        if not self.refused:
            raise self
        return self.refused


@contextmanager
def translate_errors(operation: str) -> Iterator[None]:
    """botocore's errors as ours, without their messages."""
    try:
        yield
    except ClientError as error:
        code = str(error.response.get("Error", {}).get("Code", "unknown"))
        if code == "TransactionCanceledException":
            raise TransactionCancelledError(error.response.get("CancellationReasons", ())) from None
        kind = PassingError if code in _PASSING_ERRORS else IntegrationError
        raise kind(f"DynamoDB {operation}: {code}") from None
    except BotoCoreError as error:
        raise IntegrationError(f"DynamoDB {operation}: {type(error).__name__}") from None


def new_token() -> str:
    """Of one request and its repetitions (36 characters at most). From the system's own source: processes that were
    restored from one snapshot share the state of every other.
    """
    return uuid.uuid4().hex


def _check_limits(actions: Sequence[Action]) -> None:
    if not 0 < len(actions) <= MAX_ACTIONS:
        raise BadInputError("too_many_actions")
    sizes = [_size_of_action(action) for action in actions]
    if max(sizes) > MAX_ITEM_BYTES:
        raise BadInputError("item_too_large")
    if sum(sizes) > MAX_TRANSACTION_BYTES:
        raise BadInputError("transaction_too_large")


def _size_of_action(action: Action) -> int:
    ((_, terms),) = action.items()
    values = sum(size_of(value) for value in terms.get("ExpressionAttributeValues", {}).values())
    return values + item_size(terms.get("Item") or terms["Key"])
