"""A customer asks for a person, and the person is there: played in a browser, on the deployment itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Page, expect

from conversation.customer import Customer
from conversation.webhook_body import Person
from core.config.attendants import Registration, checked_attendant, hash_of, new_token, write_attendants
from core.domain.attendant import Role
from core.domain.conversation import Mode
from local_stack.processes import wait_until
from local_stack.stack import Stack
from tests.e2e.browser import PHONE, chromium, opened

pytestmark = pytest.mark.e2e

WAIT_SECONDS = 30.0
REPLIES = ("Oi! Aqui é a Bia.", "Já vi: são 3 amostras de água de poço.")
PDF = b"%PDF-1.4\n%%EOF\n"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def tokens(deployed: Stack) -> dict[str, str]:
    """Two attendants, and who is responsible."""
    roles = {"bia": Role.ATENDENTE, "joana": Role.ATENDENTE, "marina": Role.RESPONSAVEL}
    made = {name: new_token() for name in roles}
    everybody = {name: (made[name], role) for name, role in roles.items()}
    everybody["local"] = (deployed.state.attendant_token, Role.RESPONSAVEL)  # of the stack's own calls
    registrations = tuple(
        Registration(attendant=checked_attendant(name, name.title(), role), token_sha256=hash_of(token))
        for name, (token, role) in everybody.items()
    )
    parameter = deployed.state.parameters["AttendantsSsmParam"]
    deployed.client("ssm").put_parameter(
        Name=parameter, Value=write_attendants(registrations), Type="SecureString", Overwrite=True
    )
    assert wait_until(
        lambda: all(deployed.attend("GET", "/queue", token=token).status == 200 for token in made.values()),
        seconds=90,
        every=1,
    )
    return made


@pytest.fixture
def person(person: Person) -> Person:
    """By a name that nobody else in the queue of all tests has."""
    return replace(person, name=f"Rosa {person.phone[-4:]}")


def address(stack: Stack) -> str:
    return f"{stack.state.console}"


def log_in(page: Page, token: str) -> None:
    page.get_by_label("Sua chave de acesso").fill(token)
    page.get_by_role("button", name="Entrar").click()
    expect(page.get_by_role("heading", name="Fila")).to_be_visible()


def open_conversation(page: Page, customer: Customer) -> None:
    page.get_by_role("button", name=customer.person.name).first.click()
    expect(page.get_by_role("heading", name=customer.person.name)).to_be_visible()


def read_by(stack: Stack, customer: Customer) -> list[tuple[str, str]]:
    """What this customer got, in order."""
    return [(m["type"], m["text"]) for m in stack.outbox() if m["to"] == customer.person.phone]


def test_a_customer_is_served_by_a_person_and_given_back(
    stack: Stack, customer: Customer, browser: Browser, tokens: dict[str, str]
) -> None:
    customer.says("Oi! Vocês analisam água de poço? São 3 amostras.")
    asked = customer.says("quero falar com uma pessoa <img src=x onerror=alert(1)>")
    assert asked.head.mode is Mode.HUMAN

    with opened(browser, address(stack)) as bia, opened(browser, address(stack)) as joana:
        page, other = bia.page, joana.page
        log_in(page, tokens["bia"])
        open_conversation(page, customer)
        log = page.get_by_role("log")
        expect(log).to_contain_text("<img src=x onerror=alert(1)>")
        expect(page.locator(".card")).to_contain_text("Resumo")
        page.get_by_role("button", name="Assumir").click()
        reply = page.get_by_label("Sua resposta")
        for text in REPLIES:
            reply.fill(text)
            reply.press("Enter")
            expect(log).to_contain_text(text)
        page.locator("#file").set_input_files({"name": "proposta.pdf", "mimeType": "application/pdf", "buffer": PDF})
        expect(page.locator("#attached")).to_contain_text("proposta.pdf")
        reply.fill("Segue a proposta.")
        reply.press("Enter")
        expect(log.get_by_role("link", name="proposta.pdf")).to_be_visible()
        wanted = [("text", REPLIES[0]), ("text", REPLIES[1]), ("document", "Segue a proposta.")]
        assert wait_until(lambda: read_by(stack, customer)[-3:] == wanted, seconds=WAIT_SECONDS)

        log_in(other, tokens["joana"])
        open_conversation(other, customer)
        expect(other.locator("#situation")).to_contain_text("com Bia")
        expect(other.get_by_role("button", name="Assumir")).to_have_count(0)
        expect(other.get_by_label("Sua resposta")).to_be_hidden()
        refused = stack.attend(
            "POST", f"/conversations/{customer.pk.removeprefix('C#')}/take", {}, token=tokens["joana"]
        )
        assert refused.status == 409

        page.get_by_role("button", name="Devolver ao assistente").click()
        page.get_by_label("O que ficou combinado").fill("Combinado: 3 amostras, o cliente traz na segunda.")
        page.get_by_role("button", name="Devolver", exact=True).click()
        expect(page.locator("#situation")).to_contain_text("com o assistente")
        assert bia.complaints == []
        assert joana.complaints == []

    again = customer.says("certo, obrigado! e a coleta, vocês fazem?")
    assert again.head.mode is Mode.BOT
    assert again.answers
    told = str(stack.model_calls()[-1])
    assert "o cliente traz na segunda" in told


def test_the_page_works_on_a_phone_and_in_the_dark(
    stack: Stack, customer: Customer, browser: Browser, tokens: dict[str, str]
) -> None:
    customer.says("quero falar com uma pessoa")
    with opened(browser, address(stack), size=PHONE, dark=True) as shown:
        page = shown.page
        log_in(page, tokens["marina"])
        open_conversation(page, customer)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.get_by_role("button", name="Ficha").click()
        expect(page.get_by_role("button", name="Apagar os dados…")).to_be_visible()
        page.get_by_role("button", name="Voltar à conversa").click()
        page.keyboard.press("Escape")
        expect(page.get_by_role("heading", name="Fila")).to_be_visible()
        assert shown.complaints == []


def test_a_wrong_key_is_told_and_nothing_is_shown(stack: Stack, browser: Browser) -> None:
    with opened(browser, address(stack)) as shown:
        shown.page.get_by_label("Sua chave de acesso").fill("errada")
        shown.page.get_by_role("button", name="Entrar").click()
        expect(shown.page.get_by_role("alert").first).to_contain_text("não é válida")
        expect(shown.page.get_by_role("heading", name="Fila")).to_be_hidden()
