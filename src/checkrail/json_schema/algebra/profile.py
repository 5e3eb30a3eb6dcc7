"""The open profile: a schema as it is in the wild, to rules of a grammar."""

from __future__ import annotations

from ...grammar.coverage import Coverage
from ...grammar.expression import Expression
from ..dialect import read_dialect
from ..keywords import Keywords
from ..ledger import Ledger
from ..merge import merge_equal_rules
from ..options import Options
from ..references import References
from ..schema import Json
from .lower import Lowering
from .reading import Reader

__all__ = ["OpenTranslator"]


class OpenTranslator:
    """Translates one schema once: call `run`, then read `coverage` and `origins`."""

    def __init__(self, schema: Json, options: Options) -> None:
        dialect = read_dialect(schema)
        self._options = options
        self._references = References(schema, dialect)
        self._ledger = Ledger(options.limits)
        keywords = Keywords(dialect, options, self._ledger)
        self._reader = Reader(self._references, dialect, options, self._ledger, keywords)
        self.origins: dict[str, str] = {}

    @property
    def coverage(self) -> Coverage:
        """What became of every keyword of the places that values can reach."""
        return self._ledger.coverage()

    def run(self) -> dict[str, Expression]:
        """The rules; the start is `root`. Raises SchemaError where nothing satisfies the schema."""
        place = self._references.root
        normalizer = self._reader.normalizer
        root = normalizer.terms.place(place)
        if normalizer.is_empty(root):
            raise place.conflict("no value is allowed: its constraints exclude one another")
        lowering = Lowering(normalizer, self._options)
        rules = merge_equal_rules(lowering.run(root), "root")
        self.origins = {name: pointer for name, pointer in lowering.origins.items() if name in rules}
        return rules
