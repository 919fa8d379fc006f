"""SSM's parameters in memory: a SecureString is given to whoever may decrypt, and nothing is overwritten unasked."""

from __future__ import annotations

from typing import Any


class FakeParameterStore:
    """An SSM client, as far as the commands use it."""

    def __init__(self, **parameters: str) -> None:
        self.parameters = {f"/{name.replace('__', '/')}": ("SecureString", value) for name, value in parameters.items()}

    def get_parameters(self, *, Names: list[str], WithDecryption: bool) -> dict[str, Any]:  # noqa: N803 - boto3's names
        assert len(Names) <= 10
        found = [(name, self.parameters[name]) for name in Names if name in self.parameters]
        return {"Parameters": [{"Name": name, "Type": kind, "Value": value} for name, (kind, value) in found]}

    def put_parameter(self, *, Name: str, Value: str, Type: str, Overwrite: bool) -> None:  # noqa: N803
        assert Overwrite or Name not in self.parameters
        self.parameters[Name] = (Type, Value)
