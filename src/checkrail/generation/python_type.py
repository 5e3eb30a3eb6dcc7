"""A Python type as a target of generation: its JSON Schema, and its own judgement of a value.

The only place that imports Pydantic at once, with `type_schema`. `TypeAdapter` takes models, dataclasses, TypedDicts,
`Literal`, unions, containers and annotated types alike. The schema is Pydantic's, narrowed where the type refuses more
(see `type_schema`), and never loosened: where its spelling is outside the profile, the compiler's refusal with its
pointer is the answer.

What Pydantic refuses afterwards becomes faults with the code SEMANTIC_RULE. Their `rule` is Pydantic's name of the
rule, their message may come from the author of the type; neither is a reason to stop, so nothing raises.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic.errors import PydanticUserError
from pydantic_core import SchemaError

from ..boundary.document import Document, Node
from ..boundary.validation.report import Fault, Report
from ..errors import InputError
from .type_schema import TypeSchema

__all__ = ["PythonType"]


class PythonType:
    """A type that Pydantic understands. json_schema: what it accepts, as data."""

    def __init__(self, annotation: Any) -> None:
        try:
            self._adapter: TypeAdapter[Any] = TypeAdapter(annotation)
            self.json_schema: dict[str, Any] = self._adapter.json_schema(schema_generator=TypeSchema)
        except (PydanticUserError, SchemaError, NameError, TypeError) as error:
            # SchemaError: a bound or a pattern that is none. NameError: a name in it is not defined yet.
            what = " ".join(str(error).partition("\n\n")[0].split()).rstrip(".") or type(error).__name__
            raise InputError("INPUT_FORMAT", name="The output type", what=what) from None

    def convert(self, text: str, report: Report) -> tuple[Report, Any]:
        """The value of a text that the schema accepts; or the report with what the type refuses, and None."""
        try:
            return report, self._adapter.validate_json(text)
        except ValidationError as error:
            faults = [_fault(detail["loc"], detail["type"], detail["msg"], report) for detail in error.errors()]
        except Exception as error:  # a validator of the caller's that fails; the text must not be lost with it
            faults = [_fault((), type(error).__name__, "the validator failed", report)]
        order = sorted(faults, key=lambda fault: (fault.output_span or (0, 0), fault.code))
        return replace(report, faults=tuple(order)), None

    def plain(self, value: Any) -> Any:
        """An instance of the type as JSON data, by its aliases."""
        try:
            return self._adapter.dump_python(value, mode="json", by_alias=True, warnings="error")
        except ValueError as error:
            what = str(error).partition("\n")[0]
            raise InputError("INPUT_FORMAT", name="The example", what=f"not of the output type ({what})") from None


def _fault(location: Sequence[int | str], rule: str, message: str, report: Report) -> Fault:
    node = _node(location, report.document)
    params = {"rule": rule, "what": message.rstrip(".")}
    if node is None:
        return Fault("SEMANTIC_RULE", "", params=params)
    return Fault("SEMANTIC_RULE", node.pointer, params=params, output_span=node.span)


def _node(location: Sequence[int | str], document: Document | None) -> Node | None:
    """The value that a location of Pydantic's means: it also names branches of unions, which are no values."""
    if document is None:
        return None
    node = document.root
    for step in location:
        node = next((child for child in node.children() if child.key == step), node)
    return node
