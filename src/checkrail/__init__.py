"""Checkrail: a local language model that says only what a grammar allows.

The public names are all here, and each is loaded when it is first used: `import checkrail` itself reads this
file and nothing else. What is not listed in `__all__` may change without notice.

    >>> import checkrail
    >>> grammar = checkrail.Grammar.from_regex("[a-z]+")
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .boundary.calc.calculator import CalcResult, calc
    from .boundary.evidence.file import Evidence, read_evidence
    from .boundary.validate import check_output
    from .boundary.validation.report import Report
    from .boundary.validation.rules import Rule
    from .decoding.batch import fill_next_token_bitmasks
    from .decoding.constraint import Constraint, EngineName, compile
    from .decoding.matcher import Matcher
    from .decoding.sampler import Sampler
    from .decoding.sampling import Sampling
    from .earley.readings import Lexing
    from .errors import (
        BudgetError,
        CalcError,
        DocumentError,
        Error,
        GrammarError,
        InputError,
        MaskError,
        MissingExtra,
        ModelError,
        OutputError,
        SamplingError,
        SchemaError,
        StreamError,
        VocabularyError,
    )
    from .generation.calc_field import Calc, CalcEquation
    from .generation.extract import Row, extract
    from .generation.generate import Result, generate, stream
    from .grammar.grammar import Contract, Grammar
    from .grammar.tool_formats import TOOL_FORMATS, tool_tag
    from .limits import Limits
    from .mask.bitmask import (
        allocate_token_bitmask,
        apply_token_bitmask_inplace,
        bitmask_dtype,
        get_bitmask_shape,
        reset_token_bitmask,
    )
    from .models import load_model
    from .vocabulary.vocabulary import Vocabulary

__all__ = [
    "TOOL_FORMATS",
    "BudgetError",
    "Calc",
    "CalcEquation",
    "CalcError",
    "CalcResult",
    "Constraint",
    "Contract",
    "DocumentError",
    "EngineName",
    "Error",
    "Evidence",
    "Grammar",
    "GrammarError",
    "InputError",
    "Lexing",
    "Limits",
    "MaskError",
    "Matcher",
    "MissingExtra",
    "ModelError",
    "OutputError",
    "Report",
    "Result",
    "Row",
    "Rule",
    "Sampler",
    "Sampling",
    "SamplingError",
    "SchemaError",
    "StreamError",
    "Vocabulary",
    "VocabularyError",
    "allocate_token_bitmask",
    "apply_token_bitmask_inplace",
    "bitmask_dtype",
    "calc",
    "check_output",
    "compile",
    "extract",
    "fill_next_token_bitmasks",
    "generate",
    "get_bitmask_shape",
    "load_model",
    "read_evidence",
    "reset_token_bitmask",
    "stream",
    "tool_tag",
]

__version__ = "0.1.0"

# module -> the public names it holds: what the imports above say to a type checker, said to Python
_HOMES = {
    "boundary.calc.calculator": ("CalcResult", "calc"),
    "boundary.evidence.file": ("Evidence", "read_evidence"),
    "boundary.validation.report": ("Report",),
    "boundary.validation.rules": ("Rule",),
    "boundary.validate": ("check_output",),
    "decoding.batch": ("fill_next_token_bitmasks",),
    "decoding.constraint": ("Constraint", "EngineName", "compile"),
    "decoding.matcher": ("Matcher",),
    "decoding.sampler": ("Sampler",),
    "decoding.sampling": ("Sampling",),
    "earley.readings": ("Lexing",),
    "errors": (
        "BudgetError",
        "CalcError",
        "DocumentError",
        "Error",
        "GrammarError",
        "InputError",
        "MaskError",
        "MissingExtra",
        "ModelError",
        "OutputError",
        "SamplingError",
        "SchemaError",
        "StreamError",
        "VocabularyError",
    ),
    "generation.calc_field": ("Calc", "CalcEquation"),
    "generation.extract": ("Row", "extract"),
    "generation.generate": ("Result", "generate", "stream"),
    "grammar.grammar": ("Contract", "Grammar"),
    "grammar.tool_formats": ("TOOL_FORMATS", "tool_tag"),
    "limits": ("Limits",),
    "mask.bitmask": (
        "allocate_token_bitmask",
        "apply_token_bitmask_inplace",
        "bitmask_dtype",
        "get_bitmask_shape",
        "reset_token_bitmask",
    ),
    "models": ("load_model",),
    "vocabulary.vocabulary": ("Vocabulary",),
}


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            value = getattr(import_module(f"{__name__}.{module}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
