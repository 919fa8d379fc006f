"""Secrets are written when that is asked, are never shown, and the key of identities never changes."""

from __future__ import annotations

import pytest

from deployment.errors import WRONG_SETTINGS, DeployError
from deployment.secret_store import SecretPlan, SecretStore
from deployment.wanted import Secret
from tests.fakes.parameter_store import FakeParameterStore

KEY = Secret(setting="IDENTITY_KEY", parameter="/b/identity-key")
TOKEN = Secret(setting="WHATSAPP_ACCESS_TOKEN", parameter="/b/token", value="new")


def planned(
    ssm: FakeParameterStore, *wanted: Secret, put: bool = False, generate_key: bool = False, live_key: str = ""
) -> SecretPlan:
    return SecretStore(ssm).plan(wanted, put=put, generate_key=generate_key, live_key=live_key)


def test_without_being_asked_nothing_is_written_and_what_is_missing_is_told_with_its_mend() -> None:
    plan = planned(FakeParameterStore(), KEY, TOKEN)
    assert plan.writes == ()
    with pytest.raises(DeployError) as told:
        plan.check()
    assert told.value.status == WRONG_SETTINGS
    assert "/b/identity-key" in str(told.value)
    assert "--generate-identity-key" in str(told.value)
    assert "--put-secrets writes it from WHATSAPP_ACCESS_TOKEN" in str(told.value)


def test_what_is_there_already_is_not_written_again() -> None:
    ssm = FakeParameterStore(b__token="new", **{"b__identity-key": "k"})
    assert planned(ssm, KEY, TOKEN, put=True).writes == ()


def test_a_secret_that_changed_is_written_and_not_shown() -> None:
    ssm = FakeParameterStore(b__token="old", **{"b__identity-key": "k"})
    plan = planned(ssm, KEY, TOKEN, put=True)
    plan.check()
    SecretStore(ssm).write(plan)
    assert ssm.parameters["/b/token"] == ("SecureString", "new")
    assert "new" not in repr(plan)


def test_a_key_of_identities_is_made_once() -> None:
    ssm = FakeParameterStore(b__token="new")
    plan = planned(ssm, KEY, TOKEN, generate_key=True)
    plan.check()
    SecretStore(ssm).write(plan)
    assert len(ssm.parameters["/b/identity-key"][1]) == 64
    with pytest.raises(DeployError, match="never changes"):
        planned(ssm, KEY, TOKEN, generate_key=True).check()


def test_another_key_of_identities_is_refused() -> None:
    ssm = FakeParameterStore(b__token="new", **{"b__identity-key": "k"})
    other = Secret(setting="IDENTITY_KEY", parameter="/b/identity-key", value="other")
    with pytest.raises(DeployError, match="every conversation would be a stranger's"):
        planned(ssm, other, TOKEN, put=True).check()


def test_a_stack_that_runs_keeps_its_key_of_identities_under_whatever_name() -> None:
    ssm = FakeParameterStore(b__token="new", old__key="k", **{"b__identity-key": "another"})
    with pytest.raises(DeployError, match="IDENTITY_KEY_SSM_PARAM=/old/key"):
        planned(ssm, KEY, TOKEN, live_key="/old/key").check()
    ssm.parameters["/b/identity-key"] = ("SecureString", "k")
    planned(ssm, KEY, TOKEN, live_key="/old/key").check()


def test_a_parameter_that_is_no_securestring_is_refused() -> None:
    ssm = FakeParameterStore(**{"b__identity-key": "k"})
    ssm.parameters["/b/token"] = ("String", "new")
    with pytest.raises(DeployError, match="/b/token is a String"):
        planned(ssm, KEY, TOKEN).check()
