"""Formats as sets of strings: which the mask holds, and which include all of the format.

Most formats are regular, so these are the same. Where they are not, the mask holds a part (host names but for Punycode,
say) and a larger set stands for the whole where the opposite of the format is asked for: what is outside of it is not
of the format for certain. So `not`, `oneOf` and `if` are never wrong about a format, only narrower.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from ...grammar.codepoints import character_class
from ...grammar.coverage import Column
from ...grammar.expression import ANY_CHARACTER, Choice, Expression, Intersection, Repeat
from ..combine import chars, seq, times
from ..formats import MASK_FORMATS
from ..hostnames import EMAIL, HOSTNAME, LONGEST_EMAIL, LONGEST_HOSTNAME, SHORT_EMAIL, short_hostname
from ..uri import iri, iri_reference
from .formats import EXACT_FORMATS
from .texts import Texts

__all__ = ["FORMAT_TEXTS", "FormatTexts", "format_texts", "shape_of_all"]


class FormatTexts(NamedTuple):
    """texts: what the mask holds. whole: all of the format, and perhaps more; None where `texts` is just the format.
    note: for the coverage; column: who enforces it."""

    texts: Texts
    whole: Texts | None = None
    note: str = ""
    column: Column = "mask"


_HOSTNAMES, _EMAILS = Texts(None, HOSTNAME, (), True), Texts(None, EMAIL, (), True)

FORMAT_TEXTS: Mapping[str, Texts] = MappingProxyType(
    {"hostname": _HOSTNAMES, "email": _EMAILS, **{name: Texts(None, shape) for name, shape in EXACT_FORMATS.items()}}
)
"""Formats by name, without bounds on the whole length: languages that every schema can share."""


def _up_to(shape: Expression, longest: int) -> Texts:
    return Texts(None, Intersection((shape, Repeat(ANY_CHARACTER, 0, longest))), (), True)


def _any_hostname() -> Expression:
    return times(chars("a-zA-Z0-9.-"), 1, None)


def _any_email() -> Expression:
    ascii_text = times(character_class(((0x20, 0x7E),)), 1, None)
    return seq(ascii_text, "@", ascii_text)


_NO_PUNYCODE = "host names without labels that begin with xn--"
_EMAIL_NOTE = "without quoted names and labels that begin with xn--; the length of the name is checked afterwards"
_LEAP_SECONDS = "leap seconds in UTC alone"

_READY: Mapping[str, FormatTexts] = MappingProxyType(
    {
        **{name: FormatTexts(FORMAT_TEXTS[name]) for name in EXACT_FORMATS},
        **{
            name: FormatTexts(FORMAT_TEXTS[name], Texts(None, MASK_FORMATS[name].shape), _LEAP_SECONDS)
            for name in ("time", "date-time")
        },
        "hostname": FormatTexts(_up_to(HOSTNAME, LONGEST_HOSTNAME), Texts(None, _any_hostname()), _NO_PUNYCODE),
        "email": FormatTexts(_up_to(EMAIL, LONGEST_EMAIL), Texts(None, _any_email()), _EMAIL_NOTE, "checked"),
    }
)


def _regex() -> FormatTexts:
    from .format_regex import REGEX, any_regex

    note = "regular expressions whose groups nest at most 4 deep"
    return FormatTexts(Texts(None, REGEX), Texts(None, any_regex()), note)


def _idn_hostname() -> FormatTexts:
    from .format_idn import any_idn_hostname, idn_hostname

    note = "names of up to three labels, with letters that are permitted everywhere"
    return FormatTexts(Texts(None, idn_hostname(), (), True), Texts(None, any_idn_hostname()), note)


def _idn_email() -> FormatTexts:
    from .format_idn import any_idn_email, idn_email

    note = f"as idn-hostname; {_EMAIL_NOTE}"
    return FormatTexts(Texts(None, idn_email(), (), True), Texts(None, any_idn_email()), note, "checked")


# Made when they are needed: each takes some milliseconds, or more, which few schemas need.
_MADE: Mapping[str, Callable[[], FormatTexts]] = MappingProxyType(
    {
        "regex": _regex,
        "iri": lambda: FormatTexts(Texts(None, iri())),
        "iri-reference": lambda: FormatTexts(Texts(None, iri_reference())),
        "idn-hostname": _idn_hostname,
        "idn-email": _idn_email,
    }
)


def format_texts(name: str) -> FormatTexts | None:
    """A format; None for names that are none."""
    return _READY.get(name) or (_made(name) if name in _MADE else None)


@cache
def _made(name: str) -> FormatTexts:
    return _MADE[name]()


@cache
def _short_ones() -> Mapping[Expression, tuple[int, Expression]]:
    return {HOSTNAME: (LONGEST_HOSTNAME, short_hostname(LONGEST_HOSTNAME)), EMAIL: (LONGEST_EMAIL, SHORT_EMAIL)}


def shape_of_all(texts: Texts) -> Expression:
    """The expression of a set for an automaton that is made as a whole: formats with a bound on their whole length are
    replaced by texts of theirs that are short enough without counting (see `hostnames`)."""
    return _shortened(texts.expression)


def _shortened(expression: Expression) -> Expression:
    if isinstance(expression, Choice):
        return Choice(tuple(map(_shortened, expression.options)))
    if not isinstance(expression, Intersection):
        return expression
    for shape, (longest, short) in _short_ones().items():
        bound = Repeat(ANY_CHARACTER, 0, longest)
        if shape in expression.items and bound in expression.items:
            kept = (item for item in expression.items if item not in (shape, bound))
            return Intersection((short, *kept))
    return expression
