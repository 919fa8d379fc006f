"""What an angry customer writes, each with whom it must be aimed at."""

from __future__ import annotations

from core.domain.guard.aim import (
    at_us,
    cursed,
    felt,
    of_words,
    our_service,
    said_of_us,
    said_of_you,
    slurred,
    uneasy,
    unwanted,
)
from core.domain.guard.lexicon_anger import CLASSES
from core.domain.guard.phrases import RuleBook, always, ruler

_rule = ruler(CLASSES)

_INSULTS = (
    _rule("insult_to_you", at_us, "<your>(?:<bot>|bando de )?<insult>"),
    _rule("you_are", said_of_you, "<you>(?:<adv>|ai |ja ){0,3}<be>(?:<adv>|ficando ){0,4}(?:<insult>|<flaw>|<bad>)"),
    _rule("slur", slurred, "<slur>"),
    _rule("bot_cursed", our_service, "<bot><any>{0,4}?(?:<bad>|<flaw>)", "<bad><any>{0,3}?<bot>"),
    _rule(
        "deaf_or_blind",
        always,
        "(?:<start>|<you>)(?:e|esta|ficou|so pode ser) (?:surd[oa]s?|ceg[oa]s?) (?:<end>|ou |por acaso )",
    ),
    _rule(
        "service_is_bad",
        our_service,
        "<service>(?:<adv>|d[aeo] voces |daqui |aqui |ai |automatico ){0,3}(?:<be><adv>{0,4}<bad>|<plainly_bad>)",
        "(?:atendimento|suporte|chat) (?:<adv>{0,2}<bad>|<any>{0,4}?(?:<plainly_bad>|<slur>))",
    ),
    _rule(
        "service_of_curse",
        our_service,
        "(?:<bot>|<service>)d[eao] (?:merda|bosta|porra|porcaria|caralho|quinta|cacete|inferno) ",
    ),
    _rule(
        "curse_of_service",
        our_service,
        "<bad>(?:d[eo] |dess[ea] |est[ea] |ess[ea] |a |o |e ){1,2}atendimento ",
        "<bad_thing>(?:de |dess[ea] |dest[ea] )<service>",
        "(?:pior |<plainly_bad>)(?:o |a |ess[ea] |est[ea] ){0,2}(?:<service>|<bot>)",
    ),
    _rule(
        "insulting_thing",
        at_us,
        "respostas? <adv>?<plainly_bad>",
        "(?:que|o|oh|essa|esse|eita|eta) <thing><adv>{0,2}(?:<insult>|<plainly_bad>)",
    ),
    _rule(
        "this_is_bad",
        at_us,
        "(?:isso|isto) (?:aqui |tudo |ai |ja ){0,2}(?:e|virou|parece) <adv>{0,2}(?:uma |um )<adv>?<bad>(?!de )",
    ),
    _rule(
        "this_is_outrage",
        felt,
        "(?:isso|e|isto) (?:e )?<adv>?<disgrace>",
        "(?:ridiculo|absurdo|inaceitavel|lamentavel) (?:isso|isto) ",
    ),
    _rule(
        "cursed_thing",
        cursed,
        "(?:<this>|dess[ea] |ness[ea] )(?:<curse>|(?:porcaria|lixo|droga) (?:nao|nunca|so) )",
        "(?:ness[ea]|dess[ea]) porcaria <end>",
    ),
    _rule(
        "abuse",
        always,
        "(?:vai|vao|va|ir) (?:(?:se |te )?(?:foder|fuder|fuderem|foderem)|(?:se|te) (?:ferrar|lascar|danar|catar)) ",
        "vai catar coquinho ",
        "<start>(?:se|te) (?:foder|fuder|ferrar) ",
        "tomar? no (?:seu |meio do )?(?:cu|rabo) ",
        "no (?:seu|teu) (?:cu|rabo) ",
        "(?:vai|vao|va) (?:a|para|na|para a|para o|para os) (?:merda|puta|porra|caralho|inferno|quintos|bosta|pqp) ",
        "(?:fodase|vtnc|vsf) ",
        "que se (?:foda|dane|exploda) ",
        "cal[ae] (?:a |essa |sua )?boca ",
        "(?:fica|fique) quiet[oa] ",
        "me deix[ae]m? em paz ",
        "some daqui <end>",
        "(?:tom[ae]m?|tenham?|cri[ae]m?|nao tem) vergonha ",
        "vergonha na cara ",
    ),
    _rule(
        "hate",
        felt,
        "te odeio ",
        "(?:odeio|odiei|detesto|detestei) (?:<of_this>|falar com |conversar com |ter que falar com ){0,3}"
        "(?:<bot>|<you>|atendimento |isso |laboratorio |empresa )",
        "nao (?:gosto|gostei) <of_this>{1,2}(?:<bot>|<you>|atendimento )",
    ),
    _rule("stop_being", always, "(?:larga|larguem|deixa|deixe|para|pare) de ser <adv>?<insult>"),
)

