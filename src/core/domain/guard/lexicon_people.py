"""Words for people who serve, for the machine, and for asking one instead of the other."""

from __future__ import annotations

from core.domain.guard.phrases import words

# Whoever it be: asking for one of these is asking for a person.
PERSON = words(
    "atendente atendentes humano humana humanos pessoa pessoas ser_humano seres_humanos ser_vivo alguem gente"
    " ninguem representante representantes consultor consultora consultores vendedor vendedora vendedores"
)
# A position or a desk: this business's, unless the words around it name another.
ROLE = words(
    "gerente gerencia supervisor supervisora responsavel responsaveis tecnico tecnica tecnicos quimico quimica"
    " engenheiro engenheira biologo biologa especialista analista coordenador coordenadora coordenacao dono dona"
    " proprietario proprietaria diretor diretora encarregado encarregada funcionario funcionaria funcionarios"
    " colaborador chefe moca rapaz menina operador operadora comercial financeiro vendas suporte atendimento"
    " equipe time pessoal setor departamento laboratorio ouvidoria sac recepcao administrativo qualidade"
    " logistica cobranca"
)
CLASSES = {
    "person": PERSON,
    "role": ROLE,
    "served_by": PERSON | ROLE,
    "attendant": words(
        "alguem pessoa humano atendente consultor vendedor representante consultora vendedora atendentes"
    ),
    "awaited": words(
        "atendente atendentes humano alguem atendimento_humano ser_humano representante consultor vendedor humanos"
    ),
    "det": words(
        "o a os as um uma uns umas algum alguma alguns outro outra seu sua qualquer esse essa este do da de dos"
        " das so tal proprio"
    ),
    "adj": words("real verdadeiro verdadeira proprio humano humana outra outro certo certa"),
    "bot": words(
        "bot robo chatbot ia maquina robozinho computador inteligencia_artificial assistente_virtual automatico"
        " atendimento_automatico resposta_automatica respostas_automaticas gravacao"
    ),
    "want": words(
        "quero queria quer querer querendo quiser gostaria preciso precisava precisa precisamos queremos"
        " prefiro preferia preferiria desejo desejaria necessito exijo solicito solicitar solicita peco favor"
        " tem_como precisando"
    ),
    "link": words(
        "de do da ter so apenas mesmo muito mais e que agora ja uma um o a ajuda atendimento contato retorno"
        " suporte conversa ligacao urgente urgentemente com por ser seja fosse falar logo aqui entao realmente"
        " alguma algum outra outro"
    ),
    "talk": words("falar conversar dialogar bater_papo bater_um_papo entrar_em_contato contatar"),
    "deal": words("tratar negociar resolver duvida duvidas reclamar reclamacao"),
    "talk_noun": words("contato conversa papo dialogo atendimento"),
    "i_talk": words("falo converso trato resolvo"),
    "adv": words("direto diretamente logo agora urgente urgentemente ja so mesmo hoje aqui tambem pessoalmente isso"),
    "transfer": words(
        "transferir transfere transfira transfiram transferido transferida transferencia passar passa passe"
        " passem encaminhar encaminha encaminhe encaminhado encaminhada direcionar direciona direcione"
        " direcionado direcionada redirecionar redireciona redirecione conectar conecta conecte colocar coloca"
        " coloque botar bota bote poe ponha jogar joga repassar repassa repasse"
    ),
    "transfer_me": words(
        "transfere transfira transferir transferem encaminha encaminhe redireciona redirecione direciona"
    ),
    "object": words(
        "me a o ligacao atendimento conversa chat contato caso isso isto aqui logo ja direto em favor agora"
        " essa este imediatamente por gentileza de fila na"
    ),
    "to": words("para ao aos a com"),
    "call": words(
        "chamar chama chame chamem acionar aciona acione solicitar solicita solicite pedir pede peca arruma"
        " arrume providencia contatar contate"
    ),
    "seat": words("bota bote coloca coloque poe ponha chama traz"),
    "called": words("me ai logo para mim por favor aqui que agora ja entao a o com"),
    "there_is": words("tem existe ha teria tens existem haveria"),
    "present": words("ai aqui disponivel disponiveis online on la atendendo nesse neste livre agora"),
    "serve": words(
        "atender atende atenda atendam atendesse atenderia ajudar ajuda ajude ajudasse responder responde"
        " responda respondesse retornar retorna retorne retornasse ligar liga ligue ligasse chamar chama chame"
        " chamasse falar fala fale falasse contatar contate contatasse conversar converse conversa explicar"
        " explique resolver resolva resolve entenda entende auxiliar auxilia auxilie orientar oriente socorre"
        " entre entrar entrasse saiba veja verifique olhe avalie leia cuide analise"
    ),
    "may": words(
        "pode_vir pode podem poderia podia consegue conseguiria possa consiga vai para que queira ira e possam"
    ),
    "me": words("me nos"),
    "with_me": words("comigo conosco em_contato para_mim"),
    "call_me": words("liga ligar ligue liguem ligarem ligassem ligasse telefona telefone telefonar telefonem"),
    "takes_care": words(
        "faz manda cuida entende resolve decide coleta possa pode trabalha sabe atende vende responde assina analisa"
    ),
    "with_whom": words("falar conversar tratar resolver"),
    "no_more": words("quero queria gosto vou gostaria preciso falo converso trato adianta aceito estou_a_fim"),
    "contact": words("contato numero telefone whatsapp ramal"),
    "channel": words("atendimento chat whatsapp whats zap numero canal"),
    "gone": words("sair saio sai desliga desligar desligue tira tire tirar"),
    "enough": words("chega cansei cansado cansada farto farta basta"),
    "ability": words(
        "posso consigo consegue pode podia poderia podemos tem_como da_para como_faco_para deixa_eu deixe_eu"
        " me_deixa me_deixe"
    ),
    "gap": frozenset({"(?!nao |nem |sem |meu |minha )[a-z0-9$@*]+"}),
}

