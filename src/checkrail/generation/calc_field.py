"""`Calc`: a field whose number is computed from the expression that the model writes.

    class Order(BaseModel):
        total: Calc            # the model writes "3 * 41.50", and total.value is 124.5

The text holds the expression and nothing else, so the model has no digits to get wrong: the mask holds it to the
grammar of the calculator (`x-grammar`), and the host computes. An expression without a value, as 1/0, is a fault of
the report. You need it in types; in a schema write `"x-grammar": "calc/1"`, and `x-derived` with the parser `calc`
where the number is a property of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..boundary.calc.calculator import calc

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic_core import CoreSchema

__all__ = ["Calc"]


@dataclass(frozen=True, slots=True)
class Calc:
    """An expression and its value. Raises CalcError where it has none.

    >>> Calc("3 * 41.50").value
    124.5
    """

    expression: str
    value: float = field(init=False)

    def __post_init__(self) -> None:
        result = calc(self.expression)
        if result.error is not None:
            raise result.error
        object.__setattr__(self, "value", result.value)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core import core_schema

        written = core_schema.no_info_after_validator_function(_read, core_schema.str_schema())
        return core_schema.json_or_python_schema(
            json_schema=written,
            python_schema=core_schema.union_schema([core_schema.is_instance_schema(cls), written]),
            serialization=core_schema.plain_serializer_function_ser_schema(_expression),
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"type": "string", "x-grammar": "calc/1"}


def _read(expression: str) -> Calc:
    from pydantic_core import PydanticCustomError

    result = calc(expression)
    if result.error is not None:
        raise PydanticCustomError("calc", "{what}", {"what": result.error.message})
    return Calc(expression)


def _expression(value: Calc) -> str:
    return value.expression
