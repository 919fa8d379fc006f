"""How long an Ogg Opus file plays, read from its last page (RFC 3533, RFC 7845): a limit before anything is paid."""

from __future__ import annotations

import struct

_PAGE, _OPUS = b"OggS", b"OpusHead"
_RATE = 48_000  # Opus counts in 48 kHz, whatever was recorded
_HEADER_BYTES = 14
_NO_PACKET_ENDS = -1


def ogg_seconds(content: bytes) -> float | None:
    """Seconds; None for what is no Ogg Opus, or says nothing."""
    if not content.startswith(_PAGE) or _OPUS not in content[:4096]:
        return None
    position = len(content)
    while (position := content.rfind(_PAGE, 0, position)) >= 0:
        header = content[position : position + _HEADER_BYTES]
        if len(header) == _HEADER_BYTES:
            granule = struct.unpack_from("<q", header, 6)[0]
            if granule > _NO_PACKET_ENDS:
                return float(granule) / _RATE
    return None
