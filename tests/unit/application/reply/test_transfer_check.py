"""A transfer that the text announces is told from one that hangs on something, and from transfers of other things."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.application.reply.transfer_check import announces_transfer
from tests.cases.cpu_budget import work_that_ends

TEXTS = [
    json.loads(line)
    for line in (Path(__file__).parents[3] / "cases" / "answers" / "texts.jsonl").read_text("utf-8").splitlines()
]
ANNOUNCED = [
    "vou te transferir agora",
    "Vou te transferir agora mesmo para um atendente.",
    "estou encaminhando você para um atendente",
    "já te passo para um especialista",
    "Vou transferir você para o nosso time comercial.",
    "Certo! Vou encaminhar seu atendimento para o setor responsável.",
    "Estou te transferindo para um especialista, aguarde um momento.",
    "Vou chamar um atendente para te ajudar.",
    "Já estou chamando um atendente humano.",
    "Vou te colocar em contato com um consultor.",
    "Irei transferi-lo para um de nossos atendentes.",
    "Transferirei você para a equipe técnica.",
    "Não se preocupe, vou te transferir agora.",
    "Infelizmente não consigo resolver isso por aqui, então vou te transferir para um atendente.",
    "A gente vai te transferir pro comercial agora.",
    "Tô te passando pro pessoal do financeiro.",
    "Vou estar te transferindo para um especialista.",
    "Só um momento que vou te encaminhar para um atendente.",
    "Aguarde um instante, vou acionar nossa equipe.",
    "Transferindo você para um atendente...",
    "Vou direcionar sua conversa para um especialista.",
    "Você será transferido para um atendente agora.",
    "Seu atendimento está sendo transferido.",
    "Vou te transferir agora, tudo bem?",
    "Preciso te transferir para um especialista.",
    "Vou pedir para um consultor entrar em contato com você.",
    "Já te transferi para um atendente.",
    "Deixa eu te passar para um atendente.",
    "Nesse caso, vou te transferir para um especialista.",
    "No seu caso, vou transferir para o setor técnico.",
    "Entendi. Te transfiro agora para a Ana, do comercial.",
    "Vamos encaminhar você a um de nossos consultores.",
    "Combinado, transfiro você já.",
    "Vou passar você para um dos nossos atendentes humanos.",
    "Vou transferir.",
    "Perfeito, João! Encaminho você agora ao responsável.",
    "Acabei de transferir a conversa para um atendente.",
    "Vou te repassar para a equipe de vendas, ok?",
    "Vou conectar você com um especialista.",
    "VOU TE TRANSFERIR AGORA",
    "Vou transferir o senhor para o financeiro",
    "vou lhe transferir",
    "já vou te transferir",
    "te transfiro já já",
    "Obrigado por confirmar! Vou te transferir.",
    "Pode deixar que eu te passo para um atendente.",
    "Então vou te transferir, ok?",
    "Vou te direcionar ao time de laudos agora 😊",
    "Estou transferindo o seu atendimento para um especialista.",
    "Tudo bem, vou te passar agora mesmo para uma pessoa da nossa equipe.",
    "Claro! Já vou chamar alguém para falar com você.",
    "Vou encaminhar o senhor para a nossa área técnica.",
    "Estou te direcionando para o time responsável.",
    "Ok, te encaminho para um atendente humano agora.",
    "Certo, transferindo para um atendente...",
    "Um momento, por favor. Estou transferindo.",
    "Vou agora mesmo te transferir para o setor de vendas.",
    "Eu vou te transferir.",
    "Vou te conectar a um atendente.",
    "Vou colocar você em contato com nosso especialista em água.",
    "Irei encaminhá-lo ao setor responsável.",
    "Vou encaminhá-la para um consultor.",
    "Vou te encaminhar já já para um humano.",
    "Como não posso interpretar o laudo, vou te transferir para o responsável técnico.",
    "Entendo sua frustração. Vou transferir você para um atendente agora.",
    "Já estou transferindo a conversa pra equipe.",
    "Vou te levar até um atendente.",
    "Te coloco agora em contato com um consultor.",
    "Estamos te transferindo para um especialista.",
    "Vou solicitar que um técnico entre em contato com você.",
    "Sua conversa será transferida para um especialista.",
    "Vou te transferir para a Dra. Paula.",
    "Passo você agora para o financeiro.",
    "Vou acionar um especialista para te ajudar.",
    "Certo! Vou precisar te transferir para um atendente.",
    "Vou transferir para um atendente humano, só um instante.",
    "Pra resolver isso, vou te transferir pra um atendente.",
    "Para agilizar, vou te encaminhar para um atendente.",
    "Por ser um caso específico, vou te encaminhar ao nosso químico responsável.",
    "Vou te transferir agora. Obrigado pela paciência!",
    "Vou passar você para o financeiro agora. Qual é o seu CNPJ?",
]

NOT_ANNOUNCED = [
    "se preferir, posso transferir",
    "assim que você enviar o CNPJ, transfiro",
    "quer que eu transfira?",
    "Quer que eu te transfira para um atendente?",
    "Posso te transferir para um atendente?",
    "Não vou te transferir.",
    "Não posso te transferir agora.",
    "Transferi o boleto para o seu e-mail.",
    "Vou transferir o valor para sua conta.",
    "Vou transferir o PIX agora.",
    "Te transfiro o valor amanhã.",
    "Vou transferir a amostra para o laboratório.",
    "Vou transferir sua coleta para terça-feira.",
    "Vou te passar o orçamento.",
    "Já te passo o valor.",
    "Vou te passar o contato do nosso comercial.",
    "Vou encaminhar a proposta para o gerente.",
    "Vou encaminhar o laudo para o setor responsável.",
    "Te encaminho o link por aqui.",
    "Se você quiser, vou te transferir para um atendente.",
    "Vou te transferir se você preferir.",
    "Caso prefira, te transfiro para um especialista.",
    "Quando você confirmar, te passo para um atendente.",
    "Depois disso, vou te transferir para o comercial.",
    "Me envie o CNPJ que eu já te passo pro comercial.",
    "Me informe a cidade e eu te transfiro para um atendente.",
    "Basta enviar o laudo e te encaminho para o setor técnico.",
    "Vou te transferir, mas antes preciso do seu CNPJ.",
    "Vou te transferir para um especialista. Antes, me informe seu CNPJ.",
    "Antes de te transferir, preciso do seu CPF.",
    "Para te transferir, preciso do seu CPF.",
    "Sem o CNPJ não consigo te transferir.",
    "Gostaria de falar com um atendente?",
    "Você prefere que eu te transfira para um atendente?",
    "Vou passar para a próxima pergunta.",
    "O próximo passo é a coleta com o técnico.",
    "Qual o passo para falar com um especialista?",
    "Me chamo Ana, atendente virtual.",
    "Vou te transferir para um atendente?",
    "Eu te transferiria, mas estamos fechados.",
    "Após a confirmação, vou te encaminhar ao setor técnico.",
    "Um técnico faz a coleta das amostras.",
    "Nossa equipe analisa e responde em 2 dias.",
    "Vou verificar com a equipe e te retorno.",
    "O cliente deve transferir o frasco para a caixa térmica.",
    "Você pode transferir o pagamento via PIX.",
    "Enviei o orçamento para o seu e-mail.",
    "O envio para o setor técnico é feito por motoboy.",
    "Vou te enviar o formulário.",
    "Não é necessário transferir você para um atendente.",
    "Ao receber os dados, encaminho você para um consultor.",
    "Confirmando os dados, te transfiro para o comercial.",
    "Vou te encaminhar por e-mail o laudo.",
    "Vou encaminhar você para a página de pagamento.",
    "Ninguém vai te transferir.",
    "Vou registrar seu pedido.",
    "Pode transferir a água para outro frasco.",
    "Se não souber, te passo para um especialista.",
    "Qualquer coisa, é só pedir que te transfiro para um atendente.",
    "Nunca vou te transferir sem avisar.",
    "Quantas amostras você vai transferir para o laboratório?",
    "Vou encaminhar sua amostra para o setor de microbiologia.",
    "Envie os dados e, em seguida, vou te transferir para o comercial.",
    "Estou encaminhando o boleto para você.",
    "Você prefere falar comigo ou que eu chame um atendente?",
    "Vou chamar o próximo item da lista.",
    "Se quiser falar com uma pessoa, é só me avisar que te transfiro.",
    "Quando tiver o laudo, te encaminho para o técnico.",
    "Posso chamar um atendente, se preferir.",
    "Você quer falar com um atendente?",
    "Prefere que eu transfira seu atendimento?",
    "Nossa equipe entra em contato em até 1 dia útil.",
    "Um especialista vai analisar sua amostra.",
    "Vou encaminhar os resultados para o seu e-mail.",
    "Vou passar as orientações de coleta.",
    "Transfira o valor para a conta indicada.",
    "Faça o PIX e te envio o comprovante.",
    "O laboratório transferiu a coleta para quinta.",
    "Vou te passar para a próxima etapa.",
    "Vou passar o valor do frete.",
    "Vou chamar o motoboy para retirar a amostra.",
    "Já te chamo.",
    "Me chamo Vera, sou a assistente virtual.",
    "Vou levar sua amostra para o setor de química.",
    "Só transfiro para um atendente com o CNPJ em mãos, se não for possível me avise.",
    "Para eu te transferir, preciso do CNPJ.",
    "Vou precisar do seu CNPJ para te transferir.",
    "Preciso do CNPJ para te passar para o comercial.",
    "Por enquanto não vou te transferir para ninguém.",
    "Não estou te transferindo, fique tranquilo.",
    "Em vez de te transferir, vou responder por aqui.",
    "Ainda não é preciso transferir.",
    "Vou colocar a coleta na agenda.",
    "Vou pedir que você envie uma foto do laudo.",
    "Vou pedir o laudo ao técnico.",
    "Vou solicitar a segunda via do boleto ao financeiro.",
    "Vou mandar o boleto para o financeiro.",
    "Posso te passar para o comercial ou prefere seguir por aqui?",
    "Os dados serão encaminhados ao laboratório.",
    "Sua amostra será encaminhada para o setor de microbiologia.",
    "Depois da coleta, te encaminho para o comercial.",
    "Assim que o pagamento cair, vou transferir seu atendimento para o setor técnico.",
    "Se for urgente, vou te transferir para um atendente.",
    "Me passa o CNPJ e já te transfiro para o comercial.",
    "Com o CNPJ em mãos, te transfiro para o comercial.",
    "Tenho só mais uma pergunta e já te passo para o comercial: qual é a cidade?",
    "Confirme seu nome, por favor, e vou te transferir para um atendente.",
    "Para transferir o atendimento, responda SIM.",
    "Responda SIM que eu te transfiro.",
    "Eu poderia te transferir para um atendente.",
    "Vou te explicar como transferir o pagamento para a equipe financeira.",
    "Vou encaminhar sua solicitação para um especialista.",
    "Estou passando seu contato para o comercial.",
    "Vou transferir seu contato para o setor comercial.",
    "Vou repassar sua dúvida para um especialista",
    "Vou direcionar o seu caso ao nosso time de laudos.",
    "Vou encaminhar essa questão para nossa equipe técnica.",
]


@pytest.mark.parametrize("text", ANNOUNCED)
def test_an_unconditional_transfer_is_found(text: str) -> None:
    assert announces_transfer(text)


@pytest.mark.parametrize("text", NOT_ANNOUNCED)
def test_a_condition_a_question_a_not_or_another_thing_is_no_transfer(text: str) -> None:
    assert not announces_transfer(text)


@pytest.mark.parametrize("row", [row for row in TEXTS if not row["final"]], ids=lambda row: row["id"])
def test_the_labelled_texts_are_told_apart(row: dict[str, Any]) -> None:
    assert announces_transfer(row["text"]) is (row["label"] == "false_transfer")


ONE_SENTENCE = [text for text in ANNOUNCED if text.endswith(".") and not any(mark in text[:-1] for mark in ",.!?")][:12]


@pytest.mark.parametrize("text", ONE_SENTENCE)
@pytest.mark.parametrize(
    "condition",
    ["Se você quiser, {}", "Assim que você enviar o CNPJ, {}", "Caso prefira, {}", "Quando puder falar, {}"],
)
def test_a_condition_before_it_undoes_any_announcement(condition: str, text: str) -> None:
    assert not announces_transfer(condition.format(text))


@pytest.mark.parametrize("text", ONE_SENTENCE)
@pytest.mark.parametrize(
    "frame", ["Olá, João! {}", "Entendi seu caso. {} Obrigado pela paciência!", "*{}*", "Certo!\n\n{}\n"]
)
def test_what_stands_around_it_does_not(frame: str, text: str) -> None:
    assert announces_transfer(frame.format(text))


@given(st.text(max_size=80) | st.text("abe ,.?!-\nãé", max_size=80))
def test_any_text_can_be_checked(text: str) -> None:
    assert announces_transfer(text) in {True, False}


@pytest.mark.parametrize(
    "piece",
    ["vou ", "te ", "me envie ", "vou te transferir ", "se ", "seu ", ", ", "agora ", "equipe ", "a. ", "para a "],
)
def test_a_long_text_is_checked_in_time_that_grows_with_it(piece: str) -> None:
    with work_that_ends():
        announces_transfer(piece * 20_000)
