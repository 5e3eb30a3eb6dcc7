"""`checkrail calc`: the calculator that a model's expressions are computed with."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from ..boundary.number_text import number_text
from .exit_status import ExitStatus
from .talk import Talk, talking
from .target import read_text

if TYPE_CHECKING:
    from ..boundary.calc.calculator import CalcResult

__all__ = ["command"]


class _ExpressionCommand(click.Command):
    """A command whose argument may begin with a minus sign: what is not one of its options is the argument."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the options first and the rest behind `--`."""
        takes_value = {
            name: not (option.is_flag or option.count)
            for option in self.get_params(ctx)
            if isinstance(option, click.Option)
            for name in option.opts
        }
        options: list[str] = []
        rest: list[str] = []
        waiting = iter(args)
        for arg in waiting:
            name, equals, _ = arg.partition("=")
            if arg == "--":
                rest += waiting
            elif name not in takes_value:
                rest.append(arg)
            else:
                options += [arg, *([] if equals or not takes_value[name] else [next(waiting, "")])]
        return super().parse_args(ctx, [*options, "--", *rest])


@click.command("calc", cls=_ExpressionCommand)
@click.argument("expression")
@click.option("--steps", is_flag=True, help="Show each operation in the order in which it is carried out.")
@click.option("--digits", is_flag=True, help="Write out every decimal digit of the double that is the result.")
@click.option("--fraction", is_flag=True, help="Write that double as a fraction of two integers.")
@talking
def command(talk: Talk, expression: str, steps: bool, digits: bool, fraction: bool) -> int:
    """Compute EXPRESSION with correctly rounded doubles.

    EXPRESSION has numbers, + - * / ^ ( ) and abs, ceil, floor, round, sqrt. For "-", each line of standard input is an
    expression and gets a line, its value or the code of its error. The exit status is 1 if one has no value.
    """
    if digits and fraction:
        raise click.UsageError("Give --digits or --fraction, not both.")
    from ..boundary.calc.calculator import calc

    many = expression == "-"
    write = _digits if digits else _fraction if fraction else number_text
    results = [calc(text) for text in (read_text("-").removesuffix("\n").split("\n") if many else [expression])]
    for result in results:
        if talk.as_json:
            talk.json(_data(result, steps=steps, exact=write if digits or fraction else None))
            continue
        for step in result.steps if steps else ():
            talk.data(f"{result.expression[step.start : step.end]} = {write(step.value)}")
        if result.value is not None:
            talk.data(write(result.value))
        elif result.error is not None:
            talk.error(result.error)
            if many:
                talk.data(result.error.code)
    return ExitStatus.DONE if all(result.ok for result in results) else ExitStatus.NEGATIVE


def _data(result: CalcResult, *, steps: bool, exact: Callable[[float], str] | None) -> dict[str, Any]:
    data = result.to_json()
    if steps:
        data["steps"] = [step._asdict() for step in result.steps]
    if exact is not None and result.value is not None:
        data["exact"] = exact(result.value)
    return data


def _digits(value: float) -> str:
    return f"{Decimal.from_float(value + 0.0):f}"  # -0 + 0 is 0


def _fraction(value: float) -> str:
    return str(Fraction(value))
