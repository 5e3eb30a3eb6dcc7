"""The tables of formats and of grammars: name -> test of a string.

You need this to see which formats are checked; one that is not in the table is an annotation, as the standard says.
`regex` is checked by the matcher of patterns (`patterns.is_pattern`). Grammars are what `x-grammar` names. All tests
are linear in the string.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from ..calc.calculator import is_expression
from ..calc.equation import is_equation
from . import formats_internet as internet
from . import formats_time as time
from .idna import is_idn_hostname

__all__ = ["FORMATS", "GRAMMARS"]

_UUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
_POINTER = r"(?:/(?:[^~/]|~[01])*)*"
_JSON_POINTER = re.compile(_POINTER)
_RELATIVE_POINTER = re.compile(rf"(?:0|[1-9][0-9]*)(?:#|{_POINTER})")


def _is_uuid(text: str) -> bool:
    return _UUID.fullmatch(text) is not None


def _is_json_pointer(text: str) -> bool:
    return _JSON_POINTER.fullmatch(text) is not None


def _is_relative_json_pointer(text: str) -> bool:
    return _RELATIVE_POINTER.fullmatch(text) is not None


FORMATS: Mapping[str, Callable[[str], bool]] = {
    "date": time.is_date,
    "time": time.is_time,
    "date-time": time.is_date_time,
    "duration": time.is_duration,
    "email": internet.is_email,
    "idn-email": internet.is_idn_email,
    "hostname": internet.is_hostname,
    "idn-hostname": is_idn_hostname,
    "ipv4": internet.is_ipv4,
    "ipv6": internet.is_ipv6,
    "uri": internet.is_uri,
    "uri-reference": internet.is_uri_reference,
    "iri": internet.is_iri,
    "iri-reference": internet.is_iri_reference,
    "uri-template": internet.is_uri_template,
    "uuid": _is_uuid,
    "json-pointer": _is_json_pointer,
    "relative-json-pointer": _is_relative_json_pointer,
}
GRAMMARS: Mapping[str, Callable[[str], bool]] = {"calc/1": is_expression, "calc-equation/1": is_equation}
