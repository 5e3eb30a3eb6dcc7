"""The formats of structural tags, one method each: from a format to an expression.

A format is translated knowing its *stop*: what the tag around it ends with. Free text at the end of a tag's content
takes no text in which the end occurs, so the first occurrence is the end. Grammars in a format become rules of their
own; each is read once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import BudgetError, GrammarError
from ..limits import Limits
from .coverage import CoverageEntry
from .embedded_schema import embedded_grammar, embedded_rules
from .expression import ANY_CHARACTER, EMPTY, Expression, Intersection, Literal, Reference, Repeat, TokenReference
from .free_text import text_until, text_without
from .grammar import Grammar
from .simplify import choice_of, repeat_of, sequence_of
from .tag_fields import Fields, checked_text, refuse

__all__ = ["TagBuilder"]

_DEEPEST = 32  # formats within formats


@dataclass(frozen=True, slots=True)
class _Stop:
    """What follows a format: the string `until`, or a token. others: strings that would end the tag as well."""

    until: str = ""
    others: tuple[str, ...] = ()
    token: int | str | None = None

    @property
    def strings(self) -> tuple[str, ...]:
        """All strings that free text must not hold."""
        return (self.until, *self.others) if self.until else self.others


_NO_STOP = _Stop()


@dataclass(frozen=True, slots=True)
class _Tag:
    """A tag, read. begin: a string, or a token."""

    begin: str | TokenReference
    rest: Expression
    pointer: str

    def after(self, trigger: str) -> Expression:
        """The tag without the trigger that it begins with."""
        assert isinstance(self.begin, str)
        return sequence_of([_text(self.begin[len(trigger) :]), self.rest])

    @property
    def whole(self) -> Expression:
        """All of it."""
        return sequence_of([_text(self.begin) if isinstance(self.begin, str) else self.begin, self.rest])


class TagBuilder:
    """One run. rules and coverage: of the grammars that the formats hold."""

    def __init__(self, json_schema: Mapping[str, Any], limits: Limits) -> None:
        self._json_schema = json_schema
        self._limits = limits
        self._roots: dict[str, str] = {}  # pointer -> root of the grammar there
        self._known: dict[tuple[str, _Stop], Expression] = {}
        self._depth = 0
        self.rules: dict[str, Expression] = {}
        self.coverage: list[CoverageEntry] = []

    def format(self, data: Any, pointer: str, stop: _Stop = _NO_STOP) -> Expression:
        """The texts of a format."""
        key = pointer, stop
        if key not in self._known:
            self._known[key] = self._read(data, pointer, stop)
        return self._known[key]

    def _read(self, data: Any, pointer: str, stop: _Stop) -> Expression:
        if isinstance(data, Grammar):
            return self._grammar(pointer, lambda: data)
        fields = Fields(data, pointer)
        read = _FORMATS.get(fields.type)
        if read is None:
            raise refuse(fields.at("type"), f"no format is called {fields.type[:40]}; there are {', '.join(_FORMATS)}")
        if self._depth == _DEEPEST:
            raise BudgetError("GRAMMAR_BUDGET_DEPTH", pointer=pointer, limit=_DEEPEST)
        self._depth += 1
        found = read(self, fields, stop)
        self._depth -= 1
        fields.end()
        return found

    # parts of text

    def _read_const_string(self, fields: Fields, stop: _Stop) -> Expression:
        return _text(fields.text("value"))

    def _read_any_text(self, fields: Fields, stop: _Stop) -> Expression:
        excludes = fields.texts("excludes")
        fields.only("max_tokens", None, "a grammar does not count tokens; use max_chars")
        most = fields.count("max_chars", self._limits.repetitions)
        text = _free(stop, excludes)
        return text if most is None else Intersection((text, Repeat(ANY_CHARACTER, 0, most)))

    def _read_json_schema(self, fields: Fields, stop: _Stop) -> Expression:
        schema = fields.required("json_schema")
        fields.only("style", "json", 'only the style "json" is supported')
        fields.only("any_order", False, 'use the profile "open", which takes the members in any order')
        return self._grammar(
            fields.at("json_schema"), lambda: embedded_grammar(schema, self._json_schema, self._limits)
        )

    def _read_grammar(self, fields: Fields, stop: _Stop) -> Expression:
        text = fields.text("grammar")
        return self._grammar(fields.at("grammar"), lambda: Grammar.from_gbnf(text, limits=self._limits))

    def _read_lark(self, fields: Fields, stop: _Stop) -> Expression:
        text = fields.text("grammar")
        return self._grammar(fields.at("grammar"), lambda: Grammar.from_lark(text, limits=self._limits))

    def _read_regex(self, fields: Fields, stop: _Stop) -> Expression:
        pattern = fields.text("pattern")
        return self._grammar(fields.at("pattern"), lambda: Grammar.from_regex(pattern, limits=self._limits))

    def _grammar(self, pointer: str, read: Callable[[], Grammar]) -> Expression:
        """A reference to the root of the grammar that stands at this place."""
        root = self._roots.get(pointer)
        if root is None:
            try:
                grammar = read()
            except GrammarError as error:
                raise _moved(error, pointer) from None
            found = embedded_rules(grammar, f"part{len(self._roots) + 1}-")
            self.rules |= found.rules
            self.coverage += [CoverageEntry(pointer + e.pointer, e.keyword, e.column, e.note) for e in found.coverage]
            root = self._roots[pointer] = found.root
        return Reference(root)

    # compositions

    def _read_sequence(self, fields: Fields, stop: _Stop) -> Expression:
        items = fields.items("elements")
        last = len(items) - 1
        return sequence_of(
            self.format(item, f"{fields.at('elements')}/{n}", stop if n == last else _NO_STOP)
            for n, item in enumerate(items)
        )

    def _read_either(self, fields: Fields, stop: _Stop) -> Expression:
        items = fields.items("elements")
        return choice_of(self.format(item, f"{fields.at('elements')}/{n}", stop) for n, item in enumerate(items))

    def _read_optional(self, fields: Fields, stop: _Stop) -> Expression:
        return repeat_of(self._content(fields, stop), 0, 1)

    def _read_plus(self, fields: Fields, stop: _Stop) -> Expression:
        return repeat_of(self._content(fields, stop), 1, None)

    def _read_star(self, fields: Fields, stop: _Stop) -> Expression:
        return repeat_of(self._content(fields, stop), 0, None)

    def _read_repeat(self, fields: Fields, stop: _Stop) -> Expression:
        most = fields.required("max")
        low, limit = fields.count("min", self._limits.repetitions), self._limits.repetitions
        if low is None:
            raise refuse(fields.pointer, "repeat needs the field min")
        if isinstance(most, bool) or not isinstance(most, int) or not (most == -1 or low <= most <= limit):
            raise refuse(fields.at("max"), f"this is -1, or an integer from min to {limit}")
        return repeat_of(self._content(fields, stop), low, None if most == -1 else most)

    def _content(self, fields: Fields, stop: _Stop) -> Expression:
        return self.format(fields.required("content"), fields.at("content"), stop)

    # tags

    def _read_tag(self, fields: Fields, stop: _Stop) -> Expression:
        return self._tag(fields, stop).whole

    def _tag(self, fields: Fields, stop: _Stop) -> _Tag:
        begin = self._mark(fields.required("begin"), fields.at("begin"))
        ends = self._ends(fields)
        data, pointer = fields.required("content"), fields.at("content")
        stops = [_stop(end, ends, stop) for end in ends]
        contents = [self.format(data, pointer, each) for each in stops]
        marks = [_text(end) if isinstance(end, str) else end for end in ends]
        if all(content == contents[0] for content in contents):
            rest = sequence_of([contents[0], choice_of(marks)])
        else:
            rest = choice_of(sequence_of(pair) for pair in zip(contents, marks, strict=True))
        return _Tag(begin, rest, fields.pointer)

    def _ends(self, fields: Fields) -> list[str | TokenReference]:
        end, pointer = fields.required("end"), fields.at("end")
        if not isinstance(end, (list, tuple)):
            return [self._mark(end, pointer)]
        if not end:
            raise refuse(pointer, "this list is empty")
        return list(dict.fromkeys(self._mark(each, f"{pointer}/{n}") for n, each in enumerate(end)))

    def _mark(self, data: Any, pointer: str) -> str | TokenReference:
        """What a tag begins or ends with."""
        if not isinstance(data, Mapping):
            return checked_text(data, pointer)
        fields = Fields(data, pointer)
        if fields.type != "token":
            raise refuse(pointer, "this is a string or a token")
        found = self._read_token(fields, _NO_STOP)
        fields.end()
        return found

    def _tags(self, fields: Fields, stop: _Stop) -> list[_Tag]:
        found = []
        for number, data in enumerate(fields.items("tags")):
            inner = Fields(data, f"{fields.at('tags')}/{number}")
            if inner.type != "tag":
                raise refuse(inner.pointer, "this is a tag")
            found.append(self._tag(inner, stop))
            inner.end()
        return found

    def _read_triggered_tags(self, fields: Fields, stop: _Stop) -> Expression:
        triggers, excludes = fields.texts("triggers", needed=True), fields.texts("excludes")
        tags = self._tags(fields, _NO_STOP)
        branches: dict[str, list[Expression]] = {trigger: [] for trigger in triggers}
        for tag in tags:
            if not isinstance(tag.begin, str):
                raise refuse(f"{tag.pointer}/begin", "after a trigger that is text, a tag begins with text")
            matching = [trigger for trigger in triggers if tag.begin.startswith(trigger)]
            if not matching:
                raise refuse(f"{tag.pointer}/begin", "no trigger is a beginning of this")
            branches[matching[0]].append(tag.after(matching[0]))
        entries = _entries(branches, (*excludes, *stop.strings), fields.at("triggers"))
        return self._prose(fields, tags, entries, _free(stop, (*triggers, *excludes)))

    def _read_dispatch(self, fields: Fields, stop: _Stop) -> Expression:
        excludes = fields.texts("excludes")
        loop = fields.flag("loop", default=True)
        branches: dict[str, list[Expression]] = {}
        for number, rule in enumerate(fields.items("rules")):
            pointer = f"{fields.at('rules')}/{number}"
            if not isinstance(rule, (list, tuple)) or len(rule) != 2 or not isinstance(rule[0], str) or not rule[0]:
                raise refuse(pointer, "a rule is a string and a format")
            branches.setdefault(rule[0], []).append(self.format(rule[1], f"{pointer}/1"))
        entries = _entries(branches, (*excludes, *stop.strings), fields.at("rules"))
        end = _free(stop, (*branches, *excludes))
        return sequence_of([repeat_of(choice_of(entries), 0, None), end]) if loop else choice_of([end, *entries])

    def _read_token_triggered_tags(self, fields: Fields, stop: _Stop) -> Expression:
        pointer = fields.at("trigger_tokens")
        triggers = [self._token(token, f"{pointer}/{n}") for n, token in enumerate(fields.items("trigger_tokens"))]
        fields.only("exclude_tokens", [], "free text takes no special token, so there is none to exclude")
        tags = self._tags(fields, _NO_STOP)
        for tag in tags:
            if tag.begin not in triggers:
                raise refuse(f"{tag.pointer}/begin", "this is not one of the trigger tokens")
        free = _free(stop, ())
        return self._prose(fields, tags, [sequence_of([free, tag.whole]) for tag in tags], free)

    def _prose(self, fields: Fields, tags: list[_Tag], entries: list[Expression], end: Expression) -> Expression:
        """Free text and tags in turn. entries: free text up to a tag, and the tag. end: free text after all tags."""
        at_least_one, stop_after_first = fields.flag("at_least_one"), fields.flag("stop_after_first")
        first = choice_of(tag.whole for tag in tags)
        if stop_after_first:
            return first if at_least_one else choice_of([end, *entries])
        rest = sequence_of([repeat_of(choice_of(entries), 0, None), end])
        return sequence_of([first, rest]) if at_least_one else rest

    def _read_tags_with_separator(self, fields: Fields, stop: _Stop) -> Expression:
        tag = choice_of(tag.whole for tag in self._tags(fields, stop))
        separator = _text(fields.text("separator"))
        at_least_one, stop_after_first = fields.flag("at_least_one"), fields.flag("stop_after_first")
        several = tag if stop_after_first else sequence_of([tag, repeat_of(sequence_of([separator, tag]), 0, None)])
        return several if at_least_one else repeat_of(several, 0, 1)

    # tokens

    def _read_token(self, fields: Fields, stop: _Stop) -> TokenReference:
        return self._token(fields.required("token"), fields.at("token"))

    def _read_exclude_token(self, fields: Fields, stop: _Stop) -> Expression:
        return self._other_token(fields, stop)

    def _read_any_tokens(self, fields: Fields, stop: _Stop) -> Expression:
        fields.only("max_tokens", None, "a grammar does not count tokens")
        return Repeat(self._other_token(fields, stop), 0, None)

    def _other_token(self, fields: Fields, stop: _Stop) -> TokenReference:
        names = [*fields.values("exclude_tokens"), *(() if stop.token is None else (stop.token,))]
        if len(set(map(repr, names))) != 1:
            raise refuse(fields.pointer, "exactly one token can be excluded, that of the tag's end included")
        found = self._token(names[0], fields.at("exclude_tokens"))
        return TokenReference(found.token, negated=True)

    def _token(self, value: Any, pointer: str) -> TokenReference:
        if isinstance(value, bool) or not (isinstance(value, str) or (isinstance(value, int) and value >= 0)):
            raise refuse(pointer, "a token is its text or its id")
        return TokenReference(value)


_FORMATS: Mapping[str, Callable[[TagBuilder, Fields, _Stop], Expression]] = {
    "any_text": TagBuilder._read_any_text,
    "any_tokens": TagBuilder._read_any_tokens,
    "const_string": TagBuilder._read_const_string,
    "dispatch": TagBuilder._read_dispatch,
    "exclude_token": TagBuilder._read_exclude_token,
    "grammar": TagBuilder._read_grammar,
    "json_schema": TagBuilder._read_json_schema,
    "lark": TagBuilder._read_lark,
    "optional": TagBuilder._read_optional,
    "or": TagBuilder._read_either,
    "plus": TagBuilder._read_plus,
    "regex": TagBuilder._read_regex,
    "repeat": TagBuilder._read_repeat,
    "sequence": TagBuilder._read_sequence,
    "star": TagBuilder._read_star,
    "tag": TagBuilder._read_tag,
    "tags_with_separator": TagBuilder._read_tags_with_separator,
    "token": TagBuilder._read_token,
    "token_triggered_tags": TagBuilder._read_token_triggered_tags,
    "triggered_tags": TagBuilder._read_triggered_tags,
}


def _text(text: str) -> Expression:
    return Literal(text) if text else EMPTY


def _free(stop: _Stop, never: Iterable[str]) -> Expression:
    """Free text before a stop."""
    if stop.until:
        return text_until(stop.until, (*stop.others, *never))
    return text_without((*stop.others, *never))


def _entries(branches: Mapping[str, list[Expression]], never: tuple[str, ...], pointer: str) -> list[Expression]:
    """For each trigger: free text before it, the trigger, and what may follow. never: what free text does not hold."""
    found = []
    for number, (trigger, rests) in enumerate(branches.items()):
        if not rests:
            raise refuse(f"{pointer}/{number}", "no tag begins with this trigger")
        inside = [other for other in (*branches, *never) if other in trigger and (other != trigger or other in never)]
        if inside:
            raise refuse(f"{pointer}/{number}", f"this trigger is never reached, since {inside[0]!r} is in it")
        found.append(sequence_of([text_until(trigger, (*branches, *never)), Literal(trigger), choice_of(rests)]))
    return found


def _stop(end: str | TokenReference, ends: Iterable[str | TokenReference], outer: _Stop) -> _Stop:
    """What the content of a tag stops at; a tag without an end stops at what the tag around it ends with."""
    strings = tuple(each for each in ends if isinstance(each, str) and each)
    if isinstance(end, TokenReference):
        return _Stop(others=strings, token=end.token)
    return _Stop(end, strings) if end else outer


def _moved(error: GrammarError, pointer: str) -> GrammarError:
    """The same failure, its pointer one into the tag."""
    inside = pointer + (error.pointer or "")
    return type(error)(error.code, position=error.position, pointer=inside, expected=error.expected, **error.params)
