"""The program that renders a chat template; it runs in the worker process of a tool.

A chat template is a program in Jinja that comes with a model file, from whoever made that. It gets no texts, only marks
in their places, no file, no network, a bound on memory and two seconds of processor time. What it answers is a text
with the marks in it, which the host checks. So the worst that a hostile template can do is to be a bad template.

It has what templates in use have: loop controls, `raise_exception`, `strftime_now`, `tojson` as transformers writes it,
and the filters below. Environments are immutable and sandboxed, and each rendering has its own.
"""

from __future__ import annotations

import datetime
import json
import re
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TypedDict

from ..tools.limits import ToolLimits
from ..tools.tool import ToolFailure, tool
from ..tools.types import Len

if TYPE_CHECKING:
    from jinja2.sandbox import ImmutableSandboxedEnvironment

__all__ = ["MOST_CHARACTERS", "Rendered", "render_twice"]

MOST_CHARACTERS = 256 * 1024
"""The longest text that a template may write; it is at most 1 MiB."""

_FILTERS = frozenset(
    [
        *("abs", "batch", "bool", "capitalize", "count", "d", "default", "dictsort", "escape", "first", "float"),
        *("indent", "int", "items", "join", "last", "length", "list", "lower", "map", "max", "min", "reject"),
        *("rejectattr", "replace", "reverse", "round", "safe", "select", "selectattr", "sort", "string", "sum"),
        *("title", "trim", "unique", "upper"),
    ]
)
_GLOBALS = frozenset(["dict", "namespace", "range"])
_WHOLE_MARK = re.compile(r'"(Q[0-9a-f]{32})Q"')
_ANY_MARK = re.compile(r"Q[0-9a-f]{32}Q")


class Rendered(TypedDict):
    """The two texts."""

    first: str
    second: str


@tool(
    name="checkrail.template",
    version="1.0.0",
    capability="pure",
    effect="Renders a chat template.",
    errors={
        "TEMPLATE_BROKEN": "The template is not Jinja, or fails.",
        "TEMPLATE_REFUSES": "The template refuses the turns.",
        "TEMPLATE_FORBIDDEN": "The template tried what the sandbox forbids.",
        "TEMPLATE_TOO_LONG": "The template writes too much.",
    },
    limits=ToolLimits(args_bytes=1024 * 1024, result_bytes=4 * 1024 * 1024, wall_ms=10_000, cpu_ms=2_000),
)
def render_twice(
    template: Annotated[str, Len(0, 1024 * 1024)],
    first: Annotated[str, Len(0, 1024 * 1024)],
    second: Annotated[str, Len(0, 1024 * 1024)],
) -> Rendered:
    """Render a template with two contexts, each a JSON object."""
    return {"first": _render(template, json.loads(first)), "second": _render(template, json.loads(second))}


def _render(template: str, context: dict[str, Any]) -> str:
    from jinja2.exceptions import SecurityError

    now = datetime.datetime.fromisoformat(context.pop("now"))
    try:
        pieces: list[str] = []
        size = 0
        for piece in _environment(now).from_string(template).generate(context):
            pieces.append(piece)
            size += len(piece)
            if size > MOST_CHARACTERS:
                raise ToolFailure("TEMPLATE_TOO_LONG")
        return "".join(pieces)
    except (ToolFailure, MemoryError):
        raise
    except SecurityError:
        raise ToolFailure("TEMPLATE_FORBIDDEN") from None
    except Exception:  # a template is a program: it can fail in any way
        raise ToolFailure("TEMPLATE_BROKEN") from None


def _environment(now: datetime.datetime) -> ImmutableSandboxedEnvironment:
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols", _generation_block()]
    )
    for table, allowed in ((environment.filters, _FILTERS), (environment.globals, _GLOBALS)):
        for name in set(table) - allowed:
            del table[name]
    environment.filters["tojson"] = _tojson
    environment.globals["raise_exception"] = _refuse
    environment.globals["strftime_now"] = now.strftime
    return environment


def _generation_block() -> type[Any]:
    """`{% generation %}`, by which transformers marks the assistant's text: what is in it is rendered."""
    from jinja2.ext import Extension

    class Generation(Extension):
        tags = {"generation"}  # noqa: RUF012 - Jinja's own form

        def parse(self, parser: Any) -> Any:
            next(parser.stream)
            return parser.parse_statements(("name:endgeneration",), drop_needle=True)

    return Generation


def _refuse(message: object = "") -> NoReturn:
    raise ToolFailure("TEMPLATE_REFUSES")


def _tojson(value: Any, ensure_ascii: bool = False, indent: int | None = None, **options: Any) -> str:
    """JSON as transformers writes it. A mark that is a whole string is marked as one within quotes."""
    separators, sort_keys = options.get("separators"), bool(options.get("sort_keys"))
    text = json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)
    text = _WHOLE_MARK.sub(r'"\1J"', text)
    if _ANY_MARK.search(text):
        raise ToolFailure("TEMPLATE_BROKEN")
    return text
