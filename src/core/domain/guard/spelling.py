"""Chat spelling to plain words: "qro flr c/ atendnte" reads "quero falar com atendente"."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import product

from core.domain.guard.phrases import words
from core.domain.text import fold, tokens

_SPELLINGS = """
    quero: qro kero qero keru quro qeru querro
    queria: qria keria qeria
    que: q ke qe
    voce: vc ce vose vce oce
    voces: vcs ces voceis vcz
    estou: to tou tow
    esta: ta
    estao: tao
    nao: n nn naum nao nom
    com: c cm
    para: p pra pro pras pros pr prum pruma
    falar: flr falr fla falah falr fallar
    alguem: algm algem alguen alguein alguemm augem alguei
    gente: gnt jente
    pessoa: pesoa psoa pss pessoua
    humano: umano humno
    atendente: atend atd atendent atendenti antendente atentende atendende
    muito: mto mt mtu mui
    favor: pf pfv pff pfvr pls plis plz porfavor pfavor
    comigo: cmg
    porque: pq pk
    tambem: tb tbm
    mesmo: msm
    mesma: msma
    verdade: vdd
    hoje: hj
    cade: kd kade
    isso: iso
    obrigado: obg brigado obgd
    obrigada: brigada
    bot: bots
    robo: robos
    caralho: krl crl carai caraio karalho caralhu caraleo
    porra: prr
    aff: af afe affe aaf afs
    e: eh
    quanto: qto qnt qnto
    quando: qdo qnd
    vtnc: tomanocu vaitomarnocu tomarnocu vaitomanocu vtmnc tnc tmnc vtc vtnx
    vsf: vaisefuder vaisefoder vsfd vsfude
    fdp: filhodaputa filhadaputa
    pqp: putaquepariu putaqpariu ptqp
"""
# Words a slip of one letter still names, and real words that are no slip of them.
_SLIPPERY = words(
    "atendente atendentes atendimento pessoa humano humana alguem falar conversar transferir transferencia"
    " representante responsavel supervisor gerente vendedor consultor gostaria frustrado frustrada irritado"
    " irritada horrivel pessimo pessima ridiculo ridicula incompetente palhacada vergonha absurdo decepcionado"
    " decepcionada indignado indignada"
)
_NO_SLIP = words(
    "pessoal pessoas humanos humanas algum alguma alguns algumas falhar faltar falam falas falara conversa"
    " conversas conservar transferi transferia transferiu vergonhas humanas gerentes vendedores consultora"
    " responsaveis calar atendimentos supervisora vendedora ridiculos ridiculas representantes horriveis"
    " transferencias"
)
_SLIPPERY_ORDERED = tuple(sorted(_SLIPPERY))
# Plain forms that digits and asterisks dress up ("m3rda", "p*rra", "b0t").
_MASKED = words(
    "merda porra caralho puta puto foda foder bosta cacete lixo burro burra idiota inutil otario imbecil bot"
    " robo cu babaca fdp desgraca"
)
_LEET = str.maketrans("0134$@5", "oieasas")
_ELONGATED = re.compile(r"([a-z])\1{2,}")
_LONGEST_WORD = 24
_SET_PHRASES = {
    "filho da puta": "fdp",
    "filha da puta": "fdp",
    "filhos da puta": "fdp",
    "puta que pariu": "pqp",
    "puta que o pariu": "pqp",
    "puta merda": "pqp",
    "foda se": "fodase",
    "outra vez": "novamente",
    "e mail": "email",
}
_SET_PHRASE = re.compile(rf"(?<![^ ])(?:{'|'.join(_SET_PHRASES)})(?= )")
_ANGRY_FACES = str.maketrans(
    {
        "\N{REVERSED HAND WITH MIDDLE FINGER EXTENDED}": " vsf ",
        "\N{SERIOUS FACE WITH SYMBOLS COVERING MOUTH}": " pqp ",
        "\N{POUTING FACE}": " raiva ",
    }
)


def _chat_spelling() -> dict[str, str]:
    spellings: dict[str, str] = {}
    for line in _SPELLINGS.strip().splitlines():
        plain, _, variants = line.partition(":")
        spellings.update(dict.fromkeys(variants.split(), plain.strip()))
    return spellings


_CHAT = _chat_spelling()
_KNOWN = _SLIPPERY | _NO_SLIP | _MASKED | frozenset(_CHAT) | words("aff pqp nossa nunca isso essa esse pessoa erro")


def spell_out(text: str) -> str:
    """`text` folded and spelled plainly: words and clause marks, each with one space after it."""
    spelled = map(_plain, tokens(fold(text).translate(_ANGRY_FACES)))
    plain = "".join([f"{word} " for word in spelled if word])  # nothing is left of a token of asterisks
    return _SET_PHRASE.sub(lambda found: _SET_PHRASES[found[0]], plain)


@lru_cache(maxsize=4096)  # most words of a conversation are the same few
def _plain(written: str) -> str:
    if len(written) > _LONGEST_WORD or written in {"?", "!", ".", ","}:
        return written[:_LONGEST_WORD]
    word = _unmask(written.strip("*"))
    word = _shorten(word) if _ELONGATED.search(word) else word
    return _CHAT.get(word) or _without_slip(word)


def _unmask(token: str) -> str:
    if "*" in token:
        dots = re.compile(token.replace("*", "[a-z]"))
        return next((word for word in sorted(_MASKED) if dots.fullmatch(word)), token.replace("*", ""))
    plain = token.translate(_LEET)
    return plain if plain != token and _shorten(plain) in _MASKED else token


def _shorten(word: str) -> str:
    """Make "burroooo" "burro": each run of three or more becomes one letter, or two where only that is a known word."""
    parts = _ELONGATED.split(word)  # text, letter, text, letter, text
    runs = parts[1::2][:3]
    candidates = ["".join(_interleave(parts, sizes)) for sizes in product((1, 2), repeat=len(runs))]
    return next((candidate for candidate in candidates if candidate in _KNOWN), candidates[0])


def _interleave(parts: list[str], sizes: tuple[int, ...]) -> list[str]:
    return [
        part if position % 2 == 0 else part * (sizes[position // 2] if position // 2 < len(sizes) else 1)
        for position, part in enumerate(parts)
    ]


def _without_slip(word: str) -> str:
    if not 5 <= len(word) <= 15 or word in _KNOWN or word.endswith("ndo"):
        return word
    return next((key for key in _SLIPPERY_ORDERED if key[0] == word[0] and _one_slip(key, word)), word)


def _one_slip(key: str, word: str) -> bool:
    """Whether one letter added, dropped, replaced or swapped with its neighbour tells the two apart."""
    if abs(len(key) - len(word)) > 1:
        return False
    start = next((i for i, (a, b) in enumerate(zip(key, word, strict=False)) if a != b), min(len(key), len(word)))
    rest, other = key[start:], word[start:]
    swapped = rest[:2] == other[1::-1] and rest[2:] == other[2:]
    return rest[1:] == other[1:] or rest[1:] == other or rest == other[1:] or swapped
