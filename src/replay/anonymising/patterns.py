"""What looks personal in any text: addresses of mail, documents, phones, postal codes, long numbers, said digits."""

from __future__ import annotations

import re

EMAIL = re.compile(r"[\w%+\-]+(?:\.[\w%+\-]+)*@(?:[\w\-]+\.)+[A-Za-z]{2,24}")
CNPJ = re.compile(r"(?<![\w.])[0-9A-Za-z]{2}\.?[0-9A-Za-z]{3}\.?[0-9A-Za-z]{3}/[0-9A-Za-z]{4}-?[0-9]{2}(?![\w])")
CPF = re.compile(r"(?<![\w.])[0-9]{3}\.[0-9]{3}\.[0-9]{3}[-–. ]?[0-9]{2}(?![\w])|(?<![\w.])[0-9]{9}-[0-9]{2}(?![\w])")
_COUNTRY, _AREA = r"(?:(?:\+|00)?[1-9][0-9]{0,2}[ .-]?)?", r"\(?0?[1-9][0-9]\)?[ .-]{0,2}"
_LOCAL = r"(?:9[ .]?)?[2-9][0-9]{3}[ .-]?[0-9]{4}"
PHONE = re.compile(rf"(?<![\w,.]){_COUNTRY}{_AREA}{_LOCAL}(?!\w)|(?<![\w,.])9?[2-9][0-9]{{3}}[ -][0-9]{{4}}(?!\w)")
POSTAL_CODE = re.compile(r"(?<![\w.])[0-9]{5}-[0-9]{3}(?![\w])")
LONG_NUMBER = re.compile(r"(?<![0-9A-Za-z])[0-9]{7,}(?![0-9A-Za-z])")
DATE = re.compile(
    r"(?<![0-9])(?:[0-3]?[0-9][/.-][01]?[0-9][/.-](?:[0-9]{4}|[0-9]{2})|[0-9]{4}-[01][0-9]-[0-3][0-9])(?![0-9])"
)

_SAID = "zero|uma?|dois|duas|tr[eê]s|quatro|cinco|seis|meia|sete|oito|nove"
SAID_DIGITS = re.compile(rf"(?<!\w)(?:{_SAID})(?:[\s,.-]+(?:{_SAID})){{5,}}(?!\w)", re.IGNORECASE)
SAID_DIGIT = re.compile(rf"(?<!\w)(?:{_SAID})(?!\w)", re.IGNORECASE)
DIGIT_OF = {
    "zero": "0", "um": "1", "uma": "1", "dois": "2", "duas": "2", "tres": "3", "quatro": "4", "cinco": "5",
    "seis": "6", "meia": "6", "sete": "7", "oito": "8", "nove": "9",
}  # fmt: skip
WORD_OF = ("zero", "um", "dois", "três", "quatro", "cinco", "seis", "sete", "oito", "nove")

_NUMBER_WORD = (
    rf"(?:{_SAID}|dez|onze|doze|treze|quatorze|catorze|quinze|dez[ea]sseis|dez[ea]ssete|dezoito|dez[ea]nove|vinte|trinta"
    r"|quarenta|cinquenta|sessenta|setenta|oitenta|noventa|ce[mn](?:to)?|duzentos|trezentos|quatrocentos|quinhentos"
    r"|seiscentos|setecentos|oitocentos|novecentos|mil|[0-9]+)"
)
SAID_NUMBER = re.compile(rf"(?<!\w){_NUMBER_WORD}(?:(?:[\s,.-]+(?:e\s+)?){_NUMBER_WORD}){{5,}}(?!\w)", re.IGNORECASE)
"""Six words of numbers in a row are nobody's date or amount: a document or a phone that was dictated."""
