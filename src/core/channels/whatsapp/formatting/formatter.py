"""`MessageFormatter` for WhatsApp: Markdown in, at most three messages out."""

from __future__ import annotations


class WhatsAppFormatter:
    """The Markdown parser is imported with the first answer, not with the function."""

    def parts(self, text: str) -> tuple[str, ...]:
        """See `MessageFormatter.parts`."""
        from core.channels.whatsapp.formatting.text_format import format_ai_message_for_whatsapp
        from core.channels.whatsapp.formatting.text_split import split_for_whatsapp

        return split_for_whatsapp(format_ai_message_for_whatsapp(text))
