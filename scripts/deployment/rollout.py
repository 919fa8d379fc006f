"""The steps of a deployment and of a rollback, and what a person reads of them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from . import shown
from .account import Account
from .artifacts import Artifacts, Record, version_before
from .change_set import FIRST_FAILED, Change, ChangeSet, Stack, StackNow
from .errors import DeployError, NotConfirmedError
from .people import check_people
from .secret_store import SecretPlan, SecretStore
from .smoke import check_smoke, webhook_address
from .wanted import IDENTITY_KEY, Wanted

_KEY_PARAMETER = "IdentityKeySsmParam"
_TOKEN_PARAMETER = "WhatsAppVerifyTokenSsmParam"  # noqa: S105 - a parameter's name


class Rollout:
    """One run. `confirm` raises `NotConfirmedError` where the person says no."""

    def __init__(
        self, account: Account, stack: str, options: argparse.Namespace, confirm: Callable[[str], None]
    ) -> None:
        self._account = account
        self._options = options
        self._confirm = confirm
        self._stack = Stack(account.client("cloudformation"), stack)
        self._artifacts = Artifacts(account, stack, options.bucket)
        self._secrets = SecretStore(account.client("ssm"))

    def deploy(self, wanted: Wanted, sam: Path) -> None:
        """Everything from the secrets to the smoke check. Raises `DeployError`, `StackError`."""
        now = self._settled()
        plan = self._plan_secrets(wanted, now)
        if self._options.dry_run and (now is None or not self._artifacts.exists()):
            shown.new_stack(wanted.parameters)
            print("dry run: nothing was deployed, and no secret written")
            return
        self._artifacts.ensure()
        print("building and uploading", flush=True)
        template_url = self._artifacts.package(sam, wanted.parameters)
        shown.settings(now.parameters if now else {}, wanted.parameters)
        change_set = self._stack.propose(template_url, wanted.parameters, exists=now is not None)
        shown.changes(change_set)
        if self._options.dry_run:
            if change_set is not None:
                self._stack.discard(change_set.name, with_stack=False)
            else:
                print("no changes")
            print(f"dry run: nothing was deployed, and no secret written; the code lies in {self._artifacts.bucket}")
            return
        self._ask(change_set, plan, exists=now is not None)
        self._secrets.write(plan)
        if change_set is None:
            print("nothing else to do: the stack is as it should be" if plan.writes else "nothing to do: no changes")
            if now is not None:
                self._say_where(now, wanted.parameters)
            return
        self._carry_out(change_set, template_url, wanted.parameters, now)

    def _settled(self) -> StackNow | None:
        """What runs now. Raises `DeployError` where nothing can be deployed on top of it."""
        now = self._stack.now()
        if now is not None and now.status == FIRST_FAILED:
            print(f"the first deployment of {self._stack.name} failed; what is left of it serves nothing")
            if self._options.dry_run:
                return None
            self._confirm("take that away and begin anew?")
            self._stack.remove_failed()
            return None
        self._stack.check_settled(now)
        return now

    def roll_back(self) -> None:
        """Deploy the version before, with the settings that it had. Raises `DeployError`."""
        now = self._stack.now()
        self._stack.check_settled(now)
        records = self._artifacts.records() if self._artifacts.exists() else []
        target = version_before(records)
        if now is None or target is None:
            message = "there is no deployment to go back to"
            raise DeployError(message, next_step=f"deployments are recorded in {self._artifacts.bucket}")
        print(f"from {now.parameters.get('CodeVersion', '?')} back to {target.code_version}, deployed {target.at}")
        self._go_back(target, now, records, asks=True)

    def _go_back(self, target: Record, now: StackNow, records: list[Record], *, asks: bool) -> None:
        shown.settings(now.parameters, target.parameters)
        change_set = self._stack.propose(target.template_url, target.parameters, exists=True)
        shown.changes(change_set)
        if self._options.dry_run:
            if change_set is not None:
                self._stack.discard(change_set.name, with_stack=False)
            print("dry run: nothing was deployed")
            return
        if asks:
            self._ask(change_set, SecretPlan(), exists=True)
        if change_set is not None:
            now = self._execute(change_set)
        self._remember(records, target.template_url, target.parameters, of=target.of)
        self._check(now, target.parameters)
        print(f"rolled back to {target.code_version}")
        self._say_where(now, target.parameters)

    def _plan_secrets(self, wanted: Wanted, now: StackNow | None) -> SecretPlan:
        plan = self._secrets.plan(
            wanted.secrets,
            put=self._options.put_secrets,
            generate_key=self._options.generate_identity_key,
            live_key=now.parameters.get(_KEY_PARAMETER, "") if now else "",
        )
        plan.check()
        if not self._account.endpoint:  # an emulator's customers are played
            check_people(self._secrets, wanted.parameters)
        for secret in plan.writes:
            made = " (made now; it never changes)" if secret.setting == IDENTITY_KEY else ""
            print(f"  secret {secret.setting} goes to {secret.parameter}{made}")
        if self._options.put_secrets and not plan.writes:
            print("  every secret of the file is in SSM already")
        return plan

    def _ask(self, change_set: ChangeSet | None, plan: SecretPlan, *, exists: bool) -> None:
        """Raises `NotConfirmedError`, and takes the change set away."""
        if change_set is None and not plan.writes:
            return
        try:
            if change_set is not None and change_set.losses:
                self._ask_about_losses(change_set.losses)
            self._confirm("carry that out?")
        except (NotConfirmedError, KeyboardInterrupt, EOFError):
            if change_set is not None:
                self._stack.discard(change_set.name, with_stack=not exists)
            raise

    def _ask_about_losses(self, losses: tuple[Change, ...]) -> None:
        names = ", ".join(change.logical_id for change in losses)
        print(f"\n!!! DATA: {names} would be replaced or removed. What customers wrote, or what waits for an answer,")
        print("!!! would be out of reach: the functions would begin with an empty one.\n")
        if self._options.allow_data_loss:
            return
        if self._options.yes:
            message = f"{names} would be replaced or removed, and --yes does not cover that"
            raise NotConfirmedError(message, next_step="--allow-data-loss, if that is what you want")
        self._confirm(f"replace or remove {names}?")

    def _carry_out(
        self, change_set: ChangeSet, template_url: str, parameters: Mapping[str, str], before: StackNow | None
    ) -> None:
        records = self._artifacts.records()
        if before is not None and not records:
            records = self._remember(records, self._artifacts.keep(self._stack.template()), before.parameters)
        now = self._execute(change_set)
        try:
            self._check(now, parameters)
        except DeployError as error:
            self._after_failed_check(error, now, records)
            raise
        self._remember(records, template_url, parameters)
        self._protect()
        print("deployed, and it answers")
        self._say_where(now, parameters)
        if records:
            print(f"to go back: {self._command('--rollback')}")

    def _after_failed_check(self, error: DeployError, now: StackNow, records: list[Record]) -> None:
        """Back to what ran before, where something did."""
        print(error.what)
        if not records:
            error.next_step = "there is no version before; look at the functions' logs, correct it, deploy again"
            return
        print("going back to the version before")
        last = records[-1]
        running = next(record for record in records if record.number == last.of)
        self._go_back(running, now, records, asks=False)
        error.next_step = "the version before serves again; look at the logs, correct it, deploy again"

    def _execute(self, change_set: ChangeSet) -> StackNow:
        print("deploying", flush=True)
        return self._stack.execute(change_set, tell=lambda line: print(line, flush=True))

    def _check(self, now: StackNow, parameters: Mapping[str, str]) -> None:
        token = ""
        if parameters.get("WhatsAppEnabled", "true") == "true":
            name = parameters[_TOKEN_PARAMETER]
            token = self._secrets.read([name]).get(name, ("", ""))[1]
        check_smoke(self._account, now.outputs, token)

    def _remember(
        self, records: list[Record], template_url: str, parameters: Mapping[str, str], *, of: int | None = None
    ) -> list[Record]:
        number = records[-1].number + 1 if records else 1
        at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        record = Record(
            number=number,
            of=of or number,
            code_version=parameters.get("CodeVersion", ""),
            template_url=template_url,
            parameters=parameters,
            at=at,
        )
        self._artifacts.record(record)
        return [*records, record]

    def _protect(self) -> None:
        if not self._account.endpoint:
            self._stack.protect()

    def _say_where(self, now: StackNow, parameters: Mapping[str, str]) -> None:
        name = parameters.get(_TOKEN_PARAMETER, "")
        region = self._account.region
        print("\nfor Meta (WhatsApp > Configuration > Webhook), field `messages`:")
        print(f"  callback URL   {webhook_address(now.outputs, self._account.endpoint)}")
        print("  verify token   aws ssm get-parameter --with-decryption --query Parameter.Value --output text \\")
        print(f"                   --region {region} --name {name}")
        print(f"see that all of it works: {self._command('', script='doctor')}")

    def _command(self, option: str, *, script: str = "deploy") -> str:
        options = self._options
        target = f" --env {options.env}" if options.env else ""
        target += f" --env-file {options.env_file}" if options.env_file else ""
        target += f" --stack {options.stack}" if options.stack else ""
        target += f" --region {options.region}" if options.region else ""
        return f".venv/bin/python scripts/{script}.py{target} {option}".rstrip()
