"""JSON Schema to `Grammar`: the front end of this package.

In the open profile a schema is read, and refused if need be, at once; its rules are made when they are asked for.

Use it through `Grammar.from_json_schema`. It is for schemas in text or as Python data; Python types are turned
into schemas by the `generation` package. What the strict profile accepts, and what becomes of each keyword, is
in docs/reference/strict-profile.md, which is made from `profile.py`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from ..errors import BudgetError, SchemaError
from ..grammar.grammar import Grammar, NoRules
from ..limits import DEFAULT_LIMITS, Limits
from ..watch import Watch
from .algebra.different import items_cannot_differ
from .algebra.profile import OpenSchema, OpenTranslator
from .options import Options
from .registry import bundle_schema
from .schema import Json, read_document
from .translate import Translator

__all__ = ["json_schema_to_grammar", "strict_refusals"]


def json_schema_to_grammar(
    schema: Any,
    *,
    profile: str = "strict",
    property_order: str | None = None,
    whitespace: str | int = 8,
    enforce_bounds: bool | None = None,
    unsupported: str = "error",
    registry: Mapping[str, Any] | None = None,
    integer_fractions: bool = False,
    limits: Limits = DEFAULT_LIMITS,
    cancelled: Callable[[], bool] | None = None,
) -> Grammar:
    """The grammar of the JSON texts that a schema accepts.

    schema: text (str or bytes), dict or bool. profile: "strict", or "open" for schemas as they are in the wild.
    property_order: "declared", in the strict profile also "canonical" (by UTF-16 code units, RFC 8785), in the open
    one "mixed", which it has by default: members of an object come in any order, other keys among them. Where the
    automaton is compiled as a whole (see `Constraint`), which takes a state for each set of members, objects of more
    than three members keep the declared order, with other keys behind. "any" asks for any order there too, and is
    refused where that takes too many states.
    whitespace: "compact", "json.dumps" or the most blanks at each structural place (0 to 64). enforce_bounds: numeric
    bounds in the mask (None: as the profile says; the strict one leaves them to the check). unsupported: "error", or
    "report" to leave what the profile refuses to the check after generation where that is possible. registry: documents
    by their URIs that the schema may refer to (see `bundle_schema`); nothing is fetched. integer_fractions: in the open
    profile, integers may be written with a fraction of zeros (`1.0`), as JSON Schema allows. cancelled: asked
    now and then whether to stop (`threading.Event().is_set`), see `compile`.

    Raises SchemaError with the keyword's pointer, BudgetError beyond the limits, InputError for a wrong option,
    StreamError CANCELLED.

    >>> grammar = json_schema_to_grammar({"type": "integer", "minimum": 0})
    >>> [(entry.keyword, entry.column) for entry in grammar.coverage]
    [('type', 'mask'), ('minimum', 'checked')]
    """
    options = Options.of(
        profile=profile,
        property_order=property_order,
        whitespace=whitespace,
        enforce_bounds=enforce_bounds,
        unsupported=unsupported,
        limits=limits,
        integer_fractions=integer_fractions,
    )
    watch = Watch(limits.compile_seconds, cancelled)
    if registry:
        schema = bundle_schema(schema, registry, limits=limits)
    tree, may_have_parts = read_document(schema, limits)
    if options.open:
        opened = OpenSchema.read(tree, options, may_have_parts=may_have_parts, watch=watch)
        make = partial(_open_grammar, tree, options, opened.noted)
        digest = partial(_digest, tree, options)
        return Grammar.deferred(make, digest, contract="context-free", format="json_schema", schema=opened)
    translator = Translator(tree, options, watch)
    rules = translator.run()
    return Grammar(rules, format="json_schema", coverage=translator.coverage, origins=translator.origins)


def strict_refusals(schema: Any, *, limits: Limits = DEFAULT_LIMITS) -> tuple[SchemaError, ...]:
    """All that the strict profile refuses in a schema, where `json_schema_to_grammar` says the first thing only.

    It goes on as far as the rest still says which values there are; what ends it is the last one. Raises what is no
    fault of a place: BudgetError, StreamError.
    """
    options = Options.of(
        profile="strict",
        property_order=None,
        whitespace=8,
        enforce_bounds=None,
        unsupported="report",
        limits=limits,
    )
    tree, _ = read_document(schema, limits)
    translator = Translator(tree, options, Watch(limits.compile_seconds))
    try:
        translator.run()
    except SchemaError as error:
        return (*translator.refusals, error)
    return translator.refusals


def _open_grammar(tree: Json, options: Options, noted: str, watch: Watch | None) -> Grammar:
    """noted: a place that cannot be in rules, if there is one."""
    watch = watch or Watch(options.limits.compile_seconds)
    if noted:
        return _without_rules(tree, options, partial(items_cannot_differ, noted), watch)
    translator = OpenTranslator(tree, options, watch=watch)
    try:
        rules = translator.run()
    except BudgetError as error:  # the schema was read without one, so it is the rules that are too much
        if error.code == "GRAMMAR_BUDGET_TIME":
            raise
        return _without_rules(
            tree, options, partial(BudgetError, error.code, pointer=error.pointer, **error.params), watch
        )
    coverage, origins = translator.coverage, translator.origins
    return Grammar(rules, contract="context-free", format="json_schema", coverage=coverage, origins=origins)


def _without_rules(tree: Json, options: Options, make_error: Callable[[], Exception], watch: Watch) -> Grammar:
    """make_error: why there are none."""
    translator = OpenTranslator(tree, options, watch=watch)
    translator.look()
    no_rules = NoRules(make_error, _digest(tree, options))
    coverage = translator.coverage
    return Grammar.without_rules(no_rules, contract="context-free", format="json_schema", coverage=coverage)


def _digest(tree: Json, options: Options) -> str:
    """Of a schema and how it is read. The limits say what is refused, and nothing of what is not."""
    options = replace(options, limits=DEFAULT_LIMITS)
    return hashlib.sha256(repr((tree, options)).encode("utf-8", "surrogatepass")).hexdigest()
