r"""Regular expressions of ECMA-262, the flavour of JSON Schema's `pattern`, as grammars.

`parse_regex_grammar` makes the grammar of the texts that match as a whole; `search_expression` the texts that
contain a match, which is what `pattern` asks for. Both see characters as code points (the `u` flag) and never
ignore a part of a pattern: what they cannot express is refused with its place.

    supported    literals, . [ ] [^ ] \d \D \w \W \s \S, escapes, \p{...} (see `regex_classes`), groups, |,
                 greedy and lazy quantifiers, ^ and $ anywhere, lookahead outside repetitions
                 \b and \B without lookahead
    refused      backreferences, lookbehind, inline flags, lookahead in repetitions or beside \b and \B

Syntax is read by `regex_syntax`, anchors are resolved by `regex_anchors`, word boundaries by `regex_boundaries`,
lookahead by `regex_lookahead`. There is no backtracking anywhere: the result is an expression, linear in the pattern
where it has neither boundaries nor lookahead.
"""

from __future__ import annotations

from ..errors import InputError
from ..limits import DEFAULT_LIMITS, Limits
from .expression import ANY_CHARACTER, Expression
from .grammar import Grammar
from .regex_anchors import EPSILON, anchored_at_ends, resolve, then, union
from .regex_boundaries import boundary_match, boundary_search
from .regex_lookahead import ANYTHING, SOMETHING, Rest, rest_of_input
from .regex_syntax import Pattern, parse_pattern
from .simplify import Simplifier, simplify
from .source import Source
from .traverse import check_size

__all__ = ["match_expression", "parse_regex_grammar", "search_expression"]


def parse_regex_grammar(pattern: str, *, flavour: str = "ecma", limits: Limits = DEFAULT_LIMITS) -> Grammar:
    r"""The grammar of the texts that match `pattern` as a whole; `^` at its start and `$` at its end add nothing.

    Raises GrammarError (GRAMMAR_SYNTAX, GRAMMAR_UNSUPPORTED) with the place, BudgetError where a limit is passed.

    >>> str(parse_regex_grammar(r"^\d{4}$"))
    'root ::= [0-9]{4}\n'
    """
    if flavour != "ecma":
        raise InputError("INPUT_FORMAT", name="regex flavour", what='must be "ecma"')
    return Grammar({"root": match_expression(pattern, limits=limits)}, format="regex")


def match_expression(pattern: str, *, limits: Limits = DEFAULT_LIMITS, pointer: str | None = None) -> Expression:
    """The texts that match as a whole. `pointer` (a JSON pointer into a schema) goes into the errors."""
    source = Source(pattern, limits, pointer)
    parsed = parse_pattern(source, limits)
    if _has_boundaries(parsed, source):
        language = boundary_match(parsed.tree, source, limits)
    elif parsed.looks:
        language = rest_of_input(parsed.tree, Rest.anywhere(EPSILON), source, limits).at_start
    else:
        cases = anchored_at_ends(parsed)
        if cases is not None:
            return parsed.build.choice([option for options in cases for option in options])
        parts = resolve(parsed.tree, pointer)
        language = union(parts.free, parts.starting, parts.ending, parts.both)
    return simplify(check_size(language.expression, limits, pointer))


def search_expression(pattern: str, *, limits: Limits = DEFAULT_LIMITS, pointer: str | None = None) -> Expression:
    """The texts that contain a match. `pointer` (a JSON pointer into a schema) goes into the errors.

    >>> search_expression("^a$")
    Literal(text='a')
    """
    source = Source(pattern, limits, pointer)
    parsed = parse_pattern(source, limits)
    if _has_boundaries(parsed, source):
        language = boundary_search(parsed.tree, source, limits)
    elif parsed.looks:
        rest = rest_of_input(parsed.tree, Rest.anywhere(ANYTHING), source, limits)
        later = then(ANYTHING if rest.same else SOMETHING, rest.after)
        language = later if rest.same else union(rest.at_start, later)
    else:
        cases = anchored_at_ends(parsed)
        if cases is not None:
            return _found_anywhere(parsed.build, *cases)
        parts = resolve(parsed.tree, pointer)
        language = union(
            then(ANYTHING, parts.free, ANYTHING),
            then(parts.starting, ANYTHING),
            then(ANYTHING, parts.ending),
            parts.both,
        )
    return simplify(check_size(language.expression, limits, pointer))


def _has_boundaries(pattern: Pattern, source: Source) -> bool:
    if pattern.boundaries and pattern.looks:
        raise source.unsupported(0, "a word boundary and a lookahead in one pattern")
    return pattern.boundaries > 0


def _found_anywhere(
    build: Simplifier,
    free: list[Expression],
    starting: list[Expression],
    ending: list[Expression],
    both: list[Expression],
) -> Expression:
    """The same for the usual pattern, from parts that are simplified."""
    options: list[Expression] = []
    if free or starting or ending:
        anything = build.repeat(build.characters(ANY_CHARACTER.ranges), 0, None)
        if free:
            options.append(build.sequence([anything, build.choice(free), anything]))
        if starting:
            options.append(build.sequence([build.choice(starting), anything]))
        if ending:
            options.append(build.sequence([anything, build.choice(ending)]))
    if both:
        options.append(build.choice(both))
    return build.choice(options)
