"""Settings and template against each other: `.env`, `.env.example`, `template.yaml` and what the loader accepts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from core.config.loader import DOOR_SECRETS, PROCESS_SECRETS, load_door_settings, load_settings
from core.config.prompt_files import read_prices
from core.config.secrets import SUFFIX
from core.config.spend_caps import unpriced_models
from local_stack.env_file import EnvFile, read_env_file
from local_stack.template_settings import parameter_settings, read_template

from .company import companies_in, no_such_company
from .findings import Finding, shown_path

SECRETS = frozenset(DOOR_SECRETS) | frozenset(PROCESS_SECRETS)
# What a deployment gives to its functions by itself.
_GIVEN = {"TABLE_NAME": "table", "QUEUE_URL": "https://queue.invalid/q.fifo"}
_NAMED = re.compile(r"\b[A-Z][A-Z0-9_]{3,}\b")


def check_settings(root: Path, env_path: Path | None = None) -> Iterator[Finding]:
    """`.env` (or the file named) where there is one, and that the three lists of settings say the same."""
    example = read_env_file(root / ".env.example")
    yield from _agreement(root, example)
    env = read_env_file(env_path or root / ".env")
    if env is not None and example is not None:
        yield from _env(env, example, root)


def _env(env: EnvFile, example: EnvFile, root: Path) -> Iterator[Finding]:
    shown = shown_path(env.path, root)
    for line, text in env.unreadable:
        yield Finding(path=shown, line=line, what=f"is no NAME=value: {text!r}", mend="write one setting a line")
    for name, line in env.lines.items():
        if name not in example.values:
            near = env.nearest(name, example)
            mend = f"did you mean {near}?" if near else ".env.example lists every setting"
            yield Finding(path=shown, line=line, what=f"{name} is no setting", mend=mend)
    company, prompts_dir = env.values.get("COMPANY"), Path(env.values.get("PROMPTS_DIR") or root / "prompts")
    if company and company not in companies_in(prompts_dir):
        yield no_such_company(company, prompts_dir, path=shown, line=env.lines["COMPANY"])
    for fault in _loader_faults(env.values):
        name = next((each for each in _NAMED.findall(fault) if each in env.lines), "")
        mend = ".env.example says what it means and what it may be"
        yield Finding(path=shown, line=env.lines.get(name, 1), what=fault, mend=mend)


def _loader_faults(values: Mapping[str, str]) -> list[str]:
    """What would stop a function at its start. A secret counts as given: nothing is fetched here."""
    filled = {name: value for name, value in values.items() if value}
    for name in SECRETS:
        if name not in filled and name + SUFFIX not in filled:
            filled[name] = "filled-in"
    named = {name.removesuffix(SUFFIX): "in-SSM" for name in filled if name.endswith(SUFFIX)}
    rest = {name: value for name, value in filled.items() if not name.endswith(SUFFIX)}
    environ = {"WHATSAPP_PHONE_NUMBER_ID": "1", **_GIVEN, **rest, **named}
    faults: list[str] = []
    for load in (_load_priced, load_door_settings):
        try:
            load(environ)
        except RuntimeError as error:
            faults += [line.removeprefix("  - ") for line in str(error).splitlines() if line.startswith("  - ")]
    return list(dict.fromkeys(faults))


def _load_priced(environ: Mapping[str, str]) -> None:
    """What the process function does at its start, prices included."""
    settings = load_settings(environ)
    unpriced = unpriced_models(settings.models, settings.conversation, read_prices(settings.prompts_dir))
    if faults := "\n".join(f"  - {fault}" for fault in unpriced):
        raise RuntimeError(faults)


def _agreement(root: Path, example: EnvFile | None) -> Iterator[Finding]:
    """`.env.example` and the template name the same settings with the same defaults."""
    if example is None:
        yield Finding(path=".env.example", line=1, what="is missing", mend="restore it from the repository")
        return
    template = read_template(root / "template.yaml")
    lines = (root / "template.yaml").read_text("utf-8").splitlines()
    shown = shown_path(example.path, root)
    for name, parameter in parameter_settings(template).items():
        if name not in example.values:
            mend = "write it with its default and its meaning"
            yield Finding(path=shown, line=1, what=f"{name} of template.yaml is missing", mend=mend)
            continue
        default = template["Parameters"][parameter].get("Default")
        if default is not None and str(default) != example.values[name]:
            line = next((number for number, text in enumerate(lines, 1) if text.startswith(f"  {parameter}:")), 1)
            what = f"{parameter} is {default!r} by default, and .env.example says {name}={example.values[name]}"
            yield Finding(path="template.yaml", line=line, what=what, mend="make them the same")
