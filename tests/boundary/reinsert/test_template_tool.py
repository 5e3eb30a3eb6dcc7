"""The program in the worker, called here without one: its bounds and what it forbids."""

from __future__ import annotations

import json
from typing import Any

import pytest

from checkrail.boundary.reinsert.template_tool import MOST_CHARACTERS, render_twice
from checkrail.boundary.tools.failure import ToolFailure
from checkrail.boundary.tools.registration import register


def render(template: str, **context: Any) -> str:
    known = {"now": "2026-11-30", **context}
    result = render_twice(template, json.dumps(known), json.dumps({**known, "second": True}))
    return str(result["first"])


def test_both_contexts_are_rendered_apart() -> None:
    result = render_twice("{{ x }}", '{"now":"2026-11-30","x":1}', '{"now":"2026-11-30","x":2}')
    assert result == {"first": "1", "second": "2"}


def test_blocks_leave_no_lines() -> None:
    assert render("  {% if true %}\na\n  {% endif %}\nb") == "a\nb"


FORBIDDEN = [
    "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "{{ namespace.__init__.__globals__ }}",
    "{{ messages.append(1) }}",
    "{{ self.__init__.__globals__ }}",
    "{{ '{0.__class__.__mro__}'.format(1) }}",
    "{% for i in range(10 ** 9) %}{% endfor %}",
]


@pytest.mark.parametrize("template", FORBIDDEN)
def test_what_the_sandbox_forbids(template: str) -> None:
    with pytest.raises(ToolFailure, match=r"TEMPLATE_(FORBIDDEN|BROKEN)"):
        render(template, messages=[])


@pytest.mark.parametrize("place", ["messages.__class__", "raise_exception.__globals__", "strftime_now.__self__"])
def test_what_is_private_is_not_there(place: str) -> None:
    assert render(f"{{{{ {place} }}}}", messages=[]) == ""
    with pytest.raises(ToolFailure, match="TEMPLATE_FORBIDDEN"):
        render(f"{{{{ {place}.x }}}}", messages=[])


@pytest.mark.parametrize(
    "name", ["attr", "center", "format", "groupby", "pprint", "random", "urlize", "wordwrap", "xmlattr"]
)
def test_filters_that_no_template_needs_are_not_there(name: str) -> None:
    with pytest.raises(ToolFailure, match="TEMPLATE_BROKEN"):
        render(f"{{{{ 'a' | {name} }}}}")


@pytest.mark.parametrize("name", ["lipsum", "cycler", "joiner", "open", "__import__"])
def test_globals_that_no_template_needs_are_not_there(name: str) -> None:
    assert render(f"{{{{ {name} is defined }}}}") == "False"


def test_the_longest_text() -> None:
    assert len(render("{{ 'x' * n }}", n=MOST_CHARACTERS)) == MOST_CHARACTERS
    with pytest.raises(ToolFailure, match="TEMPLATE_TOO_LONG"):
        render("{{ 'x' * n }}", n=MOST_CHARACTERS + 1)
    with pytest.raises(ToolFailure, match="TEMPLATE_TOO_LONG"):
        render("{% for i in range(9999) %}{{ 'x' * 99 }}{% endfor %}")


def test_failures_have_their_codes() -> None:
    for template, code in (("{% if", "BROKEN"), ("{{ 1 // 0 }}", "BROKEN"), ("{{ raise_exception('x') }}", "REFUSES")):
        with pytest.raises(ToolFailure, match=f"TEMPLATE_{code}"):
            render(template)


def test_it_is_a_registered_pure_tool_with_bounds() -> None:
    registered = register(render_twice, {})
    assert (registered.capability, registered.isolation) == ("pure", "process")
    assert (registered.limits.cpu_ms, registered.limits.wall_ms) == (2_000, 10_000)
    assert registered.limits.file_bytes == 0


def test_json_as_transformers_writes_it() -> None:
    value = {"b": "é<", "a": [1, None]}
    assert render("{{ v | tojson }}", v=value) == '{"b": "é<", "a": [1, null]}'
    assert render("{{ v | tojson(sort_keys=true, ensure_ascii=true) }}", v=value) == '{"a": [1, null], "b": "\\u00e9<"}'
    assert render("{{ v | tojson(indent=1) }}", v={"a": 1}) == '{\n "a": 1\n}'
    assert render("{{ v | tojson(separators=(',', ':')) }}", v=value) == '{"b":"é<","a":[1,null]}'


def test_a_mark_within_quotes_is_marked() -> None:
    mark = "Q" + "0" * 32
    assert render("{{ v | tojson }}", v=[mark + "Q", {"a": mark + "Q"}]) == f'["{mark}J", {{"a": "{mark}J"}}]'
    for other in (f" {mark}Q", f"{mark}Q{mark}Q"):
        with pytest.raises(ToolFailure, match="TEMPLATE_BROKEN"):
            render("{{ v | tojson }}", v=[other])


def test_the_assistants_text_can_be_marked() -> None:
    assert render("a{% generation %}b{{ c }}{% endgeneration %}d", c=1) == "ab1d"
    assert render("{% for i in range(9) %}{% if i == 2 %}{% break %}{% endif %}{{ i }}{% endfor %}") == "01"
