"""Sets that share their beginnings, against frozensets."""

from __future__ import annotations

import random
import threading
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from checkrail.json_schema.literals import quote
from checkrail.mask.registers.seen import NONE_SEEN, Container, Seen
from checkrail.mask.registers.values import number_key, plain_number

KEYS = st.one_of(
    st.text("ab", max_size=5).map(quote),
    st.sampled_from(["0", "1", "10", "1.5", "-2", "0.01"]).map(number_key),
    st.sampled_from(["true", "null"]),
)


class _Ends:
    """Tokens that write "b" or "ab" or nothing, and end the string."""

    reach = 2

    def may_end(self, rest: bytes) -> bool:
        return rest in (b"", b"b", b"ab")


ENDS = _Ends()


@given(st.lists(KEYS, max_size=80), st.randoms(use_true_random=False))
def test_branches_do_not_disturb_one_another(keys: list[str], rng: random.Random) -> None:
    sets: list[tuple[Seen, frozenset[str]]] = [(NONE_SEEN, frozenset())]
    for key in keys:
        seen, model = rng.choice(sets[-3:] if rng.random() < 0.8 else sets)  # deep ones, too
        if key not in model:
            sets.append((seen.with_one(key), model | {key}))
    for seen, model in sets:
        assert len(seen) == len(model)
        assert {key for key in keys if key in seen} == model
        for beginning in ('"', '"a', '"ab'):
            found = {key for key in model if key.startswith(beginning)}
            assert set(seen.strings(beginning)) == found
            ending = {key for key in found if ENDS.may_end(key[len(beginning) : -1].encode())}
            assert ending <= set(seen.ending_at(beginning, ENDS)) <= found
        plain = [plain_number(key) for key in model if key[0] not in '"tn']
        for digits in ("", "1", "1.", "1.0", "1.50", "-", "-0.0", "0.0", "2"):
            zero = digits in ("-", "-0.0") and "0" in plain
            spelled = [(text if "." in text else f"{text}.").ljust(9, "0") for text in plain]
            assert seen.has_number(digits) == (zero or any(text.startswith(digits) for text in spelled))


LISTED = sorted(quote(text).encode() for text in ("", "a", "aa", "ab", "b", "ba", "bb", "bbb"))


@given(st.lists(KEYS, max_size=80), st.randoms(use_true_random=False))
def test_what_is_left_of_a_list_is_what_was_not_written(keys: list[str], rng: random.Random) -> None:
    sets: list[tuple[Seen, frozenset[str]]] = [(NONE_SEEN, frozenset())]
    for key in keys:
        seen, model = rng.choice(sets[-3:] if rng.random() < 0.8 else sets)  # deep ones, too
        if key not in model:
            sets.append((seen.with_one(key), model | {key}))
        for some in rng.choices(sets, k=3):
            left = some[0].left_of(LISTED)
            assert list(left) == [text for text in LISTED if text.decode() not in some[1]]


def test_what_is_left_can_be_asked_while_another_thread_writes() -> None:
    sets = [NONE_SEEN.with_one(quote("first"))]
    over = threading.Event()

    def write() -> None:
        for i in range(20_000):
            sets.append(sets[-1].with_one(quote(str(i))))
        over.set()

    thread = threading.Thread(target=write)
    thread.start()
    try:
        while not over.is_set():
            assert list(sets[-1].left_of([b'"first"', b'"last"'])) == [b'"last"']  # a list of its own each time
    finally:
        thread.join()


def test_containers_are_found_by_their_bracket() -> None:
    seen = NONE_SEEN.with_one("[1e0]", Container("[1e0]", Counter(["1e0"]))).with_one('"a"')
    assert [container.key for container in seen.containers("[")] == ["[1e0]"]
    assert not seen.containers("{")


def test_a_thousand_sets_share_one_log() -> None:
    sets = [NONE_SEEN]
    for i in range(1000):
        sets.append(sets[-1].with_one(quote(str(i))))
    assert len({id(seen._log) for seen in sets[16:]}) == 1  # those with fewer have all of them beside
    for i in range(1000):
        assert len(sets[500].with_one(quote(f"tried {i}"))) == 501
    assert len(sets[500]._log.places) <= 1000
    assert quote("10") in sets[11]
    assert quote("10") not in sets[10]


def test_who_asks_while_the_first_answer_is_made_finds_no_fewer() -> None:
    seen = NONE_SEEN
    for i in range(100):
        seen = seen.with_one(quote(f"a{i:02}b"))
    answers: list[set[str]] = []
    threads: list[threading.Thread] = []

    class Slow:
        """Another thread asks in the middle of the first answer."""

        reach = 3

        def may_end(self, rest: bytes) -> bool:
            if not threads:
                threads.append(threading.Thread(target=lambda: answers.append(set(seen.ending_at('"a', self)))))
                threads[0].start()
                threads[0].join(0.1)
            return rest.endswith(b"b") and len(rest) == 3

    first = set(seen.ending_at('"a', Slow()))
    threads[0].join()
    assert {quote(f"a{i:02}b") for i in range(100)} == first == answers[0]
