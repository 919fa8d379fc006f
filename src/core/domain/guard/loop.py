"""Do the last three messages ask one thing? What they share after stop words, and nothing new in the last of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from core.domain.guard.lexicon import words
from core.domain.guard.spelling import spell_out

WINDOW = 3
_STEM_LENGTH = 6
_MENU_DIGITS = 2

# Words without a subject: articles, pronouns, courtesies, answers.
_STOP = words(
    "o a os as um uma uns umas de do da dos das em no na nos nas ao aos e ou que se por para com sem sobre eu"
    " voce voces ele ela gente me te lhe meu minha meus minhas seu sua seus suas esse essa esses essas este"
    " esta isso isto aquele aquela aquilo nao sim ja ainda mesmo mesma so ai aqui la entao mas favor gentileza"
    " obrigado obrigada valeu ok certo beleza oi ola bom boa tudo bem agora tambem ne num numa pelo pela muito"
    " mais opa alo sei talvez acho claro pode ser rs novo vez aff porra caralho merda eita nada alguma algum"
)
# Words that frame a question: they count only where the messages share no subject.
_FRAME = words(
    "qual quais quanto quanta quantos quantas quando como onde quem cade queria quero quer gostaria preciso"
    " precisa precisamos tem tinha teria temos ter ha existe posso podemos podem poderia consigo consegue"
    " consegui conseguir conseguindo continuo continua vou vai vamos vao fica ficam ficou custa custam custo"
    " preco valor valores sai sairia manda mandar mandam mande mandou envia enviar enviam envie envio enviou"
    " passa passar passe passou ver vendo saber sabe dizer diz disse falei falar fala faz fazer fazem faco"
    " faria da dar esta estou estao sao foi era leva levar leve demora demoram chega chegou chegar chegam"
    " recebi receber recebeu recebe entrega entregam entregar entregou aceita aceitam aceitar pagar pago paga"
    " pagamento marca marcar marque agendar agenda pergunta perguntei informar informa informe informou"
    " respondi responde resposta ajuda ajudar funciona funcionam necessito necessario solicito solicitar"
    " aguardo aguardando esperando transferir abre abrem atende atendem trabalham consta lembro esqueci"
    " entendi"
)
_SYNONYMS = {
    **dict.fromkeys(("zap", "zapzap", "whats", "wpp", "wats", "watsapp", "whatsap"), "whatsapp"),
    **dict.fromkeys(("mail", "emails"), "email"),
    **dict.fromkeys(("fone", "tel", "telefones"), "telefone"),
    **dict.fromkeys(("cotacao", "proposta"), "orcamento"),
}
# Values: another one in the same frame is a new answer, not a repeat.
_VALUE = re.compile(
    r"letter [a-z]|.*\d.*|segunda|terca|quarta|quinta|sexta|sabado|domingo|manha|tarde|noite|hoje|amanha"
    r"|janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|norte|sul|leste|oeste|dois|duas|tres|quatro|cinco"
)
# "é para o cliente A", "amostra A é do poço": a letter that names something.
_LETTER = re.compile(r"(?<![^ ])[a-z]{3,} ([a-df-np-z]) (?:(?:[?!.,] )*$|(?:e|de|ok|para) )")
_TIME_OF_DAY = re.compile(r"(?<![^ ])(?:bom dia|boa tarde|boa noite) ")
_GREETINGS = frozenset({"oi", "ola", "alo", "opa", "nao entendi"})
_SOLVED = words("consegui chegou recebi achei resolvido resolveu certo")


def is_loop(texts: Sequence[str]) -> bool:
    """Whether the newest of the last three texts asks again what the two before it asked."""
    if len(texts) < WINDOW:
        return False
    spelled = [_TIME_OF_DAY.sub("", spell_out(text)) for text in texts[-WINDOW:]]
    if not any(_said(text) for text in spelled):
        return all("?" in text for text in spelled)
    if len({tuple(_said(text)) for text in spelled}) == 1 and " ".join(_said(spelled[0])) in _GREETINGS:
        return True
    if _solved(spelled[-1]) or all(_menu_answer(text) for text in spelled):
        return False
    subjects = [_subject(text) for text in spelled]
    framed = [subject | _frame(text) for subject, text in zip(subjects, spelled, strict=True)]
    return _repeats(subjects) or _repeats(framed)


def _repeats(said: list[frozenset[str]]) -> bool:
    """Something is common to all, the last adds nothing, and no value took the place of another."""
    shared = frozenset.intersection(*said)
    new = said[-1] - said[0] - said[1]
    return bool(shared) and not new and not any(_replaced(_values(a), _values(b)) for a, b in pairwise(said))


def _replaced(before: frozenset[str], after: frozenset[str]) -> bool:
    return bool(before - after and after - before)


def _said(text: str) -> list[str]:
    return [word for word in text.split() if word.isalnum()]


def _subject(text: str) -> frozenset[str]:
    letters = set(_LETTER.findall(text))
    plain = (_SYNONYMS.get(word, word) for word in _said(text))
    kept = {_stem(word) for word in plain if word not in _STOP and word not in _FRAME and word not in letters}
    return frozenset(kept | {f"letter {letter}" for letter in letters})


def _frame(text: str) -> frozenset[str]:
    return frozenset(_stem(word) for word in _said(text) if word in _FRAME)


def _values(said: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in said if _VALUE.fullmatch(word))


def _stem(word: str) -> str:
    """Enough of a word to know "acreditação" in "acreditado"; values stay whole."""
    return word if _VALUE.fullmatch(word) else word.rstrip("s")[:_STEM_LENGTH]


def _solved(text: str) -> bool:
    return not _SOLVED.isdisjoint(text.split()) and "nao" not in text.split()


def _menu_answer(text: str) -> bool:
    said = _said(text)
    return len(said) == 1 and said[0].isdigit() and len(said[0]) <= _MENU_DIGITS
