"""Sources that grow, default states and exits: masks against brute force over the same tables."""

from __future__ import annotations

import itertools
import random
import sys
from array import array
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from checkrail.automaton.compiler import compile_automaton
from checkrail.errors import GrammarError, MaskError
from checkrail.grammar.grammar import Grammar
from checkrail.limits import Limits
from checkrail.mask import visible
from checkrail.mask.bitmask import allowed_tokens, words_for
from checkrail.mask.kernel import load_compiled, load_interpreted
from checkrail.mask.static_source import StaticSource
from checkrail.mask.token_tables import token_tables
from checkrail.mask.visible import Source, Visible
from checkrail.vocabulary.trie import Trie
from checkrail.vocabulary.vocabulary import Vocabulary
from strategies import grammars, vocabularies
from toy_sources import GrowingSource, State, WholeSource, accepts, mask, read_all, toys

KERNELS = [load_interpreted(), *filter(None, [load_compiled()])]


def make(source: Source, vocabulary: Vocabulary, kernel) -> Visible:
    return Visible(source, token_tables(vocabulary, _trie(vocabulary), kernel), kernel)


_TRIES: dict[Vocabulary, Trie] = {}


def _trie(vocabulary: Vocabulary) -> Trie:
    if vocabulary not in _TRIES:
        if len(_TRIES) > 8:
            _TRIES.clear()
        _TRIES[vocabulary] = Trie.build(vocabulary)
    return _TRIES[vocabulary]


def allowed(cursor, vocabulary: Vocabulary) -> set[int]:
    row = array("I", [0xFFFFFFFF]) * words_for(len(vocabulary))
    cursor.fill_row(memoryview(row))
    return set(allowed_tokens(row))


def walk(whole: Source, cursors, vocabulary: Vocabulary, rng: random.Random, steps: int = 8) -> None:
    """A random text, with all masks and ends compared on the way; now and then back a few steps."""
    position = (whole.start, ())
    before = []
    for _ in range(steps):
        expected = mask(whole, position, vocabulary)
        for cursor in cursors:
            assert allowed(cursor, vocabulary) == expected
            assert cursor.is_accepting() == accepts(whole, position)
        choices = sorted(expected - set(vocabulary.eos))
        if not choices:
            break
        rare = [t for t in choices if (vocabulary.tokens[t] or b"").endswith(b"q")]  # leads to default states
        token = rng.choice(rare if rare and rng.random() < 0.5 else choices)
        refused = rng.randrange(len(vocabulary))
        if refused not in expected:
            assert not any(cursor.accept_token(refused) for cursor in cursors)
        assert all(cursor.accept_token(token) for cursor in cursors)
        before.append(position)
        position = read_all(whole, position, vocabulary.tokens[token] or b"")
        if rng.random() < 0.3:
            count = rng.randint(1, len(before))
            position = before[-count]
            del before[-count:]
            for cursor in cursors:
                cursor.rollback(count)


def strings(alphabet: bytes, lengths) -> list[bytes]:
    return [bytes(t) for n in lengths for t in itertools.product(alphabet, repeat=n)]


@pytest.fixture
def _few_nodes_are_many(monkeypatch):
    """States are wide from which a walk visits more than 6 nodes."""
    monkeypatch.setattr(visible, "_NARROW", 6)


TOKENS = [*strings(b"abcd([;,q", (1, 2)), *strings(b"ab(;", (3,)), *strings(b"aq", (4, 5)), b"qabcdabcd", b"q(a;a,b"]
VOCABULARY = Vocabulary.from_bytes([*TOKENS, None], eos=[len(TOKENS)])


@pytest.mark.usefixtures("_few_nodes_are_many")
@given(toys(), st.integers(0, 3), st.randoms(use_true_random=False))
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_default_states_and_exits_equal_brute_force(whole, spare, rng):
    machines = [make(GrowingSource(whole, spare), VOCABULARY, kernel) for kernel in KERNELS]
    machines.append(make(whole, VOCABULARY, KERNELS[-1]))
    for _ in range(2):
        walk(whole, [m.cursor() for m in machines], VOCABULARY, rng)


