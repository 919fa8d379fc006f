"""What a session that is over is remembered by."""

from __future__ import annotations

from core.application.history.previous_session import describe_session
from core.domain.conversation import ConversationState
from tests.cases.small_catalog import declined, known


def test_a_session_is_told_by_its_service_and_what_the_customer_said() -> None:
    state = ConversationState(
        service="alfa",
        segment="casa",
        fields={**known(tipo="fonte"), **declined("email")},
        extra_requests=("solo",),
        previous_session="uma antes dessa",
    )

    assert describe_session(state) == "Serviço: alfa\nSegmento: casa\ntipo: fonte\nPedido adicional: solo"


def test_a_session_without_a_segment_says_none() -> None:
    assert describe_session(ConversationState(service="alfa")) == "Serviço: alfa"


def test_a_session_that_chose_nothing_leaves_the_one_before_it() -> None:
    assert describe_session(ConversationState(previous_session="antes", fields=known(nome="Lia"))) == "antes"
    assert describe_session(ConversationState()) is None
