"""The vectors of re-insertion, as this library answers them; for `vector_suites.py`."""

from __future__ import annotations

from collections.abc import Iterator

from vector_files import Case, read

__all__ = ["reinsert_cases"]


def reinsert_cases() -> Iterator[Case]:
    """Payloads, header lines, boundaries and signatures."""
    from checkrail.boundary.reinsert.framing import boundary_of
    from checkrail.boundary.reinsert.header import Header
    from checkrail.boundary.reinsert.key import ReinsertKey
    from checkrail.boundary.reinsert.payload import escaped, seen
    from checkrail.vocabulary.control_literals import Literals

    vectors = read("reinsert/vectors.json")
    for number, case in enumerate(vectors["payloads"]):
        what = seen(case["value"], "escape", "doc:x")
        found = escaped(what.canonical, Literals(case["literals"]), case["escape"])
        yield f"payload {number}", (case["hidden"], case["payload"]), (what.hidden, found)
    for number, case in enumerate(vectors["headers"]):
        yield f"header {number}", case["line"], Header(**case["fields"]).line()
    for number, case in enumerate(vectors["boundaries"]):
        key = ReinsertKey(bytes.fromhex(case["key"]))
        yield f"boundary {number}", case["boundary"], boundary_of(key, case["request_id"], case["payload"])
    for number, case in enumerate(vectors["signatures"]):
        key = ReinsertKey(bytes.fromhex(case["key"]))
        yield f"signature {number}", case["mac"], key.sign(case["record"].encode())
