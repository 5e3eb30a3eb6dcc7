"""The languages of formats. They belong to no schema, so they are made once and kept while the process runs.

What is known of their places can then be kept for all schemas, in memory and on disk (`mask.format_masks`). Other
languages go when there are too many (`kept`).
"""

from __future__ import annotations

from collections.abc import Callable

from ..grammar.expression import Expression
from ..json_schema.algebra.format_texts import FORMAT_TEXTS
from ..json_schema.algebra.texts import Texts
from ..limits import DEFAULT_LIMITS, Limits
from .language import Language

__all__ = ["FORMATS", "FORMAT_TEXTS", "FormatLanguages"]

# By identity: the reader hands on these very objects, and comparing shapes costs more than that. Equal texts of another
# origin are languages like any other.
_NAMES = {id(texts): name for name, texts in FORMAT_TEXTS.items()}
_BY_SHAPE = {id(texts.shape): texts for texts in FORMAT_TEXTS.values()}


class FormatLanguages:
    """The languages of formats that were used so far.

    made: by the name of the format, in order. Only added to.
    """

    def __init__(self) -> None:
        self.made: dict[str, Language | None] = {}

    def __repr__(self) -> str:
        return f"<FormatLanguages {', '.join(self.made) or 'none so far'}>"

    def texts_of(self, shape: Expression) -> Texts | None:
        """The texts of the format that has this very shape."""
        return _BY_SHAPE.get(id(shape))

    def get(self, texts: Texts, limits: Limits, make: Callable[[], Language | None]) -> Language | None:
        """The language of a format's texts under the default limits; None for all others, and where it is empty."""
        name = _NAMES.get(id(texts))
        if name is None or limits != DEFAULT_LIMITS:
            return None
        return self.made[name] if name in self.made else self.made.setdefault(name, make())


FORMATS = FormatLanguages()
"""Those of this process."""
