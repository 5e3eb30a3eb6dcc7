"""A published automaton as plain data and back.

What is stored are the modules, the compiler's last value before publication. Reading them publishes them anew, so
the layout, the measures and visibility are computed here and not believed; then the digest must come out the same.
Data of any origin thus ends in an automaton that could have been compiled, or in InputError CONSTRAINT_FORMAT:
all numbers are checked, no module may call itself before it reads a byte, every state can finish.

Cost: linear in the size of the tables, which is a small part of what compiling costs.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from ..errors import BudgetError
from ..grammar.stored import item, refuse
from ..limits import Limits
from ..regular.dfa import Dfa
from ..regular.partition import Partition
from .modules import Call, ModuleDfa, TokenEdge
from .pushdown import PushdownAutomaton
from .standalone import INFINITE
from .visibility import find_conflicts

__all__ = ["from_data", "to_data"]


def to_data(automaton: PushdownAutomaton) -> dict[str, Any]:
    """The automaton as what JSON can hold."""
    bounds = [*automaton.starts, len(automaton)]
    modules = [_module(automaton, m, bounds[m], bounds[m + 1]) for m in range(len(automaton.names))]
    return {"sha256": automaton.sha256, "modules": modules}


def _module(automaton: PushdownAutomaton, module: int, first: int, end: int) -> dict[str, Any]:
    number = {start: m for m, start in enumerate(automaton.starts)}
    letters = automaton.widths[module] - 1
    states = []
    for state in range(first, end):
        row = automaton.row_of[state]
        targets = automaton.next_state[row : row + letters]
        moves = [[letter, target - first] for letter, target in enumerate(targets) if target >= 0]
        calls = [[number[e.start], e.weight, e.after - first] for e in automaton.calls[state]]
        tokens = [[edge.token, edge.negated, target - first] for edge, target in automaton.tokens[state]]
        states.append([moves, calls, tokens])
    return {
        "name": automaton.names[module],
        "letters": letters,
        "classes": automaton.class_maps[module].hex(),
        "accepting": automaton.accepting[first:end].hex(),
        "states": states,
    }


def from_data(data: Any, limits: Limits) -> PushdownAutomaton:
    """The automaton of `to_data`. limits: those it was compiled with."""
    data = item(data, dict, "the automaton")
    stored = item(data.get("modules"), list, "the modules")
    if not stored:
        refuse("there are no modules")
    modules = [_read_module(module, len(stored), limits) for module in stored]
    _check_starts(modules)
    try:
        visible = not find_conflicts(modules)
        automaton = PushdownAutomaton.publish(modules, limits, explicit_nesting=True, visible=visible)
    except BudgetError as error:
        refuse(error.message)
    if max(automaton.room) > automaton.nesting or max(automaton.length) >= INFINITE:
        refuse("a state of the automaton cannot finish")
    if automaton.sha256 != data.get("sha256"):
        refuse("the automaton does not have its digest")
    return automaton


def _read_module(data: Any, modules: int, limits: Limits) -> ModuleDfa:
    data = item(data, dict, "a module")
    name = item(data.get("name"), str, "the name of a module")
    letters = item(data.get("letters"), int, "the number of letters")
    classes, accepting = _octets(data.get("classes"), "the byte classes"), _octets(data.get("accepting"), "the ends")
    states = item(data.get("states"), list, "the states")
    if not 0 <= letters <= 256 or len(classes) != 256 or max(classes) > letters:
        refuse("the byte classes are out of range")
    if not states or len(states) != len(accepting) or max(accepting) > 1:
        refuse("the states and their ends do not agree")
    symbols: dict[tuple[Hashable, int], int] = {}
    moves = tuple(_read_state(state, letters, len(states), modules, limits, symbols) for state in states)
    found = Dfa(_partition(classes, letters), tuple(symbol for symbol, _ in symbols), moves, accepting)
    return ModuleDfa(name, found)


def _read_state(
    data: Any,
    letters: int,
    states: int,
    modules: int,
    limits: Limits,
    symbols: dict[tuple[Hashable, int], int],
) -> dict[int, int]:
    """The moves of one state. Its k-th use of an equal symbol has a letter of its own, as `measure` has it."""
    if type(data) is not list or len(data) != 3:
        refuse("a state is not three lists")
    row: dict[int, int] = {}
    for letter, target in _rows(data[0], 2):
        row[_number(letter, letters)] = _number(target, states)
    used: dict[Hashable, int] = {}

    def add(symbol: Hashable, target: Any) -> None:
        used[symbol] = used.get(symbol, 0) + 1
        letter = letters + symbols.setdefault((symbol, used[symbol]), len(symbols))
        row[letter] = _number(target, states)

    for module, weight, after in _rows(data[1], 3):
        if _number(module, modules) == 0:
            refuse("the entry of the automaton is called")
        add(Call(module, _number(weight, limits.levels + 1)), after)
    for token, negated, target in _rows(data[2], 3):
        if type(token) is not int and type(token) is not str:
            refuse("a token is neither an id nor a text")
        add(TokenEdge(token, item(negated, bool, "the sign of a token")), target)
    return row


def _rows(data: Any, width: int) -> list[list[Any]]:
    for row in item(data, list, "a row"):
        if type(row) is not list or len(row) != width:
            refuse("a row has another width")
    return data  # type: ignore[no-any-return]  # a list of lists: just checked


def _number(value: Any, end: int) -> int:
    number = item(value, int, "a number")
    if not 0 <= number < end:
        refuse("a number is out of range")
    return number


def _octets(value: Any, what: str) -> bytes:
    text = item(value, str, what)
    try:
        octets = bytes.fromhex(text)
    except ValueError:
        refuse(f"{what} are not hexadecimal")
    if octets.hex() != text:
        refuse(f"{what} are not in normal form")
    return octets


def _partition(classes: bytes, letters: int) -> Partition:
    starts: list[int] = []
    found: list[int] = []
    for byte, letter in enumerate([*classes, letters]):
        letter = -1 if letter == letters else letter
        if not found or found[-1] != letter:
            starts.append(byte)
            found.append(letter)
    return Partition(tuple(starts), tuple(found), letters)


def _check_starts(modules: Sequence[ModuleDfa]) -> None:
    """No module but the entry has the empty word, and none calls itself before it reads a byte."""
    if any(module.dfa.accepting[0] for module in modules[1:]):
        refuse("a module has the empty word")
    callees = [{call.module for call, _ in module.calls(0)} for module in modules]
    waiting = [0] * len(modules)
    for called in callees:
        for module in called:
            waiting[module] += 1
    ready = [module for module, count in enumerate(waiting) if count == 0]
    for module in ready:
        for callee in callees[module]:
            waiting[callee] -= 1
            if waiting[callee] == 0:
                ready.append(callee)
    if len(ready) != len(modules):
        refuse("the automaton is left-recursive")
