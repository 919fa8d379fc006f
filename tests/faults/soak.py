"""A bad day at a desk with many customers: hours of it, on a clock that is moved, and every outage there is."""

from __future__ import annotations

import heapq
import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from core.domain.conversation import EffectKind, Mode
from core.domain.messages import InboundMessage
from tests.faults.hosts import KEY, TOKEN, Host, Vault, Weather
from tests.faults.invariants import faults, standing
from tests.faults.model import plainly
from tests.faults.scenes import at_length, hands_over
from tests.faults.world import Statuses, World

HOSTS = 4
TICK_SECONDS = 10
# Of those who write: how many are content with a person, send a burst, come twice through the provider.
_ASKS_FOR_A_PERSON, _BURST, _REPEATED, _UNDATED = 0.05, 0.25, 0.1, 0.05
# Of conversations that people are asked to take: how many they take before a reminder, and give back.
_TAKEN, _GIVEN_BACK = 0.4, 0.5


def agent(numbers: Sequence[int]) -> str:
    """Every eleventh question takes a person, every fifth answer two messages."""
    if any(number % 11 == 0 for number in numbers):
        return hands_over(numbers)
    if any(number % 5 == 0 for number in numbers):
        return at_length(numbers)
    return plainly(numbers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outages:
    """When each begins, in minutes of the day, and how long the channel's lasts; the provider's lasts ten minutes."""

    channel: float
    channel_lasts: float = 10
    provider: float
    secrets: float
    rotation: float
    ends: float


LONG = Outages(channel=20, provider=60, secrets=100, rotation=135, ends=180)
SHORT = Outages(channel=5, provider=25, secrets=45, rotation=55, ends=60)


@dataclass
class Soak:
    """`conversations` customers, and a seed that decides everything. `told` is what befell the desk, `waited_ms` how long
    each customer waited whom the bot answered; `died` and `starts_failed` count processes.
    """

    seed: int
    conversations: int
    outages: Outages = LONG
    statuses: Statuses = Statuses.AFTER
    deaths: float = 0.02
    told: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.draw = random.Random(self.seed)
        self.world = World(agent=agent, statuses=self.statuses)
        self.begun_ms = self.world.clock.now_ms()
        self.vault = Vault()
        self.weather = Weather(table_fails=0.003, send_lost=0.02, dies=self.deaths)
        self.died = self.starts_failed = 0
        self.waited_ms: list[int] = []
        self._hosts = [self._host() for _ in range(HOSTS)]
        self._sweeper = self._host()
        self._agenda: list[tuple[float, int, Callable[[], None]]] = []
        self._order, self._questions = itertools.count(), itertools.count(1)
        self._seen_by_people: set[tuple[str, str]] = set()

    def run(self) -> list[str]:
        """The day, an hour of calm after it, and what must not have come of it."""
        self._plan()
        self._goes_on(self.outages.ends)
        self.weather.table_fails = self.weather.send_lost = self.weather.dies = 0.0
        self._goes_on(self.outages.ends + 60)
        return [*faults(self.world), *self._silent(), *self._promised_twice(), *self._dead_letters()]

    # The day

    def _plan(self) -> None:
        at = self.outages
        self._at(at.channel, partial(self.vault.revoke, TOKEN), "the token is revoked")
        self._at(at.channel + at.channel_lasts, partial(self.vault.rotate, TOKEN, "token-2"), "a new token is stored")
        self._at(at.provider, partial(self._provider, True), "the provider is down")
        self._at(at.provider + 10, partial(self._provider, False), "the provider is back")
        self._at(at.secrets, partial(self._throttle, True), "the store of secrets is throttled")
        for minute in (0.5, 1.5, 2.5):
            self._at(at.secrets + minute, self._deploy, "new processes")
        self._at(at.secrets + 4, partial(self._throttle, False), "the store of secrets answers")
        self._at(at.rotation, partial(self.vault.rotate, KEY, "key-2"), "the key is rotated")
        for customer in range(1, self.conversations + 1):
            minute = self.draw.uniform(0, at.ends)
            for _ in range(self.draw.randint(1, 4)):
                self._at(minute, partial(self._write, customer))
                minute += self.draw.choice((0.1, 2, 6, 14, 35)) * self.draw.uniform(0.5, 1.5)

    def _at(self, minute: float, happens: Callable[[], None], told: str = "") -> None:
        def happening() -> None:
            if told:
                self.told.append(f"{minute:g} min: {told}")
            happens()

        heapq.heappush(self._agenda, (minute, next(self._order), happening))

    def _provider(self, down: bool) -> None:
        self.weather.provider_down = down

    def _throttle(self, throttled: bool) -> None:
        self.vault.throttled = throttled

    def _deploy(self) -> None:
        """Half of the processes are new ones."""
        for place in range(0, HOSTS, 2):
            self._hosts[place] = self._host()

    def _host(self) -> Host:
        return Host(self.world, self.vault, self.weather, self.draw)

    def _write(self, customer: int) -> None:
        burst = self.draw.random() < _BURST
        for _ in range(3 if burst else 1):
            message = self._message(customer)
            self.world.arrives(message)
            if self.draw.random() < _REPEATED:
                self.world.arrives(message)

    def _message(self, customer: int) -> InboundMessage:
        number, luck = next(self._questions), self.draw.random()
        if luck < _ASKS_FOR_A_PERSON:
            return self.world.asks(number, customer=customer, text=f"quero falar com uma pessoa ({number})")
        message = self.world.asks(number, customer=customer)
        if luck > 1 - _UNDATED:
            message = replace(message, sent_at_ms=self.world.clock.now_ms(), undated=True)
        return message

    # Time

    def _minutes(self) -> float:
        return (self.world.clock.now_ms() - self.begun_ms) / 60_000

    def _goes_on(self, until: float) -> None:
        tick = 0
        while self._minutes() < until:
            while self._agenda and self._agenda[0][0] <= self._minutes():
                heapq.heappop(self._agenda)[2]()
            self.world.report()
            self._work()
            if tick % round(60 / TICK_SECONDS) == 0:
                self._look_after_people()
                self._sweep()
            tick += 1
            self.world.clock.advance(seconds=TICK_SECONDS)

    def _work(self) -> None:
        while self.world.queue.waiting:
            place = self.draw.randrange(HOSTS)
            host = self._hosts[place]
            self.world.starts_from_ms = 0 if host.starts() else self.world.clock.now_ms() + 1
            self.starts_failed += self.world.starts_from_ms > 0
            self.world.deliver(run=host.run())
            if host.died:
                self.died += 1
                self._hosts[place] = self._host()

    def _sweep(self) -> None:
        if self._sweeper.starts():
            self.world.sweep(run=self._sweeper.run())
        if self._sweeper.died:
            self.died += 1
            self._sweeper = self._host()

    def _look_after_people(self) -> None:
        """Some of those who are asked for come, and some of these give the conversation back."""
        for conversation in self.world.conversations:
            head = self.world.store.head(conversation)
            key = (conversation, str(head.handoff_since_ms))
            if head.mode is not Mode.HUMAN or key in self._seen_by_people:
                continue
            self._seen_by_people.add(key)
            if self.draw.random() < _TAKEN:
                minute = self._minutes() + self.draw.uniform(0, 12)
                self._at(minute, partial(self._take, conversation))

    def _take(self, conversation: str) -> None:
        if self.world.store.head(conversation).mode is not Mode.HUMAN:
            return
        self.world.people_take_over(conversation)
        self._seen_by_people.add((conversation, str(self.world.store.head(conversation).handoff_since_ms)))
        if self.draw.random() < _GIVEN_BACK:
            minute = self._minutes() + self.draw.uniform(5, 30)
            self._at(minute, partial(self.world.people_hand_back, conversation))

    # What must hold

    def _silent(self) -> Iterator[str]:
        """After each message something was read, or people had the conversation and its queue item."""
        for conversation in self.world.conversations:
            read = [each.at_ms for each in self.world.arrivals if each.conversation == conversation]
            items = [e for e in self.world.store.effects(conversation) if e.kind is EffectKind.HANDOFF]
            human = self.world.store.head(conversation).mode is Mode.HUMAN
            turns = self.world.store.turns(conversation)
            for record in self.world.store.inbounds(conversation):
                after = [ms for ms in read if ms >= record.received_at_ms]
                forwarded = any(record.sk in turn.inbound and turn.outcome == "forwarded" for turn in turns)
                if after and not forwarded and conversation not in self.world.taken_over:
                    self.waited_ms.append(after[0] - record.received_at_ms)
                asked_for = any(item.created_at_ms >= record.received_at_ms for item in items)
                with_people = asked_for or (items and (human or forwarded)) or conversation in self.world.taken_over
                if not after and not with_people:
                    yield f"nobody ever said a word to a customer ({conversation[:6]})"

    def _promised_twice(self) -> Iterator[str]:
        """A person is promised once, until the bot has had the word again or people gave it back."""
        for conversation in self.world.conversations:
            promised = False
            for turn in standing(self.world, conversation):
                if turn.outcome in ("forwarded", "nobody_came"):
                    continue
                if turn.handoff_reason and promised and not self._had_the_word(conversation, turn.decided_at_ms):
                    yield f"a person was promised twice ({conversation[:6]})"
                promised = bool(turn.handoff_reason)

    def _had_the_word(self, conversation: str, at_ms: int) -> bool:
        """Whether the bot was right to answer: given back, or nobody came to a technical handoff in time."""
        turns = [t for t in standing(self.world, conversation) if t.decided_at_ms < at_ms and t.handoff_reason]
        waited = at_ms - turns[-1].decided_at_ms > self.world.policy.handoff_ack_minutes * 60_000
        return waited or conversation in self.world.handed_back

    def _dead_letters(self) -> Iterator[str]:
        yield from ("a record went to the dead-letter queue" for _ in self.world.queue.dead)
