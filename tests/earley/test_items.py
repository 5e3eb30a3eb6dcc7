from __future__ import annotations

from checkrail.earley.items import Rule, TerminalSymbol


def plus() -> TerminalSymbol:
    return TerminalSymbol("+", 0, is_token=False, ignored_around=True)


def test_items_are_written_as_in_the_textbooks():
    e, t = Rule("E", "E"), Rule("T", "T")
    e.add((e, plus(), t))
    e.add(())
    item, empty = e.items
    assert repr(item) == "E -> . E + T"
    assert repr(item.advanced.advanced) == "E -> E + . T"
    assert repr(item.advanced.advanced.advanced) == "E -> E + T ."
    assert repr(empty) == "E -> ."


def test_the_symbol_after_the_dot():
    e, sign = Rule("E", "E"), plus()
    e.add((e, sign))
    (item,) = e.items
    assert [item.symbol, item.advanced.symbol, item.advanced.advanced.symbol] == [e, sign, None]


def test_the_dot_moves_to_the_same_item_each_time():
    e = Rule("E", "E")
    e.add((e, e))
    assert e.items[0].advanced is e.items[0].advanced
