"""botocore's exceptions as ours, in one place. What may have been passed on to Meta is uncertain."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from botocore import exceptions

from core.domain.delivery import SendFailure
from core.domain.errors import SendRefusedError, SendUncertainError

_BY_CODE = {
    "ThrottledRequestException": SendFailure.THROTTLED,
    "ThrottlingException": SendFailure.THROTTLED,
    "TooManyRequestsException": SendFailure.THROTTLED,
    "LimitExceededException": SendFailure.THROTTLED,
    "AccessDeniedException": SendFailure.AUTH,
    "ExpiredTokenException": SendFailure.AUTH,
    "InvalidSignatureException": SendFailure.AUTH,
    "UnrecognizedClientException": SendFailure.AUTH,
    "AccessDeniedByMetaException": SendFailure.ACCOUNT,
    "ResourceNotFoundException": SendFailure.ACCOUNT,
    "ConflictException": SendFailure.TRANSIENT,
    "InvalidParametersException": SendFailure.BAD_REQUEST,
    "ValidationException": SendFailure.BAD_REQUEST,
}
_BY_STATUS = {401: SendFailure.AUTH, 403: SendFailure.AUTH, 429: SendFailure.THROTTLED}
_NOT_CONNECTED = (
    exceptions.EndpointConnectionError,
    exceptions.ConnectTimeoutError,
    exceptions.ProxyConnectionError,
)
_UNCERTAIN = (exceptions.HTTPClientError, exceptions.ConnectionError)


@contextmanager
def translate_errors() -> Iterator[None]:
    """Raises `SendRefusedError` or `SendUncertainError` for whatever botocore raises. Messages name the class alone."""
    try:
        yield
    except exceptions.ClientError as error:
        raise _refusal(error) from error
    except _NOT_CONNECTED as error:
        raise SendRefusedError(f"EUM: {type(error).__name__}", failure=SendFailure.TRANSIENT) from error
    except _UNCERTAIN as error:
        raise SendUncertainError(f"EUM: {type(error).__name__}") from error
    except exceptions.BotoCoreError as error:
        # Credentials, parameters, endpoints: refused on this side of the wire.
        failure = SendFailure.AUTH if "Credential" in type(error).__name__ else SendFailure.BAD_REQUEST
        raise SendRefusedError(f"EUM: {type(error).__name__}", failure=failure) from error


def _refusal(error: exceptions.ClientError) -> SendRefusedError | SendUncertainError:
    code = str(error.response.get("Error", {}).get("Code", ""))
    status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    failure = _BY_CODE.get(code)
    if failure is None and status >= 500:
        return SendUncertainError(f"EUM answered {status} {code}")
    return SendRefusedError(
        f"EUM answered {status} {code}", failure=failure or _BY_STATUS.get(status, SendFailure.BAD_REQUEST)
    )
