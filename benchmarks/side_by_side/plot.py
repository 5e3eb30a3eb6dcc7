"""The times as an SVG picture: a row for each engine and measure, on a logarithmic axis.

A bar goes from the median to the 99.9th percentile, with a stroke at the median, a dot at the mean and a tick at
the 99th. Written by hand: the picture needs no library, and it reads as text.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

from .figures import MEASURES, statistics

__all__ = ["svg"]

_LEFT, _RIGHT, _TOP, _ROW, _GAP = 130, 30, 64, 20, 46
_WIDTH = 860
_COLOURS = ("#0b7285", "#c2410c", "#6d28d9", "#4d7c0f", "#be185d", "#a16207", "#475569", "#1d4ed8")
_TITLES = {
    "TTFM": "Time to first mask: compile, start, first mask",
    "TBM": "Time between masks: mask and commit of one token",
    "document": "One document, first use of its schema",
}


def svg(times: Mapping[str, Mapping[str, Sequence[float]]], caption: str) -> str:
    """The picture. times: engine -> measure -> ascending microseconds."""
    engines = list(times)
    shown = {m: {e: statistics(times[e][m]) for e in engines if times[e][m]} for m in MEASURES}
    values = [s[name] for rows in shown.values() for s in rows.values() for name in ("p50", "mean", "p99.9")]
    low, high = _decades([value for value in values if value > 0] or [1.0])
    panel = len(engines) * _ROW + _GAP
    height = _TOP + len(MEASURES) * panel + 20
    body = [_text(10, 22, caption, 14, weight="bold"), _text(10, 42, _LEGEND, 11)]
    for number, measure in enumerate(MEASURES):
        body.append(_panel(measure, shown[measure], engines, (low, high), _TOP + number * panel))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'font-family="system-ui, sans-serif" fill="#1f2937">\n<title>{escape(caption)}</title>\n'
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>\n' + "\n".join(body) + "\n</svg>\n"
    )


_LEGEND = "Bar: median to 99.9th percentile; stroke: median; dot: mean; tick: 99th percentile. Logarithmic axis."


def _decades(values: Sequence[float]) -> tuple[int, int]:
    """The powers of ten around all values, two apart at least."""
    low = math.floor(math.log10(min(values)))
    return low, max(low + 1, math.ceil(math.log10(max(values))))


def _x(value: float, scale: tuple[int, int]) -> float:
    low, high = scale
    place = (math.log10(max(value, 10.0**low)) - low) / (high - low)
    return round(_LEFT + place * (_WIDTH - _LEFT - _RIGHT), 1)


def _panel(
    measure: str, rows: Mapping[str, Mapping[str, float]], engines: Sequence[str], scale: tuple[int, int], top: int
) -> str:
    bottom = top + 14 + len(engines) * _ROW
    parts = [_text(_LEFT, top + 6, _TITLES[measure], 12, weight="bold")]
    for power in range(scale[0], scale[1] + 1):
        x = _x(10.0**power, scale)
        parts.append(f'<line x1="{x}" y1="{top + 12}" x2="{x}" y2="{bottom}" stroke="#d1d5db"/>')
        parts.append(_text(x, bottom + 12, _duration(power), 10, anchor="middle"))
    for number, engine in enumerate(engines):
        y = top + 24 + number * _ROW
        parts.append(_text(_LEFT - 8, y + 4, engine, 11, anchor="end"))
        if engine in rows:
            parts.append(_mark(rows[engine], scale, y, _COLOURS[number % len(_COLOURS)]))
    return "\n".join(parts)


def _mark(row: Mapping[str, float], scale: tuple[int, int], y: int, colour: str) -> str:
    median, mean, late, last = (_x(row[name], scale) for name in ("p50", "mean", "p99", "p99.9"))
    return (
        f'<rect x="{median}" y="{y - 4}" width="{max(1.0, round(last - median, 1))}" height="8" fill="{colour}" '
        f'fill-opacity="0.35"/><line x1="{median}" y1="{y - 7}" x2="{median}" y2="{y + 7}" stroke="{colour}" '
        f'stroke-width="3"/><line x1="{late}" y1="{y - 5}" x2="{late}" y2="{y + 5}" stroke="{colour}"/>'
        f'<circle cx="{mean}" cy="{y}" r="3" fill="{colour}"/>'
    )


def _duration(power: int) -> str:
    """10 ** power microseconds, in the unit a person would use."""
    for unit, size in (("s", 6), ("ms", 3), ("us", 0)):
        if power >= size:
            return f"{10 ** (power - size)} {unit}"
    return f"{10.0**power:g} us"


def _text(x: float, y: float, content: str, size: int, *, anchor: str = "start", weight: str = "normal") -> str:
    style = f'font-size="{size}" text-anchor="{anchor}" font-weight="{weight}"'
    return f'<text x="{x}" y="{y}" {style}>{escape(content)}</text>'
