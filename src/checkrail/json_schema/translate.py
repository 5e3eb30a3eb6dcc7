"""From a schema to rules: the walk that joins the parts of this package.

A schema becomes an expression: a choice over the types it allows. Objects, arrays and the targets of references
are rules of their own, named after their place; objects and arrays are filled in from a queue, so recursion in
the schema becomes recursion among rules and never recursion of this code. What remains to recurse (`anyOf` in
`anyOf`, reference to reference) is bounded by `Limits.schema_depth`.

Types flow downwards: `within` is what the surroundings allow, so `{"type": "string", "anyOf": [...]}` restricts
its branches. The empty expression means that nothing satisfies a schema; whoever needs the value refuses it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from ..errors import BudgetError, SchemaError
from ..grammar.coverage import Coverage
from ..grammar.expression import NOTHING, Expression, Literal, Reference
from ..watch import UNWATCHED, Watch
from .arrays import array_expression, longest
from .combine import alt, seq
from .decimals import NUMBER
from .depth import least_depths
from .dialect import read_dialect
from .fixed import fixed_values
from .items import note_checked_items, read_item_counts, read_items
from .keywords import APPLICATORS, Keywords
from .ledger import Ledger
from .literals import canonical_key
from .merge import merge_equal_rules
from .names import Names, name_of
from .numbers import ANY_INTEGER, integer_expression, number_expression, read_bounds
from .objects import Member, free_object_expression, object_expression
from .options import Options
from .profile import ALL_TYPES
from .properties import close_object, count_properties
from .references import References
from .schema import Json, Place
from .strings import ANY_STRING, STRING_KEYWORDS, string_expression
from .text_grammars import text_rules

__all__ = ["Translator"]

_ROOT = "root"
_STRING = Reference("string")
_NUMBER = Reference("number")
_INTEGER = Reference("integer")
_ANY = Reference("json-value")
_READY_MADE = ("string", "number", "integer", "json-value", "json-object", "json-array")


class Translator:
    """Translates one schema once: call `run`, then read `coverage` and `origins`."""

    def __init__(self, schema: Json, options: Options, watch: Watch = UNWATCHED) -> None:
        self._watch = watch
        self._options = options
        self._limits = options.limits
        self._dialect = read_dialect(schema)
        self._references = References(schema, self._dialect)
        self._ledger = Ledger(options.limits)
        self._keywords = Keywords(self._dialect, options, self._ledger)
        self._names = Names((_ROOT, *_READY_MADE))
        self._rules: dict[str, Expression] = {}
        self._containers: dict[tuple[str, str], Reference] = {}
        self._targets: dict[tuple[str, frozenset[str]], Expression | None] = {}  # None: being translated
        self._waiting: deque[tuple[Callable[[Place, str], Expression], Place, str]] = deque()
        self._text_roots: dict[str, str] = {}  # of the grammars that `x-grammar` names
        self.origins: dict[str, str] = {_ROOT: ""}

    @property
    def coverage(self) -> Coverage:
        """What became of every keyword."""
        return self._ledger.coverage()

    @property
    def refusals(self) -> tuple[SchemaError, ...]:
        """What was left to the check because the options say so, and would be refused else."""
        return tuple(self._keywords.refusals)

    def run(self) -> dict[str, Expression]:
        """The rules; the start is `root`."""
        place = self._references.root
        value = self._value(place, ALL_TYPES, 0)
        if value == NOTHING:
            raise place.conflict("no value is allowed")
        if value != Reference(_ROOT):
            self._rules[_ROOT] = value
        while self._waiting:
            make, place, name = self._waiting.popleft()
            self._rules[name] = make(place, name)
        self._add_ready_made()
        rules = merge_equal_rules(self._rules, _ROOT, self._watch)
        self._refuse_too_deep(rules)
        self.origins = {name: pointer for name, pointer in self.origins.items() if name in rules}
        return rules

    # Values of any type

    def _value(self, place: Place, within: frozenset[str], depth: int) -> Expression:
        """The texts of the values of a schema whose type is in `within`."""
        self._watch.spend()
        if depth > self._limits.schema_depth:
            raise BudgetError("GRAMMAR_BUDGET_DEPTH", pointer=place.pointer, limit=self._limits.schema_depth)
        if place.schema is False:
            return NOTHING
        if place.schema is True:
            place = Place({}, place.pointer, place.base)
        place = self._references.enter(place)
        self._ledger.visit(place)
        if self._keywords.only_reference(place):
            self._keywords.sort(place, within)
            return self._hand_over("$ref", place, within, depth)
        declared = self._keywords.declared_types(place)
        constraints = self._keywords.constraints(place)
        applicator = self._applicator(place, constraints)
        types = within if declared is None else within & declared
        if declared is not None:
            self._ledger.note(place, "type", "mask")
        elif applicator is None and within == ALL_TYPES and not {"enum", "const"} & set(constraints):
            types = self._implied_types(place)
        self._keywords.sort(place, types)
        if applicator is not None:
            return self._hand_over(applicator, place, types, depth)
        if "enum" in constraints or "const" in constraints:
            return fixed_values(
                place,
                types,
                constraints,
                dialect=self._dialect,
                options=self._options,
                keywords=self._keywords,
                ledger=self._ledger,
            )
        if declared is None and types == ALL_TYPES:
            self._ledger.note(place, "true", "mask", "any value; keys may repeat in its text, which the reader refuses")
            return _ANY
        return self._typed(place, types)

    def _implied_types(self, place: Place) -> frozenset[str]:
        types = self._keywords.implied_types(place)
        if types != ALL_TYPES:
            name = "number" if "number" in types else " or ".join(sorted(types))
            self._ledger.note(place, "type", "mask", f"absent: {name}, which the other keywords are about")
        return types

    def _applicator(self, place: Place, constraints: list[str]) -> str | None:
        """The keyword that hands the value over to other schemas, if one does; what stands beside it is refused."""
        present = [keyword for keyword in APPLICATORS if keyword in place.keywords]
        if "allOf" in present and not self._constraining_branches(place):
            present.remove("allOf")
            self._ledger.note(place, "allOf", "annotation", "no branch constrains anything")
        if not present:
            return None
        for keyword in present if constraints else present[1:]:
            beside = constraints[0] if constraints else present[0]
            self._keywords.refuse(place, keyword, f"it stands beside {beside}; write one schema that says both")
        return None if constraints else present[0]

    def _hand_over(self, keyword: str, place: Place, types: frozenset[str], depth: int) -> Expression:
        if keyword == "$ref":
            self._ledger.note(place, keyword, "mask")
            return self._reference(place, types, depth)
        if keyword == "allOf":
            branches = self._constraining_branches(place)
            for extra in branches[1:]:
                self._keywords.refuse(place, keyword, "several branches constrain the value; write one merged schema")
                self._keywords.leave_to_check(extra)
            branches = branches[:1]
        else:
            branches = place.schemas(keyword)
            if not branches:
                raise place.malformed(keyword, "must be a list of schemas that is not empty")
        if keyword == "oneOf":
            self._ledger.note(place, keyword, "checked", "a union in the mask; that only one branch matches is checked")
        else:
            self._ledger.note(place, keyword, "mask")
        options: list[Expression] = []
        for branch in branches:
            options.append(self._value(branch, types, depth + 1))
            if options[-1] == NOTHING:
                self._ledger.note(branch, "false", "mask", "no value is allowed: the branch never occurs")
        return _ANY if _ANY in options else alt(*options)

    def _constraining_branches(self, place: Place) -> tuple[Place, ...]:
        branches = place.schemas("allOf")
        return tuple(branch for branch in branches if branch.schema is not True and not self._is_free(branch))

    def _is_free(self, place: Place) -> bool:
        return isinstance(place.schema, dict) and self._keywords.only_annotations(place)

    def _reference(self, place: Place, types: frozenset[str], depth: int) -> Expression:
        target = self._references.resolve(place)
        key = target.pointer, types
        if key in self._targets:
            known = self._targets[key]
            if known is None:
                what = "it leads back to itself without an object or array between"
                raise SchemaError("SCHEMA_REF", pointer=place.at("$ref"), what=what)
            return known
        self._targets[key] = None
        value = self._value(target, types, depth + 1)
        if not isinstance(value, (Reference, Literal)) and value != NOTHING:
            value = self._add_rule(name_of(target.pointer), target, value)
        self._targets[key] = value
        return value

    # Values of one type

    def _typed(self, place: Place, types: frozenset[str]) -> Expression:
        parts: list[Expression] = []
        if "null" in types:
            parts.append(seq("null"))
        if "boolean" in types:
            parts += [seq("true"), seq("false")]
        if "string" in types:
            parts.append(self._string(place))
        if "number" in types or "integer" in types:
            parts.append(self._number(place, types))
        if "array" in types:
            parts.append(self._container("array", self._array, place, types))
        if "object" in types:
            parts.append(self._container("object", self._object, place, types))
        return alt(*parts)

    def _string(self, place: Place) -> Expression:
        name = place.text("x-grammar")
        if name is None:
            return string_expression(place, self._ledger, self._limits) or _STRING
        self._ledger.note(place, "x-grammar", "mask")
        for keyword in STRING_KEYWORDS.intersection(place.keywords):
            self._keywords.refuse(place, keyword, "it stands beside x-grammar; remove one of the two")
        if name not in self._text_roots:
            rules = text_rules(name, self._names)
            self._rules |= rules
            self._text_roots[name] = next(iter(rules))
        return seq('"', Reference(self._text_roots[name]), '"')

    def _number(self, place: Place, types: frozenset[str]) -> Expression:
        bounds = read_bounds(place, self._dialect)
        enforce = self._options.enforce_bounds
        if "number" in types:
            return number_expression(place, bounds, enforce, self._ledger) or _NUMBER
        expression = integer_expression(place, bounds, enforce, self._ledger)
        return _INTEGER if expression == ANY_INTEGER else expression

    def _container(
        self, kind: str, make: Callable[[Place, str], Expression], place: Place, types: frozenset[str]
    ) -> Expression:
        """A reference to the rule of an object or array schema, which is filled in later."""
        key = kind, place.pointer
        known = self._containers.get(key)
        if known is None:
            if place.pointer == "":
                name = _ROOT if len(types) == 1 else self._names.fresh(f"{_ROOT}-{kind}")
            else:
                name = self._names.fresh(name_of(place.pointer))
            self._name(name, place)
            self._waiting.append((make, place, name))
            known = self._containers[key] = Reference(name)
        return known

    def _object(self, place: Place, name: str) -> Expression:
        properties = place.mapping("properties")
        required = dict.fromkeys(place.names("required"))
        for wanted in required:
            if wanted not in properties:
                raise place.conflict(f"property {wanted[:40]!r} is required and not declared in properties", "required")
        members: list[Member] = []
        for key in sorted(properties, key=canonical_key) if self._options.canonical_order else properties:
            value = self._value(properties[key], ALL_TYPES, 0)
            if value != NOTHING:
                members.append(Member(key, value, key in required))
            elif key in required:
                raise properties[key].conflict("the property is required, and no value is allowed")
            else:
                self._ledger.note(properties[key], "false", "mask", "no value is allowed: the property never occurs")
        for keyword in ("properties", "required"):
            if keyword in place.keywords:
                self._ledger.note(place, keyword, "mask")
        close_object(place, self._keywords, self._ledger)
        count_properties(place, len(required), len(members), self._keywords, self._ledger)
        return object_expression(members, self._options.blanks, self._share(name, place))

    def _array(self, place: Place, name: str) -> Expression:
        prefix_places, rest = read_items(place, self._dialect, self._ledger)
        prefix = [self._value(item, ALL_TYPES, 0) for item in prefix_places]
        item = _ANY if rest is None else self._value(rest, ALL_TYPES, 0)
        minimum, maximum = read_item_counts(place, self._ledger, self._limits)
        note_checked_items(place, self._keywords, self._ledger)
        if rest is None and (maximum is None or maximum > len(prefix)):
            self._ledger.note(place, "items", "mask", "absent: any values; keys may repeat in their text")
        most = longest(prefix, item, maximum)
        if most is not None and minimum > most:
            raise place.conflict(f"at least {minimum} items are asked for, and at most {most} are possible")
        return array_expression(prefix, item, minimum, most, self._options.blanks, self._share(name, place))

    # Rules

    def _add_rule(self, wanted: str, place: Place, expression: Expression) -> Reference:
        name = self._names.fresh(wanted)
        self._name(name, place)
        self._rules[name] = expression
        return Reference(name)

    def _name(self, name: str, place: Place) -> None:
        self.origins[name] = place.pointer
        if len(self.origins) > self._limits.rules:
            raise BudgetError("GRAMMAR_BUDGET_RULES", pointer=place.pointer, limit=self._limits.rules)

    def _share(self, name: str, place: Place) -> Callable[[str, Expression], Expression]:
        return lambda key, tail: self._add_rule(f"{name}-from-{key}", place, tail)

    def _add_ready_made(self) -> None:
        blanks = self._options.blanks
        self._rules |= {
            "string": ANY_STRING,
            "number": NUMBER,
            "integer": ANY_INTEGER,
            "json-value": alt(
                "null", "true", "false", _STRING, _NUMBER, Reference("json-object"), Reference("json-array")
            ),
            "json-object": free_object_expression(_STRING, _ANY, blanks),
            "json-array": array_expression([], _ANY, 0, None, blanks, lambda _, tail: tail),
        }

    def _refuse_too_deep(self, rules: dict[str, Expression]) -> None:
        bound = self._limits.levels
        for name, depth in reversed(least_depths(rules, bound).items()):  # the innermost is the one to name
            if depth > bound and name in self.origins:
                raise SchemaError(
                    "SCHEMA_CONFLICT",
                    pointer=self.origins[name],
                    what=f"its values need objects and arrays more than {bound} levels deep",
                )
