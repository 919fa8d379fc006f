"""One botocore session for all clients of a process, so that what describes AWS is read once.

botocore, not boto3: of boto3's own only the low-level client would be used, which is botocore's, and to import the rest
costs a cold start more than a second client does.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from botocore.session import get_session


@cache
def aws_session() -> Any:
    """Endpoint, region and credentials come from AWS's own variables, as everywhere."""
    return get_session()
