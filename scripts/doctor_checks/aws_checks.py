"""What AWS says of the stack: its resources, its secrets, who is told, and whether the functions answer."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from core.config.secrets import clean_secret, fits_a_header
from deployment.people import ADD, attend
from deployment.secret_store import SecretStore
from deployment.smoke import handshake_fault, self_check
from deployment.web import request
from local_stack.webhook_signature import signed_headers

from .deployed import Deployed
from .results import Area, Check, Result

SKEW_SECONDS = 60.0  # AWS refuses requests that are five minutes off
# Nothing in it: taken, logged and forgotten.
_EMPTY_BODY = b'{"object":"whatsapp_business_account","entry":[]}'
_STACK, _SECRETS, _ANSWERS, _ALARMS = Area("stack"), Area("secrets"), Area("functions"), Area("alarms")
_OPERATIONS = "docs/operations.md says what each means and what to do"


class AwsChecks:
    """`checks` are asked one after another; each may be asked alone."""

    def __init__(self, deployed: Deployed) -> None:
        self._deployed = deployed
        self._account = deployed.account

    def checks(self) -> list[tuple[Area, str, Check]]:
        """All of them, in the order of the table."""
        return [
            (_STACK, "stack", self.stack),
            (_STACK, "table", self.table),
            (_STACK, "queue", self.queue),
            (_STACK, "dead letters", self.dead_letters),
            (_STACK, "mapping", self.mapping),
            (_STACK, "sweep", self.schedule),
            (_STACK, "clock", self.clock),
            (_SECRETS, "secrets", self.secrets),
            (_ANSWERS, "functions", self.functions),
            (_ANSWERS, "webhook", self.webhook),
            (_ALARMS, "alarms", self.alarms),
            (_ALARMS, "alarm topic", self.alarm_topic),
            (_ALARMS, "attendants' topic", self.handoff_topic),
        ]

    def stack(self) -> Iterator[Result]:
        """CloudFormation has come to an end with it."""
        status = self._deployed.status
        settled = status.endswith("_COMPLETE") and not status.startswith(("ROLLBACK", "DELETE"))
        yield _STACK.judged("stack", "" if settled else status, "scripts/deploy.py says the way out", found=status)

    def table(self) -> Iterator[Result]:
        """There, restorable, and forgetting what is old."""
        name, dynamodb = self._deployed.outputs["TableName"], self._account.client("dynamodb")
        status = dynamodb.describe_table(TableName=name)["Table"]["TableStatus"]
        yield _STACK.judged(
            "table", "" if status == "ACTIVE" else status, "wait, or look at it in the console", found=name
        )
        if self._account.endpoint:
            yield _STACK.skipped("recovery and expiry", "an emulator does neither")
            return
        backups = dynamodb.describe_continuous_backups(TableName=name)["ContinuousBackupsDescription"]
        recovery = backups["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"]
        fault = "" if recovery == "ENABLED" else "off: what is lost stays lost"
        yield _STACK.judged("point-in-time recovery", fault, "deploy again: the template switches it on")
        expiry = dynamodb.describe_time_to_live(TableName=name)["TimeToLiveDescription"]["TimeToLiveStatus"]
        fault = "" if expiry in ("ENABLED", "ENABLING") else "off: nothing is ever forgotten"
        yield _STACK.judged("expiry of old items", fault, "deploy again: the template switches it on")

    def queue(self) -> Iterator[Result]:
        """There; how much waits is told."""
        found = self._attributes(self._deployed.outputs["QueueUrl"])
        waiting = int(found["ApproximateNumberOfMessages"]) + int(found["ApproximateNumberOfMessagesNotVisible"])
        yield _STACK.fine("queue", f"{waiting} waiting or in work")

    def dead_letters(self) -> Iterator[Result]:
        """None."""
        found = self._attributes(self._deployed.outputs["DeadLetterQueueUrl"])
        count = int(found["ApproximateNumberOfMessages"])
        fault = f"{count} messages were given up on" if count else ""
        yield _STACK.judged("dead letters", fault, "docs/operations.md, DeadLetterAlarm", found="none")

    def mapping(self) -> Iterator[Result]:
        """The queue calls the process function."""
        arn = self._attributes(self._deployed.outputs["QueueUrl"])["QueueArn"]
        found = self._account.client("lambda").list_event_source_mappings(EventSourceArn=arn)["EventSourceMappings"]
        if not found:
            yield _STACK.fault("mapping", "nothing takes messages from the queue", "deploy again")
        for each in found:
            most = each.get("ScalingConfig", {}).get("MaximumConcurrency", "any number of")
            fault = "" if each["State"] == "Enabled" else f"is {each['State']}: messages wait and nobody answers"
            mend = ".venv/bin/python scripts/conversations.py resume: it is paused, or somebody switched it off"
            yield _STACK.judged("mapping", fault, mend, found=f"{most} conversations at once")

    def schedule(self) -> Iterator[Result]:
        """The rule that calls the sweep is on: else nothing is sent again, and nobody looks after handoffs."""
        rules = [name for name, kind in self._resources("AWS::Events::Rule").items() if kind.startswith("Sweep")]
        if not rules:
            yield _STACK.fault("sweep", "no rule calls it", "deploy again")
        for name in rules:
            state = self._account.client("events").describe_rule(Name=name)["State"]
            fault = "" if state == "ENABLED" else f"its schedule is {state}: nothing is sent again or looked after"
            mend = ".venv/bin/python scripts/conversations.py resume: it is paused, or somebody switched it off"
            yield _STACK.judged("sweep", fault, mend, found="by its schedule")

    def _resources(self, kind: str) -> dict[str, str]:
        """The stack's own of a kind: their names in the template by their names at AWS."""
        cloudformation = self._account.client("cloudformation")
        pages = cloudformation.get_paginator("list_stack_resources").paginate(StackName=self._deployed.stack)
        listed = (each for page in pages for each in page["StackResourceSummaries"])
        return {r["PhysicalResourceId"]: r["LogicalResourceId"] for r in listed if r["ResourceType"] == kind}

    def clock(self) -> Iterator[Result]:
        """This machine's, against AWS's."""
        headers = self._account.client("sts").get_caller_identity()["ResponseMetadata"]["HTTPHeaders"]
        if not headers.get("date"):
            yield _STACK.skipped("clock", "AWS tells no time here")
            return
        skew = abs((datetime.now(UTC) - parsedate_to_datetime(headers["date"])).total_seconds())
        fault = f"this machine is {skew:.0f} s off" if skew > SKEW_SECONDS else ""
        yield _STACK.judged(
            "clock", fault, "set this machine's clock (timedatectl set-ntp true)", found=f"{skew:.0f} s off"
        )

    def secrets(self) -> Iterator[Result]:
        """Each is there, encrypted, and looks like one."""
        for setting, name in self._deployed.secret_names.items():
            kind, value = self._deployed.secrets.get(setting, ("", ""))
            mend = f"write {setting} into the settings' file and run scripts/deploy.py --put-secrets"
            yield _SECRETS.judged(setting, self._secret_fault(setting, kind, value), mend, found=name)

    def functions(self) -> Iterator[Result]:
        """Each is ready, and the version that serves finds its settings, secrets, files, table and queue in order."""
        for name, configuration in self._deployed.functions.items():
            states = {str(configuration.get(key)) for key in ("State", "LastUpdateStatus") if configuration.get(key)}
            fault = ", ".join(sorted(states - {"Active", "Successful", "Inactive"}))
            version = configuration.get("Environment", {}).get("Variables", {}).get("CODE_VERSION", "?")
            yield _ANSWERS.judged(name, fault, "look at it in the console, deploy again", found=f"code {version}")
            fault, looked_at = self_check(self._account, name)
            mend = "docs/operations.md, StartUpAlarm: the function's log names the setting"
            yield _ANSWERS.judged(f"{name} starts", fault, mend, found=", ".join(looked_at))

    def webhook(self) -> Iterator[Result]:
        """It shakes hands as Meta asks, and knows Meta's signature."""
        if not self._deployed.is_on("WHATSAPP_ENABLED"):
            yield _ANSWERS.skipped("webhook", "WHATSAPP_ENABLED is false")
            return
        token = clean_secret(self._deployed.secret("WHATSAPP_VERIFY_TOKEN"))
        fault = handshake_fault(self._deployed.webhook, token)
        mend = "docs/operations.md, WebhookAnswersAlarm; after a change of the token: five minutes"
        yield _ANSWERS.judged("webhook shakes hands", fault, mend, found=self._deployed.webhook)
        secret = self._deployed.secret("WHATSAPP_APP_SECRET").partition(",")[0].strip()
        answer = request("POST", self._deployed.webhook, body=_EMPTY_BODY, headers=signed_headers(_EMPTY_BODY, secret))
        fault = "" if answer.status == 200 else f"HTTP {answer.status} for a body signed with the app secret"
        yield _ANSWERS.judged("webhook takes signed bodies", fault, "docs/operations.md, SignaturesRefusedAlarm")

    def alarms(self) -> Iterator[Result]:
        """All of the template's are there, and none rings."""
        names = self._resources("AWS::CloudWatch::Alarm")
        found = self._account.client("cloudwatch").get_paginator("describe_alarms").paginate()
        states = {each["AlarmName"]: each["StateValue"] for page in found for each in page.get("MetricAlarms", ())}
        missing = [ours for name, ours in names.items() if name not in states]
        fault = f"not there: {', '.join(missing)}" if missing else "" if names else "the stack has none"
        yield _ALARMS.judged("alarms", fault, "deploy again", found=f"{len(names)}")
        ringing = sorted(ours for name, ours in names.items() if states.get(name) == "ALARM")
        yield _ALARMS.judged("none rings", ", ".join(ringing), _OPERATIONS)

    def alarm_topic(self) -> Iterator[Result]:
        """Somebody is told."""
        if self._account.endpoint:
            yield _ALARMS.skipped("alarm topic", "an emulator tells nobody")
            return
        yield self._topic("alarm topic", self._deployed.outputs["AlarmTopicArn"], "ALARM_EMAIL=you@company and deploy")

    def handoff_topic(self) -> Iterator[Result]:
        """Somebody hears of conversations that go to people."""
        arn = self._deployed.variables.get("HANDOFF_TOPIC_ARN", "")
        if not self._deployed.is_on("HANDOFF_ENABLED"):
            yield _ALARMS.skipped("attendants' topic", "HANDOFF_ENABLED is false")
        elif self._account.endpoint:
            yield _ALARMS.skipped("attendants' topic", "an emulator tells nobody")
        elif not arn and (registered := self._registered()):
            yield _ALARMS.skipped("attendants' topic", f"none; {registered} registered at the console")
        elif not arn:
            mend = f"{ADD.format(parameter=self._attendants)}; or an SNS topic and HANDOFF_TOPIC_ARN=its ARN, deploy"
            yield _ALARMS.fault("attendants' topic", "none, and no attendant: none is promised", mend)
        else:
            yield self._topic("attendants' topic", arn, f"aws sns subscribe --topic-arn {arn} --protocol email")

    @property
    def _attendants(self) -> str:
        return self._deployed.variables.get("ATTENDANTS_SSM_PARAM", "")

    def _registered(self) -> int:
        if not self._attendants:
            return 0
        _, stored = SecretStore(self._account.client("ssm")).read([self._attendants]).get(self._attendants, ("", ""))
        return attend(stored)

    def _topic(self, about: str, arn: str, mend: str) -> Result:
        pages = self._account.client("sns").get_paginator("list_subscriptions_by_topic").paginate(TopicArn=arn)
        arns = [each["SubscriptionArn"] for page in pages for each in page["Subscriptions"]]
        confirmed = [each for each in arns if each.startswith("arn:")]
        if arns and not confirmed:
            return _ALARMS.fault(about, "nobody has confirmed", "open the mail of AWS and confirm the subscription")
        return _ALARMS.judged(
            about, "" if confirmed else "nobody is subscribed", mend, found=f"{len(confirmed)} subscribed"
        )

    def _secret_fault(self, setting: str, kind: str, value: str) -> str:
        if not kind:
            return f"SSM has no parameter {self._deployed.secret_names[setting]}"
        if kind != "SecureString":
            return f"is a {kind}: whoever lists parameters can read it"
        if not clean_secret(value):
            return "is empty"
        in_header = setting in ("OPENAI_API_KEY", "WHATSAPP_ACCESS_TOKEN")
        return (
            "holds a character that no HTTP header carries"
            if in_header and not fits_a_header(clean_secret(value))
            else ""
        )

    def _attributes(self, url: str) -> dict[str, Any]:
        found: dict[str, Any] = self._account.client("sqs").get_queue_attributes(QueueUrl=url, AttributeNames=["All"])
        return dict(found["Attributes"])
