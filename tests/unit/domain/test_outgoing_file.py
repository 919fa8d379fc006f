"""Names of attendants' files, as a customer's phone will show and open them."""

from __future__ import annotations

import pytest

from core.domain.outgoing_file import outgoing_file

PDF = "application/pdf"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Orçamento nº 5.pdf", "Orçamento nº 5.pdf"),
        ("RECIBO.PDF", "RECIBO.pdf"),
        ("../../etc/recibo.pdf", "recibo.pdf"),
        ("C:\\Users\\bia\\recibo.pdf", "recibo.pdf"),
        ("recibo", "recibo.pdf"),
        ("recibo.exe", "recibo.exe.pdf"),
        ("reci\u202efdp.exe", "recifdp.exe.pdf"),
        ("a\r\nb\x00.pdf", "ab.pdf"),
        ('a"b<c>.pdf', "a_b_c_.pdf"),
        ("foto \ud83d.pdf", "foto \ufffd.pdf"),
        ("", "arquivo.pdf"),
        (" .pdf", "arquivo.pdf"),
        ("\u200b\u3164", "arquivo.pdf"),
        ("a" * 500 + ".pdf", "a" * 236 + ".pdf"),
    ],
)
def test_a_name_has_no_folder_nothing_unseen_and_an_ending_of_its_type(name: str, shown: str) -> None:
    assert outgoing_file(name=name, mime_type=PDF, content=b"%PDF-1.4").filename == shown


def test_a_picture_keeps_the_ending_that_it_has() -> None:
    for name, shown in (("a.jpg", "a.jpg"), ("a.jpeg", "a.jpeg"), ("a.png", "a.png.jpg")):
        assert outgoing_file(name=name, mime_type="image/jpeg", content=b"\xff\xd8\xff").filename == shown


def test_its_bytes_are_not_in_its_repr() -> None:
    assert "segredo" not in repr(outgoing_file(name="a", mime_type=PDF, content=b"%PDF-segredo"))
