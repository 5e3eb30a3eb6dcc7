"""A drawing of an automaton in Graphviz's DOT language: one cluster per module, calls as dashed edges."""

from __future__ import annotations

from ..errors import BudgetError
from .pushdown import PushdownAutomaton

__all__ = ["to_dot"]


def to_dot(automaton: PushdownAutomaton, *, maximum_states: int = 2000) -> str:
    """The automaton as DOT text. Accepting states are double circles; BudgetError beyond `maximum_states`."""
    if len(automaton) > maximum_states:
        raise BudgetError("GRAMMAR_BUDGET_STATES", limit=maximum_states, reached=len(automaton))
    lines = ["digraph automaton {", "  rankdir=LR;", '  node [fontname="monospace"];']
    for module, name in enumerate(automaton.names):
        lines.append(f"  subgraph cluster_{module} {{")
        lines.append(f"    label={_quote(name)};")
        for state in range(len(automaton)):
            if automaton.module_of[state] == module:
                shape = "doublecircle" if automaton.accepting[state] else "circle"
                bold = ", style=bold" if state == automaton.starts[module] else ""
                lines.append(f"    {state} [shape={shape}{bold}];")
        lines.append("  }")
    for state in range(len(automaton)):
        for target, values in _moves(automaton, state).items():
            lines.append(f"  {state} -> {target} [label={_quote(show_bytes(bytes(values)))}];")
        for edge in automaton.calls[state]:
            name = automaton.names[automaton.module_of[edge.start]]
            lines.append(f"  {state} -> {edge.after} [style=dashed, label={_quote(name)}];")
        for token, target in automaton.tokens[state]:
            name = f"<[{token.token}]>" if isinstance(token.token, int) else token.token
            text = f"{'!' if token.negated else ''}{name}"
            lines.append(f"  {state} -> {target} [label={_quote(text)}];")
    lines.append("}")
    return "\n".join(lines) + "\n"


def _moves(automaton: PushdownAutomaton, state: int) -> dict[int, list[int]]:
    moves: dict[int, list[int]] = {}
    for byte in range(256):
        target = automaton.step(state, byte)
        if target >= 0:
            moves.setdefault(target, []).append(byte)
    return moves


def show_bytes(values: bytes) -> str:
    """A set of bytes as ranges, printable ASCII as itself: `a-z _ 0x80-0xBF`."""
    parts: list[str] = []
    start = 0
    for i in range(1, len(values) + 1):
        if i == len(values) or values[i] != values[i - 1] + 1:
            low, high = values[start], values[i - 1]
            first, last = _show(low), _show(high)
            parts.append(first if low == high else f"{first}-{last}" if high > low + 1 else f"{first} {last}")
            start = i
    return " ".join(parts)


def _show(byte: int) -> str:
    return chr(byte) if 0x21 <= byte <= 0x7E else f"0x{byte:02X}"


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