_FEELINGS = (
    _rule("anger", felt, "<am>(?:<adv>|ja |ficando |me sentindo |aqui ){0,4}<upset>"),
    _rule("uneasy", uneasy, "<am>(?:<adv>|ja |ficando |me sentindo |aqui ){0,4}<uneasy>"),
    _rule(
        "anger_alone",
        felt,
        "<start>(?:muito |mega |super |[a-z]+mente |ja |bem )?"
        "(?:frustrad|irritad|indignad|revoltad|decepcionad|insatisfeit|furios|estressad)[oa] (?:com |<end>)",
    ),
    _rule("tired_of", felt, "(?:estou |ja )?cansad[oa] (?:de )?<wear>"),
    _rule("had_enough", at_us, "cansei (?:de )?<wear>"),
    _rule(
        "give_up",
        at_us,
        "(?:ja deu|para mim deu|deu para mim) <end>",
        "nao quero mais (?:falar|conversar|saber|nada|negocio|papo) (?:com|de) <us>",
        "desisto de (?:<you>|tentar |falar |esperar |conversar |resolver )",
        "<start>chega (?:! |$)",
        "chega (?:disso|de (?:enrolacao|conversa|isso|palhacada|desculpas?|mentira)) ",
        "(?:assim|desse jeito|dessa forma) "
        "(?:nao da|nao tem condic(?:oes|ao)|nao rola|fica (?:dificil|complicado)|nao tem como) <end>",
        "<start>nao da mais <end>",
        "<spared><of_this>{0,2}(?:<bot>|<you>|<service>|isso )",
    ),
    _rule(
        "cannot_stand",
        at_us,
        "nao (?:aguento|suporto|tolero) mais (?:<end>|<of_this>?(?:<wear>|<bot>|<service>|<you>))",
    ),
    _rule(
        "patience",
        felt,
        "(?:perdi|perdendo|perder|acabou|esgotou) (?:a |minha |toda |com |ja |ha |muito ){0,3}paciencia ",
        "(?:haja (?:paciencia|saco)|paciencia tem limite|sem paciencia|paciencia acabou) ",
    ),
    _rule(
        "irritates_me",
        at_us,
        "(?:me|nos) <irritate>",
        "(?:da|dando|deu) nos (?:meus )?nervos ",
        "me (?:tirando do serio|ench(?:e|em|er|endo) o saco) ",
    ),
    _rule(
        "anger_at_this",
        at_us,
        "(?:raiva|odio|nojo|saco|ranco) (?:de |dess[ea] |dest[ea] ){1,2}(?:<bot>|<you>|<service>|<thing>)",
    ),
)

