"""Words of anger, of what it is aimed at, and of what makes the same words harmless."""

from __future__ import annotations

from core.domain.guard.phrases import words

SWEAR = words("porra caralho merda bosta cacete pqp buceta xereca xoxota cu desgraca puta caceta wtf fuck shit")
# Words that never name a sample, a farm or an animal: an insult wherever nobody else is meant.
SLUR = words(
    "idiota idiotas imbecil imbecis otari~ babaca babacas palhac~ ignorante ignorantes cretin~ imprestavel"
    " imprestaveis incompetente incompetentes retardad~ mentiros~ toupeira lerd~ arrombad~ vagabund~ pilantra"
    " pilantras canalha canalhas fdp escrot~ trouxa trouxas energumeno panaca lesad~ cuzao cuzona golpista"
    " golpistas acefal~ tont~ mongoloide paspalho palerma demente patife cafajeste crapula sem_nocao"
)
INSULT = SLUR | words(
    "burr~ estupid~ inutil inuteis anta antas jument~ tapad~ mal_educad~ desgracad~ maldit~ ladrao ladroes"
    " safad~ sem_vergonha nojent~ corn~ mongol debil_mental cara_de_pau malandr~ caloteir~ enganos~ enganador"
    " enganadora besta bestas burrinh~ burrao estrupici~ asno arrogante grosseir~ tosc~ patetic~ miseravel"
    " sacana imundo verme viado piranha vadia porcaria jegue ogro incapaz inept~"
)
# Said of a thing or a service: an insult only beside what it is said of.
BAD = INSULT | words(
    "pessim~ horrivel horriveis ridicul~ terrivel terriveis lamentavel vergonhos~ vergonha decepcionante"
    " deploravel nojo lixo merda bosta droga desgraca piada palhacada absurdo inaceitavel inadmissivel pior"
    " desrespeitos~ vexame inferno porra caralho frac~ ruim ruins mediocre descaso desastre decepcao pifi~ porc~"
    " desorganizad~ enrolad~ desleixad~ despreparad~ fajut~ podre sofrivel negacao chat~ irritante insuportavel"
    " infernal capenga bugad~ zoad~ cansativ~ bagunca putaria roubo enrolacao falta_de_respeito um_saco um_porre"
    " uma_piada sem_futuro"
)
SERVICE = words("atendimento servico suporte empresa laboratorio lab app aplicativo site chat sistema autoatendimento")

