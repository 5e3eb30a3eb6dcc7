"""The compiler: a grammar becomes a published pushdown automaton, phase by phase, within its limits.

    analyse -> left recursion -> plan modules -> nVPA -> determinize -> trim and minimize -> visibility -> publish

A failed compile leaves nothing behind: the automaton is the only result, made in the last step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from ..errors import BudgetError, GrammarError
from ..grammar.analyze import Analysis, check, prune
from ..grammar.grammar import Contract, Grammar
from ..grammar.left_recursion import refuse_left_recursion
from ..limits import DEFAULT_LIMITS, Limits
from ..regular.determinize import determinize
from ..watch import Watch
from .examples import example_of
from .left_corner import remove_left_recursion
from .measure import merge_equal, remove_dead
from .modules import ModuleDfa, ModuleNfa
from .normalize import Plan, make_plan
from .nvpa import build_nvpa
from .pushdown import PushdownAutomaton
from .standalone import without_empty_word
from .visibility import Conflict, find_conflicts

__all__ = ["compile_automaton"]

_SINGLE_ROUNDS = 4  # grammars in the wild need two


def compile_automaton(
    grammar: Grammar,
    *,
    contract: Contract | None = None,
    limits: Limits = DEFAULT_LIMITS,
    watch: Watch | None = None,
) -> PushdownAutomaton:
    """Compile a grammar.

    contract: "visibly-pushdown" refuses left recursion and ambiguous bytes; "context-free" admits both; None
    takes the grammar's own. watch: the caller's; None for a new one with the time of the limits. Raises GrammarError
    and BudgetError with the codes of the catalogue, and what the watch raises.
    """
    contract = contract or grammar.contract
    watch = watch or Watch(limits.compile_seconds)
    watch.look()
    grammar.settle(watch)
    facts = check(grammar, watch)
    analysis: Analysis | None = facts
    if not _is_tidy(grammar, facts):
        grammar, analysis = prune(grammar, facts, watch), None
    strict = contract == "visibly-pushdown"
    if strict:
        refuse_left_recursion(grammar, analysis, watch)
    plan = make_plan(grammar, watch)
    for rounds in count():
        try:
            modules = _build(plan, limits, watch)
        except GrammarError as error:
            if error.code == "GRAMMAR_EMPTY_LANGUAGE":
                _refuse_what_nesting_empties(plan, limits, watch)
            raise
        conflicts = find_conflicts(modules, watch)
        inline = _to_inline(plan, modules, conflicts, rounds)
        if not inline:
            break
        plan = plan.without(inline)
    if conflicts and strict:
        raise _not_visible(modules, conflicts[0])
    return PushdownAutomaton.publish(
        modules, limits, explicit_nesting=plan.explicit_nesting, visible=not conflicts, watch=watch
    )


def _to_inline(plan: Plan, modules: Sequence[ModuleDfa], conflicts: Sequence[Conflict], rounds: int) -> frozenset[str]:
    """The rules to inline before the next round.

    Overlap with a rule that is not recursive may be an artefact of calling it: inlined, it is resolved. What it calls
    may overlap in turn. Where that goes on, ever more is inlined at once, so that the rounds stay few.
    """
    taking_part = {modules[m].name for conflict in conflicts for m in conflict.callees}
    inline = taking_part & (plan.modules - plan.recursive)
    return plan.callees(frozenset(inline), levels=4 ** max(0, rounds - _SINGLE_ROUNDS) - 1)


def _is_tidy(grammar: Grammar, analysis: Analysis) -> bool:
    """Whether pruning would change nothing worth its time: what the schema compiler writes is simple already."""
    return grammar.format == "json_schema" and analysis.productive & analysis.reachable == grammar.rules.keys()


def _build(plan: Plan, limits: Limits, watch: Watch) -> list[ModuleDfa]:
    nfas = remove_left_recursion(build_nvpa(plan, limits, watch), limits, watch)
    modules = [_determinize(module, limits, watch, is_entry=number == 0) for number, module in enumerate(nfas)]
    modules = remove_dead(modules, limits, explicit_nesting=plan.explicit_nesting, watch=watch)
    if modules[0].dfa.is_empty():
        raise GrammarError("GRAMMAR_EMPTY_LANGUAGE")
    return merge_equal(modules, watch)


def _refuse_what_nesting_empties(plan: Plan, limits: Limits, watch: Watch) -> None:
    """Called for an empty language: where only the nesting bound makes it so, say that instead."""
    if limits.levels < limits.states:
        try:
            _build(plan, replace(limits, nesting=limits.states), watch)
        except GrammarError:
            return
        raise BudgetError("GRAMMAR_BUDGET_DEPTH", limit=limits.levels)


def _determinize(module: ModuleNfa, limits: Limits, watch: Watch, *, is_entry: bool) -> ModuleDfa:
    if module.ready is not None:
        return ModuleDfa(module.name, module.ready.dfa, module.ready)
    dfa = determinize(module.nfa, module.start, module.accept, limits, watch)
    return ModuleDfa(module.name, dfa if is_entry else without_empty_word(dfa))


def _not_visible(modules: Sequence[ModuleDfa], conflict: Conflict) -> GrammarError:
    example = example_of(modules, conflict)
    if example is None:
        shown = "a text that is too long to show"
    else:
        shown = repr(example.decode("utf-8", "backslashreplace")) if example else "nothing"
    return GrammarError(
        "GRAMMAR_NOT_VISIBLE",
        rule=modules[conflict.module].name,
        byte=show_byte(conflict.byte),
        first=conflict.first,
        second=conflict.second,
        example=shown,
    )


def show_byte(byte: int) -> str:
    """A byte for messages: `'a'` or `0x0A`."""
    return repr(chr(byte)) if 0x21 <= byte <= 0x7E else f"0x{byte:02X}"
