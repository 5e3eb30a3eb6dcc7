"""The tools that `checkrail chat` brings: a calculator, a clock, a folder of notes, and a notebook to write into.

    with Session(model, DESK, roots={"notes": "my-notes", "notebook": "my-notebook"}, examples=EXAMPLES) as session: ...

They are examples of the four kinds: `calculate` computes and cannot hang, so it runs in this process; `clock` reads
something public; `list_notes` and `read_note` read a folder of the user's and cannot write to it; `write_note` changes
something, and so is asked about each time. Copy the file to begin your own.
"""

from __future__ import annotations

import time
from typing import Annotated, Any, TypedDict

from ..boundary.calc.calculator import calc
from ..boundary.tools.failure import ToolFailure
from ..boundary.tools.limits import ToolLimits
from ..boundary.tools.tool import tool
from ..boundary.tools.types import Len, Pattern, object_schema
from ..boundary.worker.root_folder import folder
from .example import Example

__all__ = ["DESK", "EXAMPLES", "calculate", "clock", "list_notes", "read_note", "write_note"]

NOTEBOOK = "notebook.txt"
_MOST_NOTES, _MOST_BYTES, _MOST_LINES = 100, 64 * 1024, 500

_TEXT: dict[str, Any] = {"type": "string"}
_COUNT: dict[str, Any] = {"type": "integer", "minimum": 0, "maximum": 2**31}


def _closed(**properties: dict[str, Any]) -> dict[str, Any]:
    return object_schema(properties, properties)


@tool(
    name="calculate",
    version="1.0.0",
    capability="pure",
    title="Calculator",
    effect="Computes an arithmetic expression.",
    deterministic=True,
    idempotent=True,
    isolation="none",
    input_schema=_closed(expression={"type": "string", "x-grammar": "calc/1"}),
    output_schema={
        "anyOf": [
            _closed(expression=_TEXT, ok={"const": True}, value={"type": "number"}),
            _closed(
                expression=_TEXT,
                ok={"const": False},
                error=_closed(code=_TEXT, message=_TEXT, start=_COUNT, end=_COUNT),
            ),
        ]
    },
)
def calculate(arguments: dict[str, Any]) -> dict[str, Any]:
    """Compute with + - * / ^, parentheses, abs, ceil, floor, round and sqrt."""
    return calc(arguments["expression"]).to_json()


class Moment(TypedDict):
    """A day and a time of day."""

    date: str
    time: str
    zone: str


@tool(
    name="clock",
    version="1.0.0",
    capability="read",
    sensitivity="public",
    title="Clock",
    effect="Reads the clock.",
)
def clock() -> Moment:
    """Tell the date and the time, in UTC."""
    now = time.gmtime()
    return {"date": time.strftime("%Y-%m-%d", now), "time": time.strftime("%H:%M", now), "zone": "UTC"}


class Names(TypedDict):
    """Names of notes; `more` are not listed."""

    names: list[str]
    more: int


@tool(
    name="list_notes",
    version="1.0.0",
    capability="read",
    title="List of notes",
    effect="Lists the names of your notes.",
    reads=["notes"],
)
def list_notes() -> Names:
    """List the notes."""
    names = [name for name in folder("notes").names() if not name.endswith("/")]
    return {"names": names[:_MOST_NOTES], "more": len(names[_MOST_NOTES:])}


class Note(TypedDict):
    """What a note says."""

    text: str


@tool(
    name="read_note",
    version="1.0.0",
    capability="read",
    title="Read a note",
    effect="Reads one of your notes.",
    reads=["notes"],
    errors={
        "NOTE_MISSING": "There is no note of that name.",
        "NOTE_NOT_TEXT": "The note is no text in UTF-8.",
        "NOTE_TOO_LONG": "The note is longer than {limit} bytes.",
    },
)
def read_note(name: Annotated[str, Len(1, 80)]) -> Note:
    """Read the note of a name."""
    try:
        with folder("notes").open(name) as file:
            data = file.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        raise ToolFailure("NOTE_MISSING") from None
    if len(data) > _MOST_BYTES:
        raise ToolFailure("NOTE_TOO_LONG", limit=_MOST_BYTES)
    try:
        return {"text": data.decode("utf-8")}
    except UnicodeDecodeError:
        raise ToolFailure("NOTE_NOT_TEXT") from None


