"""Writes a company's folder: what its answers say, in the form that `make check` accepts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from string import Template

from .answers import Answers, Detail, Named, question_for
from .write_examples import examples_text

_TEXTS = Path(__file__).parent / "textos.toml.template"
_TYPES = {
    "texto": "text",
    "número": "integer",
    "sim ou não": "boolean",
    "data": "date",
    "cidade": "city",
    "opções": "enum",
}
_DAY_NAMES = {
    "segunda": "segunda",
    "terca": "terça",
    "quarta": "quarta",
    "quinta": "quinta",
    "sexta": "sexta",
    "sabado": "sábado",
    "domingo": "domingo",
}
CONTACT = {
    "nome": 'name = "nome"\ntype = "text"\nquestion = "Qual é o seu nome completo?"\nif_declined = "handoff"\nmax_length = 120',
    "telefone": 'name = "telefone para contato"\ntype = "phone"\nquestion = "Qual é o melhor telefone, com DDD?"',
    "email": 'name = "e-mail"\ntype = "email"\nquestion = "Qual é o seu e-mail?"',
    "cpf": 'name = "CPF"\ntype = "cpf"\nquestion = "Pode me passar o seu CPF?"',
    "cidade": 'name = "cidade"\ntype = "city"\nquestion = "De que cidade você fala?"',
}
_HOLIDAYS = '["01-01", "04-21", "05-01", "09-07", "10-12", "11-02", "11-15", "11-20", "12-25"]'


def write_company(answers: Answers, folder: Path) -> list[Path]:
    """Writes every file. Raises `FileExistsError` rather than touch a folder that is there."""
    folder.mkdir(parents=True)
    (folder / "packages").mkdir()
    files = {
        "catalog.toml": catalog_text(answers),
        "textos.toml": Template(_TEXTS.read_text("utf-8")).substitute(email=answers.email, phone=answers.phone),
        "exemplos.md": examples_text(answers),
        "packages/COMPANY_INFO.md": _about(answers),
        "packages/SERVICES.md": _services_text(answers),
        "packages/PRICES_POLICY.md": _prices_text(answers),
    }
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    return [folder / name for name in files]


def catalog_text(answers: Answers) -> str:
    """catalog.toml."""
    parts = [
        "# O que a empresa oferece, o que pergunta e quando atende. A ordem dos campos é a ordem das perguntas.",
        'timezone = "America/Sao_Paulo"',
        f"# AAAA-MM-DD, ou MM-DD para os que caem todo ano na mesma data.\nholidays = {_HOLIDAYS}",
        "# Palavras do ofício que, ditas por um cliente, não são ofensa nem reclamação.\nneutral_words = []",
        f"[company]\nname = {_q(answers.name)}\noffers = {_q(answers.offers)}\noutcome = {_q(answers.outcome)}",
        _price_policy(answers),
        _limits(answers),
        "[business_hours]\n" + "\n".join(f"{day} = {_q(list(each))}" for day, each in answers.hours.items()),
        "# --- O que a equipe precisa saber do pedido",
        *(_field(each) for each in answers.details),
        "# --- Dados de contato: valem também para a próxima conversa",
        *(_contact_field(name) for name in answers.contact),
        "# --- Serviços",
        *(_service(answers, each) for each in answers.services),
        "# --- Pacotes: textos que um agente pede quando o cliente pergunta",
        *(_package(*each) for each in _PACKAGES),
    ]
    return "\n\n".join(parts) + "\n"


_OUT_OF_HOURS = "Fora desse horário, a assistente virtual atende e a equipe continua no próximo horário."
_PACKAGES = (
    ("COMPANY_INFO", "Sobre a empresa", "o cliente pergunta do endereço, do horário, do telefone ou de quem somos"),
    ("SERVICES", "O que cada serviço inclui", "é preciso detalhar um serviço ou ajudar o cliente a escolher"),
    ("PRICES_POLICY", "Preços e pagamento", "o cliente pergunta de preço, valor, desconto ou forma de pagamento"),
)


def _price_policy(answers: Answers) -> str:
    amounts = "true" if answers.prices else "false"
    policy = (
        "Os valores são os da tabela; desconto e condição especial são com a equipe."
        if answers.prices
        else "Os valores a equipe passa depois desta conversa."
    )
    about = "# `amounts`: se os pacotes trazem valores que a assistente pode informar."
    return f'{about}\n[prices]\namounts = {amounts}\npolicy = {_q(policy)}\npackage = "PRICES_POLICY"'


def _limits(answers: Answers) -> str:
    about = "# O que só uma pessoa resolve, além do que vale para toda empresa (cobrança, reclamação, dados pessoais…)."
    return f"{about}\n[limits]\nto_person = {_q(list(answers.to_person))}"


def _field(detail: Detail) -> str:
    lines = [
        "[[fields]]",
        f"id = {_q(detail.id)}",
        f"name = {_q(detail.name)}",
        f"type = {_q(_TYPES[detail.kind])}",
        'scope = "service"',
        f"question = {_q(question_for(detail))}",
    ]
    if detail.kind == "número":
        lines += ["min = 1", "max = 10000"]
    for option in detail.options:
        lines += ["", "[[fields.values]]", f"id = {_q(Detail(name=option).id)}", f"name = {_q(option)}"]
    return "\n".join(lines)


def _contact_field(name: str) -> str:
    return f'[[fields]]\nid = "{name}"\n{CONTACT[name]}\nscope = "customer"\nrequired_at = ["coleta"]'


def _service(answers: Answers, service: Named) -> str:
    names = [detail.id for detail in answers.details]
    return "\n".join(
        [
            "[[services]]",
            f"id = {_q(service.id)}",
            f"name = {_q(service.name)}",
            f"synonyms = {_q(list(service.words))}",
            f"description = {_q(service.name + '.')}",
            "",
            "[services.required]",
            f"qualificacao = {_q(names)}",
        ]
    )


def _package(identity: str, title: str, ask_when: str) -> str:
    return f"[[packages]]\nid = {_q(identity)}\ntitle = {_q(title)}\nask_when = {_q(ask_when)}"


def _about(answers: Answers) -> str:
    lines = [
        f"{answers.name}: {answers.offers}.",
        "",
        f"- Endereço: {answers.address}.",
        f"- Atendimento da equipe: {hours_in_words(answers.hours)}. {_OUT_OF_HOURS}",
        f"- Contato: este WhatsApp; e-mail {answers.email}; telefone {answers.phone}.",
    ]
    return "\n".join(lines) + "\n"


def hours_in_words(hours: Mapping[str, Iterable[str]]) -> str:
    """`segunda das 8h às 12h e das 13h às 18h; …`, days with the same hours together."""
    groups: list[tuple[list[str], tuple[str, ...]]] = []
    for day, stretches in hours.items():
        if groups and groups[-1][1] == tuple(stretches):
            groups[-1][0].append(day)
        else:
            groups.append(([day], tuple(stretches)))
    return "; ".join(f"{_days(days)} {' e '.join(_stretch(each) for each in told)}" for days, told in groups)


def _days(days: list[str]) -> str:
    names = [_DAY_NAMES[day] for day in days]
    return names[0] if len(names) == 1 else f"{names[0]} a {names[-1]}"


def _stretch(stretch: str) -> str:
    start, end = (_clock(each) for each in stretch.split("-"))
    return f"das {start} às {end}"


def _clock(text: str) -> str:
    hour, minute = text.split(":")
    return f"{int(hour)}h" + (minute if minute != "00" else "")


def _services_text(answers: Answers) -> str:
    lines = [f"- {each.name}." for each in answers.services]
    return "\n".join(["O que fazemos. O que não está aqui, a equipe confirma.", "", *lines]) + "\n"


def _prices_text(answers: Answers) -> str:
    if not answers.prices:
        lines = [
            "Nenhum valor é informado, estimado ou confirmado nesta conversa.",
            "",
            "- A equipe passa os valores depois de receber os dados do pedido.",
            "- Desconto e condição especial só a equipe concede. Anote o pedido; não prometa.",
        ]
    else:
        lines = ["Valores que podem ser informados, como estão aqui.", "", *(f"- {each}" for each in answers.prices)]
        lines += ["- Desconto e condição especial só a equipe concede. Anote o pedido; não prometa."]
    return "\n".join(lines) + "\n"


def _q(value: object) -> str:
    """A TOML value: basic strings and lists of them are written as JSON writes them."""
    return json.dumps(value, ensure_ascii=False)
