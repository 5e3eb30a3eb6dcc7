"""The checks of `make test` as sessions in environments of their own, for several Pythons.

Needs nox, which the development environment does not bring: `pip install nox`.

nox -s tests-3.13        the tests, with the compiled kernel
nox -s pure              the tests against a pure wheel
nox -s checked           the tests of the mask, with a kernel that checks bounds and overflow
nox -s lint types docs
"""

from __future__ import annotations

import nox

nox.options.sessions = ["lint", "types", "docs", "tests-3.11", "pure", "checked"]
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
CONSTRAINTS = ("-c", "constraints.txt")


def install(session: nox.Session, group: str, kernel: str, **environment: str) -> None:
    """The package as a wheel built with `kernel`, and the dependency group `group`."""
    session.install(*CONSTRAINTS, ".[local]", env={"CHECKRAIL_KERNEL": kernel, **environment})
    session.install(*CONSTRAINTS, *nox.project.dependency_groups(nox.project.load_toml(), group))


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """All tests, in both kernel modes."""
    install(session, "test", "compiled")
    session.run("pytest", *session.posargs, env={"CHECKRAIL_REQUIRE_COMPILED": "1"})


@nox.session(python="3.11")
def pure(session: nox.Session) -> None:
    """All tests against a wheel without a compiled kernel."""
    install(session, "test", "python")
    session.run("pytest", *session.posargs)


@nox.session(python="3.11")
def checked(session: nox.Session) -> None:
    """The tests of what is compiled, with a kernel that raises where an index or an integer leaves its range."""
    install(session, "test", "compiled", CHECKRAIL_KERNEL_CHECKS="1")
    tests = ("tests/mask", "tests/ondemand", "tests/decoding", "tests/regular")
    session.run("pytest", *tests, *session.posargs, env={"CHECKRAIL_REQUIRE_COMPILED": "1"})


@nox.session(python="3.11")
def lint(session: nox.Session) -> None:
    """Style, import layers, and the hot loop."""
    install(session, "dev", "python")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("lint-imports")
    session.run("python", "tools/check_hot_loop.py")


@nox.session(python="3.11")
def types(session: nox.Session) -> None:
    """Types of the package, of the tools, and of what users write."""
    install(session, "dev", "python")
    session.run("mypy")


@nox.session(python="3.11")
def docs(session: nox.Session) -> None:
    """The generated pages are current."""
    install(session, "test", "python")
    session.run("python", "tools/generate_docs.py", "--check")


@nox.session(python="3.11")
def wheel(session: nox.Session) -> None:
    """A wheel to publish: one library for Python 3.11 and later."""
    session.install("build")
    environment = {"CHECKRAIL_KERNEL": "compiled", "CHECKRAIL_KERNEL_ABI3": "1"}
    session.run("python", "-m", "build", *session.posargs, env=environment)
