"""The words of a promise to transfer, in Portuguese without accents. Data for `transfer_check` and `reading`."""

from __future__ import annotations

from enum import Enum


class Verb(Enum):
    """What kind of complement makes the verb a transfer."""

    TRANSFER = "transfer"  # alone says it, unless a thing is transferred
    DIRECT = "direct"  # needs the customer, or a person to go to
    HAND = "hand"  # needs a person to go to: one also passes a price
    PUT = "put"  # in touch with a person
    CALL = "call"  # takes the person as its object
    ASK = "ask"  # that a person serves the customer


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Infinitive (also without its last letter, before `-lo`), gerund, and the forms that carry the first person.
_FORMS = {
    Verb.TRANSFER: ("transferir", "transferindo", "transfiro transferirei transferiremos transferi"),
    Verb.DIRECT: (
        "encaminhar direcionar redirecionar conectar",
        "encaminhando direcionando redirecionando conectando",
        (
            "encaminho direciono redireciono conecto encaminharei direcionarei redirecionarei conectarei"
            " encaminhei direcionei redirecionei conectei"
        ),
    ),
    Verb.HAND: (
        "passar repassar levar enviar mandar",
        "passando repassando levando enviando mandando",
        "passo repasso levo envio mando passarei repassarei enviarei passei repassei enviei mandei",
    ),
    Verb.PUT: ("colocar por", "colocando pondo", "coloco ponho colocarei coloquei"),
    Verb.CALL: ("chamar acionar convocar", "chamando acionando", "chamo aciono chamarei acionarei chamei acionei"),
    Verb.ASK: ("pedir solicitar", "pedindo solicitando", "peco solicito pedirei solicitarei pedi solicitei"),
}
INFINITIVES = {word: verb for verb, (words, _, _) in _FORMS.items() for word in words.split()}
GERUNDS = {word: verb for verb, (_, words, _) in _FORMS.items() for word in words.split()}
FINITE = {word: verb for verb, (_, _, words) in _FORMS.items() for word in words.split()}
WE = {
    "transfere": Verb.TRANSFER,
    "encaminha": Verb.DIRECT,
    "direciona": Verb.DIRECT,
    "passa": Verb.HAND,
    "coloca": Verb.PUT,
}
PAST = _words(
    "transferi encaminhei direcionei redirecionei conectei passei repassei enviei mandei coloquei chamei"
    " acionei pedi solicitei"
)
NOUNS_TOO = _words("passo envio mando")
PARTICIPLES = _words(
    "transferido transferida encaminhado encaminhada direcionado direcionada redirecionado redirecionada"
)
VERBS = frozenset().union(
    INFINITIVES, (word.removesuffix("r") for word in INFINITIVES), GERUNDS, FINITE, WE, PARTICIPLES
)
"""Every form of the verbs above: a text without any of them transfers nobody."""

BEFORE_INFINITIVE = tuple(
    tuple(phrase.split())
    for phrase in (
        *("vou ter que", "vou ter de", "vou precisar", "vou", "irei", "vamos", "iremos", "a gente vai", "nos vamos"),
        *("preciso", "precisarei", "tenho que", "tenho de", "terei que", "terei de", "acabo de", "acabei de"),
        *("deixa eu", "deixe -me", "deixe me", "deixe eu", "permita -me"),
    )
)
BEFORE_GERUND = tuple(
    tuple(phrase.split()) for phrase in ("vou estar", "estou", "to", "tou", "estamos", "estarei", "estaremos")
)
BEFORE_PARTICIPLE = tuple(tuple(phrase.split()) for phrase in ("sera", "vai ser", "esta sendo", "foi", "ja foi"))

CLITICS = _words("te lhe lhes o a os as")
CUSTOMER_CLITICS = _words("te lhe lhes -te -lhe -lo -la -los -las -o -a")
ADVERBS = _words(
    "ja agora entao mesmo imediatamente aqui logo tambem direto diretamente rapidamente rapidinho prontamente"
    " sim eu hoje assim"
)
CUSTOMERS = tuple(
    tuple(name.split())
    for name in ("voce", "voces", "vc", "vcs", "o senhor", "a senhora", "o sr", "a sra", "o cliente")
)
CONVERSATIONS = _words(
    "atendimento conversa chat contato caso chamado ticket solicitacao pedido demanda duvida questao mensagem"
    " reclamacao situacao"
)
DETERMINERS = _words(
    "o a os as um uma uns umas seu sua seus suas meu minha nosso nossa nossos nossas este esta esse essa"
    " aquele aquela do da dos das no na nos nas ao aos pelo pela outro outra algum alguma qualquer proximo"
    " primeiro segundo ultimo cada mais"
)
PREPOSITIONS = _words("para pra pro pros pras ao aos a as com ate")
PEOPLE = _words(
    "atendente atendentes atendimento humano humana humanos pessoa pessoas pessoal especialista especialistas"
    " consultor consultora consultores consultoras equipe time setor area departamento colega colegas tecnico"
    " tecnica tecnicos responsavel responsaveis gerente gerencia vendedor vendedora vendedores vendas comercial"
    " financeiro suporte colaborador colaboradora colaboradores analista operador operadora profissional"
    " profissionais quimico quimica biologo biologa engenheiro engenheira supervisor supervisora coordenador"
    " coordenadora alguem representante central recepcao sac ouvidoria secretaria agente administrativo"
    " cobranca"
)
ELSEWHERE = _words(
    "conta contas banco etapa fase pagina link site pergunta passo dia data semana mes ano segunda terca"
    " quarta quinta sexta sabado domingo amanha horario planilha formulario email caixa frasco pote recipiente"
    " tubo garrafa endereco cpf cnpj nome chave pix assunto topico item analise laboratorio"
)
SERVES = _words(
    "te lhe voce senhor senhora atendimento conversa contato assumir assuma continuar continue atender atenda"
    " ligar ligue ajudar ajude chamar chame falar fale responder responda"
)
STOPS = _words(
    "e mas pois porque que para pra ok ta tudo certo combinado assim obrigado obrigada aguarde aguarda espere"
    " , : ; ( ) – —"
)
