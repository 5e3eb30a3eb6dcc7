"""What is seen of languages of keys, against a look at each of their places."""

from __future__ import annotations

import pytest

from checkrail.grammar.expression import Complement
from checkrail.grammar.regex import search_expression
from checkrail.json_schema.algebra.texts import Texts
from checkrail.limits import DEFAULT_LIMITS
from checkrail.ondemand.key_rests import key_rest
from checkrail.ondemand.language import Language
from checkrail.ondemand.noted import Unit

ENOUGH = 2**20


class Keys:
    """A language of keys as `noted.Keys`."""

    takes_all = False

    def __init__(self, language: Language) -> None:
        self.class_map = language.class_map
        self.row = language.row
        self._language = language

    def united(self) -> tuple[Language]:
        return (self._language,)


def all_places_have_many(language: Language) -> bool:
    """Whether so many keys, or such long ones, go on from each place but where they end, by counting."""
    sizes = [language.class_map.count(number) for number in range(language.width)]
    places = [0]
    for place in places:
        places += sorted({target for target in language.row(place) if target >= 0}.difference(places))
    for start in places:
        if language.accepting(start):
            continue
        here = {start: 1}
        for _ in range(1024):
            after: dict[int, int] = {}
            for place, count in here.items():
                for letter, target in enumerate(language.row(place)):
                    if target >= 0:
                        after[target] = min(ENOUGH, after.get(target, 0) + count * sizes[letter])
            here = after
            if not here:
                return False
            if sum(here.values()) >= ENOUGH:
                break
    return True


@pytest.mark.parametrize(
    ("pattern", "roomy"),
    [
        (".", True),
        (".+", True),
        ("^.*$", True),
        ("^[a-z]+$", True),
        ("^x-[a-z]*$", True),
        ("é", True),
        ("^(a|b)c?$", False),
        ("^[a-z]{3}$", False),
        ("^a+$", True),
        ("^([a-z]+!|b)$", False),
        ("^([a-z]+!|[A-Z]+)$", False),
        ("^[\U0001f600-\U0001f64f]+$", True),
    ],
)
def test_roomy_languages(pattern, roomy):
    shape = search_expression(pattern)
    for found, expected in ((shape, roomy), (Complement(shape), None)):
        language = key_rest(Texts(None, found), DEFAULT_LIMITS)
        if language is None:
            continue
        many = all_places_have_many(language)
        assert Unit("keys", free=False, keys=Keys(language)).is_roomy is many
        assert expected in (None, many)


@pytest.mark.parametrize(
    ("pattern", "begun", "many"),
    [
        ("^(en-GB|x(-[a-z]{1,8})+)$", b"", True),
        ("^(en-GB|x(-[a-z]{1,8})+)$", b"x-aaaaaaaa", True),
        ("^(en-GB|x(-[a-z]{1,8})+)$", b"en", False),
        ("^(en-GB|x(-[a-z]{1,8})+)$", b"x-", True),
        ("^(en-GB|x(-[a-z]{1,8})+)$", b'a"', False),
        ("^(a|b)c?$", b"", False),
        ("^(a|b)c?$", b"x-", False),
        ("^(a|b)c?$", b'a"', False),
        ("^[a-z]+$", b"", True),
        ("^[a-z]+$", b"x-", False),
        ("^[a-z]+$", b'a"', False),
    ],
)
def test_whether_many_keys_begin_so(pattern, begun, many):
    """By bytes, of which some classes of a row have none."""
    language = key_rest(Texts(None, search_expression(pattern)), DEFAULT_LIMITS)
    assert language is not None
    assert Unit("keys", free=False, keys=Keys(language)).has_many(begun) == many
