"""Mutation testing: change a module in one small way after the other, and see whether its tests notice.

python tools/mutate.py src/checkrail/boundary/calc*.py --tests tests/boundary/calc/test_calculator.py
python tools/mutate.py src/checkrail/boundary/calc/calculator.py --list        the changes, without a run

A change that no test notices is a mutant that survived: a line that the tests do not hold, or a change that makes no
difference. Each mutant is tested in a child process of its own (so Unix only), one at a time, up to the first test
that fails; a child that takes too long counts as one that was noticed. Put quick tests first. The exit status is 1
below `--goal` percent, and 2 if the tests fail by themselves.

Changed are comparisons, whole and decimal constants, `and` and `or`, arithmetic, conditions, returned values and
statements within functions. Not changed are texts, types, assertions and what stands outside of functions, except for
numbers.
"""

from __future__ import annotations

import ast
import copy
import importlib.machinery
import importlib.util
import os
import resource
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType

import click

PYTEST = ("-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-W", "ignore::pytest.PytestAssertRewriteWarning")
MEMORY = 4 * 2**30  # bytes that one child may take
PATIENCE = 5  # a mutant may take so many times as long as the tests alone, in processor time
IDLE = 20  # and so many times that, waiting included

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
REMOVED = (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Raise, ast.Continue, ast.Break, ast.Delete)
UNTOUCHED = {"annotation", "returns", "decorator_list", "type_params"}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change. before, after: the changed piece of code. source: the whole module with the change in it."""

    line: int
    before: str
    after: str
    source: str

    def __str__(self) -> str:
        return f"{self.line}: {_short(self.before)}  ->  {_short(self.after)}"


def _short(code: str) -> str:
    return " ".join(code.split())[:70]


def mutants(source: str) -> Iterator[Mutant]:
    """All mutants of a module, in the order of its lines as far as the syntax tree has them."""
    tree = ast.parse(source)
    for holder, name, position, node, in_function in list(_places(tree, False)):
        for changed in _changes(node, in_function):
            before = ast.unparse(node)
            _put(holder, name, position, changed)
            yield Mutant(getattr(node, "lineno", 0), before, ast.unparse(changed), ast.unparse(tree))
            _put(holder, name, position, node)


Place = tuple[ast.AST, str, int | None, ast.AST, bool]


def _places(node: ast.AST, in_function: bool) -> Iterator[Place]:
    """Every node below one that may be changed, and where it hangs."""
    in_function = in_function or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
    for name, value in ast.iter_fields(node):
        if name in UNTOUCHED:
            continue
        for position, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(child, ast.AST) and not _is_left_alone(child):
                yield node, name, position, child, in_function
                yield from _places(child, in_function)


def _is_left_alone(node: ast.AST) -> bool:
    """Assertions, docstrings, `__all__` and what only type checkers read."""
    match node:
        case ast.Assert() | ast.Expr(ast.Constant(str())):
            return True
        case ast.If(ast.Name("TYPE_CHECKING")) | ast.Assign([ast.Name("__all__")]):
            return True
    return False


def _put(holder: ast.AST, name: str, position: int | None, node: ast.AST) -> None:
    if position is None:
        setattr(holder, name, node)
    else:
        getattr(holder, name)[position] = node


def _changes(node: ast.AST, in_function: bool) -> Iterator[ast.AST]:
    """What may stand in place of a node."""
    if isinstance(node, ast.Constant):
        yield from _other_constants(node.value)
    if in_function:
        yield from _other_operators(node)
        yield from _other_flow(node)


def _other_constants(value: object) -> Iterator[ast.AST]:
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, (int, float)):
        yield ast.Constant(value + 1)


def _other_operators(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Compare():
            for position, operator in enumerate(node.ops):
                for other in COMPARISONS[type(operator)]:
                    changed = copy.deepcopy(node)
                    changed.ops[position] = other()
                    yield changed
        case ast.BoolOp(ast.And(), values):
            yield ast.BoolOp(ast.Or(), values)
        case ast.BoolOp(ast.Or(), values):
            yield ast.BoolOp(ast.And(), values)
        case ast.BinOp(left, operator, right) if type(operator) in ARITHMETIC:
            yield ast.BinOp(left, ARITHMETIC[type(operator)](), right)
        case ast.AugAssign(target, operator, value) if type(operator) in ARITHMETIC:
            yield ast.AugAssign(target, ARITHMETIC[type(operator)](), value)
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield operand


def _other_flow(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, (ast.If, ast.While, ast.IfExp)):
        turned = copy.copy(node)
        turned.test = ast.UnaryOp(ast.Not(), node.test)
        yield turned
    if isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) != "None":
        yield ast.Return(ast.Constant(None))
    if isinstance(node, REMOVED):
        yield ast.Pass()


# --- running


class _Mutated(importlib.machinery.SourceFileLoader):
    """Loads another source in place of a file's."""

    def __init__(self, name: str, path: str, source: str) -> None:
        super().__init__(name, path)
        self._source = source

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._source, self.path, "exec", dont_inherit=True)


