"""What tokens do in strings, counted (`counted`), as bytes (`stored_sections`), and back. All indices are checked."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from itertools import pairwise

from ..vocabulary.vocabulary import Vocabulary
from .counted import PLACES, Counts, Place, Survey, walked
from .kernel import Kernel
from .stored_masks import Joined, are_bits, parted
from .stored_sections import Unusable, pack, unpack
from .token_tables import TokenTables

__all__ = ["VERSION", "decode", "encode"]

VERSION = 1
"""Of what a survey counts: raise it when that changes, or the languages of `counted`."""

# The sections: the version; nine numbers for each place: how many there are of each of the others, and which place it
# is; then the columns of `inside`, of `closing`, and the exits.
_COLUMNS = "iiIiiIii"


def encode(surveys: Mapping[Place, Survey], vocabulary: Vocabulary, longest: int) -> bytes:
    """The bytes of surveys. longest: bytes of the longest token."""
    joined = Joined(_COLUMNS)
    for place, survey in surveys.items():
        columns = *survey.inside, *survey.closing, survey.exit_counts, survey.exits
        joined.add(tuple(map(memoryview, columns)), PLACES.index(place))
    return pack("counts", vocabulary, longest, [array("i", [VERSION]), joined.facts, *joined.contents])


def decode(data: bytes, vocabulary: Vocabulary, tables: TokenTables, kernel: Kernel) -> dict[Place, Survey]:
    """The surveys by their places. Raises Unusable."""
    head, sections = unpack("counts", data, vocabulary, f"ii{_COLUMNS}")
    version, facts, *contents = sections
    if list(version) != [VERSION] or head.longest != tables.trie.max_depth:
        raise Unusable("it counts something else")
    found: dict[Place, Survey] = {}
    for record, columns in parted(facts, len(_COLUMNS) + 1, contents):
        if not 0 <= record[-1] < len(PLACES):
            raise Unusable("there is no such place")
        place = PLACES[record[-1]]
        survey = found[place] = Survey(Counts(*columns[:3]), Counts(*columns[3:6]), *columns[6:])
        if not _makes_sense(survey, walked(place, tables).nodes, len(vocabulary), kernel):
            raise Unusable("the counts of a place make no sense")
    return found


def _makes_sense(survey: Survey, nodes: array[int], size: int, kernel: Kernel) -> bool:
    """Whether all tokens are tokens, and the exits nodes of the trie, none below another one."""
    exits = survey.exits
    return (
        all(
            len(part.counts) == len(part.places)
            and kernel.walker.is_ascending(part.counts)
            and are_bits(part.places, part.words, size, kernel)
            for part in (survey.inside, survey.closing)
        )
        and len(exits) == len(survey.exit_counts)
        and bool(kernel.walker.is_within(exits, 1, nodes[1]))
        and all(nodes[3 * node + 1] <= following for node, following in pairwise(exits))
    )
