"""`Calc` and `CalcEquation`: fields whose number is computed from the expression that the model writes.

    class Order(BaseModel):
        total: Calc            # the model writes "3 * 41.50", and total.value is 124.5
        total: CalcEquation    # the text is "3 * 41.50 = 124.5"; the digits behind the sign are forced

The text of a `Calc` holds the expression and nothing else, so the model has no digits to get wrong: the mask holds it
to the grammar of the calculator (`x-grammar`), and the host computes. Behind a `CalcEquation` the host writes the
value: the mask leaves one byte after the other, and what the model writes later has the right number before it. An
expression without a value, as 1/0, is a fault of the report. You need them in types; in a schema write
`"x-grammar": "calc/1"` or `"calc-equation/1"`, and `x-derived` with the parser `calc` or `calc-equation` where the
number is a property of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ..boundary.calc.calculator import calc
from ..boundary.calc.equation import equation, is_equation

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic_core import CoreSchema

__all__ = ["Calc", "CalcEquation"]


@dataclass(frozen=True, slots=True)
class Calc:
    """An expression and its value. Raises CalcError where it has none.

    >>> Calc("3 * 41.50").value
    124.5
    """

    expression: str
    value: float = field(init=False)
    _grammar: ClassVar[str] = "calc/1"

    def __post_init__(self) -> None:
        result = calc(self.expression)
        if result.error is not None:
            raise result.error
        object.__setattr__(self, "value", result.value)

    @property
    def text(self) -> str:
        """What stands in JSON."""
        return self.expression

    @classmethod
    def read(cls, text: str) -> Self:
        """The field of a text, as Pydantic reads it. Raises PydanticCustomError."""
        from pydantic_core import PydanticCustomError

        result = calc(text)
        if result.error is not None:
            raise PydanticCustomError("calc", "{what}", {"what": result.error.message})
        return cls(text)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core import core_schema

        written = core_schema.no_info_after_validator_function(cls.read, core_schema.str_schema())
        return core_schema.json_or_python_schema(
            json_schema=written,
            python_schema=core_schema.union_schema([core_schema.is_instance_schema(cls), written]),
            serialization=core_schema.plain_serializer_function_ser_schema(_text_of),
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"type": "string", "x-grammar": cls._grammar}


@dataclass(frozen=True, slots=True)
class CalcEquation(Calc):
    """An expression whose value stands behind it in the text. Raises CalcError where it has none.

    >>> CalcEquation("3 * 41.50").text
    '3 * 41.50 = 124.5'
    """

    _grammar: ClassVar[str] = "calc-equation/1"

    @property
    def text(self) -> str:
        """What stands in JSON."""
        return equation(self.expression)

    @classmethod
    def read(cls, text: str) -> Self:
        """The field of a text, as Pydantic reads it. Raises PydanticCustomError."""
        from pydantic_core import PydanticCustomError

        if not is_equation(text):
            raise PydanticCustomError("calc", "{what}", {"what": "It is no expression with its value behind it."})
        return super(CalcEquation, cls).read(text.partition(" = ")[0])


def _text_of(value: Calc) -> str:
    return value.text
