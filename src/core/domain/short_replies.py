"""Messages that are one short reply and nothing more: yes to an offer, stop writing to me, thank you."""

from __future__ import annotations

import unicodedata

from core.domain.guard.lexicon import words
from core.domain.guard.spelling import bare_words, spell_out
from core.domain.text import fold, tokens

_OPT_OUT = frozenset({"pare", "parar", "sair"})

_YES = words(
    "sim s ss quero queria pode isso exato exatamente positivo aceito ok okay okey esta beleza blz bora vamos"
    " manda chama chame passa passe transfere transfira favor uhum aham yes certeza certo perfeito combinado"
    " fechado gostaria prefiro show claro demorou bele tranquilo"
)
_BESIDE_YES = words(
    "por entao ser mesmo me eu que a o um uma pessoa atendente humano alguem falar com para ai agora ja muito"
    " obrigado obrigada obrigadao valeu gentileza bom tudo bem de e oi voce chamar passar transferir mandar"
    " ajuda gente so logo"
)
_YES_SIGNS = frozenset("👍👌✅🙏🆗")

_THANKS = words(
    "obrigado obrigada obrigados obrigadao obrigadinha valeu vlw agradeco agradecido agradecida agradecemos"
    " grato grata gratos ok okay okey certo certinho beleza blz bele entendi entendido perfeito otimo otima"
    " show combinado tmj tchau abraco abracos joia legal maravilha top fechado disponha imagina massa bacana"
    " excelente amem tranquilo thanks thank sucesso ate"
)
_BESIDE_THANKS = words(
    "muito muitissimo mesmo demais por tudo pela pelo ajuda atencao atendimento retorno informacao"
    " informacoes resposta viu esta bom boa dia tarde noite semana fim final de da do e voce voces tambem mais"
    " logo amanha um uma pessoal gente so era isso entao que deus te lhe abencoe eu a o para igualmente nada"
    " trabalho com as os ta hein ne you pra breve mas grande forte rs kkk kk oi bem"
)
_THANKS_SIGNS = frozenset("👍👌🙏😊🙂😀😃😄😁😉🤗❤♥💙💚💛💜🧡👏🤝🙌🥰😍😘☺✅💪🎉")


def is_acceptance(text: str) -> bool:
    """Whether `text` says yes, and only yes, to a pending offer of a person: "sim, mas antes…" does not."""
    return _is_only(text, _YES, _BESIDE_YES, _YES_SIGNS)


def is_courtesy(text: str) -> bool:
    """Whether `text` is thanks or an acknowledgement that asks for no answer."""
    return _is_only(text, _THANKS, _BESIDE_THANKS, _THANKS_SIGNS)


def is_opt_out(text: str) -> bool:
    """Whether `text` is PARE, PARAR or SAIR and nothing more; "cancelar" is what customers say of quotes."""
    folded = fold(text)
    if not any(word in folded for word in _OPT_OUT):
        return False
    said = [token.strip("*") for token in tokens(folded) if token.strip("*?!.,")]
    return len(said) == 1 and said[0] in _OPT_OUT


def _is_only(text: str, meant: frozenset[str], beside: frozenset[str], signs: frozenset[str]) -> bool:
    spelled = spell_out(text)
    said = bare_words(spelled)
    if "?" in spelled.split():
        return False
    symbols = {character for character in text if unicodedata.category(character) == "So"}
    if not said:
        return bool(symbols) and symbols <= signs
    return not meant.isdisjoint(said) and all(word in meant or word in beside for word in said)
