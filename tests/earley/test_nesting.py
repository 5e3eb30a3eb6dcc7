from __future__ import annotations

from checkrail.earley.nesting import levels_inside
from checkrail.grammar.expression import Choice, Nest, Reference, Repeat
from lexical_oracle import seq


def test_levels_add_up_along_rules():
    rules = {
        "flat": seq("A", "B"),
        "one": Nest(Reference("flat")),
        "two": Nest(Choice((Reference("one"), Reference("flat")))),
        "either": Choice((Reference("two"), Repeat(Reference("one"), 0, None))),
    }
    assert levels_inside(rules, 16) == {"flat": 0, "one": 1, "two": 2, "either": 2}
    assert levels_inside(rules, 1) == {"flat": 0, "one": 1, "two": 2, "either": 2}


def test_what_comes_back_to_itself_within_a_level_has_no_bound():
    rules = {
        "value": Choice((Reference("A"), Reference("list"))),
        "list": Nest(Repeat(Reference("value"), 0, None)),
        "above": Nest(Reference("value")),
        "beside": Choice((seq("beside", "A"), Nest(Reference("A")))),
    }
    assert levels_inside(rules, 3) == {"value": 4, "list": 4, "above": 4, "beside": 1}


def test_long_chains_are_no_matter():
    rules = {f"r{n}": Nest(Reference(f"r{n + 1}")) for n in range(3_000)}
    levels = levels_inside(rules, 50)
    assert (levels["r2999"], levels["r0"]) == (1, 51)