_TREATED = (
    _rule(
        "outrage",
        said_of_us,
        "(?:que|quanta|tanta|muita|muito|um|uma|puro|pura|maior|quanto|tremenda|tamanha) <outrage>"
        "(?:<end>|<this>|d[eao] (?:<of_this>)?(?:<you>|<bot>|<service>)|(?:com|viu|hein|ne|e|total|aqui|ter que) "
        "|<you>|<service>)",
        "que (?:atendimento |<bot>|demora |descaso |palhacada )e (?:esse|essa|isso) ",
        "(?:nunca|jamais) (?:tinha )?(?:vi|visto) (?:tanta|tamanha) <outrage>",
    ),
    _rule(
        "outrage_noun",
        at_us,
        "(?:falta|puta falta|falta total|nenhuma falta) de (?:<virtue>|sacanagem )",
        "(?:cade [oa]|nenhuma?) <virtue>",
        "(?:descaso|desrespeito|palhacada|inadmissivel|inaceitavel|vergonhos[oa]|pouco caso|ma vontade) ",
        "(?:incompetencia|lamentavel) ",
        "(?:(?:e|uma|pura|so) perda de tempo|perda de tempo (?:falar|conversar|isso|ess[ea])) ",
    ),
    _rule(
        "ill_treated",
        felt,
        "mal (?:atendid|servid)[oa]s? ",
        "(?:fui|fomos|sou|somos|ser|sendo|cliente) (?:e |esta |muito |tao |super ){0,2}"
        "(?:mal tratad[oa]s? |tratad[oa]s? (?:que nem|igual|como|feito) (?:um |uma )?<bad>)",
        "me deix(?:aram|ou|am|a|ando) (?:(?:na mao|esperando|falando sozinh[oa]|no vacuo) |<adv>?(?:<upset>|<uneasy>))",
        "<you>nao tem <any>{0,3}?(?:de )?<virtue>",
        "nao (?:da para confiar|confio|confio mais) em <you>",
        "me fizeram (?:perder|esperar|de) ",
        "<us>(?:me |so )?(?:estragaram|enganaram|mentiram|enrolaram|sumiram) ",
    ),
    _rule(
        "made_a_fool",
        felt,
        "(?:me|nos|cliente|gente) (?:fazendo|faz|fazer|fazem|tratando|tratar|tratam|trata) "
        "(?:de |como |igual |feito |que nem |um |uma |a ){1,3}"
        "(?:palhac[oa]|otari[oa]|idiota|trouxa|bob[oa]|cachorro|lixo|imbecil) ",
        "(?:esta|estao|tao|estar|voces|e) <any>{0,2}?"
        "(?:de|com) (?:sacanagem|brincadeira|zoeira|palhacada|zoacao|gozacao) (?:<end>|comigo |com |ne )",
        "me (?:tirando|zoando|gozando|enrolando|enganando|sacaneando) ",
        "feit[oa] de (?:palhac[oa]|otari[oa]|idiota|trouxa|bob[oa]) ",
        "brincando com (?:a )?minha cara ",
        "cara de (?:palhac[oa]|otari[oa]|idiota|trouxa|bob[oa]|besta) ",
        "(?:acham?|achando|pensam?) que (?:eu )?sou <adv>?<insult>",
    ),
    _rule(
        "evasion",
        at_us,
        "(?:so|mais) atrapalham? ",
        "<you>(?:so |ficam |vivem |fica |estao |esta ){1,2}(?:me )?"
        "(?:enrola|enrolam|enrolando|embroma|embromam|mentem|mente|mentindo"
        "|(?:fala|falam|diz|dizem|faz|fazem) (?:merda|besteira|bobagem|asneira)) ",
    ),
    _rule(
        "wasted_time",
        felt,
        "perdendo (?:o |meu |nosso )?tempo ",
        "(?:perdi|perder|perco) (?:o |meu |nosso ){0,2}tempo (?:<end>|(?:com|aqui|falando|tentando|nisso) )",
    ),
    _rule(
        "leaving_angry",
        at_us,
        "(?:vou|irei|vamos) <any>{0,5}<rights>",
        "nao (?:recomendo|indico) (?:<end>|a ninguem |para ninguem |ess[ea] |<us>)",
        "ultima vez que (?:eu )?(?:faco|contrato|uso|compro|fecho|venho) ",
        "meu dinheiro de volta ",
        "(?:tempo perdido|dinheiro jogado fora) ",
        "ate quando (?:eu )?(?:vou ter que|vou ficar|vou esperar|isso vai|vamos ter que|vao enrolar) ",
        "(?:vou|irei|vamos) (?:te (?:processar|denunciar) |(?:processar|denunciar) <us>)",
        "nunca mais (?:eu )?(?:faco|compro|contrato|volto|uso|quero|piso|indico|fecho|fazemos) ",
        "pior (?:<service>|<bot>|(?:experiencia|coisa|lugar) )(?:da minha|do mundo|da vida|que ja|do brasil) ",
        "nota (?:zero|0) (?:para |<end>)",
    ),
)

