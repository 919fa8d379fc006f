"""The words by which wishes are known: patterns over folded text, matched as whole words."""

from __future__ import annotations

DOCUMENT = r"(?:laudo|resultado|certificado|relatorio)s?"
TROUBLE = (
    r"(?:errad[oa]|corrig\w+|correcao|atrasad[oa]|atraso|nao (?:chegou|recebi|veio|saiu)|cade|reenvi\w+"
    r"|(?:segunda|2a?) via|andamento|ja (?:saiu|ficou pronto))"
)
_SOMEBODY = r"(?:pessoa|alguem|atendente|humano|gente|tecnic\w+|responsavel|vendedor\w*|gerente)"
PERSON = {
    "laudo_emitido": (
        rf"{TROUBLE}.{{0,40}}{DOCUMENT}",
        rf"{DOCUMENT}.{{0,60}}{TROUBLE}",
        rf"(?:meu|minha|nosso|nossa|do mes passado).{{0,20}}{DOCUMENT}.{{0,30}}(?:pront|quando|onde)\w*",
        r"(?:amostra|material)s? que (?:ja )?(?:deixei|entreguei|levei|mandei|enviei)",
    ),
    "boleto_ou_cobranca": (
        r"(?:segunda|2a?) via.{0,20}boleto",
        r"(?:meu|o|do|um) boleto.{0,30}(?:venc\w+|nao|errad\w+|chegou|pag\w+|atras\w+)",
        r"boletos?.{0,10}(?:venc\w+|atras\w+|errad\w+|em aberto)",
        r"(?:preciso|quero|manda|mandar|cade|sobre|problema com|emitir).{0,20}(?:d?o |meu |um |esse )?boleto",
        r"notas? fisca(?:l|is)",
        r"estorno|reembolso|cobrancas? indevid\w*|fui cobrad[oa]|paguei (?:duas|em dobro)",
    ),
    "reclamacao": (
        r"(?:quero|vou|gostaria de) (?:fazer uma )?reclama\w*",
        r"fazer uma reclamacao|procon|reclame aqui|vou (?:te |os |voces )?processar",
        r"ninguem (?:me )?(?:responde|retorna|atende)\w*",
        r"(?:pessimo|horrivel|ridiculo|vergonhoso) (?:o )?atendimento",
        r"(?:um|que) (?:absurdo|descaso|vergonha)",
    ),
    "pedido_de_pessoa": (
        rf"(?:falar|conversar|tratar) (?:direto )?com (?:um |uma |o |a |algum )?{_SOMEBODY}",
        r"(?:quero|preciso de|chama|me passa (?:para|pra)) (?:um |uma |o |a )?(?:atendente|humano|pessoa)",
    ),
    "fornecedor_ou_vaga": (
        r"curriculo|vagas? de (?:emprego|trabalho|estagio)|processo seletivo",
        r"sou (?:fornecedor|representante comercial)",
    ),
}
INJECTION = (
    r"(?:ignor|esquec|desconsider)\w* (?:tod[ao]s |as |os |suas |essas )*(?:instruc|regras|ordens|prompt)\w*",
    r"(?:mostr|revel|repit|imprim|traduz|resum|me d)\w* (?:\w+ ){0,3}(?:prompt|instruc\w+|regras internas|system)",
    r"modo (?:desenvolvedor|dev|debug|admin)|jailbreak|qual (?:e )?(?:o )?seu prompt",
    r"(?:a partir de agora|agora) (?:voce|vc) (?:e|sera|vai ser|deve)",
    r"finja (?:que|ser)|aja como|responda (?:apenas|somente|so) com",
    r"qual (?:modelo|ia|llm) (?:voce|vc)\w*",
)
ORDER_MARK = r"(?:system|sistema|developer|assistant)\s*:|\{\s*[\"']?s[\"']?\s*:"
RESULT_GIVEN = (
    rf"{DOCUMENT}.{{0,40}}(?:deu|veio|acus\w+|apont\w+|apareceu|t?a dando|esta dando|mostr\w+|diz)",
    r"(?:deu|veio|acusou|apareceu).{0,30}(?:positivo|presen\w+|ausen\w+|acima|abaixo|alterad\w+)",
    r"(?:deu|veio|acusou|apareceu).{0,30}\d+ ?(?:mg|ufc|nmp|ppm)",
)
ASKS_MEANING = (
    r"o que (?:isso )?(?:significa|quer dizer)",
    r"posso (?:beber|usar|comer|tomar|consumir)",
    r"(?:ta|esta|e) (?:bom|boa|ruim|normal|perigos\w+|segur[oa]|grave)",
    r"(?:dentro|acima|abaixo|fora) d[oa]s? (?:limite|norma|padrao)",
    r"interpret\w+|faz mal",
)
READS_DOCUMENT = r"interpret\w+ (?:um |o |meu |esse |este )?(?:laudo|resultado)"
WANTS_ANALYSIS = r"analis\w+|testar|teste|exame d[aeo]|medir|verificar|orcamento|calibr\w+|laudo de"
SYMPTOM = (
    r"diarreia|vomit\w+|febre|dor (?:de barriga|no estomago)|pass(?:ando|ou|ei) mal|intoxica\w+|coceira|alergia|enjoo",
    r"sintomas?",
)
WHAT_TO_TAKE = r"o que (?:eu )?(?:faco|dou|tomo|devo|posso)|remedio|tratamento|medic\w+|e grave|tomar|curar|preocup\w+"
_DATA = r"(?:telefone|contato|cpf|cnpj|endereco|dado|e-?mail|celular|nome|resultado|laudo)s?"
OF_OTHERS = (
    rf"{_DATA} d[aeo]s? (?:outr|(?:minha |meu )?vizinh|cliente|concorrente|funcionari|don[oa]|colega|patrao)\w*",
    r"(?:telefone|contato|cpf|e-?mail|celular|endereco) del[ae]s?",
    r"quem (?:mais )?(?:sao|e|foi) (?:os |o )?(?:outros )?clientes?",
)
OF_PEOPLE = (
    r"exames? de (?:sangue|urina|fezes|dna|gravidez)|teste de gravidez|raio ?x|covid|vacina",
    r"consulta medica|receita medica",
)
ELSEWHERE = (
    r"piada|futebol|horoscopo|loteria|novela|poema|letra de musica|capital d[aeo]|previsao do tempo|quem ganhou",
    r"python|javascript|codigo fonte|redacao|dever de casa|traduz\w+|presidente|eleicao|politica|bitcoin|namor\w+",
    r"consert\w+|alug\w+|vend\w+ (?:balanca|termometro|equipamento|frasco)s?|desentup\w+|dedetiz\w+",
    r"limp\w+ (?:a |de )?caixa|perfur\w+|furar (?:um )?poco",
)
ANOTHER_INSTEAD = (
    r"na verdade|pensando (?:bem|melhor)|em vez d\w+|no lugar d\w+|esquec\w+|troc\w+|mud(?:ar|ei|o) (?:de|para|pra)",
    r"deixa [ao] \w+|nao e (?:mais )?\w+|prefiro|fica pra depois|(?:quero|preciso) e",
)
ANOTHER_TOO = r"tambem|tb|tbm|alem d\w+|aproveit\w+|e mais|depois quero|junto"
_HANDLES = r"(?:colet|colh|tir|envi|mand|conserv|guard|embal|entreg|lev|acondicion)\w*"
PACKAGES = {
    "COMPANY_INFO": (
        r"a?onde (?:e que )?(?:voces |vcs |o lab\w* )?(?:fica\w*|estao|sao|e)|endereco|localiza\w+|como chego",
        r"(?:qual|que) (?:o |e o )?horario|que horas|(?:ate|a partir de) que hora",
        r"abre\w*|fecham?|aberto|sabado|domingo",
        r"acredita\w+|17025|inmetro|(?:qual|tem) (?:o )?(?:telefone|e-?mail|site)|quem sao voces",
    ),
    "SERVICES": (
        r"o que (?:voces |vcs )?(?:fazem|analisam|oferecem)",
        r"(?:quais|que) (?:sao )?(?:os |as )?(?:servicos|analises|exames|parametros|tipos)",
        r"(?:o que|que) (?:a analise |o servico )?(?:inclui|esta incluso|vem)",
        r"qual (?:analise|exame|parametro)\w* (?:eu )?(?:devo|preciso|e melhor|indica\w*|serve)",
    ),
    "SAMPLING": (
        rf"como (?:e que )?(?:eu |se )?(?:faco |devo |faz )?(?:a |pra |para )?{_HANDLES}",
        r"frascos?|(?:posso|onde|quando) (?:levar|entregar|mandar|deixar)|receb\w+ (?:as )?amostras?|refriger\w+",
        r"quanto de (?:amostra|agua|solo|terra)",
        r"(?:voces|vcs) (?:\w+ )?(?:vir )?(?:colet|colh|busc|retir)\w+[^?]*\?",
    ),
    "DELIVERY_TIMES": (
        r"quanto tempo|quantos dias|em quantos|demora|(?:qual|tem) (?:e )?(?:o )?prazo|ficam? pronto",
        r"prazo (?:de|do|para|pra) (?:o )?(?:resultado|laudo|entrega)|quando (?:sai|fica pronto|vou receber|recebo)",
    ),
    "PRICES_POLICY": (
        r"quanto (?:custa\w*|fica|sai|e|que e|voces cobram|vai dar|cobra\w*)|precos?|valor(?:es)?|tabela de",
        r"desconto\w*|parcel\w+|pix|cartao|formas? de pagamento|(?:aceita\w*|por|com|no) boleto|baratear|mais barat\w+",
        r"valid(?:ade|o) (?:do|d\w+) orcamento|orcamento vale",
    ),
    "PREVIOUS_SESSION": (
        r"[dn]a (?:outra|ultima) vez|ultimo pedido|pedido anterior|ja (?:tinha|havia) (?:pedido|passado|falado)",
        r"(?:igual|mesm[oa]) (?:ao |a |d[aeo] )?(?:anterior|ultim\w+|outra vez|antes)",
    ),
}
PRICE = r"quanto (?:custa|fica|sai|e|que e|cobra|vai dar)\w*|precos?|valor(?:es)?|cust\w+|base"
KEEPS_OFFER = r"orcamento (?:vale|e valido)|validade do orcamento"
_WHAT_WE_ARE = r"(?:robo|bot|maquina|inteligencia artificial|ia|humano|gente|pessoa de verdade)"
ROBOT = (
    rf"(?:voce|vc|isso|aqui|ai|falando com|e|falo com).{{0,20}}{_WHAT_WE_ARE}(?: mesmo)?\s*\?",
    r"(?:robo|bot|humano)\s*\?",
)
FAREWELL = (
    r"tchau|ate (?:mais|logo|breve|outra hora)|era (?:so|somente) isso|flw",
    r"so (?:queria|estava|tava) (?:saber|olhando|vendo)",
)
GIVES_UP = (
    r"desist\w+|deixa (?:pra|para) la|nao (?:vou|quero|preciso)(?: \w+)? mais|vou (?:pensar|ver com calma)",
    r"depois (?:eu )?(?:volto|falo|vejo)|outro dia|ano que vem|cancela\w*",
)
THANKS = r"obrigad[oa]|valeu|agradeco|brigad[oa]"
YES = r"(?:sim|quero|pode ser|pode|claro|por favor|isso|ok|chama)"
GREETS = r"oi|ola|opa|bom dia|boa tarde|boa noite|tudo bem|e ai"
SHORTENED = frozenset({"vcs", "tbm", "blz", "qnt", "qto", "msm", "obg", "pfv", "cnpj", "cpf", "dbo", "dqo"})
