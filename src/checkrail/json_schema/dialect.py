"""Which draft a schema says it is written in, and what hangs on that.

Later drafts are mostly spelled apart from earlier ones, so old spellings are understood wherever they are not
ambiguous. The draft decides two things: whether keywords beside `$ref` apply (from 2019-09 on), and whether an
old spelling is an error (a schema that names a newer draft must keep to it).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ..errors import SchemaError
from .schema import Json, Place

__all__ = ["Dialect", "read_dialect"]

_DRAFTS: Mapping[str, int] = MappingProxyType(
    {
        "json-schema.org/draft-04/schema": 4,
        "json-schema.org/draft-06/schema": 6,
        "json-schema.org/draft-07/schema": 7,
        "json-schema.org/draft/2019-09/schema": 2019,
        "json-schema.org/draft/2020-12/schema": 2020,
        "json-schema.org/schema": 2020,
    }
)


class Dialect:
    """draft: 4, 6, 7, 2019 or 2020. declared: whether the schema named it."""

    __slots__ = ("declared", "draft")

    def __init__(self, draft: int, declared: bool) -> None:
        self.draft = draft
        self.declared = declared

    def __repr__(self) -> str:
        return f"<Dialect {self.draft}{'' if self.declared else ' by default'}>"

    @property
    def reference_hides_siblings(self) -> bool:
        """Keywords beside `$ref` mean nothing."""
        return self.draft <= 7

    def refuse_old_spelling(self, place: Place, keyword: str, until: int, instead: str) -> None:
        """Raise SchemaError where the declared draft is newer than the last (`until`) that spells it so."""
        if self.declared and self.draft > until:
            raise place.malformed(keyword, f"this is the spelling of an older draft; write {instead}")


def read_dialect(schema: Json) -> Dialect:
    """The dialect that `$schema` names; 2020-12 where there is none. Raises SchemaError for unknown ones."""
    if not isinstance(schema, dict) or "$schema" not in schema:
        return Dialect(2020, declared=False)
    name = schema["$schema"]
    if isinstance(name, str):
        draft = _DRAFTS.get(name.rstrip("#").removeprefix("https://").removeprefix("http://"))
        if draft is not None:
            return Dialect(draft, declared=True)
    raise SchemaError(
        "SCHEMA_KEYWORD_UNSUPPORTED",
        pointer="/$schema",
        keyword="$schema",
        what="use draft 4, 6, 7, 2019-09 or 2020-12 of json-schema.org, or leave it out",
    )
