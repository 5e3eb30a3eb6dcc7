"""The parser: Earley's algorithm (Earley 1970) over rows that are shared.

A row stands for a place in the text. It holds pairs (dotted item, row in which the item's rule began): all that the
terminals so far can mean. The three steps of the textbook:

- *predict*: a rule after a dot may begin here
- *scan*: a terminal was found, so the dots before it move on, into the next row
- *complete*: a rule is at its end, so the dots before it move on in the row where it began

Three things make it fast and small:

- An item that was only predicted began in its own row, so it needs no pair. What is predicted depends on the rules
  alone, and is computed once for each set of them (`Prediction`). A rule that may be empty is passed over when it is
  predicted (Aycock and Horspool 2002), so no item is ever completed in the row where it began.
- A completed rule whose only reader ends with it hands over to that reader's own readers at once (Leo 1991). A list
  that is written by right recursion then takes the same work at each element, instead of completing all of them again.
- Rows are values: equal pairs, one row. A row remembers the rows after it, by the terminals in between. Branches of a
  walk through a vocabulary that find the same terminals share their rows, and so do different places of a text.

Work: O(n) rows for n places, O(n) pairs a row and O(n^2) steps a row at most; linear altogether for grammars that are
LR(k). All three are bounded (`Limits.row_items`, `chart_items`); `Chart.work` counts the steps. Recognition only: no
tree is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar
from weakref import ref

from ..errors import MaskError
from ..limits import Limits
from .items import Item, Rule, Rules, TerminalSymbol

__all__ = ["Chart", "Pair", "Prediction", "Row", "only_held"]

_WORK_PER_ITEM = 64  # steps that one row may take, for each pair of the bound

Pair = tuple[Item, "Row"]
K = TypeVar("K")
V = TypeVar("V")


class Prediction:
    """What a set of rules begins with. readers: by rule, the items with a dot before it; scans: the same by terminal.
    terminals: those, by number. size: items."""

    __slots__ = ("_together", "readers", "scans", "size", "terminals")

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.readers: dict[Rule, list[Item]] = {}
        self.scans: dict[TerminalSymbol, list[Item]] = {}
        reached = dict.fromkeys(rules)
        pending = list(reached)
        for rule in pending:
            for alternative in rule.items:
                item: Item | None = alternative
                while item is not None:
                    item = self._add(item, reached, pending)
        self.terminals = _in_order(self.scans)
        self._together: dict[tuple[TerminalSymbol, ...], tuple[TerminalSymbol, ...]] = {}
        self.size = sum(map(len, self.readers.values())) + sum(map(len, self.scans.values()))

    def _add(self, item: Item, reached: dict[Rule, None], pending: list[Rule]) -> Item | None:
        """Note an item; the next one to note, where its symbol may be empty."""
        symbol = item.symbol
        if isinstance(symbol, TerminalSymbol):
            self.scans.setdefault(symbol, []).append(item)
        elif symbol is not None:
            self.readers.setdefault(symbol, []).append(item)
            if symbol not in reached:
                reached[symbol] = None
                pending.append(symbol)
            if symbol.nullable:
                return item.advanced
        return None

    def with_scans(self, others: Iterable[TerminalSymbol]) -> tuple[TerminalSymbol, ...]:
        """The terminals and these others, by number."""
        key = tuple(others)
        known = self._together.get(key)
        if known is None:
            known = self._together[key] = _in_order({*key, *self.scans})
        return known


class Row:
    """All that can be meant at one place.

    seed: the pairs that a terminal led to, which say all. pairs: (item, row where it began), without the predicted
    ones. readers, scans: those before a rule and before a terminal. terminals: what may come next, by number.
    accepting: the text may end here. size: pairs, and predicted items that no other row had before, of this row and of
    the longest chain of rows below it.
    """

    __slots__ = (
        "__weakref__", "accepting", "completions", "following", "pairs", "prediction", "readers", "scans", "seed",
        "serial", "size", "terminals",
    )  # fmt: skip

    def __init__(
        self,
        seed: frozenset[Pair],
        pairs: tuple[Pair, ...],
        prediction: Prediction,
        serial: int,
        *,
        accepting: bool,
        new_items: int = 0,
    ) -> None:
        self.seed = seed
        self.pairs = pairs
        self.prediction = prediction
        self.serial = serial
        self.accepting = accepting
        self.readers: dict[Rule, list[Pair]] = {}
        self.scans: dict[TerminalSymbol, list[Pair]] = {}
        below = 0
        for pair in pairs:
            item, origin = pair
            below = max(below, origin.size)
            symbol = item.symbol
            if isinstance(symbol, Rule):
                self.readers.setdefault(symbol, []).append(pair)
            elif symbol is not None:
                self.scans.setdefault(symbol, []).append(pair)
        self.terminals = prediction.with_scans(self.scans) if self.scans else prediction.terminals
        self.size: int = 1 + len(pairs) + new_items + below
        self.following: dict[tuple[TerminalSymbol, ...], Row | None] = {}
        self.completions: dict[Rule, tuple[Pair, ...]] = {}

    def __repr__(self) -> str:
        return f"<Row {self.serial}: {', '.join(self.lines())}>"

    def lines(self) -> list[str]:
        """The pairs and what is predicted, as in the textbook: an item, and the number of the row where it began."""
        mine = [f"{item} ({origin.serial})" for item, origin in self.pairs]
        predicted = [*self.prediction.readers.values(), *self.prediction.scans.values()]
        return mine + [f"{item} ({self.serial})" for items in predicted for item in items]

    def forget(self) -> None:
        """Remember no other rows than those that the pairs began in."""
        self.following = {}
        self.completions = {}

    def read_by(self, rule: Rule) -> list[Pair]:
        """The pairs whose dot stands before a rule, the predicted ones too."""
        return self.readers.get(rule, []) + [(item, self) for item in self.prediction.readers.get(rule, ())]

    def scanned_by(self, terminal: TerminalSymbol) -> list[Pair]:
        """The same for a terminal."""
        return self.scans.get(terminal, []) + [(item, self) for item in self.prediction.scans.get(terminal, ())]


def _in_order(terminals: Iterable[TerminalSymbol]) -> tuple[TerminalSymbol, ...]:
    return tuple(sorted(terminals, key=lambda terminal: terminal.number))


class Chart:
    """The rows of all texts of one grammar. root: the row before any text. work: steps so far. made: pairs of the rows
    that were made since `forget`."""

    def __init__(self, rules: Rules, limits: Limits) -> None:
        self._goal = rules.goal
        self._limits = limits
        self._rows: dict[frozenset[Pair], Row] = {}
        self._predictions: dict[frozenset[Rule], Prediction] = {}
        self.work = 0
        self.made = 0
        self._serial = 0
        prediction, _ = self._predict([rules.goal])
        self.root = Row(frozenset(), (), prediction, 0, accepting=rules.goal.nullable)

    def __repr__(self) -> str:
        return f"<Chart {len(self._rows)} rows, {self.work} steps>"

    def scan(self, row: Row, terminals: tuple[TerminalSymbol, ...]) -> Row | None:
        """The row after any of these terminals, which end at one place; None where the row reads none of them."""
        try:
            return row.following[terminals]
        except KeyError:
            pass
        found = row.following[terminals] = self.join([(row, terminals)])
        return found

    def join(self, found: Iterable[tuple[Row, tuple[TerminalSymbol, ...]]]) -> Row | None:
        """The row at a place where terminals end that began in several rows."""
        seed: dict[Pair, None] = {}
        for row, terminals in found:
            for terminal in terminals:
                for item, origin in row.scanned_by(terminal):
                    seed[item.advanced, origin] = None
        if not seed:
            return None
        key = frozenset(seed)
        known = self._rows.get(key)
        if known is None:
            known = self._rows[key] = self._close(key, seed)
        return known

    def _close(self, seed: frozenset[Pair], pairs: dict[Pair, None]) -> Row:
        """The row that some scanned pairs lead to: complete what is complete, predict the rest."""
        most = self._limits.row_items
        work_left = most * _WORK_PER_ITEM
        pending = list(pairs)
        predicted: dict[Rule, None] = {}
        accepting = False
        more: tuple[Pair, ...]
        for item, origin in pending:
            symbol = item.symbol
            if symbol is None:
                accepting = accepting or item.rule is self._goal
                more = origin.completions.get(item.rule) or self.completed(origin, item.rule)
            elif isinstance(symbol, Rule):
                predicted[symbol] = None
                more = ((item.advanced, origin),) if symbol.nullable else ()
            else:
                more = ()
            work_left -= 1 + len(more)
            for pair in more:
                if pair not in pairs:
                    pairs[pair] = None
                    pending.append(pair)
            if len(pending) > most or work_left < 0:
                raise MaskError("MASK_BUDGET", limit=most)
        self.work += most * _WORK_PER_ITEM - work_left
        self._serial += 1
        prediction, new_items = self._predict(predicted)
        row = Row(seed, tuple(pending), prediction, self._serial, accepting=accepting, new_items=new_items)
        self.made += 1 + len(row.pairs) + new_items
        if row.size > self._limits.chart_items:
            raise MaskError("MASK_CHART", limit=self._limits.chart_items)
        return row

    def completed(self, row: Row, rule: Rule) -> tuple[Pair, ...]:
        """What a rule that began in `row` and is complete moves on: its readers, the dots past it.

        Leo's optimisation: where there is one reader and it ends with the rule, it is complete too, so what counts is
        what *its* rule moves on, in the row where that began. Each row on the way remembers the end of the way, so
        the next one to come by takes one step.
        """
        way: list[tuple[Row, Rule]] = []
        while (known := row.completions.get(rule)) is None:
            way.append((row, rule))
            readers = row.read_by(rule)
            if len(readers) != 1 or readers[0][0].advanced.symbol is not None or readers[0][0].rule is self._goal:
                known = tuple([(item.advanced, origin) for item, origin in readers])
                break
            item, row = readers[0]
            rule = item.rule
        self.work += len(way)
        for passed, its_rule in way:
            passed.completions[its_rule] = known
        return known

    def _predict(self, rules: Iterable[Rule]) -> tuple[Prediction, int]:
        """What these rules begin with, and the items that are new."""
        key = frozenset(rules)
        known = self._predictions.get(key)
        if known is not None:
            return known, 0
        made = self._predictions[key] = Prediction(rules)
        return made, made.size

    def forget(self) -> None:
        """Let go of rows that no text stands on, and of what was remembered of the others."""
        self.root.forget()
        only_held(self._rows, Row.forget, lambda row: row.seed)
        self._predictions.clear()
        self.made = 0


def only_held(table: dict[K, V], forget: Callable[[V], None], key: Callable[[V], K]) -> None:
    """Have each value of a table forget what it remembers, then let go of those that nothing but the table holds."""
    held = [ref(value) for value in table.values()]
    value: V | None = None
    for value in table.values():
        forget(value)
    value = None  # else it would hold the last one
    table.clear()
    for reference in held:
        value = reference()
        if value is not None:
            table[key(value)] = value
