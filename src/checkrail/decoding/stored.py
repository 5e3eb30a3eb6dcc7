"""A constraint as a file: one line that names the format and the digest, then canonical JSON.

    checkrail-constraint/1 <SHA-256 of the rest, hexadecimal>
    {"automaton": ..., "constraint": ..., "contract": ..., "grammar": ..., "limits": ..., "vocabulary": ...}

Nothing in it is code, and nothing in it is believed: the digest finds accidents, and since anyone can compute a
digest, each part is checked as if it were hostile (see `automaton.stored` and `grammar.stored`). The vocabulary
itself is not stored, only its fingerprint, which must be that of the vocabulary given.

What a hostile file can do is to be a constraint for another language than its name says. Load only what you would
also take a grammar from.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from dataclasses import asdict, dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from ..automaton import stored as stored_automaton
from ..automaton.pushdown import PushdownAutomaton
from ..errors import InputError, VocabularyError
from ..grammar import stored as stored_grammar
from ..grammar.grammar import Contract, Grammar
from ..grammar.stored import item, refuse
from ..limits import Limits
from ..vocabulary.vocabulary import Vocabulary

if TYPE_CHECKING:
    from .constraint import Constraint

__all__ = ["Parts", "decode", "encode", "read", "write"]

FORMAT = "checkrail-constraint/1"
_MAXIMUM_BYTES = 256 * 1024 * 1024
_DIGEST_LENGTH = 64


@dataclass(frozen=True, slots=True)
class Parts:
    """What a constraint is made of, beside the vocabulary. sha256: that of the whole constraint."""

    grammar: Grammar
    automaton: PushdownAutomaton
    contract: Contract
    limits: Limits
    sha256: str


def encode(constraint: Constraint) -> str:
    """The text of a constraint; equal constraints, equal text."""
    data = {
        "automaton": stored_automaton.to_data(constraint.automaton),
        "constraint": constraint.sha256,
        "contract": constraint.report.contract,
        "grammar": stored_grammar.to_data(constraint.grammar),
        "limits": asdict(constraint.limits),
        "vocabulary": constraint.vocabulary.fingerprint,
    }
    body = json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return f"{FORMAT} {hashlib.sha256(body.encode()).hexdigest()}\n{body}"


def decode(text: str, vocabulary: Vocabulary) -> Parts:
    """The parts of a constraint's text. Raises InputError CONSTRAINT_FORMAT, VocabularyError VOCAB_HASH."""
    data = _body(text)
    fingerprint = item(data.get("vocabulary"), str, "the vocabulary")
    if fingerprint != vocabulary.fingerprint:
        raise VocabularyError("VOCAB_HASH", want=fingerprint[:12], have=vocabulary.fingerprint[:12])
    limits = _limits(data.get("limits"))
    contract: Contract = data["contract"] if data.get("contract") in get_args(Contract) else refuse("no such contract")
    return Parts(
        stored_grammar.from_data(data.get("grammar"), limits),
        stored_automaton.from_data(data.get("automaton"), limits),
        contract,
        limits,
        item(data.get("constraint"), str, "the digest"),
    )


def _body(text: str) -> dict[str, Any]:
    head, _, body = text.partition("\n")
    version, _, digest = head.partition(" ")
    if version != FORMAT:
        refuse(f"it does not begin with {FORMAT}")
    if len(digest) != _DIGEST_LENGTH or hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest() != digest:
        refuse("its digest is wrong: it was changed or cut off")
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        refuse("it is not JSON")
    return item(data, dict, "the constraint")


def _limits(data: Any) -> Limits:
    data = item(data, dict, "the limits")
    if set(data) != set(Limits.__dataclass_fields__):
        refuse("its limits are those of another version")
    try:
        return Limits(**data)
    except InputError as error:
        refuse(error.message.rstrip("."))


def write(path: str | PathLike[str], text: str) -> None:
    """Write a file as a whole or not at all: others see the old one until the new one is complete."""
    target = Path(path)
    temporary = ""
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="ascii", newline="\n", dir=target.parent, prefix=f".{target.name}.", delete=False
        ) as stream:
            temporary = stream.name
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, target)
    except OSError as error:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        raise InputError("OUTPUT_WRITE", what=f"{target.name}: {(error.strerror or 'failed').lower()}") from None


def read(path: str | PathLike[str]) -> str:
    """The text of a file. Raises InputError INPUT_MISSING, INPUT_UNREADABLE, CONSTRAINT_FORMAT."""
    target = Path(path)
    try:
        with target.open("rb") as stream:
            data = stream.read(_MAXIMUM_BYTES + 1)
    except FileNotFoundError:
        raise InputError("INPUT_MISSING", name=target.name) from None
    except OSError as error:
        raise InputError("INPUT_UNREADABLE", name=target.name, what=(error.strerror or "failed").lower()) from None
    if len(data) > _MAXIMUM_BYTES:
        refuse(f"it has more than {_MAXIMUM_BYTES} bytes")
    try:
        return data.decode("ascii")
    except UnicodeDecodeError:
        refuse("it is not ASCII text")
