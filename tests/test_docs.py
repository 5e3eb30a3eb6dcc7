"""What the documents show is true: their Python runs, their links lead to files, and docstrings' examples hold."""

from __future__ import annotations

import doctest
import pkgutil
import re
from importlib import import_module
from pathlib import Path

import pytest

import checkrail

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
_BLOCK = re.compile(r"^```python( model)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\((?!https?:|mailto:)([^)#]+)(?:#[^)]*)?\)")


def blocks(page: Path, *, needs_model: bool) -> str:
    """The Python of a page, joined; the blocks marked `python model`, or those that are not."""
    found = _BLOCK.findall(page.read_text("utf-8"))
    return "\n".join(code for marked, code in found if bool(marked) == needs_model)


def modules() -> list[str]:
    """Every module of the package that runs as Python."""
    found = [module.name for module in pkgutil.walk_packages(checkrail.__path__, "checkrail.")]
    return ["checkrail", *(name for name in found if not name.rpartition(".")[2].startswith("__"))]


def page_id(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, needs_model=False)], ids=page_id)
def test_code_of_a_page_runs(page: Path) -> None:
    exec(compile(blocks(page, needs_model=False), page.name, "exec"), {"__name__": "page"})


@pytest.mark.model
@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, needs_model=True)], ids=page_id)
def test_code_of_a_page_runs_with_the_model(page: Path) -> None:
    try:
        checkrail.load_model().close()
    except checkrail.ModelError as error:
        pytest.skip(str(error))
    exec(compile(blocks(page, needs_model=True), page.name, "exec"), {"__name__": "page"})


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_links_lead_to_files(page: Path) -> None:
    dead = [link for link in _LINK.findall(page.read_text("utf-8")) if not (page.parent / link).exists()]
    assert dead == []


@pytest.mark.parametrize("name", modules())
def test_examples_in_docstrings_are_true(name: str) -> None:
    result = doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS)
    assert result.failed == 0
