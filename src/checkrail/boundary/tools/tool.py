"""A Python function as a tool: `@tool` reads its signature and writes its manifest.

    @tool(name="notes.append", version="1.0.0", capability="write",
          effect="Adds one line to this program's notebook.",
          errors={"NOTES_FULL": "The notebook already has {limit} lines."}, writes=["notes"])
    def append_note(text: Annotated[str, Len(1, 2000)], pin: bool = False) -> Line: ...

You need it to give a model something to call. The function stays callable as it is. It never gets a session, a model or
a prompt, and what it may raise on purpose is `ToolFailure` with a code of `errors`.

The model's arguments are never changed: what the model left out is filled in by the worker, from the defaults that the
schema declares and the person was shown.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, get_type_hints

from ...errors import ToolError
from .failure import DeclaredError, ToolFailure
from .limits import Capability, EffectiveLimits, ToolLimits
from .manifest import Implementation, Manifest, Sensitivity
from .types import NoSchema, Shape, object_schema, shape_of

__all__ = ["RegisteredTool", "Tool", "ToolFailure", "source_sha256", "tool"]


@dataclass(frozen=True, slots=True)
class RegisteredTool:
    """What the runner is told about a tool: where its function is, what it may do and say.

    module, qualname: the worker imports the module and follows the name to the `Tool` object that `@tool` left there.
    It calls `Tool.invoke(arguments)`, and refuses anything there that is no `Tool`, or one whose `manifest_sha256`
    differs. source_hash: SHA-256 of the bytes of the module's file, in hexadecimal. errors: the declared ones, by their
    codes. isolation: the least that the tool demands. reads, writes: ids of roots, and `roots` their absolute paths.
    limits: of the manifest.
    """

    name: str
    version: str
    module: str
    qualname: str
    source_hash: str
    manifest_sha256: str
    capability: Capability
    isolation: str  # "none", "process", "process+limits", "sandbox"
    limits: EffectiveLimits
    errors: Mapping[str, DeclaredError]
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    roots: Mapping[str, str] | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Tool:
    """A function and its manifest. parameters: None if the function takes the arguments as one dict."""

    manifest: Manifest
    function: Callable[..., Any]
    parameters: Mapping[str, Shape] | None
    result: Shape | None

    @property
    def name(self) -> str:
        """The name in the manifest."""
        return self.manifest.name

    @property
    def manifest_sha256(self) -> str:
        """The hash of the manifest."""
        return self.manifest.sha256

    def invoke(self, arguments: Mapping[str, Any]) -> Any:
        """Call the function with JSON arguments that the input schema accepts; its result as JSON data.

        Fills in the declared defaults. Raises what the function raises. The result is not checked here: who gets it
        over the process boundary checks it.
        """
        complete = {**deepcopy(self.defaults), **arguments}
        if self.parameters is None:
            return self.function(complete)
        value = self.function(**{name: self.parameters[name].decode(item) for name, item in complete.items()})
        return value if self.result is None else self.result.encode(value)

    @property
    def defaults(self) -> dict[str, Any]:
        """What an argument is that the model left out, by name."""
        properties = self.manifest.input_schema["properties"]
        return {name: schema["default"] for name, schema in properties.items() if "default" in schema}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The function itself, unguarded: for the tests of its author."""
        return self.function(*args, **kwargs)

    def __repr__(self) -> str:
        manifest = self.manifest
        return f"<Tool {manifest.name} {manifest.version} {manifest.capability} sha256:{manifest.sha256[:12]}>"


