"""Schemas that refer to other documents: these are put into the schema, each under its URI, as a compound document.

JSON Schema 2020-12, section 9.3, describes such documents, so what comes out is an ordinary schema: every later stage
reads it, and so does the check after generation. Nothing is fetched; documents come from the caller.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urldefrag, urljoin

from ..errors import SchemaError
from ..limits import DEFAULT_LIMITS, Limits
from .dialect import Dialect, read_dialect
from .references import REFERENCES
from .schema import Json, read_schema

__all__ = ["bundle_schema"]


def bundle_schema(schema: Any, registry: Mapping[str, Any], *, limits: Limits = DEFAULT_LIMITS) -> Json:
    """The schema with those documents of the registry that it refers to, directly or through others, under `$defs`.

    schema: text, dict or bool. registry: documents (the same) by absolute URI. A schema that refers to none of them is
    returned as it is. Raises what reading a schema raises, for documents too, and SchemaError for a document that names
    another draft than the schema.

    >>> bundle_schema({"$ref": "https://example.com/name"}, {"https://example.com/name": {"type": "string"}})
    {'$ref': 'https://example.com/name', '$defs': {'https://example.com/name': {'$id': 'https://example.com/name', \
'type': 'string'}}}
    """
    tree = read_schema(schema, limits)
    if not isinstance(tree, dict):
        return tree
    dialect = read_dialect(tree)
    keyword = "id" if dialect.draft == 4 else "$id"
    known = {_document("", uri): document for uri, document in registry.items()}
    taken: dict[str, Json] = {}
    pending = _documents_in(tree, "", keyword)
    while pending:
        uri = pending.pop()
        if uri not in known or uri in taken:
            continue
        document = read_schema(known[uri], limits)
        if isinstance(document, dict):
            _refuse_other_draft(document, uri, dialect)
            taken[uri] = _named(document, uri, keyword)
            pending |= _documents_in(document, uri, keyword)
        else:
            taken[uri] = {keyword: uri, "allOf": [document]}
    own = _own_uri(tree, "", keyword)
    taken.pop(own, None)
    if not taken:
        return tree
    definitions = tree.get("$defs")
    return {**tree, "$defs": {**(definitions if isinstance(definitions, dict) else {}), **taken}}


def _refuse_other_draft(document: dict[str, Json], uri: str, dialect: Dialect) -> None:
    """Raise SchemaError for a document that names another draft: a schema is read as one draft."""
    other = read_dialect(document)
    if other.declared and other.draft != dialect.draft:
        what = f"the document {uri[:100]} of the registry names draft {other.draft}, and this schema is of another"
        raise SchemaError("SCHEMA_KEYWORD_UNSUPPORTED", pointer="", keyword="$schema", what=what)


def _named(document: dict[str, Json], uri: str, keyword: str) -> dict[str, Json]:
    """A document under the URI by which it is referred to."""
    inner = {name: value for name, value in document.items() if name not in ("$schema", keyword)}
    return {keyword: uri, **inner}


def _own_uri(tree: dict[str, Json], base: str, keyword: str) -> str:
    value = tree.get(keyword)
    return (_document(base, value) or base) if isinstance(value, str) else base


def _document(base: str, reference: str) -> str | None:
    """The URI of the document that a reference leads to; None where it is no URI reference, which whoever resolves it
    says, with its place."""
    try:
        return urldefrag(urljoin(base, reference))[0]
    except ValueError:
        return None


def _documents_in(tree: Json, base: str, keyword: str) -> set[str]:
    """The URIs of all documents that a tree refers to. Values that only look like references do no harm."""
    found: set[str] = set()
    pending: list[tuple[Json, str]] = [(tree, base)]
    while pending:
        value, here = pending.pop()
        if isinstance(value, list):
            pending += [(item, here) for item in value]
        elif isinstance(value, dict):
            here = _own_uri(value, here, keyword)
            references = (value.get(word) for word in REFERENCES)
            targets = (_document(here, reference) for reference in references if isinstance(reference, str))
            found.update(target for target in targets if target is not None)
            pending += [(inner, here) for inner in value.values()]
    return found
