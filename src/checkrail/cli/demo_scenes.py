"""The sample documents of the demo: three schemas, each with examples and three documents in three languages.

They lie in `checkrail/examples`, one folder for each scene: `schema.json`, `examples.jsonl` and the documents as
`.txt`, so that `checkrail extract` reads them as well.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from ..generation.documents import InputRow

__all__ = ["CONTRAST_PROMPT", "CONTRAST_SCHEMA", "Scene", "contrast_document", "examples_folder", "read_scenes"]

_SCENES = {"invoices": "Invoices", "support": "Support mails", "events": "Event notices"}

# One question, asked twice: first as chat models are usually asked, then with the mask.
CONTRAST_PROMPT = "Give me the seller, the total and the currency of this invoice as JSON.\n\n"
CONTRAST_SCHEMA = {
    "type": "object",
    "properties": {
        "seller": {"type": "string", "minLength": 1, "maxLength": 60},
        "total": {"type": "number"},
        "currency": {"enum": ["EUR", "GBP", "USD"]},
    },
    "required": ["seller", "total", "currency"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Scene:
    """One schema and its documents. examples: pairs of a document and its answer."""

    name: str
    title: str
    schema: dict[str, Any]
    examples: tuple[tuple[str, Any], ...]
    documents: tuple[InputRow, ...]


def examples_folder() -> Path:
    """Where the sample documents lie."""
    return Path(str(files("checkrail"))) / "examples"


def read_scenes() -> list[Scene]:
    """All scenes."""
    return [_read_scene(examples_folder() / name, title) for name, title in _SCENES.items()]


def contrast_document() -> str:
    """The document that is asked about without and with the mask."""
    return _text(examples_folder() / "invoices" / "en-bakery.txt")


def _read_scene(folder: Path, title: str) -> Scene:
    lines = _text(folder / "examples.jsonl").splitlines()
    examples = tuple((record["document"], record["answer"]) for record in map(json.loads, lines))
    documents = tuple(InputRow(f"{folder.name}/{p.stem}", _text(p)) for p in sorted(folder.glob("*.txt")))
    return Scene(folder.name, title, json.loads(_text(folder / "schema.json")), examples, documents)


def _text(path: Path) -> str:
    return path.read_text("utf-8")