class Written(TypedDict):
    """How many lines the notebook has now."""

    lines: int


@tool(
    name="write_note",
    version="1.0.0",
    capability="write",
    title="Notebook",
    effect="Adds one line to your notebook.",
    writes=["notebook"],
    errors={"NOTEBOOK_FULL": "The notebook already has {limit} lines."},
    limits=ToolLimits(wall_ms=2_000),
)
def write_note(line: Annotated[str, Len(1, 200), Pattern(r"^[^\n\r]*$")]) -> Written:
    """Write down a line."""
    book = folder("notebook")
    lines = 0
    if NOTEBOOK in book.names():
        with book.open(NOTEBOOK) as file:
            lines = sum(1 for _ in file)
    if lines >= _MOST_LINES:
        raise ToolFailure("NOTEBOOK_FULL", limit=_MOST_LINES)
    with book.open(NOTEBOOK, "ab") as file:
        file.write(line.encode("utf-8") + b"\n")
    return {"lines": lines + 1}


DESK = (calculate, clock, list_notes, read_note, write_note)


def _sum(prompt: str, expression: str, value: float) -> Example:
    result = {"expression": expression, "ok": True, "value": value}
    return Example(prompt, f"{expression} = {value}", "calculate", {"expression": expression}, result)


def _note(prompt: str, name: str, text: str) -> Example:
    return Example(prompt, f"It says: {text}", "read_note", {"name": name}, {"text": text})


def _line(prompt: str, line: str) -> Example:
    return Example(prompt, "I have written it down.", "write_note", {"line": line}, {"lines": 3})


def _time(prompt: str, date: str, clock: str) -> Example:
    return Example(prompt, f"It is {clock} UTC on {date}.", "clock", {}, {"date": date, "time": clock, "zone": "UTC"})


def _names(prompt: str, *names: str) -> Example:
    return Example(prompt, f"There are: {', '.join(names)}", "list_notes", {}, {"names": list(names), "more": 0})


EXAMPLES = (
    Example("Hello!", "Hello! What can I do for you?"),
    Example("Hi!", "Hi! What can I do for you?"),
    Example("Good evening", "Good evening! What can I do for you?"),
    Example("Thank you!", "You are welcome."),
    Example("Thanks", "You are welcome."),
    _sum("What is 17 * 23?", "17 * 23", 391),
    _sum("How much is 80 / 5?", "80 / 5", 16),
    _sum("Compute (3 + 4) * 6", "(3 + 4) * 6", 42),
    _sum("What is 12.5 + 99?", "12.5 + 99", 111.5),
    _sum("What is 9 - 4 * 2?", "9 - 4 * 2", 1),
    _time("What time is it?", "2026-03-02", "09:41"),
    _time("How late is it now?", "2025-10-30", "17:05"),
    _time("What day is it today?", "2026-01-19", "12:30"),
    _time("What is the date?", "2025-07-08", "23:16"),
    _names("Which notes are there?", "garden.txt", "house.txt"),
    _names("List the notes", "recipes.txt", "pets.txt", "work.txt"),
    _names("Show me my notes", "ideas.txt"),
    _note("Read the note garden.txt", "garden.txt", "water the roses"),
    _note("What does house.txt say?", "house.txt", "the key is under the mat"),
    _note("What is in books.txt?", "books.txt", "return two to the library"),
    _line("Write down: call the plumber", "call the plumber"),
    _line("Please write down: eggs and flour", "eggs and flour"),
    _line("Note that the key is with Anna", "the key is with Anna"),
    _line("Write down that the train leaves at 7", "the train leaves at 7"),
)