CLASSES = {
    "swear": SWEAR | words("aff que_saco que_droga que_inferno que_raiva que_odio"),
    "slur": SLUR,
    "insult": INSULT
    | words("lixo bosta merda animal vaca cadela cachorra lata_velha monte_de_lata monte_de_merda pedaco_de_lixo"),
    "curse": words("merda bosta porra caralho desgraca"),
    "bad": BAD,
    "bad_thing": words("merda bosta porcaria lixo droga porra inferno desgraca caralho vergonha piada"),
    "plainly_bad": words(
        "pessim~ horrivel horriveis ruim ridicul~ incompetente incompetentes vergonhos~ inutil porco porca"
        " mediocre patetic~ terrivel fraco lamentavel nojent~ idiota imprestavel burr~ estupid~ chat~"
    ),
    "disgrace": words(
        "ridiculo inaceitavel inadmissivel vergonhoso lamentavel palhacada revoltante deprimente patetico"
    ),
    "flaw": words(
        "surd~ ceg~ lent~ fei~ bob~ limitad~ desatualizad~ sem_graca monstro inconveniente lixinho gord~ travad~"
    ),
    "mad": words("louc~ maluc~ doid~ bebad~"),
    # "ia" alone is also "was going to".
    "bot": words(
        "bot robo robozinho chatbot assistente_virtual atendente_virtual assistente a_ia essa_ia esta_ia"
        " dessa_ia da_ia sua_ia com_ia"
    ),
    "service": SERVICE,
    "thing": words("coisa negocio trem treco povo gente raca resposta respostas conversa"),
    "you": words("voce voces tu senhor senhora"),
    "us": words("voces voce laboratorio empresa lab equipe atendimento"),
    "your": words("seu sua seus suas"),
    "be": words("e sao foi foram esta estao virou parece parecem sendo ficou tao era so_pode_ser so_podem_ser"),
    "adv": words(
        "muito muita mais tao bem meio mesmo so um uma uns umas o a os as que super demais tudo puro pura"
        " grande bando tanto [a-z]{3,}mente bando_de"
    ),
    "this": words("esse essa este esta isso isto"),
    "of_this": words("de do da dos das desse dessa deste desta o a os as esse essa este esta que seu sua e um uma"),
    "am": words("estou fiquei fico ficando sinto sentindo ando estamos ficamos saio sai fica fui estava sigo continuo"),
    "upset": words(
        "frustrad~ irritad~ put~ indignad~ revoltad~ decepcionad~ insatisfeit~ furios~ estressad~ de_saco_cheio"
        " sem_paciencia inconformad~ possess~ pistola injuriad~ enganad~ ignorad~ desrespeitad~ humilhad~"
        " ficando_louc~ ficando_doid~ ficando_maluc~ descontente descontentes p_da_vida pe_da_vida"
    ),
    "uneasy": words("nervos~ brav~ com_raiva com_odio impaciente chatead~ aborrecid~ desapontad~ arrependid~"),
    "outrage": words(
        "palhacada descaso desrespeito incompetencia desorganizacao enrolacao falta_de_respeito"
        " falta_de_consideracao vexame demora_absurda despreparo negligencia irresponsabilidade absurdo decepcao"
        " burrice desaforo afronta pouca_vergonha bagunca esculhambacao avacalhacao lambanca zorra sacanagem"
        " putaria"
    ),
    "irritate": words(
        "irrita irritando irritou irritar estressando estressa estressar enlouquecendo ignora ignoram ignorando"
        " ignoraram"
    ),
    "wear": words(
        "esperar repetir explicar falar responder pedir tentar mandar ser ficar disso disto isso voces voce"
        " desse dessa deste desta insistir conversar bot robo tanta tanto essa esse aguardar"
    ),
    "said": words(
        "disse falei mandei enviei respondi expliquei informei passei pedi perguntei repeti avisei escrevi"
        " digitei mandamos informamos enviamos falamos dissemos"
    ),
    "say_again": words("repetir dizer falar explicar responder"),
    "say_once_more": words("peco falo explico pergunto digo repito"),
    "times": words(
        "duas tres quatro cinco seis sete oito nove dez vinte trinta cem mil varias inumeras muitas trocentas"
        " umas 2 3 4 5 6 7 8 9 10 20 50 100 1000 quinhentas diversas"
    ),
    "nth": words("terceira quarta quinta sexta setima oitava nona decima milesima enesima centesima 3a 4a 5a"),
    "stop": words("para parem pare chega quer_parar da_para_parar pode_parar podem_parar"),
    "harass": words(
        "fazer perguntar repetir mandar enrolar enganar encher mentir fugir ignorar pedir responder insistir"
        " falar perguntando repetindo enrolando zoar brincar"
    ),
    "solve": words("resolve resolvem entende entendem responde respondem ajuda ajudam sabe sabem"),
    "fail": words("entende responde funciona resolve serve ajuda presta entendendo escuta le"),
    "help": words(
        "assume se_responsabiliza da_conta resolveu responde respondeu atende atendeu resolve resolver retorna"
        " retornou ajuda ajudar sabe_de_nada sabe_nada entende_nada faz_nada fala_nada da_retorno da_resposta"
        " da_satisfacao"
    ),
    "again": words("de_novo novamente"),
    "virtue": words(
        "respeito educacao consideracao vergonha competencia profissionalismo compromisso palavra seriedade"
    ),
    "spared": words("ninguem_merece sem_condicoes sem_condicao deus_me_livre pelo_amor_de_deus"),
    "rights": words("procon reclame_aqui reclameaqui meus_direitos"),
    "talk_of": words("falar resolver conversar contato"),
}