@dataclass(frozen=True, slots=True)
class _Finder:
    """Finds one module, mutated."""

    name: str
    path: str
    source: str

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.name:
            return None
        loader = _Mutated(fullname, self.path, self.source)
        return importlib.util.spec_from_file_location(fullname, self.path, loader=loader)


def passes(finder: _Finder | None, tests: Sequence[str], seconds: int, output: str = os.devnull) -> bool:
    """Whether the tests pass in a child in which `finder` finds a module. output: the file that takes what they say."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = _run_tests(finder, tests, seconds, output)
        finally:
            os._exit(status)
    return os.waitpid(child, 0)[1] == 0


def _run_tests(finder: _Finder | None, tests: Sequence[str], seconds: int, output: str) -> int:
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(IDLE * seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    for stream in (1, 2):
        os.dup2(os.open(output, os.O_WRONLY | os.O_APPEND), stream)
    if finder is not None:
        sys.meta_path.insert(0, finder)
    import pytest

    return int(pytest.main([*PYTEST, *tests]))


@click.command()
@click.argument("modules", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--tests", multiple=True, help="A test file; may be given several times.")
@click.option("--root", default="src", show_default=True, type=click.Path(path_type=Path), help="Where packages begin.")
@click.option("--goal", default=90.0, show_default=True, help="Percent of mutants that must be noticed.")
@click.option(
    "--seconds", type=click.IntRange(min=1), help="Processor time of one mutant; by default by that of the tests."
)
@click.option("--list", "only_list", is_flag=True, help="List the mutants and stop.")
def main(
    modules: tuple[Path, ...], tests: tuple[str, ...], root: Path, goal: float, seconds: int | None, only_list: bool
) -> None:
    """Report which mutants of MODULES survive the tests."""
    if only_list:
        for path in modules:
            for mutant in mutants(path.read_text("utf-8")):
                print(f"{path}:{mutant}")
        return
    sys.path.insert(0, str(root.resolve()))
    import hypothesis  # noqa: F401  # once here, and not in each child
    import pytest  # noqa: F401

    with tempfile.NamedTemporaryFile("r") as output:
        if not passes(None, tests, 600, output.name):
            raise click.UsageError(f"The tests fail without any mutant.\n\n{output.read()}")
    taken = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = seconds or 5 + round(PATIENCE * (taken.ru_utime + taken.ru_stime))
    total = survived = 0
    for path in modules:
        name = ".".join(path.resolve().relative_to(root.resolve()).with_suffix("").parts)
        found = list(mutants(path.read_text("utf-8")))
        alive = [mutant for mutant in found if passes(_Finder(name, str(path), mutant.source), tests, seconds)]
        for mutant in alive:
            print(f"{path}:{mutant}")
        print(f"{path}: {len(found) - len(alive)} of {len(found)} mutants noticed", flush=True)
        total, survived = total + len(found), survived + len(alive)
    share = 100 * (total - survived) / total if total else 100.0
    print(f"{total - survived} of {total} mutants noticed: {share:.1f} %")
    sys.exit(share < goal)


if __name__ == "__main__":
    main()
