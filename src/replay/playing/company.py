"""What a replay plays with: a company's files and the settings of the recording."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

from core.config.catalog_file import CATALOG_FILE, load_catalog
from core.config.prompt_files import company_folder, load_prompts
from core.config.settings import ModelSettings, OutputForm, Settings, WhatsAppSettings
from core.domain.catalogue.catalog import Catalog
from core.domain.policy import ConversationPolicy
from core.domain.prompts import PromptSet

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Company:
    """A company's files as a deployment reads them."""

    name: str
    folder: Path
    catalog: Catalog
    prompts: PromptSet


def read_company(prompts_dir: Path, name: str) -> Company:
    """Raises `CompanyFilesError` with every mistake in the files."""
    return read_company_files(prompts_dir, company_folder(prompts_dir, name))


def read_company_files(prompts_dir: Path, folder: Path) -> Company:
    """The same for a folder that stands elsewhere."""
    catalog = load_catalog(folder / CATALOG_FILE)
    prompts = load_prompts(prompts_dir, folder, catalog)
    return Company(name=folder.name, folder=folder, catalog=catalog, prompts=prompts)


def settings_to_plain(settings: Settings) -> Mapping[str, Any]:
    """What of the settings a turn reads: no secret, no address."""
    models = {name: each for name, each in asdict(settings.models).items() if name.startswith("model_")}
    if settings.models.in_schema:  # what agents are told depends on it
        models["output"] = OutputForm.SCHEMA.value
    return {
        "conversation": asdict(settings.conversation),
        "models": models,
        "template": settings.whatsapp.template,
        "notifies": bool(settings.handoff_topic_arn),
    }


def settings_of(plain: Mapping[str, Any], *, company: str) -> Settings:
    """What `settings_to_plain` was given; what is missing has its default, what is unknown is left out."""
    return Settings(
        table_name="",
        queue_url="",
        identity_key="",
        prompts_dir="",
        company=company,
        models=_models_of(plain.get("models", {})),
        whatsapp=WhatsAppSettings(template=plain.get("template", "")),
        conversation=_made(ConversationPolicy, plain.get("conversation", {})),
        handoff_topic_arn="recorded" if plain.get("notifies") else "",
    )


def _models_of(plain: Mapping[str, Any]) -> ModelSettings:
    return _made(ModelSettings, {**plain, "api_key": "", "output": OutputForm(plain.get("output", OutputForm.TEXT))})


def _made(cls: type[T], values: Mapping[str, Any]) -> T:
    target: Any = cls
    known = {field.name for field in fields(target)}
    return cls(**{name: value for name, value in values.items() if name in known})
