"""A company's demo scenes played in memory, by the stand-in model: what a table would hold of them afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from conversation.scenes import ModelOrders, Scene, load_scenes
from core.agents.invoker import AgentInvokerImpl
from core.domain.conversation import Mode
from core.domain.errors import LLMProviderError
from core.domain.llm import LLMAttempt, LLMCallResult, LLMFailure
from core.domain.messages import Sender
from core.integrations.factory import fingerprints_of
from replay.exporting.conversation_items import read_items, sessions_of
from replay.playing.company import settings_to_plain
from replay.session_file.records import Header, RecordedSession
from replay.session_file.writer import SessionWriter
from tests.desk import Desk
from tests.fakes.clock import FakeClock
from tests.fakes.llm_client import result_of
from tests.fakes.stand_in_model import StandInModel
from tests.shipped_companies import PROMPTS_DIR, CompanyFiles, read_company

_LATENCY_MS = 700
_WITHOUT_BSUID = 3

# What the demo does not show: anger twice, an opt-out, a day's silence, a reply in the customer's own word.
MORE_TALK = (
    Scene(
        title="5. A raiva, duas vezes",
        customer="Iara Camargo",
        says=("isso é um absurdo, ninguém resolve nada", "vocês são péssimos, que atendimento horrível"),
    ),
    Scene(title="6. O fim das mensagens", customer="Caio Bittencourt", says=("oi", "PARAR")),
    Scene(title="7. Outro dia", customer="Nina Sampaio", says=("oi, tudo bem?", "~26h", "voltei, pode continuar?")),
    Scene(
        title="8. A palavra do cliente",
        customer="Ruy Falcão",
        says=("a gente é um sítio",),
        model=ModelOrders(replies=('{"s":1,"segment":"sítio"}Anotado. O que você quer analisar?',)),
    ),
)


class SceneModel(StandInModel):
    """The stand-in, told beforehand what to answer or how often to fail; each answer takes its time."""

    def __init__(self, clock: FakeClock) -> None:
        super().__init__()
        self._clock = clock
        self._replies: list[str] = []
        self._failures = 0

    def takes(self, orders: ModelOrders) -> None:
        """A scene's orders, in the place of the last one's."""
        self._replies, self._failures = list(orders.replies), orders.times if orders.http_status else 0

    def chat(self, *, model: str, messages: Sequence[dict[str, Any]], **rest: Any) -> LLMCallResult:
        self._clock.advance(ms=_LATENCY_MS)
        if self._failures:
            self._failures -= 1
            attempts = tuple(
                LLMAttempt(number=n, latency_ms=_LATENCY_MS // 2, failure=LLMFailure.SERVER_ERROR, status=503)
                for n in (1, 2)
            )
            raise LLMProviderError("OpenAI 503", failure=LLMFailure.SERVER_ERROR, attempts=attempts)
        if self._replies:
            return result_of(self._replies.pop(0), model=model)
        return super().chat(model=model, messages=messages, **rest)


def recorded_desk(company: CompanyFiles, scenes: Iterable[Scene] = ()) -> Desk:
    """A desk on which the scenes were played, the company's own and a few more unless others are given."""
    desk = Desk(company=company)
    model = SceneModel(desk.clock)
    desk.llm = model  # type: ignore[assignment]
    desk.settings = replace(desk.settings, company=company.name)
    desk.fingerprints = fingerprints_of(desk.settings, company.prompts, {})
    desk.invoker = AgentInvokerImpl(
        llm=model, prompts=company.prompts, catalog=company.catalog, models=desk.settings.models
    )
    for number, scene in enumerate(scenes or _scenes(company), 1):
        model.takes(scene.model)
        bsuid = None if number == _WITHOUT_BSUID else f"BR.71{number:014d}"
        _play(desk, scene, Sender(phone=f"5511980000{number:03d}", bsuid=bsuid, name=scene.customer))
        desk.clock.advance(minutes=3)
    return desk


def laboratory() -> CompanyFiles:
    """The laboratory's files."""
    return read_company(PROMPTS_DIR, "laboratorio")


def _scenes(company: CompanyFiles) -> Iterator[Scene]:
    yield from load_scenes(company.folder, company.catalog)
    yield from MORE_TALK


def _play(desk: Desk, scene: Scene, sender: Sender) -> None:
    for line in scene.says:
        if line.startswith("~"):
            desk.clock.advance(hours=int(line.strip("~h")))
            continue
        desk.says(line, sender=sender)
        desk.clock.advance(seconds=20)
        if desk.head.mode is Mode.HUMAN:
            break


def recorded_sessions(desk: Desk) -> Iterator[RecordedSession]:
    """What an export finds on the desk's table."""
    for conversation in desk.store.conversations():
        yield from sessions_of(read_items(conversation, desk.store.items(conversation)))


def header_of(desk: Desk) -> Header:
    """What the desk ran with."""
    return Header(
        code="test",
        company=desk.settings.company,
        fingerprints=desk.fingerprints,
        settings=settings_to_plain(desk.settings),
    )


def write_recording(path: Path, desk: Desk) -> Path:
    """The desk's sessions as a file."""
    with SessionWriter(path, header_of(desk)) as file:
        for session in recorded_sessions(desk):
            file.add(session)
    return path
