"""What a run plays and against what."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

from core.application.ports import LLMClient
from core.config.catalog_file import CATALOG_FILE
from core.config.settings import ModelSettings
from core.domain.prompts import PromptSet
from replay.comparing.accepted import AcceptedChange, Rules
from replay.playing.company import Company, read_company, read_company_files

MakeModel = Callable[[PromptSet], LLMClient]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlan:
    """`make_model` is None for the recorded replies. `company` is "" for the one that the file names; `baseline` an
    older `prompts` folder, or an older company's. The budget is one process's. `models` are asked in the place of those
    that the file names.
    """

    prompts_dir: Path
    company: str = ""
    make_model: MakeModel | None = None
    carry: bool = False
    live_from: int = 1
    baseline: Path | None = None
    repeat: int = 0
    budget_usd: Decimal | None = None
    budget_calls: int | None = None
    rules: Rules = field(default_factory=Rules)
    accepted: tuple[AcceptedChange, ...] = ()
    models: ModelSettings | None = None

    @property
    def is_live(self) -> bool:
        """Whether a model is asked."""
        return self.make_model is not None

    def candidate(self, recorded_company: str) -> Company:
        """The files as they are. Raises `CompanyFilesError`."""
        return read_company(self.prompts_dir, self.company or recorded_company)

    def baseline_company(self, recorded_company: str) -> Company | None:
        """The files as they were. Raises `CompanyFilesError`."""
        if self.baseline is None:
            return None
        if (self.baseline / CATALOG_FILE).is_file():
            return read_company_files(self.prompts_dir, self.baseline)
        return read_company(self.baseline, self.company or recorded_company)
