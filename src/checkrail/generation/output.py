"""What a generation is asked for: a grammar, the schema behind it, and how a text becomes a value.

`Output.of` reads whatever a caller may name: a Python type that Pydantic understands (a model, dataclass, TypedDict,
`Literal`, `list[...]` ...), a JSON Schema, a `Grammar`, or None for free text. You need it to reuse one reading
for many generations, or to set options of the grammar; `generate` and `extract` make one by themselves.

A type says more than its JSON Schema (the digits of a `Decimal`, a validator in Python), so a text is checked three
times: strictly parsed, against the schema, and by the type. The first two are `boundary.check_output`. What the type
refuses becomes a fault of the same report. Pydantic is imported when a type is passed, not before.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, cast, overload

from ..boundary.binding.source import Source
from ..boundary.validate import check_output
from ..boundary.validation.report import Report
from ..boundary.validation.rules import Rule
from ..boundary.validation.schema_reader import read_schema
from ..boundary.validation.subschema import Subschema
from ..errors import InputError
from ..grammar.grammar import Grammar
from ..json_schema.registry import bundle_schema
from ..json_schema.slots import SlottedSchema, find_slots
from ..limits import DEFAULT_LIMITS, Limits

if TYPE_CHECKING:
    from .python_type import PythonType

__all__ = ["Checked", "Output", "Schema"]

T = TypeVar("T")
Schema = dict[str, Any] | bool | str | bytes


@dataclass(frozen=True, slots=True)
class Output(Generic[T]):
    """A target of generation.

    grammar: what the mask enforces; None for free text. schema: what is checked afterwards; None where there is
    no JSON. json_schema: the schema as data, of a type too. rules: what is checked beyond the schema.

    >>> Output.of({"type": "integer"}).check("41").value
    41
    """

    grammar: Grammar | None
    schema: Subschema | None = None
    json_schema: Schema | None = None
    rules: tuple[Rule, ...] = ()
    _type: PythonType | None = field(default=None, repr=False, compare=False)
    _options: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @overload
    @classmethod
    def of(cls, output: None = None) -> Output[str]: ...
    @overload
    @classmethod
    def of(cls, output: Grammar) -> Output[str]: ...
    @overload
    @classmethod
    def of(
        cls,
        output: Schema,
        *,
        whitespace: str | int = ...,
        property_order: str | None = ...,
        profile: str = ...,
        enforce_bounds: bool | None = ...,
        integer_fractions: bool = ...,
        registry: Mapping[str, Any] | None = ...,
        rules: Iterable[Rule] = ...,
        limits: Limits = ...,
    ) -> Output[Any]: ...
    @overload
    @classmethod
    def of(
        cls,
        output: type[T],
        *,
        whitespace: str | int = ...,
        property_order: str | None = ...,
        profile: str = ...,
        enforce_bounds: bool | None = ...,
        integer_fractions: bool = ...,
        registry: Mapping[str, Any] | None = ...,
        rules: Iterable[Rule] = ...,
        limits: Limits = ...,
    ) -> Output[T]: ...
    @overload
    @classmethod
    def of(
        cls,
        output: object,
        *,
        whitespace: str | int = ...,
        property_order: str | None = ...,
        profile: str = ...,
        enforce_bounds: bool | None = ...,
        integer_fractions: bool = ...,
        registry: Mapping[str, Any] | None = ...,
        rules: Iterable[Rule] = ...,
        limits: Limits = ...,
    ) -> Output[Any]: ...
    @classmethod
    def of(
        cls,
        output: Any = None,
        *,
        whitespace: str | int = "json.dumps",
        property_order: str | None = None,
        profile: str = "strict",
        enforce_bounds: bool | None = None,
        integer_fractions: bool = False,
        registry: Mapping[str, Any] | None = None,
        rules: Iterable[Rule] = (),
        limits: Limits = DEFAULT_LIMITS,
    ) -> Output[Any]:
        """Read a target.

        output: a type, a JSON Schema (dict, bool, or its JSON text), a Grammar, None, or an Output, which is
        returned as it is. whitespace: "compact", "json.dumps" (one space after each comma and colon, what models
        write by themselves), or at most so many blanks at each place. profile: "strict" or "open", how the schema is
        read. property_order: "declared" or "canonical", in the open profile also "mixed" and "any"; None is the
        profile's own. enforce_bounds: minimum and maximum in the mask, not only in the check (open: always).
        integer_fractions: in the open profile, integers may be written as `1.0`. registry: documents by their URIs that
        the schema may refer to; nothing is fetched. rules: conditions between the parts of the value, for the check.

        Raises SchemaError where the schema is malformed, unsupported or contradictory, with its JSON pointer, and
        InputError where Pydantic cannot make a schema of the type.
        """
        if isinstance(output, Output):
            return output
        if output is None or isinstance(output, Grammar):
            return Output(output)
        python_type = None
        schema: Schema = output
        if not isinstance(output, (dict, bool, str, bytes)):
            from .python_type import PythonType

            python_type = PythonType(output)
            schema = python_type.json_schema
        bundled: Any = bundle_schema(schema, registry, limits=limits) if registry else schema
        if bundled is not schema:
            schema = json.loads(json.dumps(bundled, default=float))  # decimals are read exactly by the grammar alone
        options: dict[str, Any] = {
            "profile": profile,
            "whitespace": whitespace,
            "property_order": property_order,
            "enforce_bounds": enforce_bounds,
            "integer_fractions": integer_fractions,
        }
        grammar = Grammar.from_json_schema(bundled, limits=limits, **options)
        return Output(grammar, read_schema(schema), schema, tuple(rules), python_type, options)

    @property
    def is_json(self) -> bool:
        """Whether the text is JSON under a schema."""
        return self.schema is not None

    def required_grammar(self) -> Self:
        """This output, or InputError INPUT_FORMAT where it is free text and no grammar would hold the model."""
        if self.grammar is None:
            raise InputError("INPUT_FORMAT", name="output", what="must be a schema, a type or a grammar")
        return self

    def slots(self, *, copies: bool, limits: Limits = DEFAULT_LIMITS) -> SlottedSchema | None:
        """The strings that are said at run time; None where there is no JSON. copies: `x-source` among them."""
        if self.json_schema is None:
            return None
        return find_slots(self.json_schema, copies=copies, profile=self._options["profile"], limits=limits)

    def grammar_of(self, schema: Any, *, limits: Limits = DEFAULT_LIMITS) -> Grammar:
        """The grammar of another schema, read as this output's."""
        return Grammar.from_json_schema(schema, limits=limits, **self._options)

    def check(self, text: str, documents: Mapping[str, str | Source] | None = None) -> Checked[T]:
        """Judge a complete text. documents: the sources that `x-source` binds to. Never raises for a bad text."""
        if self.schema is None:
            return Checked(None, cast(T, text))
        report = check_output(text, self.schema, documents=documents, rules=self.rules)
        if not report.ok:
            return Checked(report)
        if self._type is None:
            return Checked(report, cast(T, report.value))
        return Checked(*self._type.convert(text, report))

    def write(self, value: Any) -> str:
        """The text that a model would have to write for this value: for examples in a prompt.

        A string is such a text already. Raises InputError for what JSON cannot say.
        """
        if type(value) is str:
            return value
        try:
            return self._dump(value)
        except TypeError as error:
            if self._type is None:
                raise InputError("INPUT_FORMAT", name="The example", what=str(error)) from None
        return self._dump(self._type.plain(value))

    def _dump(self, value: Any) -> str:
        compact = self._options.get("whitespace") in ("compact", 0)
        separators = (",", ":") if compact else (", ", ": ")
        try:
            return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=separators)
        except ValueError as error:
            raise InputError("INPUT_FORMAT", name="The example", what=str(error)) from None


@dataclass(frozen=True, slots=True)
class Checked(Generic[T]):
    """The outcome of `Output.check`. report: None where there is no schema. value: None where there are faults."""

    report: Report | None
    value: T | None = None
