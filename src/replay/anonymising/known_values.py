"""What a session itself says of people: senders, fields, addresses, names that somebody gave."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date

from core.domain.catalogue.catalog import Catalog
from core.domain.catalogue.entries import FieldScope, FieldType
from core.domain.conversation import InboundRecord
from core.domain.record_keys import inbound_sk, ms_of
from core.domain.values.field_value import FieldValue
from core.integrations.dynamodb.plain_values import plain_to_state
from replay.anonymising import patterns
from replay.anonymising.days import day_of
from replay.anonymising.pseudonyms import COMPACT, Pseudonyms, name_lists, plain_letters
from replay.anonymising.vocabulary import Vocabulary
from replay.anonymising.words import words_in
from replay.playing.facts import state_after
from replay.session_file.records import RecordedSession

_LEAST_LETTERS = 3
_MOST_WORDS = 5
_DOCUMENTS = frozenset({FieldType.CPF, FieldType.CNPJ})
_HASH_CHARS = 32


@dataclass(slots=True)
class KnownValues:
    """`names` are folded words, `documents` compact; `literals` go from what stands in keys and ids to other ones."""

    names: set[str] = field(default_factory=set)
    documents: set[str] = field(default_factory=set)
    numbers: set[str] = field(default_factory=set)
    emails: set[str] = field(default_factory=set)
    days: set[date] = field(default_factory=set)
    literals: dict[str, str] = field(default_factory=dict)


def known_values(
    session: RecordedSession, catalog: Catalog, vocabulary: Vocabulary, pseudonyms: Pseudonyms
) -> KnownValues:
    """Everything that the session tells of who wrote in it."""
    known = KnownValues()
    known.literals[session.conversation] = pseudonyms.opaque(session.conversation)
    known.literals[session.id] = pseudonyms.opaque(session.id)
    for turn in session.turns:
        known.literals[turn.record.turn] = pseudonyms.opaque(turn.record.turn)
        for part in turn.parts:
            _add_id(known, pseudonyms, part.provider_id)
        for state in (plain_to_state(turn.record.state_before or {}), state_after(turn.record)):
            _add_fields(known, state.fields, catalog)
            _add_fields(known, state.set_aside, catalog)
    for inbound in _inbounds(session):
        _add_inbound(known, inbound, pseudonyms, vocabulary)
    for text in _texts(session):
        _add_patterns(known, text, vocabulary)
    return known


def _add_inbound(known: KnownValues, inbound: InboundRecord, pseudonyms: Pseudonyms, vocabulary: Vocabulary) -> None:
    message = inbound.message
    sk = inbound.sk
    known.literals[sk] = inbound_sk(ms_of(sk), pseudonyms.opaque(sk, length=_HASH_CHARS))
    for name in (message.provider_id, message.quoted_id, message.target_id, message.group_id, message.sender.bsuid):
        _add_id(known, pseudonyms, name)
    if message.media is not None:
        _add_id(known, pseudonyms, message.media.media_id)
    known.names.update(_name_words(message.sender.name or ""))
    known.names.update(word for text in message.details.values() for word in _listed_names(text, vocabulary))
    for text in (message.text, message.referral or ""):
        known.names.update(_introduced(text), _listed_names(text, vocabulary))


def _add_fields(known: KnownValues, values: Mapping[str, FieldValue], catalog: Catalog) -> None:
    for name, entry in values.items():
        spec = catalog.field(name)
        if entry.value is None or spec is None:
            continue
        if spec.type in _DOCUMENTS:
            known.documents.add(COMPACT.sub("", str(entry.value)))
        elif spec.type is FieldType.DATE and spec.scope is FieldScope.CUSTOMER:
            known.days.update(day for day in [day_of(str(entry.value))] if day is not None)
        elif spec.type is FieldType.TEXT and spec.scope is FieldScope.CUSTOMER:
            known.names.update(_name_words(str(entry.value)))


def _add_patterns(known: KnownValues, text: str, vocabulary: Vocabulary) -> None:
    for email in patterns.EMAIL.findall(text):
        if email.lower() not in vocabulary.own:
            known.emails.add(email.lower())
            known.names.update({word.plain for word in words_in(email)} - name_lists().domains)
    known.names.difference_update({name for name in known.names if len(name) < _LEAST_LETTERS})
    for pattern in (patterns.CPF, patterns.CNPJ):
        known.documents.update(COMPACT.sub("", each).upper() for each in pattern.findall(text))
    for pattern in (patterns.LONG_NUMBER, patterns.PHONE):
        compact = {COMPACT.sub("", each) for each in pattern.findall(text)}
        known.numbers.update(compact - vocabulary.own)


def _add_id(known: KnownValues, pseudonyms: Pseudonyms, name: str | None) -> None:
    """What the provider calls a message, a file or a customer: a message's id holds the phone."""
    if not name or name in known.literals:
        return
    head, dot, rest = name.rpartition(".")
    known.literals[name] = f"{head}{dot}{pseudonyms.opaque(rest or name)}" if len(head) <= len("wamid") else name
    if len(head) > len("wamid"):
        known.literals[name] = pseudonyms.opaque(name)


def _name_words(text: str) -> Iterator[str]:
    for word in words_in(text):
        if len(word.plain) >= _LEAST_LETTERS and word.plain not in name_lists().particles:
            yield word.plain


def _introduced(text: str) -> Iterator[str]:
    """The words after "meu nome é" and its like, up to the next mark or word that no name has."""
    folded = plain_letters(text)
    for cue in name_lists().cues:
        for match in re.finditer(rf"(?<!\w){re.escape(cue)}\s+((?:[^\W\d_]+\s*){{1,{_MOST_WORDS}}})", folded):
            yield from _leading_names(match[1].split())


def _leading_names(words: Iterable[str]) -> Iterator[str]:
    lists = name_lists()
    for at, word in enumerate(words):
        if word in lists.particles:
            if at and word == "e":
                return
            continue
        if at and word not in lists.first and word not in lists.last:
            return
        if len(word) >= _LEAST_LETTERS and (word in lists.first or word in lists.last):
            yield word


def _listed_names(text: str, vocabulary: Vocabulary) -> Iterator[str]:
    """A first name with a capital, and the words with a capital that follow it."""
    lists, running = name_lists(), False
    for word in words_in(text):
        if word.plain in lists.particles:
            continue
        named = word.written[:1].isupper() and len(word.plain) >= _LEAST_LETTERS
        running = named and (word.plain in lists.first or (running and word.plain not in vocabulary.words))
        if running:
            yield word.plain


def _inbounds(session: RecordedSession) -> Iterator[InboundRecord]:
    yield from (entry for entry in session.before if isinstance(entry, InboundRecord))
    yield from (entry for turn in session.turns for entry in turn.arrived)


def _texts(session: RecordedSession) -> Iterator[str]:
    for inbound in _inbounds(session):
        yield from (inbound.message.text, *inbound.message.details.values(), f" {inbound.message.sender.phone or ''} ")
    for turn in session.turns:
        yield from (call.raw_reply or "" for call in turn.calls)
        for state in (plain_to_state(turn.record.state_before or {}), state_after(turn.record)):
            yield from (str(entry.value) for entry in (*state.fields.values(), *state.set_aside.values()))
            yield from (*state.transcripts.values(), state.previous_session or "")