# A source that grows


@given(grammars(), vocabularies(), st.integers(1, 4), st.integers(0, 3), st.randoms(use_true_random=False))
@settings(max_examples=120)
def test_an_automaton_made_on_demand_equals_the_whole_one(grammar, vocabulary, nesting, spare, rng):
    try:
        automaton = compile_automaton(grammar, contract="context-free", limits=Limits(nesting=nesting))
    except GrammarError as error:
        assume(error.code not in ("GRAMMAR_UNPRODUCTIVE", "GRAMMAR_EMPTY_LANGUAGE", "GRAMMAR_BUDGET_DEPTH"))
        raise
    assume(automaton.visible)
    whole = StaticSource(automaton, 8)
    growing = [GrowingSource(whole, spare) for _ in KERNELS]
    machines = [make(source, vocabulary, kernel) for source, kernel in zip(growing, KERNELS, strict=True)]
    machines.append(make(whole, vocabulary, KERNELS[-1]))
    for _ in range(3):
        walk(whole, [m.cursor() for m in machines], vocabulary, rng)


def test_states_are_made_when_a_text_comes_to_them(kernel):
    grammar = Grammar.from_gbnf('root ::= "a" ("b" [0-9]{50} | "c" [0-9]{50})')
    whole = StaticSource(compile_automaton(grammar), 1)
    vocabulary = Vocabulary.from_bytes([bytes([b]) for b in range(256)] + [None], eos=[256])
    source = GrowingSource(whole)
    machine = make(source, vocabulary, kernel)
    cursor = machine.cursor()
    assert len(source.expanded) == 1
    assert cursor.accept_bytes(b"ac")
    assert len(source.expanded) == 3
    assert allowed(cursor, vocabulary) == set(range(0x30, 0x3A))
    assert cursor.accept_bytes(b"0" * 10)
    assert not cursor.is_accepting()
    assert len(source.expanded) == 13
    state, _ = cursor.position()
    other = source.known - 1
    assert other not in source.expanded
    for _ in range(2):
        machine.expand(other)
        machine.expand(state)
    assert source.expanded[-1] == other
    assert len(source.expanded) == 14


def test_an_expansion_that_fails_changes_nothing(kernel):
    whole = StaticSource(compile_automaton(Grammar.from_gbnf('root ::= "[" (root ("," root)*)? "]" | "abc"')), 6)
    tokens = [*(bytes([b]) for b in b"[],abc"), b"[a", b"[[]", b"],", b"bc]"]
    vocabulary = Vocabulary.from_bytes([*tokens, None], eos=[len(tokens)])
    source = GrowingSource(whole)
    cursor = make(source, vocabulary, kernel).cursor()
    position = (whole.start, ())
    for step in (b"[", b"[", b"a", b"b", b"c", b"],", b"[[]", b"]", b"]"):
        source.fails = 1
        row = array("I", [0xFFFFFFFF])
        failures = 0
        while True:  # as often as there are states to be made
            before = cursor.position()
            source.fails = 1
            try:
                cursor.fill_row(memoryview(row))
                assert cursor.accept_bytes(step)
                break
            except MemoryError:
                failures += 1
                assert row[0] == 0 or source.fails == 0
                assert cursor.position() == before
                source.fails = 0
                assert allowed(cursor, vocabulary) == mask(whole, position, vocabulary)
                assert cursor.copy().accept_bytes(step)
        position = read_all(whole, position, step)
        source.fails = 0
        assert allowed(cursor, vocabulary) == mask(whole, position, vocabulary)
        assert cursor.is_accepting() == accepts(whole, position)
    assert cursor.is_accepting()


