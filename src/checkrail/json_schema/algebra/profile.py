"""The open profile: a schema as it is in the wild, as sets of values, and as rules of a grammar.

`OpenSchema` is what a schema says, read as far as values can reach, with all its errors. `OpenTranslator` makes rules
of it, with the coverage; that takes much longer and is only for those who ask for rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import RLock

from ...grammar.coverage import Coverage
from ...grammar.expression import Expression
from ...watch import UNWATCHED, Watch
from ..dialect import read_dialect
from ..keywords import Keywords
from ..ledger import EQUAL_ITEMS, Ledger
from ..merge import merge_equal_rules
from ..options import Options
from ..references import References
from ..schema import Json
from .lower import Lowering
from .normal import Normalizer
from .reading import Reader
from .room import INFINITE, Rooms
from .survey import Survey
from .terms import Term, pointer_of

__all__ = ["INFINITE", "OpenSchema", "OpenTranslator"]


class OpenSchema:
    """A schema as a term over sets of values. Make one with `read`.

    root: the term of the whole schema. noted: a place with items that texts must note, if there is one: then the schema
    has no rules. normalizer: the sets of terms. room: the least number of levels of objects and arrays that a value of
    a term needs: 0 for scalars, INFINITE where it has no values. lock: to be held while the normalizer is used, if
    other threads may use it too: it remembers what it computes.
    """

    __slots__ = ("lock", "normalizer", "noted", "options", "room", "root")

    def __init__(self, normalizer: Normalizer, root: Term, options: Options, noted: str = "") -> None:
        self.normalizer = normalizer
        self.root = root
        self.options = options
        self.noted = noted
        self.lock = RLock()
        self.room: Callable[[Term], int] = Rooms(normalizer, options).of

    @classmethod
    def read(
        cls, schema: Json, options: Options, *, may_have_parts: bool = True, watch: Watch = UNWATCHED
    ) -> OpenSchema:
        """Read all that values can reach. may_have_parts: False where no subschema has an id. Raises SchemaError and
        BudgetError, as making its rules would, and what the watch raises."""
        translator = OpenTranslator(schema, options, keeps_notes=False, may_have_parts=may_have_parts, watch=watch)
        normalizer, root = translator.normalizer, translator.root()
        survey = Survey(normalizer, options)
        survey.run(root)
        # What is read fast makes fewer terms: where they may be beyond their limit, making the rules tells.
        most_terms = len(normalizer.terms) + translator.reader.plain.made
        if not survey.noted and most_terms > options.limits.subschemas:
            OpenTranslator(schema, options, watch=watch).run()
        normalizer.texts.watch = UNWATCHED
        return cls(normalizer, root, options, survey.noted)

    def __repr__(self) -> str:
        return f"<OpenSchema {len(self.normalizer.terms)} terms>"

    @contextmanager
    def watched(self, watch: Watch) -> Iterator[None]:
        """Have all work on the schema watched, and keep other threads from it."""
        texts = self.normalizer.texts
        with self.lock:
            texts.watch = watch
            try:
                yield
            finally:
                texts.watch = UNWATCHED

    def pointer_of(self, term: Term) -> str:
        """The place that a term is about; empty where there is none."""
        return pointer_of(term)


class OpenTranslator:
    """Translates one schema once: call `run`, then read `coverage` and `origins`."""

    def __init__(
        self,
        schema: Json,
        options: Options,
        *,
        keeps_notes: bool = True,
        may_have_parts: bool = True,
        watch: Watch = UNWATCHED,
    ) -> None:
        """keeps_notes: False where nobody will ask for the coverage, which is faster."""
        dialect = read_dialect(schema)
        self._options = options
        self._watch = watch
        self.references = References(schema, dialect, options.limits, may_have_parts=may_have_parts)
        self._ledger = Ledger(options.limits, keeps_notes=keeps_notes)
        keywords = Keywords(dialect, options, self._ledger)
        self.reader = Reader(self.references, dialect, options, self._ledger, keywords, watch)
        self.normalizer = self.reader.normalizer
        self.origins: dict[str, str] = {}

    @property
    def coverage(self) -> Coverage:
        """What became of every keyword of the places that values can reach."""
        return self._ledger.coverage()

    def root(self) -> Term:
        """The term of the schema. Raises SchemaError where nothing satisfies it."""
        place = self.references.root
        root = self.normalizer.terms.place(place)
        if self.normalizer.is_empty(root):
            raise place.conflict("no value is allowed: its constraints exclude one another")
        return root

    def look(self) -> None:
        """Read all that values can reach, for the coverage of a schema without rules."""
        survey = Survey(self.normalizer, self._options)
        survey.run(self.root())
        self._note_equal_items(survey.equal_items)

    def run(self) -> dict[str, Expression]:
        """The rules; the start is `root`. Raises SchemaError where nothing satisfies the schema."""
        lowering = Lowering(self.normalizer, self._options)
        rules = merge_equal_rules(lowering.run(self.root()), "root", self._watch)
        self.origins = {name: pointer for name, pointer in lowering.origins.items() if name in rules}
        self._note_equal_items(lowering.equal_items)
        return rules

    def _note_equal_items(self, pointers: Iterable[str]) -> None:
        for pointer in pointers:
            self._ledger.amend(pointer, EQUAL_ITEMS)