# What may stand between a denial and what it denies: "não [quero mais] falar com atendente".
DENIAL = words("nao nem sem nunca jamais")
DENIED_CHAIN = words(
    "quero queria preciso precisa precisava gostaria desejo necessario necessito de mais me eu ter que e a o"
    " voce estou querendo precisar querer precisando para ser nos ainda agora vou por favor quer necessidade ai"
    " peco exijo solicito foi era estava afim"
)
# "vou falar com o gerente", "consegui falar com o atendente", "depois de falar com o atendente": plans and tales.
PLAN = words("vou vamos vai vao irei ira iremos ia iam iria ja consegui conseguiu conseguimos")
TALE = words("depois apos gostei adorei acabei antes ao")
# Whose gerente it is, when it is not ours; and those with whom customers talk without us.
ELSEWHERE = words(
    "obra condominio fazenda sitio predio fabrica industria prefeitura cliente minha meu meus minhas nossa"
    " nosso usina ete eta caldeira escola hospital posto restaurante banco operadora aqui loja construtora"
    " vizinho cidade bairro hotel clube chacara igreja creche clinica galpao poco piscina"
)
NOT_A_NAME = words(
    "voce voces bot robo ia maquina chatbot computador sistema gente calma senhor senhora pessoal meu minha"
    " meus nosso nossa cliente socio marido esposa contador sindico fornecedor advogado medico prefeito fiscal"
    " patrao caseiro inquilino juridico compras prazo preco mesmo mesma objetivo intuito pai mae filho filha"
    " irmao irma vizinho maior menor maxima minima tempo pressa turma outro outra assistente inteligencia"
    " motoboy uber transportadora caminhao policia bombeiro vigilancia coletor atencao coleta amostra frete"
    " contabilidade secretaria ibama orgao empresa diretoria prefeitura"
)
"""Words that stand after "falar com a" or "chama o" without being somebody's name at this business."""

BARE = words("atendente atendentes humano humana pessoa alguem humanos")
BARE_FILLER = words(
    "oi ola opa bom boa dia tarde noite por favor gentileza e o a um uma algum alguma outro outra de do da com"
    " real verdade ai aqui agora ja urgente quero queria so falar fala mesmo alo ei hey moco moca carne osso"
    " vivo ser atendimento suporte disponivel online tem 1 2 3 4 5 6 7 8 9 0 logo entao me para obrigado"
    " obrigada preciso ou opcao"
)
GREETING = words("oi ola opa bom boa dia tarde noite alo")
ASKING_HOURS = words("horario horarios hora horas domingo domingos sabado sabados feriado feriados funciona")