# Others whom people curse while they talk to us.
OTHERS = words(
    "operadora prefeitura vizinho vizinha vizinhos fornecedor fornecedora fornecedores concorrente concorrencia"
    " governo internet banco fiscal vigilancia cetesb sindico sindica chefe patrao obra construtora correios"
    " transportadora socio marido esposa condominio cidade prefeito politico ibama inmetro ministerio estado"
    " orgao loja mercado"
)
# What they have analysed, what breaks down at their place, the weather.
THINGS = words(
    "cheiro odor solo terra agua rio poco esgoto efluente filtro bomba equipamento aparelho medidor caldeira"
    " preco calor chuva transito time jogo filme celular computador impressora wifi sinal marca produto amostra"
    " bacteria corrego tanque mosquito amostras pele olhos olho garganta nariz cloro frasco"
)
FORMER = words("outro outra atual anterior antigo antiga antigos")
"""What marks a service as not this one."""

TARGETS = words("bot robo robozinho chatbot voce voces tu senhor senhora atendimento suporte laboratorio isso")
SUBJECTS = TARGETS | words("que isto empresa servico sistema site app aplicativo ai aqui tudo nao so ja e mas ia gente")
"""Who may be said to be an idiot without its being somebody else."""

SELF = words("sou fui eu sinto somos desculpa desculpe meu minha pergunta duvida")
OURS = words(
    "voces voce laboratorio empresa bot robo atendimento suporte whatsapp merda bosta porra porcaria caralho"
    " cacete lixo quinta que nao so virtual online mesmo"
)
"""Words after "atendimento de" that leave the service ours."""

TREATMENT = TARGETS | words("demora atraso resposta servico esse essa situacao descaso falta espera empresa enrolacao")

GLAD = words(
    "amo adoro adorei perfeito perfeita perfeitos lindo linda lindos lindas feliz otimo otima saudade saudades"
    " parabens maravilhoso maravilhosa top show gostei gosto incrivel excelente melhor finalmente consegui amei"
    " bom boa bons boas legal massa sensacional foda demais obrigado obrigada obrigadao valeu rapido rapida"
    " rapidos gostoso gostosa certo maravilha graca sucesso ganhei ganhou bonito bonita delicia bem"
)
SORRY = words("esqueci errei perdi desculpa desculpe confundi perdao")

BARE_FILLER = words(
    "que seu sua seus suas voce voces e muito muita mais mesmo tao um uma uns umas de do da esse essa isso este"
    " esta aff nossa gente meu deus credo bot robo ai hein ne so tu sao o a bando ia atendimento maquina bem"
    " demais viu cara vai ser oh ah mano pelo amor do total puro pura eita po poxa hem ein coisa nunca"
)
BARE = (
    INSULT
    | SWEAR
    | words(
        "pessim~ horrivel ridicul~ lamentavel vergonhos~ vergonha palhacada absurdo inaceitavel inadmissivel"
        " lixo descaso desrespeito decepcionante decepcao estupidez incompetencia droga saco nojo raiva odio"
        " inferno terrivel burrice malandragem safadeza patifaria sacanagem picaretagem enganacao frustrad~"
        " frustrante irritante imundice putaria besteira puto fodase pica rapariga quenga desaforo afronta chat~"
        " fei~ bob~ monstro baitola boiola bicha vadio cabaco piroca punheta punheteir~ boquete xota cadela vaca"
        " cachorra vsf vtnc cansei desisto insuportavel ruim fraco fraca bostinha merdinha lixinho demonio"
        " capeta peste"
    )
)
# Insults that are also plain answers ("que animal?", "frasco ou saco?"): alone they count only when aimed.
AMBIGUOUS = words("saco ruim fraco fraca vaca cachorra cadela fei~ porc~ droga besta bob~ peste")
