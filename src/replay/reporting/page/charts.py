"""A distribution before and after, as an inline picture of bars: numbers alone, no script."""

from __future__ import annotations

from collections.abc import Sequence

_BARS = 12
_WIDTH, _HEIGHT, _BASE = 340, 130, 108


def histogram(pairs: Sequence[tuple[float, float]], *, unit: str) -> str:
    """An SVG; empty where there is nothing to show. Colours are the page's classes."""
    values = [each for pair in pairs for each in pair]
    most = max(values, default=0.0)
    if most <= 0:
        return ""
    sides = [_counts([pair[side] for pair in pairs], most) for side in (0, 1)]
    highest, slot = max(max(side) for side in sides), _WIDTH / _BARS
    bars = [
        f'<rect class="{name}" x="{at * slot + place * slot * 0.42 + 2:.1f}" y="{_BASE - _height(count, highest):.1f}" '
        f'width="{slot * 0.4:.1f}" height="{_height(count, highest):.1f}"/>'
        for place, (name, side) in enumerate(zip(("before", "after"), sides, strict=True))
        for at, count in enumerate(side)
    ]
    axis = (
        f'<line x1="0" y1="{_BASE}" x2="{_WIDTH}" y2="{_BASE}"/><text x="0" y="{_HEIGHT - 6}">0</text>'
        f'<text x="{_WIDTH}" y="{_HEIGHT - 6}" text-anchor="end">{_figure(most)} {unit}</text>'
    )
    label = f"distribuição por sessão, de 0 a {_figure(most)} {unit}"
    return f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{label}">{"".join(bars)}{axis}</svg>'


def _counts(values: Sequence[float], most: float) -> list[int]:
    counts = [0] * _BARS
    for value in values:
        counts[min(int(value / most * _BARS), _BARS - 1)] += 1
    return counts


def _height(count: int, highest: int) -> float:
    return 100 * count / highest if highest else 0


def _figure(value: float) -> str:
    return f"{value:.4f}" if value < 0.1 else f"{value:.1f}"
