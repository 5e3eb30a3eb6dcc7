"""The memory of automata is bounded in states, and forgets what was used longest ago."""

from __future__ import annotations

from checkrail.regular.remembered import Remembered


def test_what_was_used_longest_ago_goes_first():
    made = []

    def make(key: str):
        return lambda: made.append(key) or key

    known: Remembered[str] = Remembered(6, len)
    for key in ("aa", "bb", "cc", "aa", "dd", "aa", "cc", "bb"):
        assert known.get(key, make(key)) == key
        assert known.states <= 6
    assert made == ["aa", "bb", "cc", "dd", "bb"]


def test_what_is_larger_than_the_bound_is_not_kept():
    known: Remembered[str] = Remembered(3, len)
    assert known.get("long one", lambda: "long one") == "long one"
    assert known.states == 0
    assert known.get("abc", lambda: "abc") == "abc"
    assert known.states == 3
