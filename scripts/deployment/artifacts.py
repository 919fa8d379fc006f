"""The bucket of what is deployed: code and templates by their content, and a record of each deployment."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from botocore.exceptions import ClientError

from local_stack.build import sam_build
from local_stack.permissions import with_what_it_misjudges
from local_stack.places import LOCAL, ROOT
from local_stack.processes import run

from .account import Account
from .errors import DeployError

PACKAGE_SECONDS = 600.0
_RECORD_DIGITS = 6
_HOME_OF_BUCKETS = "us-east-1"  # the one region that CreateBucket must not be told


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A deployment that worked. `of` is the deployment whose version it is: its own number, or that of the one that a
    rollback went back to.
    """

    number: int
    of: int
    code_version: str
    template_url: str
    parameters: Mapping[str, str]
    at: str


class Artifacts:
    """One bucket for the stacks of an account and region; each stack's things lie under its name."""

    def __init__(self, account: Account, stack: str, bucket: str = "") -> None:
        self._account = account
        self._stack = stack
        self.bucket = bucket or f"balcao-artifacts-{account.number}-{account.region}"
        self._s3 = account.client("s3")

    def exists(self) -> bool:
        """Whether the bucket is there. Raises `DeployError` where it is somebody else's."""
        try:
            self._s3.head_bucket(Bucket=self.bucket, ExpectedBucketOwner=self._account.number)
        except ClientError as error:
            if error.response["Error"]["Code"] in ("404", "NoSuchBucket"):
                return False
            message = f"the bucket {self.bucket} cannot be used: {error}"
            raise DeployError(message, next_step="--bucket another-name, or ask for permission") from None
        return True

    def ensure(self) -> None:
        """Make it, closed to the public, where it is not there."""
        if self.exists():
            return
        region = self._account.region
        where = {} if region == _HOME_OF_BUCKETS else {"CreateBucketConfiguration": {"LocationConstraint": region}}
        self._s3.create_bucket(Bucket=self.bucket, **where)
        closed = ("BlockPublicAcls", "IgnorePublicAcls", "BlockPublicPolicy", "RestrictPublicBuckets")
        self._s3.put_public_access_block(Bucket=self.bucket, PublicAccessBlockConfiguration=dict.fromkeys(closed, True))

    def package(self, tool: Path, parameters: Mapping[str, str]) -> str:
        """Build, upload the code, upload the template; the template's address. Raises `StackError`."""
        home = LOCAL / "deploy" / self._stack
        built = sam_build(
            tool,
            home / "build",
            runtime=parameters["LambdaRuntime"],
            architecture=parameters["LambdaArchitecture"],
            log=LOCAL / "logs" / f"deploy-{self._stack}-build.log",
        )
        packaged = home / "packaged.yaml"
        command = [str(tool / "sam"), "package", "--template-file", str(built), "--s3-bucket", self.bucket]
        command += ["--s3-prefix", f"{self._stack}/code", "--output-template-file", str(packaged), "--no-progressbar"]
        command += ["--region", self._account.region]
        run(
            command,
            environment=self._account.environment(first_on_path=tool),
            log=LOCAL / "logs" / f"deploy-{self._stack}-package.log",
            directory=ROOT,
            seconds=PACKAGE_SECONDS,
            what="sam package",
            next_step=f"may you write to the bucket {self.bucket}? Then run the same command again",
        )
        template = packaged.read_text("utf-8")
        return self._upload_template(
            (with_what_it_misjudges(template) if self._account.endpoint else template).encode()
        )

    def records(self) -> list[Record]:
        """Deployments that worked, oldest first."""
        prefix = f"{self._stack}/deployments/"
        pages = self._s3.get_paginator("list_objects_v2").paginate(Bucket=self.bucket, Prefix=prefix)
        keys = sorted(each["Key"] for page in pages for each in page.get("Contents", ()))
        return list(self._read(keys))

    def record(self, record: Record) -> None:
        """Remember a deployment."""
        key = f"{self._stack}/deployments/{record.number:0{_RECORD_DIGITS}}.json"
        body = json.dumps(asdict(record) | {"parameters": dict(record.parameters)}, indent=2)
        self._s3.put_object(Bucket=self.bucket, Key=key, Body=body.encode())

    def keep(self, template: str) -> str:
        """Upload a template that was deployed another way; its address."""
        return self._upload_template(template.encode())

    def _read(self, keys: list[str]) -> Iterator[Record]:
        for key in keys:
            body: dict[str, Any] = json.loads(self._s3.get_object(Bucket=self.bucket, Key=key)["Body"].read())
            yield Record(**body)

    def _upload_template(self, body: bytes) -> str:
        key = f"{self._stack}/templates/{hashlib.sha256(body).hexdigest()[:16]}.yaml"
        self._s3.put_object(Bucket=self.bucket, Key=key, Body=body)
        return f"{self._s3.meta.endpoint_url}/{self.bucket}/{key}"


def version_before(records: list[Record]) -> Record | None:
    """What a rollback goes back to: the deployment before the one whose version runs. None where there is none."""
    if not records:
        return None
    running = records[-1].of
    before = [record for record in records if record.number < running]
    if not before:
        return None
    source = before[-1].of
    return next(record for record in records if record.number == source)