def test_a_row_is_empty_after_an_expansion_that_fails(kernel):
    source = GrowingSource(StaticSource(compile_automaton(Grammar.from_gbnf('root ::= "a" "b" "c"')), 2))
    vocabulary = Vocabulary.from_bytes([b"a", b"ab", None], eos=[2])
    cursor = make(source, vocabulary, kernel).cursor()
    source.fails = 1
    row = array("I", [0xFFFFFFFF])
    with pytest.raises(MemoryError):
        cursor.fill_row(memoryview(row))  # to read `ab` takes a state that is not there
    assert row[0] == 0
    source.fails = 1
    with pytest.raises(MemoryError):
        cursor.accept_token(0)
    assert cursor.accept_token(1)
    assert cursor.accept_bytes(b"c")
    assert cursor.is_accepting()


def test_a_source_that_does_not_do_as_it_is_asked_is_an_internal_error(kernel):
    source = GrowingSource(StaticSource(compile_automaton(Grammar.from_gbnf('root ::= "a" "b"')), 2))
    source.expand = lambda state: None
    vocabulary = Vocabulary.from_bytes([b"a", None], eos=[1])
    with pytest.raises(MaskError) as caught:
        make(source, vocabulary, kernel).cursor()
    assert caught.value.code == "INTERNAL"