def tool(
    *,
    name: str,
    version: str,
    capability: Capability,
    effect: str,
    title: str | None = None,
    description: str | None = None,
    sensitivity: Sensitivity | None = None,
    deterministic: bool = False,
    idempotent: bool = False,
    reads: Sequence[str] = (),
    writes: Sequence[str] = (),
    errors: Mapping[str, str] | None = None,
    limits: ToolLimits | None = None,
    isolation: str = "process",
    input_schema: Mapping[str, Any] | None = None,
    output_schema: Mapping[str, Any] | None = None,
) -> Callable[[Callable[..., Any]], Tool]:
    """Make a tool of the function below. The fields are those of `Manifest`.

    title: the name, if it is not given. description: the first paragraph of the docstring, or the effect. sensitivity:
    "public" for a pure tool, else "private". input_schema, output_schema: both or neither; with them the function takes
    one dict and returns JSON data, without them its annotations say the same.

    Raises `ToolError`: TOOL_SIGNATURE, TOOL_NOT_IMPORTABLE, TOOL_MANIFEST, TOOL_MANIFEST_NUMBER,
    TOOL_CAPABILITY_UNSUPPORTED; and `InputError` for a limit out of its range.
    """

    def decorate(function: Callable[..., Any]) -> Tool:
        _check_importable(name, function, isolation)
        parameters: dict[str, Shape] | None = None
        result: Shape | None = None
        taken, given = input_schema, output_schema
        if taken is None and given is None:
            taken, parameters, result = _signature(name, function)
            given = result.schema
        if taken is None or given is None:
            raise ToolError("TOOL_SIGNATURE", name=name, what="an input schema and an output schema go together")
        manifest = Manifest(
            name=name,
            version=version,
            title=name if title is None else title,
            description=_description(function, effect) if description is None else description,
            effect=effect,
            capability=capability,
            sensitivity=sensitivity or ("public" if capability == "pure" else "private"),
            deterministic=deterministic,
            idempotent=idempotent,
            reads=tuple(reads),
            writes=tuple(writes),
            input_schema=taken,
            output_schema=given,
            errors=dict(errors or {}),
            limits=(limits or ToolLimits()).effective(capability),
            isolation=isolation,
            implementation=Implementation(function.__module__, function.__qualname__, source_sha256(function)),
        )
        if manifest.input_schema.get("type") != "object" or "properties" not in manifest.input_schema:
            what = "the arguments are an object with properties"
            raise ToolError("TOOL_MANIFEST", name=name, pointer="/input_schema", what=what)
        return Tool(manifest, function, parameters, result)

    return decorate


def source_sha256(function: Callable[..., Any]) -> str | None:
    """SHA-256 of the file in which a function stands, as it is now; None where there is no file."""
    path = function.__globals__.get("__file__")
    try:
        with open(path or "", "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def _check_importable(name: str, function: Callable[..., Any], isolation: str) -> None:
    if not inspect.isfunction(function):
        raise ToolError("TOOL_NOT_IMPORTABLE", name=name, what="only a function can be a tool")
    if inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function):
        raise ToolError("TOOL_SIGNATURE", name=name, what="a coroutine or a generator has no result")
    if isolation == "none":  # it runs in this process and is not imported again
        return
    if "<" in function.__qualname__:
        raise ToolError("TOOL_NOT_IMPORTABLE", name=name, what="the function is inside another, or has no name")
    if function.__module__ == "__main__":
        raise ToolError("TOOL_NOT_IMPORTABLE", name=name, what="a worker cannot import the program itself")


def _signature(name: str, function: Callable[..., Any]) -> tuple[dict[str, Any], dict[str, Shape], Shape]:
    """The input schema, the shapes of the parameters, and that of the result."""
    try:
        hints = get_type_hints(function, include_extras=True)
    except (NameError, TypeError) as error:
        raise ToolError("TOOL_SIGNATURE", name=name, what=f"the annotations cannot be read: {error}") from None
    parameters = inspect.signature(function).parameters.values()
    shapes = {parameter.name: _shape(name, parameter.name, parameter.kind, hints) for parameter in parameters}
    properties = {
        parameter.name: _with_default(name, parameter, shapes[parameter.name].schema) for parameter in parameters
    }
    required = [parameter.name for parameter in parameters if parameter.default is parameter.empty]
    return object_schema(properties, required), shapes, _shape(name, "return", None, hints)


def _shape(tool_name: str, parameter: str, kind: Any, hints: Mapping[str, Any]) -> Shape:
    where = "the result" if parameter == "return" else f"parameter {parameter}"
    if kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD, inspect.Parameter.POSITIONAL_ONLY):
        raise ToolError("TOOL_SIGNATURE", name=tool_name, what=f"{where} cannot be given by its name")
    if parameter not in hints:
        raise ToolError("TOOL_SIGNATURE", name=tool_name, what=f"{where} has no annotation")
    try:
        return shape_of(hints[parameter])
    except NoSchema as error:
        raise ToolError("TOOL_SIGNATURE", name=tool_name, what=f"{where} {error}") from None


def _with_default(tool_name: str, parameter: inspect.Parameter, schema: Mapping[str, Any]) -> dict[str, Any]:
    if parameter.default is parameter.empty:
        return dict(schema)
    if not (parameter.default is None or type(parameter.default) in (bool, int, float, str)):
        what = f"the default of parameter {parameter.name} is not None, true or false, a number or a text"
        raise ToolError("TOOL_SIGNATURE", name=tool_name, what=what)
    return {**schema, "default": parameter.default}


def _description(function: Callable[..., Any], effect: str) -> str:
    """The first paragraph of the docstring on one line."""
    paragraph = (inspect.getdoc(function) or "").partition("\n\n")[0]
    return " ".join(paragraph.split()) or effect
