"""Builds the optional compiled kernel; everything else about the package is in pyproject.toml.

The kernel, `_kernel.py` and `_machine.py` in `checkrail/mask` and what else `NAMES` lists, is ordinary Python that
Cython can compile.
`CHECKRAIL_KERNEL` chooses:

    python      do not compile: a pure wheel that runs anywhere
    compiled    compile, and fail if that does not work
    (unset)     try to compile, and go on without if that does not work

`CHECKRAIL_KERNEL_CHECKS=1` compiles with bounds and overflow checks, for a test run and not for use.
`CHECKRAIL_KERNEL_ABI3=1` compiles against the limited C interface of Python 3.11, so that one wheel serves every
later Python too: the form to publish. It costs 0.1 us more per call and buffer, hence not the default.

In the package goes `_compiled.json`, which says from which sources they were built: a library that stays
behind after its source was edited would otherwise win in silence (see `checkrail.mask.kernel.stale`).
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
PACKAGE = "checkrail"
NAMES = ("mask/_kernel", "mask/_machine", "mask/_kinds", "ondemand/_tables", "ondemand/_spelled", "regular/_rests")
SOURCES = (*[f"{name}.py" for name in NAMES], "mask/_pointers.pxd")
STAMP = "_compiled.json"
# Fast and unchecked: every index and product is bounded by limits.py, and the kernel never counts from the end.
DIRECTIVES = {"boundscheck": False, "wraparound": False, "cdivision": True, "initializedcheck": False}
CHECKED = {"boundscheck": True, "overflowcheck": True, "initializedcheck": True}
CHECKS = os.environ.get("CHECKRAIL_KERNEL_CHECKS") == "1"
ABI3 = os.environ.get("CHECKRAIL_KERNEL_ABI3") == "1"


def build_mode() -> str:
    """The value of CHECKRAIL_KERNEL, checked: `python`, `compiled` or `` (try)."""
    mode = os.environ.get("CHECKRAIL_KERNEL", "")
    if mode not in ("", "python", "compiled"):
        raise SystemExit(f"CHECKRAIL_KERNEL is {mode!r}; it must be python, compiled or unset")
    return mode


def extensions(mode: str) -> list[Extension]:
    """The kernel as a list of extensions, one for each source; of none in a pure build."""
    if mode == "python":
        return []
    try:
        return compiled_extensions(optional=mode != "compiled")
    except Exception as error:  # no Cython, or one that refuses the source
        if mode == "compiled":
            raise
        print(f"Building without the compiled kernel: {error}", file=sys.stderr)
        return []


def compiled_extensions(*, optional: bool) -> list[Extension]:
    """The kernel, translated to C. An `optional` one may fail to compile without failing the build."""
    from Cython.Build import cythonize

    kernel = [
        Extension(
            f"{PACKAGE}.{name.replace('/', '.')}",
            [f"src/{PACKAGE}/{name}.py"],
            extra_compile_args=["/O2"] if sys.platform == "win32" else ["-O3", "-g0"],  # -g0: 0.2 MB, not 1.1 MB
            define_macros=[("Py_LIMITED_API", "0x030B0000")] if ABI3 else [],
            py_limited_api=ABI3,
        )
        for name in NAMES
    ]
    directives = DIRECTIVES | (CHECKED if CHECKS else {})
    built: list[Extension] = cythonize(
        kernel, build_dir="build/cython", compiler_directives=directives, quiet=True, force=True
    )
    for extension in built:
        extension.optional = optional  # cythonize() makes new objects and drops it
    return built


class BuildKernel(build_ext):
    """`build_ext` that always builds anew and records, beside the libraries, the sources they came from."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.force = True

    def run(self) -> None:
        folders = [Path(self.build_lib, PACKAGE)]
        if self.inplace:
            folders.append(ROOT / "src" / PACKAGE)
        for folder in folders:  # so that what is there afterwards was built now, also when the build fails
            for path in (*libraries(folder), folder / STAMP):
                path.unlink(missing_ok=True)
        super().run()
        facts = {
            "source_sha256": {source: _digest(ROOT / "src" / PACKAGE / source) for source in SOURCES},
            "checks": CHECKS,
        }
        for folder in folders:
            if libraries(folder):
                (folder / STAMP).write_text(json.dumps(facts) + "\n", encoding="utf-8")


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def libraries(folder: Path) -> list[Path]:
    """The libraries in a package's folder that belong to the kernel."""
    found = [path for name in NAMES for path in folder.glob(f"{name}.*")]
    return [path for path in found if path.suffix in (".so", ".pyd")]


if __name__ == "__main__":
    setup(
        ext_modules=extensions(build_mode()),
        cmdclass={"build_ext": BuildKernel},
        options={"bdist_wheel": {"py_limited_api": "cp311"}} if ABI3 else {},
    )
