"""What a person reads before saying yes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from local_stack.places import ROOT
from local_stack.template_settings import parameter_settings, read_template

from .change_set import ChangeSet


def settings(before: Mapping[str, str], after: Mapping[str, str]) -> None:
    """The settings that change, by their names in .env. None is a secret: those go by their parameter's name."""
    template = read_template(ROOT / "template.yaml")
    named = {parameter: setting for setting, parameter in parameter_settings(template).items()}
    for parameter in sorted(after) if before else ():
        old, new = before.get(parameter, "(new)") or "(empty)", after[parameter] or "(empty)"
        if old != new:
            print(f"  {named.get(parameter, parameter)}: {old} → {new}")


def changes(change_set: ChangeSet | None) -> None:
    """Every resource that is touched; those that are only added are counted by type."""
    if change_set is None:
        return
    added = Counter(change.kind for change in change_set.changes if change.action == "Add")
    print("changes:")
    for kind, count in sorted(added.items()):
        print(f"  + {count} × {kind}")
    for change in change_set.changes:
        if change.action != "Add":
            print(change)


def new_stack(parameters: Mapping[str, str]) -> None:
    """What a first deployment makes, with its settings."""
    template = read_template(ROOT / "template.yaml")
    print("the stack is new; it would be given")
    for setting, parameter in parameter_settings(template).items():
        print(f"  {setting}={parameters.get(parameter, '')}")
    kinds = Counter(resource["Type"] for resource in template["Resources"].values())
    print("and of it would be made, at most")
    for kind, count in sorted(kinds.items()):
        print(f"  + {count} × {kind}")
