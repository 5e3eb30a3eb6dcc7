"""The README promises what docs/claims.toml says, in its words, and every promise stands on tests that exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import claims

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")
CLAIMS = {claim.id: claim for claim in claims.read_claims()}
PROMISES = "What it promises, and what not"

_MARK = re.compile(r"<!-- claim:([a-z-]+) -->")
_CODE = re.compile(r"^```.*?^```$|^ {4}[^\n]*$", re.MULTILINE | re.DOTALL)
# Words that say there are no exceptions. A sentence that has one promises something.
_WITHOUT_EXCEPTION = re.compile(
    r"\b(always|cannot|exact|exactly|every|everything|guarantees?|impossible|never|no|none|nothing|only|strictly|whole)\b",
    re.IGNORECASE,
)


def blocks(text: str) -> list[str]:
    """Paragraphs and list items without their code, links as their words, emphasis as plain words."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", _CODE.sub("", text)).replace("**", "").replace("`", "")
    lines = re.sub(r"^#.*$", "\n", plain, flags=re.MULTILINE)
    parts = re.split(r"\n\s*\n|\n(?=- )", lines)
    return [claims.one_line(part.removeprefix("- ")) for part in (part.strip() for part in parts) if part]


def passages(text: str) -> list[tuple[str, str]]:
    """(words, claim) of the README: what stands before each mark, and after the last one with no claim."""
    found = []
    for block in blocks(text):
        *marked, rest = _MARK.split(block)
        found += [(words.strip(), name) for words, name in zip(marked[::2], marked[1::2], strict=True)]
        found += [(rest.strip(), "")] if rest.strip() else []
    return found


def unmarked_promises(text: str) -> list[str]:
    """Sentences that promise something and carry no mark."""
    sentences = [s for words, name in passages(text) if not name for s in re.split(r"(?<=[.:;!?]) ", words)]
    return [sentence for sentence in sentences if _WITHOUT_EXCEPTION.search(sentence)]


def section(text: str, title: str) -> str:
    return re.split(r"^## ", text.partition(f"## {title}\n")[2], flags=re.MULTILINE)[0]


def test_every_mark_leads_to_a_claim_in_the_same_words() -> None:
    marked = [(words, name) for words, name in passages(README) if name]
    assert len(marked) >= 8
    assert marked == [(CLAIMS[name].text, name) for _, name in marked if name in CLAIMS]
    assert len({name for _, name in marked}) == len(marked)


def test_no_promise_is_without_a_mark() -> None:
    assert unmarked_promises(README) == []


def test_all_of_the_section_of_promises_is_marked() -> None:
    promises = section(README, PROMISES).partition("\nVersion ")[0]  # what follows is a state, not a promise
    assert len(blocks(promises)) >= 5
    assert [words for words, name in passages(promises) if not name] == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It never fails. It is fast.", ["It never fails."]),
        ("It never fails. <!-- claim:a --> It is fast.", []),
        ("- It never\n  fails\n- It is fast", ["It never fails"]),
        ("# Nothing\n\n```python\nnothing\n```\n\n    nothing\n\nand `nothing`", ["and nothing"]),
        ("**Exact** [masks](page.md).", ["Exact masks."]),
    ],
)
def test_a_promise_without_a_mark_is_seen(text: str, found: list[str]) -> None:
    assert unmarked_promises(text) == found


# --- the table


def functions_of(path: Path) -> set[str]:
    """The test functions of a file."""
    nodes = ast.parse(path.read_text("utf-8")).body
    return {node.name for node in nodes if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


@pytest.mark.parametrize("name", CLAIMS)
def test_each_claim_stands_on_tests_that_exist(name: str) -> None:
    claim = CLAIMS[name]
    assert claim.how in claims.HOW
    assert bool(claim.gates) is (claim.how != "none")
    assert bool(claim.report) is (claim.how == "measured")
    for gate in claim.gates:
        file, _, test = gate.partition("::")
        path = ROOT / file
        files = sorted(path.rglob("test_*.py")) if path.is_dir() else [path]
        assert files
        found = {each for file in files for each in functions_of(file)}
        assert test in found if test else found
    if claim.report:
        assert (ROOT / "docs" / claim.report).is_file()


def test_claims_are_told_apart() -> None:
    assert len(claims.read_claims()) == len(CLAIMS)
    assert len({claim.text for claim in CLAIMS.values()}) == len(CLAIMS)
    assert all(re.fullmatch("[a-z-]+", name) for name in CLAIMS)


def test_the_page_is_of_this_table() -> None:
    """Its numbers are those of the run that wrote it; its words are those of today."""
    page = claims.PAGE.read_text("utf-8")
    shown = dict(re.findall(r"^\| `([a-z-]+)` \| (.*?) \| ", page, re.MULTILINE))
    withheld = set(re.findall(r"^- `([a-z-]+)`: ", page, re.MULTILINE))
    assert shown == {name: CLAIMS[name].text for name in shown}, "run `make claims`"
    assert set(shown) | withheld == set(CLAIMS), "run `make claims`"
    for name in shown:
        for gate in CLAIMS[name].gates:
            assert f"`{gate.removeprefix('tests/')}`: " in page, "run `make claims`"