_FAILURES = (
    _rule(
        "good_for_nothing",
        at_us,
        "(?:<start>|<bot>|<service>|<you>|isso |que |aqui )nao (?:servem?|prestam?|vale) (?:para |de )?nada ",
        "(?:<bot>|<service>|<you>|isso (?:aqui )?)nao prestam? ",
        "nem para <any>{1,4}?(?:servem?|prestam?) ",
    ),
    _rule(
        "does_nothing",
        at_us,
        "(?:<start>|<you>|<bot>|<service>|isso |d[aeo] voces |que |aqui )(?:nao|nunca) "
        "(?:me |sabe |sabem |esta |estao )?(?:<solve>|(?:ajudou|ajudaram|resolveu|resolveram) )"
        "(?:de |em )?(?:nada|direito|porra nenhuma) ",
        "(?:<you>|<bot>|<service>|isso |d[aeo] voces )(?:nao|nunca) (?:fazem?|funcionam?) (?:nada|direito) ",
        "<bot>(?:aqui |ai |d[eo] voces )?(?:nao|nunca) (?:me |esta )?<fail>",
        "<you>nao (?:me )?(?:entendem?|esta entendendo) (?:portugues |o que |nada |que |<end>)",
        "<you>nao sabem? (?:trabalhar|atender|de nada|nada|ler|responder) ",
        "<you>nao (?:me )?(?:ajuda|ajudou|ajudam|ajudaram) (?:<end>|em nada |nada )",
        "voces (?:nunca|jamais) (?:respondem|atendem|resolvem|retornam|entregam|cumprem|ligam|acertam) ",
        "nao e possivel que (?:<you>|ninguem |ess[ea] |<bot>)",
    ),
    _rule(
        "nobody_helps",
        at_us,
        "ninguem (?:me |nos |aqui |ai |de voces |sabe |consegue |nunca |d[ae] <any>){0,2}<help>",
        "(?:impossivel|dificil|complicado|osso|foda) <talk_of>com (?:<you>|<bot>)",
        "(?:esperando|esperei|aguardando|tentando) <any>{0,4}(?:e nada|e ninguem) ",
        "(?:esperando|aguardando|tentando|aqui) (?:ha|faz|a|umas|mais de) (?:horas|dias|seculos|tempao|um tempao) ",
        "(?:ha|faz) (?:horas|um tempao|seculos) (?:aqui|esperando|aguardando|tentando) ",
        "que demora (?:absurda |toda |hein |viu |horrivel )?<end>",
        "(?:ha|faz|tem) <any>{1,2}(?:horas?|dias|semanas?|meses) <any>{0,5}"
        "(?:e nada|sem (?:nenhuma )?(?:resposta|retorno)|repito|repetindo|explicando|sendo enrolad[oa]) ",
    ),
    _rule(
        "told_many_times",
        of_words,
        "(?:quantas|mil|cem|dez|trocentas|quinhentas) vezes (?:mais )?(?:eu )?"
        "(?:(?:vou |tenho |preciso |terei |devo |ja |te ){1,3}(?:ter )?(?:de |que )?(?:te )?<say_again>"
        "|(?:vou ter que|vou precisar|ja) (?:<any>)?(?:mandar |pedir |passar |informar |<said>))",
        "(?:ja |te |eu |lhe ){1,4}<said><any>{0,4}<times>{1,2}(?:de )?vezes ",
        "<said><any>{0,3}pela <nth>vez ",
        "perdi a conta de quantas vezes ",
        "(?:ficar|fico|vivo) repetindo ",
        "<nth>vez que (?:eu )?(?:ja |te |lhe )?"
        "(?:<said>|<say_once_more>|(?:mando|envio) (?:isso|o mesmo|a mesma|ess[ea]|os dados) )",
    ),
    _rule(
        "same_again",
        unwanted,
        "<stop>de (?:me |nos |ficar ){0,2}<harass>",
        "<stop>com (?:isso|essas? perguntas?) (?:de novo |ja )",
        "(?:<again>|(?:repetindo|perguntando|ficam?|toda hora|toda vez|la vem) )"
        "(?:com |perguntando |fazendo )?(?:a |as )mesmas? (?:perguntas?|coisa|ladainha|conversa|mensagem) ",
        "(?:sempre|repetem?|perguntam?) (?:a |as )mesmas? (?:perguntas?|ladainha|resposta|mensagem) ",
        "(?:mesma (?:pergunta|resposta|ladainha)|(?:essa|dessa) pergunta) <again>",
        "<again>(?:com )?(?:isso|essas? perguntas?|essa conversa) ",
    ),
    _rule(
        "do_you_read",
        felt,
        "(?:nao|nem) (?:esta |estao )?(?:le|leu|lendo|leem|escuta|ouve|presta atencao|prestou atencao) "
        "(?:nao |direito |no que |o que (?:eu )?(?:escrevi|escrevo|falei|disse|mando|falo|digo|mandei) )",
        "<you>nao (?:le|leu|escuta|ouve|presta atencao) <end>",
        "(?:aprende|aprendam) a ler ",
        "<start>(?:le|leia|leiam) (?:direito |(?:a |as |minha |minhas )?mensage(?:m|ns) |o que eu )",
        "falando com (?:um|uma|as) (?:porta|parede|paredes|poste|muro) ",
    ),
)

RULES = RuleBook(*_INSULTS, *_FEELINGS, *_TREATED, *_FAILURES)
