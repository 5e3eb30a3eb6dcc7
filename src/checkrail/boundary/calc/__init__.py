"""The calculator: an expression in, a correctly rounded double or a named error out (`calculator.py` says more)."""

from .calculator import CalcResult, Step, calc, is_expression

__all__ = ["CalcResult", "Step", "calc", "is_expression"]