@pytest.fixture
def _restless():
    """Threads are switched as often as possible, so that a race shows in a short test."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("_restless", "_few_nodes_are_many")
def test_threads_make_the_states_of_one_source(kernel):
    pieces = [b'{"', b'":', b'"}', b'","', b"}}", b"]}", b"12", b'a"', b'"b":{', b"abc"]
    vocabulary = Vocabulary.from_bytes([*(bytes([b]) for b in range(256)), *pieces, None], eos=[256 + len(pieces)])
    grammar = Grammar.from_gbnf(
        'root ::= "{" (pair ("," pair)*)? "}"\npair ::= string ":" value\n'
        'value ::= root | string | [0-9]+ | "[" value "]"\nstring ::= "\\"" [a-z]* "\\""'
    )
    whole = StaticSource(compile_automaton(grammar, limits=Limits(nesting=5)), 5)

    def masks(seed: int) -> list[set[int]]:
        rng, cursor, found = random.Random(seed), shared.cursor(), []
        for _ in range(20):
            found.append(allowed(cursor, vocabulary))
            choices = sorted(found[-1] - set(vocabulary.eos))
            if not choices:
                break
            assert cursor.accept_token(rng.choice(choices))
        return found

    shared = make(whole, vocabulary, kernel)
    alone = [masks(seed) for seed in range(16)]
    for spare in range(4):
        shared = make(GrowingSource(whole, spare), vocabulary, kernel)
        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(masks, range(16))) == alone


# Default states and exits by hand


def any_string_but(names: dict[bytes, int], states: list[State], edges: list, string: list[State], after: int) -> int:
    """A trie of names inside a string: each node, but for the names' bytes, as the string is at that place.

    string: its states, the first one inside it, the last one its end; they are moved behind `states`.
    """
    base = len(states)
    for state in string:
        moves = {b: t + base if isinstance(t, int) else t for b, t in state.moves.items()}
        states.append(State(moves, state.accepting))

    def node(prefix: bytes, inner: int) -> int:
        here = len(states)
        states.append(State())
        edges.append((inner, after, 0, 0))
        edge = len(edges) - 1
        moves = dict.fromkeys(states[inner].moves, ("call", edge))
        for byte in sorted({n[len(prefix)] for n in names if n.startswith(prefix) and len(n) > len(prefix)}):
            moves[byte] = node(prefix + bytes([byte]), states[inner].moves[byte])
        if prefix in names:
            moves[ord('"')] = names[prefix]
        states[here] = State(moves, calls=(edge,), default=edge)
        return here

    return node(b"", base)


def json_string(most: int | None = None) -> list[State]:
    """Strings of plain ASCII letters, escapes of one letter, and two-byte characters; at most so many characters."""
    letters, lead, tail = b"abcdefgh", 0xC3, range(0xA0, 0xA8)
    if most is None:
        moves = {**dict.fromkeys(letters, 0), ord("\\"): 1, lead: 2, ord('"'): 3}
        return [State(moves), State(dict.fromkeys(b'\\"n', 0)), State(dict.fromkeys(tail, 0)), State(accepting=True)]
    end = 3 * most + 1
    states: list[State] = []
    for n in range(most):
        following = 3 * (n + 1)
        moves = {**dict.fromkeys(letters, following), ord("\\"): 3 * n + 1, lead: 3 * n + 2, ord('"'): end}
        escape, rest = dict.fromkeys(b'\\"n', following), dict.fromkeys(tail, following)
        states.extend((State(moves), State(escape), State(rest)))
    return [*states, State({ord('"'): end}), State(accepting=True)]


KEYS = [bytes([b]) for b in (*b'abcdefgh\\"n:;()', 0xC3, *range(0xA0, 0xA8))]
KEYS += [b"ab", b"abc", b'ab"', b'abc":', b"abd", b'a":(', b'":', b'":(', b"aaaaaa", b"\xc3\xa0", b"\xc3\xa1a"]
KEYS += [b'h"', b'a\\"']
KEYS += [*strings(b"abch", (2, 3)), b'a\\"b":', b"abcabcabc", b'\xc3\xa0":;']
KEY_VOCABULARY = Vocabulary.from_bytes([*dict.fromkeys(KEYS), None], eos=[len(dict.fromkeys(KEYS))])
NAMES = (b"ab", b"abc", b"abcdh", b"b", b"", "à".encode(), "áa".encode())


@pytest.mark.usefixtures("_few_nodes_are_many")
@pytest.mark.parametrize("most", [None, 1, 3, 6])
@pytest.mark.parametrize("before", [True, False], ids=["behind a quote", "before it"])
def test_names_and_any_other_string(most, before, kernel):
    rng = random.Random(most)
    names = [n for n in NAMES if most is None or len(n.decode()) <= most]
    states = [State({ord("("): 1}), State(), State({ord(":"): 3}), State({ord(";"): 4}), State(accepting=True)]
    states += [State({ord(":"): 6}), State({ord("a"): 4, ord("("): ("call", 0)}, calls=(0,))]  # after a name
    edges = [(0, 3, 1, 0)]
    root = any_string_but(dict.fromkeys(names, 5), states, edges, json_string(most), 2)
    states[1] = State({ord('"'): root}) if before else states[root]
    whole = WholeSource(states, edges, nesting=2)
    for spare in range(2):
        machines = [make(whole, KEY_VOCABULARY, kernel), make(GrowingSource(whole, spare), KEY_VOCABULARY, kernel)]
        for _ in range(25):
            walk(whole, [m.cursor() for m in machines], KEY_VOCABULARY, rng, 10)


def test_a_default_state_beside_other_ways_to_go_on(kernel, monkeypatch):
    """Returned to from a state that reads on itself, so that its mask must not clear what others have set."""
    monkeypatch.setattr(visible, "_NARROW", 6)
    # 0 calls 1; 1 reads `a` and may end; after it 2: a default state, as 3 but for `c`; 3 loops on b, c, d up to `;`
    states = [
        State({ord("a"): ("call", 0)}, calls=(0,)),
        State({ord("a"): 4}),
        State({**dict.fromkeys(b"bd;", ("call", 1)), ord("c"): 6}, calls=(1,), default=1),
        State({**dict.fromkeys(b"bcd", 3), ord(";"): 5}),
        State({ord("a"): 4}, accepting=True),
        State(accepting=True),
        State({ord(","): 5}),
    ]
    whole = WholeSource(states, [(1, 2, 0, 0), (3, 5, 0, 0)])
    rng = random.Random(1)
    for _ in range(6):
        sources = [make(GrowingSource(whole), VOCABULARY, kernel), make(whole, VOCABULARY, kernel)]
        for _ in range(4):
            walk(whole, [m.cursor() for m in sources], VOCABULARY, rng)


@pytest.mark.parametrize("nesting", [0, 1, 2])
def test_a_default_edge_without_room_is_not_taken(nesting, kernel):
    states = [
        State({**dict.fromkeys(b"bd", ("call", 0)), ord("a"): 1, ord("c"): 3}, calls=(0,), default=0),
        State({ord("a"): 3}),
        State({**dict.fromkeys(b"abd", 2), ord(";"): 3}, room=1),
        State(accepting=True),
    ]
    whole = WholeSource(states, [(2, 3, 1, 0)], nesting=nesting)
    cursor = make(GrowingSource(whole), VOCABULARY, kernel).cursor()
    expected = mask(whole, (0, ()), VOCABULARY)
    assert allowed(cursor, VOCABULARY) == expected
    assert (TOKENS.index(b"b") in expected) is (nesting == 2)


@pytest.mark.parametrize("depths", [(0, 1, 2, 3), (3, 2, 1, 0)])
def test_what_is_known_of_a_default_state_holds_where_there_is_room(depths, kernel):
    """Of `q`, a default state, and what it calls: only the latter needs a level more after `a`."""
    states = [
        State({ord("("): ("call", 0), ord("q"): 3}, calls=(0,)),
        State({ord(";"): 2}),
        State(accepting=True),
        State({ord("a"): 4, ord("b"): ("call", 1), ord("d"): 2}, calls=(1,), default=1),
        State({ord("b"): ("call", 2), ord("c"): 2}, calls=(2,), default=2),
        State({ord("a"): 6, ord("b"): 5, ord("d"): 5}),
        State({ord("b"): 7}, room=1),
        State(accepting=True),
        State({ord("("): 0}),
    ]
    whole = WholeSource(states, [(8, 1, 1, 0), (5, 1, 0, 0), (6, 1, 0, 0)], nesting=3)
    machines = [make(GrowingSource(whole), VOCABULARY, kernel), make(whole, VOCABULARY, kernel)]
    for depth in depths:
        text = b"(" * depth + b"q"
        position = read_all(whole, (0, ()), text)
        expected = mask(whole, position, VOCABULARY)
        assert (TOKENS.index(b"ab") in expected) is (depth < 3)
        for machine in machines:
            cursor = machine.cursor()
            assert cursor.accept_bytes(text)
            assert allowed(cursor, VOCABULARY) == expected
            assert allowed(cursor, VOCABULARY) == expected


@pytest.mark.usefixtures("_few_nodes_are_many")
def test_a_module_tells_its_caller_how_it_ended(kernel):
    """A word of letters, odd or even in length; the caller goes on with `;` or with `,`. The word is wide."""
    moves_even, moves_odd = dict.fromkeys(b"abcd", 2), dict.fromkeys(b"abcd", 1)
    states = [
        State(dict.fromkeys(b"abcd", ("call", 0)), calls=(0,)),
        State(moves_even, accepting=True, exit=0),
        State(moves_odd, accepting=True, exit=1),
        State({ord(";"): 6}),
        State({ord(","): 6}),
        State(dict.fromkeys(b"abcd", 1)),
        State({ord("q"): 0}, accepting=True),
    ]
    whole = WholeSource(states, [(5, 3, 0, 0)])
    rng = random.Random(3)
    machines = [make(GrowingSource(whole), VOCABULARY, kernel), make(whole, VOCABULARY, kernel)]
    cursor = machines[0].cursor()
    assert cursor.accept_bytes(b"ab")
    assert TOKENS.index(b",") in allowed(cursor, VOCABULARY)
    assert TOKENS.index(b";") not in allowed(cursor, VOCABULARY)
    assert not cursor.is_accepting()
    for _ in range(12):
        walk(whole, [m.cursor() for m in machines], VOCABULARY, rng)
