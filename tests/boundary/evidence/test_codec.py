"""Records hold what their annotations allow, and annotations allow no text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from checkrail.boundary.evidence import record as evidence
from checkrail.boundary.evidence import types as evidence_types
from checkrail.boundary.evidence.codec import MOST_MEMBERS, from_plain, to_plain
from checkrail.boundary.evidence.types import LARGEST_COUNT, Code, CodeCount, Digest, Id, Kernel, Record, Version
from checkrail.errors import Error


class Word(Enum):
    """A list of words that is not the library's."""

    SECRET = "secret"


class Sub(str):
    """A text in disguise."""


@dataclass(frozen=True, slots=True)
class Sample(Record):
    count: int
    flag: bool
    kernel: Kernel
    code: Code
    id: Id | None
    digest: Digest
    version: Version
    codes: tuple[CodeCount, ...]


ID, DIGEST = Id("rn_" + "0" * 26), Digest("a" * 64)
GOOD: dict[str, Any] = {
    "count": 3,
    "flag": True,
    "kernel": Kernel.COMPILED,
    "code": Code("INTERNAL"),
    "id": ID,
    "digest": DIGEST,
    "version": Version(1, 2, 3),
    "codes": (CodeCount(Code("INTERNAL"), 2),),
}
PLAIN: dict[str, Any] = {
    "count": 3,
    "flag": True,
    "kernel": "compiled",
    "code": "INTERNAL",
    "id": str(ID),
    "digest": str(DIGEST),
    "version": {"major": 1, "minor": 2, "patch": 3},
    "codes": [{"code": "INTERNAL", "count": 2}],
}


def test_a_record_and_its_data() -> None:
    assert to_plain(Sample(**GOOD)) == PLAIN
    assert from_plain(Sample, PLAIN) == Sample(**GOOD)
    assert from_plain(Sample, {**PLAIN, "id": None}) == Sample(**{**GOOD, "id": None})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("count", "my PIN"),
        ("count", True),
        ("count", 1.0),
        ("count", -1),
        ("count", LARGEST_COUNT + 1),
        ("count", None),
        ("flag", 1),
        ("flag", "yes"),
        ("kernel", "compiled"),
        ("kernel", Word.SECRET),
        ("code", "INTERNAL"),
        ("code", None),
        ("id", "rn_" + "0" * 26),
        ("id", DIGEST),
        ("digest", b"a" * 32),
        ("digest", ID),
        ("version", (1, 2, 3)),
        ("version", CodeCount(Code("INTERNAL"), 1)),
        ("version", Version("1", 2, 3)),  # type: ignore[arg-type]
        ("codes", [CodeCount(Code("INTERNAL"), 1)]),
        ("codes", ("INTERNAL",)),
        ("codes", (CodeCount(Sub("INTERNAL"), 1),)),  # type: ignore[arg-type]
        ("codes", (CodeCount(Code("INTERNAL"), 1),) * (MOST_MEMBERS + 1)),
    ],
)
def test_a_value_of_another_type_is_refused_and_not_told(name: str, value: object) -> None:
    with pytest.raises(Error) as caught:
        to_plain(Sample(**{**GOOD, name: value}))
    assert caught.value.code == "EVIDENCE_TYPE"
    assert caught.value.params["field"] in (name, "major", "code")
    assert "PIN" not in str(caught.value)


@pytest.mark.parametrize(
    "hint",
    [str, bytes, float, object, Any, Word, Sub, "str | None", list[int], dict[str, int], tuple[int, ...], tuple[int],
     Literal["a"], int | bool, int | str, type, Error],
)  # fmt: skip
def test_a_field_of_another_type_makes_no_record(hint: Any) -> None:
    kind = dataclass(frozen=True)(
        type("Leaky", (Record,), {"__annotations__": {"fine": int, "leak": hint}, "leak": None, "fine": 1})
    )
    with pytest.raises(Error, match="field leak was refused"):
        to_plain(kind())
    with pytest.raises(Error, match="field leak was refused"):
        from_plain(kind, {"fine": 1, "leak": "x"})


@pytest.mark.parametrize("record", [object(), {"count": 3}, "text", Record(), Code("INTERNAL")])
def test_only_records_are_written(record: Any) -> None:
    with pytest.raises(Error, match="EVIDENCE_TYPE"):
        to_plain(record)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"count": "3"}, "count: not a count"),
        ({"count": 3.0}, "count: not a count"),
        ({"count": -1}, "count: not a count"),
        ({"count": True}, "count: not a count"),
        ({"flag": 1}, "flag: not true or false"),
        ({"kernel": "fast"}, "kernel: not a word that may stand there"),
        ({"kernel": ["compiled"]}, "kernel: not a string|kernel: not a word"),
        ({"code": "NO_SUCH_CODE"}, "code: not a word that may stand there"),
        ({"id": 3}, "id: not a"),
        ({"digest": None}, "digest: not a"),
        ({"version": {"major": 1, "minor": 2}}, "version: patch is missing"),
        ({"version": [1, 2, 3]}, "version: not an object"),
        ({"codes": {}}, "codes: not an array"),
        ({"codes": [{"code": "INTERNAL", "count": 1}] * 33}, "codes: not an array of at most 32"),
        ({"codes": [{"code": "INTERNAL", "count": 1, "text": "x"}]}, "codes: a field is not known"),
        ({"prompt": "x"}, "a field is not known"),
    ],
)
def test_other_data_is_refused(change: dict[str, Any], what: str) -> None:
    with pytest.raises(ValueError, match=what):
        from_plain(Sample, {**PLAIN, **change})


@pytest.mark.parametrize("name", PLAIN)
def test_every_field_must_be_there(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} is missing"):
        from_plain(Sample, {key: value for key, value in PLAIN.items() if key != name})


def test_no_record_of_the_library_can_hold_text() -> None:
    """The same rule as the codec's, said again here and in another way: down to the leaves there is no `str`."""
    leaves: set[Any] = set()

    def walk(hint: Any) -> None:
        if get_origin(hint) in (tuple, UnionType):
            for part in get_args(hint):
                walk(part)
        elif isinstance(hint, type) and issubclass(hint, Record):
            for part in get_type_hints(hint).values():
                walk(part)
        elif hint is not ...:
            leaves.add(hint)

    walk(evidence.RunRecord)
    words = {leaf for leaf in leaves if isinstance(leaf, type) and issubclass(leaf, Enum)}
    assert all(vars(evidence_types)[word.__name__] is word for word in words)
    assert leaves - words == {int, bool, NoneType, Code, Id, Digest}
