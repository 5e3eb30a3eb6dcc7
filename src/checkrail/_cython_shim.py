"""What the kernel needs of the module `cython` when it runs interpreted: names that change nothing.

The compiled modules are written in Cython's pure-Python mode. Compiled, their decorators and C types mean
machine code; interpreted, they must exist and do nothing. Cython's own module could serve, but it is a third-party
package and the trusted base imports none, so these few names stand in for it. Annotations are never evaluated (the
kernel imports `annotations` from `__future__`), hence only what is *called* at run time has to be here.

C integers wrap and Python's do not; that difference no shim can hide. The kernel stays inside 32 bits by the
bounds of `limits.py`, so both give the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any, TypeVar

__all__ = [
    "at",
    "at_bytes",
    "at_const",
    "at_const_words",
    "at_words",
    "boundscheck",
    "cast",
    "ccall",
    "cclass",
    "cdivision",
    "cfunc",
    "clear_words",
    "compiled",
    "copy_words",
    "declare",
    "exceptval",
    "final",
    "initializedcheck",
    "inline",
    "int32_rows",
    "locals",
    "nogil",
    "returns",
    "uint32_row",
    "wraparound",
]

_T = TypeVar("_T")

compiled = False


def _unchanged(target: _T) -> _T:
    return target


def _unchanged_with(*_arguments: object, **_options: object) -> Callable[[_T], _T]:
    return _unchanged


# decorators without arguments
ccall = cclass = cfunc = final = inline = _unchanged
# decorators with arguments
boundscheck = cdivision = exceptval = initializedcheck = locals = returns = wraparound = _unchanged_with


class _NoGil:
    """`with nogil:` and `@nogil`; interpreted code always holds the interpreter's lock."""

    def __call__(self, target: _T) -> _T:
        return target

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None


nogil = _NoGil()


def cast(_type: object, value: _T) -> _T:
    """The value as it is: the kernel casts only to types that hold it."""
    return value


def declare(_type: object = None, value: Any = None, **_options: object) -> Any:
    """The value of a typed variable."""
    return value


def int32_rows(buffer: Any) -> memoryview:
    """What the parameter type `int[:, ::1]` does in the compiled twin: a view of that form, or ValueError."""
    view = memoryview(buffer)
    if view.ndim != 2 or view.format not in ("i", "l") or view.itemsize != 4 or view.readonly or not view.c_contiguous:
        raise ValueError("not rows of 32-bit integers")
    return view


def uint32_row(rows: memoryview, index: int) -> memoryview:
    """Where the compiled twin takes the address of a row: its words, unsigned."""
    width = rows.shape[1] if rows.shape else 0
    return rows.cast("B").cast("I")[index * width : (index + 1) * width]


def _where(numbers: _T) -> _T:
    """What `mask/_pointers.pxd` takes the address of: the numbers themselves, whose bounds are checked."""
    return numbers


at = at_bytes = at_const = at_const_words = at_words = _where


def clear_words(words: Any, count: int) -> None:
    """Make so many words zero."""
    for place in range(count):
        words[place] = 0


def copy_words(words: Any, source: Any, count: int) -> None:
    """Copy so many words."""
    for place in range(count):
        words[place] = source[place]


class _Type:
    """A C type, or with a slice one of its buffers."""

    def __getitem__(self, _dimensions: object) -> _Type:
        return self


# C type names, for calls such as cast(uint, x); what they are does not matter
bint = char = schar = uchar = short = ushort = int_ = uint = long = ulong = longlong = ulonglong = _Type()
Py_ssize_t = size_t = double = p_int = p_uint = p_const_int = p_const_uint = p_const_uchar = _Type()


def __getattr__(name: str) -> object:
    if name == "int":  # a module-level `int` would hide the builtin in this module
        return int_
    raise AttributeError(f"the kernel uses cython.{name}, which {__name__} does not have")
