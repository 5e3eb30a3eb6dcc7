"""What a person is shown before a call: sections of visible text, made from the manifest and the argument bytes alone.

There is no field here for what a model says about its call, so no model can talk its way through a dialog. Names and
sentences come from the manifest, values from the canonical bytes that will run, folders from the host. Every character
of the arguments is shown: strings as visible text, other values as canonical JSON, and what the model left out as the
default that will be used.

You need it to draw a dialog of your own: `sections` has all there is to say, and `display` is its canonical form, whose
hash is part of what is approved.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..calls.envelopes import ToolRequest
from ..canon import dumps
from ..display.characters import HIDDEN, kind
from ..display.visible_text import Span, visible
from ..provenance import Mark
from ..strictjson import parse
from ..taint import strings
from ..tools.manifest import Manifest

__all__ = ["MOST_DISPLAY_BYTES", "Argument", "ConfirmationView", "Section", "hidden_characters", "view_of"]

_ASKS = {"pure": "asks to compute", "read": "asks to read", "write": "asks to change something"}
_NAMED = 32
MOST_DISPLAY_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument. value: JSON data; is_default: the model left it out, and this will be used."""

    name: str
    value: Any = field(repr=False)
    is_default: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the dialog. heading: the program's words, with names; spans: what it is about."""

    heading: tuple[Span, ...]
    spans: tuple[Span, ...]

    def to_json(self) -> dict[str, Any]:
        """The section as plain data, for a page that sets it with `textContent`."""
        return {
            "heading": [span.to_json() for span in self.heading],
            "spans": [span.to_json() for span in self.spans],
        }


@dataclass(frozen=True, slots=True, repr=False)
class ConfirmationView:
    """All that a dialog has. folders: paths by id. sources: of text from others that the model has read."""

    tool: str
    version: str
    title: str
    effect: str
    capability: str
    folders: Mapping[str, str]
    arguments: tuple[Argument, ...]
    marks: tuple[Mark, ...]
    sources: tuple[str, ...]
    warnings: tuple[str, ...]

    def sections(self) -> tuple[Section, ...]:
        """The dialog from top to bottom."""
        found = [_section(f"{self.tool} {self.version} {_ASKS[self.capability]}", f"{self.title}: {self.effect}")]
        found += [_section(f"in the folder {root}", path) for root, path in self.folders.items()]
        found += [_argument(argument) for argument in self.arguments] or [_section("without arguments", "")]
        found += [_section(f"copied from {mark.source} into {mark.pointer}", mark.text) for mark in self.marks]
        if self.sources:
            named = ", ".join(self.sources[:_NAMED])
            more = len(self.sources) - _NAMED
            found.append(
                _section("the model has read text from others", named + (f", {more} more" if more > 0 else ""))
            )
        found += [_section("warning", warning) for warning in self.warnings]
        return tuple(found)

    def display(self) -> bytes:
        """The canonical JSON of the sections: what the person approves is bound to its hash.

        Raises `DocumentError` CANON_TOO_LARGE beyond 64 MiB, which long arguments that many sources have can come to.
        """
        return dumps([section.to_json() for section in self.sections()], max_bytes=MOST_DISPLAY_BYTES)

    def __repr__(self) -> str:
        return f"<ConfirmationView {self.tool} {self.version}, {len(self.arguments)} arguments>"


def view_of(
    request: ToolRequest,
    manifest: Manifest,
    arguments: bytes,
    *,
    folders: Mapping[str, str],
    marks: Iterable[Mark] = (),
    sources: Iterable[str] = (),
    complete: bool = True,
) -> ConfirmationView:
    """The view of one call. arguments: the bytes that will run. complete: whether all text from others was compared."""
    values: Any = parse(arguments, max_bytes=len(arguments)).value
    properties = manifest.input_schema["properties"]
    defaults = {name: s["default"] for name, s in properties.items() if "default" in s and name not in values}
    shown = [Argument(name, value) for name, value in values.items()]
    shown += [Argument(name, value, is_default=True) for name, value in defaults.items()]
    warnings = []
    count = sum(len(places) for _, places in hidden_characters(values))
    if count:
        warnings.append(f"The arguments have {count} characters that cannot be seen; they are written as escapes.")
    if not complete:
        warnings.append("Not all text that the model has read was kept, so copies of it may be without a mark.")
    if request.composition.model_sha256 is None:
        warnings.append("The identity of the model file was not verified.")
    return ConfirmationView(
        tool=manifest.name,
        version=manifest.version,
        title=manifest.title,
        effect=manifest.effect,
        capability=manifest.capability,
        folders=dict(folders),
        arguments=tuple(shown),
        marks=tuple(marks),
        sources=tuple(sources),
        warnings=tuple(warnings),
    )


def hidden_characters(value: Any) -> list[tuple[str, list[int]]]:
    """Where the texts of a value have characters that cannot be seen: pointers with offsets.

    Line feeds and tabs are not among them.
    """
    places = []
    for pointer, text in strings(value):
        found = [at for at, character in enumerate(text) if kind(character) == HIDDEN and character not in "\n\t"]
        if found:
            places.append((pointer, found))
    return places


def _argument(argument: Argument) -> Section:
    ending = " (default)" if argument.is_default else ""
    if isinstance(argument.value, str):
        return _section(f"{argument.name}, a text of {len(argument.value)} characters{ending}", argument.value)
    return _section(f"{argument.name}{ending}", dumps(argument.value).decode())


def _section(heading: str, text: str) -> Section:
    return Section(tuple(visible(heading)), tuple(visible(text)))
