"""The published automaton: tables over dense state numbers, immutable, named by its SHA-256.

States of all modules are numbered in one sequence, module by module, so a state needs no module beside it.
Bytes are mapped to classes by one 256-entry map per module; a row holds the next state for each class, -1 for
none. Rows take states x classes x 4 bytes (a plain table would take states x 256 x 4: 134,217,728 bytes for
131,072 states).
"""

from __future__ import annotations

import hashlib
import struct
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..errors import BudgetError
from ..limits import Limits
from ..watch import UNWATCHED, Watch
from .measure import call_weight, measure
from .modules import ModuleDfa, TokenEdge

__all__ = ["CallEdge", "PushdownAutomaton"]

FORMAT = "pushdown/1"


@dataclass(frozen=True, slots=True)
class CallEdge:
    """A call out of a state: the callee's start state, the state to return to, the levels of nesting it adds.

    tail: nothing is pending after the call, so no frame is pushed for it.
    """

    start: int
    after: int
    weight: int
    tail: bool


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class PushdownAutomaton:
    """All tables. Immutable by convention: the arrays must not be written to.

    module_of[q]: the module of state q. row_of[q]: where q's row begins in `next_state`. class_maps[m]: 256
    bytes, the class of each byte in module m; class c of state q leads to next_state[row_of[q] + c].
    accepting[q]: q may return. room[q], length[q]: levels of nesting and bytes needed to finish q's module.
    calls[q], tokens[q]: call edges and token edges. names[m]: the rule that module m came from.
    visible: each byte has at most one meaning in every state.
    """

    names: tuple[str, ...]
    starts: tuple[int, ...]
    module_of: array[int]
    class_maps: tuple[bytes, ...]
    widths: tuple[int, ...]
    row_of: array[int]
    next_state: array[int]
    accepting: bytes
    room: tuple[int, ...]
    length: tuple[int, ...]
    calls: tuple[tuple[CallEdge, ...], ...]
    tokens: tuple[tuple[tuple[TokenEdge, int], ...], ...]
    nesting: int
    accepts_empty: bool
    visible: bool
    transitions: int
    sha256: str = field(default="", init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sha256", hashlib.sha256(self.canonical()).hexdigest())

    def __len__(self) -> int:
        return len(self.accepting)

    def __repr__(self) -> str:
        kind = "visible" if self.visible else "ambiguous"
        return (
            f"<PushdownAutomaton {len(self)} states, {self.transitions} transitions, {len(self.names)} modules, "
            f"{kind}, sha256:{self.sha256[:8]}>"
        )

    @property
    def memory(self) -> int:
        """Bytes of the transition table and the class maps."""
        return 4 * len(self.next_state) + 256 * len(self.class_maps) + 8 * len(self)

    def step(self, state: int, byte: int) -> int:
        """The state after `byte`, read here; -1 for none."""
        return self.next_state[self.row_of[state] + self.class_maps[self.module_of[state]][byte]]

    def digest_of(self, module: int) -> bytes | None:
        """A name for a module, equal in all automata that have it; None where it calls others or names tokens.

        With the place of a state in the module it names all that may follow the state inside it.
        """
        first = self.starts[module]
        last = self.starts[module + 1] if module + 1 < len(self.starts) else len(self)
        if any(self.calls[first:last]) or any(self.tokens[first:last]):
            return None
        row = self.row_of[first]
        end = self.row_of[last] if last < len(self) else len(self.next_state)
        digest = hashlib.sha256(self.class_maps[module])
        digest.update(self.accepting[first:last])
        digest.update(struct.pack(f"<{end - row}i", *(t - first if t >= 0 else -1 for t in self.next_state[row:end])))
        return digest.digest()

    def canonical(self) -> bytes:
        """The automaton as bytes, the same for equal automata on every machine: what the SHA-256 is taken over."""
        parts: list[bytes] = [
            FORMAT.encode(),
            struct.pack("<5I", len(self), len(self.names), self.nesting, self.accepts_empty, self.visible),
        ]
        for name, start, classes, width in zip(self.names, self.starts, self.class_maps, self.widths, strict=True):
            text = name.encode("utf-8", "surrogatepass")
            parts += [struct.pack("<3I", len(text), start, width), text, classes]
        parts += [_little(self.module_of), _little(self.row_of), _little(self.next_state), self.accepting]
        parts.append(struct.pack(f"<{2 * len(self)}I", *self.room, *self.length))
        for state, edges in enumerate(self.calls):
            for edge in edges:
                parts.append(struct.pack("<5I", state, edge.start, edge.after, edge.weight, edge.tail))
        for state, token_edges in enumerate(self.tokens):
            for token, target in token_edges:
                text = repr(token).encode()
                parts += [struct.pack("<3I", state, target, len(text)), text]
        return b"".join(parts)

    @classmethod
    def publish(
        cls,
        modules: Sequence[ModuleDfa],
        limits: Limits,
        *,
        explicit_nesting: bool,
        visible: bool,
        watch: Watch = UNWATCHED,
    ) -> PushdownAutomaton:
        """Lay the modules out as tables; BudgetError where they exceed the bounds."""
        states = sum(len(module.dfa) for module in modules)
        transitions = sum(len(row) for module in modules for row in module.dfa.moves)
        if states > limits.states:
            raise BudgetError("GRAMMAR_BUDGET_STATES", limit=limits.states, reached=states)
        if transitions > limits.transitions:
            raise BudgetError("GRAMMAR_BUDGET_TRANSITIONS", limit=limits.transitions, reached=transitions)
        starts: list[int] = []
        total = 0
        for module in modules:
            starts.append(total)
            total += len(module.dfa)
        module_of, row_of, next_state = array("i"), array("i"), array("i")
        class_maps: list[bytes] = []
        widths: list[int] = []
        calls: list[tuple[CallEdge, ...]] = []
        tokens: list[tuple[tuple[TokenEdge, int], ...]] = []
        for number, module in enumerate(modules):
            first = starts[number]
            width = module.dfa.partition.width
            class_maps.append(_class_map(module))
            widths.append(width + 1)  # the last class is that of bytes that no edge has
            module_of.extend([number] * len(module.dfa))
            end = len(next_state) + (width + 1) * len(module.dfa)
            row_of.extend(range(len(next_state), end, width + 1))
            if module.ready:
                next_state.extend([t + first if t >= 0 else -1 for t in module.ready.rows])
                calls.extend([()] * len(module.dfa))
                tokens.extend([()] * len(module.dfa))
                continue
            for state in range(len(module.dfa)):
                watch.spend()
                row = [-1] * (width + 1)
                for letter, target in module.byte_moves(state):
                    row[letter] = first + target
                next_state.extend(row)
                calls.append(
                    tuple(
                        CallEdge(
                            starts[call.module],
                            first + after,
                            weight := call_weight(module, call, after, explicit_nesting),
                            weight == 0 and module.is_pure_return(after),
                        )
                        for call, after in module.calls(state)
                    )
                )
                tokens.append(tuple((token, first + target) for token, target in module.token_edges(state)))
        measures = measure(modules, explicit_nesting=explicit_nesting, watch=watch)
        return cls(
            names=tuple(module.name for module in modules),
            starts=tuple(starts),
            module_of=module_of,
            class_maps=tuple(class_maps),
            widths=tuple(widths),
            row_of=row_of,
            next_state=next_state,
            accepting=b"".join(module.dfa.accepting for module in modules),
            room=tuple(r for rooms in measures.room for r in rooms),
            length=tuple(n for lengths in measures.length for n in lengths),
            calls=tuple(calls),
            tokens=tuple(tokens),
            nesting=limits.levels,
            accepts_empty=bool(modules[0].dfa.accepting[0]),
            visible=visible,
            transitions=transitions,
        )


def _class_map(module: ModuleDfa) -> bytes:
    partition = module.dfa.partition
    classes = bytearray([partition.width]) * 256
    for letter, ranges in enumerate(partition.ranges_by_letter()):
        for low, high in ranges:
            classes[low : high + 1] = bytes([letter]) * (high + 1 - low)
    return bytes(classes)


def _little(values: array[int]) -> bytes:
    return struct.pack(f"<{len(values)}i", *values)
