"""Reading a proposal: which tool it means, and whether its arguments are what that tool takes.

You need it through `calls`, as the step from proposed to validated. It looks at the proposal and at what the session
fixed when it began, and decides nothing else. Nothing is converted: a text that looks like a number is a text.
"""

from __future__ import annotations

import hashlib
from typing import Any

from ...errors import DocumentError, SchemaError, ToolError
from ..canon import dumps
from ..confirmation.view import hidden_characters
from ..evidence.types import Id
from ..session import Pinned
from ..strictjson import parse
from ..taint import texts_of
from ..validate import validate
from .call import Call
from .envelopes import ToolRequest

__all__ = ["read"]

_LONGEST_TEXT = 32 * 1024  # bytes of one text in the arguments


def read(call: Call) -> None:
    """Find the tool, make the canonical bytes and the request, and check the arguments.

    What is found is put into the call as soon as it is known, so that a refusal can say it. Raises `Error`: JSON_*,
    TOOL_*, SCHEMA_* and SEMANTIC_*, AUTH_MANIFEST_DRIFT.
    """
    name, arguments = call.proposal.read()
    pinned = call.session.tools.get(name)
    if pinned is None:
        raise ToolError("TOOL_UNKNOWN")
    schemas = call.proposal.input_schemas
    if schemas is not None and schemas.get(name) != pinned.ref.input_schema_sha256:
        raise ToolError("TOOL_SCHEMA_MISMATCH", name=name)
    pinned.check()
    call.pinned = pinned
    call.arguments = _canonical(arguments, pinned)
    call.request = _request(call, pinned)
    _check_arguments(call, pinned, call.request.arguments)


def _canonical(arguments: dict[str, Any], pinned: Pinned) -> bytes:
    """The bytes that are checked, shown, bound and run, within the bounds of the tool."""
    limits = pinned.registered.limits
    refused = {"CANON_TOO_LARGE": (limits.args_bytes, "bytes"), "CANON_DEPTH": (limits.depth, "levels")}
    try:
        data = dumps(arguments, max_depth=limits.depth, max_bytes=limits.args_bytes)
    except DocumentError as error:
        limit, unit = refused[error.code]  # a value that was read as strict JSON has a canonical form
        raise ToolError("TOOL_ARGS_TOO_LARGE", name=pinned.ref.name, limit=limit, unit=unit) from None
    if any(len(text.encode()) > _LONGEST_TEXT for text in texts_of(arguments)):
        raise ToolError("TOOL_ARGS_TOO_LARGE", name=pinned.ref.name, limit=_LONGEST_TEXT, unit="bytes in one text")
    return data


def _request(call: Call, pinned: Pinned) -> ToolRequest:
    session, composition = call.session, call.session.composition
    arguments: Any = parse(call.arguments, max_bytes=len(call.arguments)).value
    return ToolRequest(
        request_id=str(Id.new("tr")),
        session_id=session.id,
        sequence=call.number,
        turn=session.budgets.turn,
        tool=pinned.ref,
        capability=pinned.registered.capability,
        arguments=arguments,
        arguments_sha256=hashlib.sha256(call.arguments).hexdigest(),
        composition=composition,
        composition_sha256=composition.sha256,
        authority=session.standing,
        origin=call.proposal.origin,
        limits=pinned.registered.limits,
        created_unix_ms=call.created_unix_ms,
        expires_unix_ms=call.created_unix_ms + session.limits.request_ms,
    )


def _check_arguments(call: Call, pinned: Pinned, arguments: Any) -> None:
    report = validate(arguments, dict(pinned.tool.manifest.input_schema), limit=1)
    if not report.ok:
        fault = report.faults[0]
        # the name of a property that nobody declared is the model's own text
        pointer = fault.pointer.rpartition("/")[0] if fault.code == "SCHEMA_ADDITIONAL" else fault.pointer
        params = {"keyword": fault.keyword, **fault.params}
        expected = [str(params.pop("expected"))] if "expected" in params else []
        raise SchemaError(fault.code, pointer=pointer, expected=expected, **params)
    if pinned.registered.capability == "write" and call.session.hidden == "refuse":
        places = hidden_characters(arguments)
        if places:
            count = sum(len(found) for _, found in places)
            raise ToolError("TOOL_ARGS_HIDDEN_TEXT", name=pinned.ref.name, count=count, pointer=places[0][0])
