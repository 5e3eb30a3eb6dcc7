"""The deterministic path where it is hard: frames that grow, wide states, depth, and machines that are shared.

`test_engine` walks random grammars over small vocabularies, in which no state is wide. Here they are.
"""

from __future__ import annotations

import itertools
import random
import sys
import time
from array import array
from concurrent.futures import Future, ThreadPoolExecutor

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from checkrail.decoding.constraint import Constraint, compile
from checkrail.errors import GrammarError, MaskError
from checkrail.grammar.grammar import Grammar
from checkrail.limits import Limits
from checkrail.mask import visible, wide
from checkrail.mask.bitmask import allowed_tokens, words_for
from checkrail.mask.cursor import fill_batch
from checkrail.mask.kernel import load_compiled, load_interpreted
from checkrail.mask.slow import get_mask_slow
from checkrail.vocabulary.vocabulary import Vocabulary
from strategies import ALPHABET, grammars

KERNELS = [load_interpreted(), *filter(None, [load_compiled()])]
LETTERS = "abcdefghijklmnopqrstuvwxyz"
WORDS = [a + b for a in LETTERS for b in LETTERS]  # so that a state that takes letters is wide
BYTES = [bytes([b]) for b in range(0x20, 0x7F)]
BY_DEPTH, NOTED = -3, -5  # and below


@pytest.fixture(autouse=True)
def _hundreds_of_nodes_are_many(monkeypatch):
    """So that a state that takes letters is wide."""
    monkeypatch.setattr(visible, "_NARROW", 256)


LISTS = 'root ::= "[" (root ("," root)*)? "]" | "1"'
JSON = (
    'root ::= object\nobject ::= "{" (pair ("," pair)*)? "}"\npair ::= string ":" value\n'
    'value ::= object | string | "[" (value ("," value)*)? "]"\nstring ::= "\\"" [a-z,:]* "\\""'
)


def vocabulary(*more: str) -> Vocabulary:
    """Printable bytes, two-letter words, more, and an end token."""
    tokens = [*BYTES, *(w.encode() for w in WORDS), *(t.encode() for t in more)]
    return Vocabulary.from_bytes([*tokens, None], eos=[len(tokens)])


def make(text: str, vocabulary: Vocabulary, kernel, nesting: int = 16) -> Constraint:
    constraint = compile(Grammar.from_gbnf(text), vocabulary, limits=Limits(nesting=nesting), kernel=kernel)
    assert constraint.engine.visible is not None
    return constraint


def slow(constraint: Constraint, matcher) -> set[int]:
    return get_mask_slow(constraint.engine.stepper, matcher.configuration(), constraint.vocabulary)


def check(constraint: Constraint, matcher) -> None:
    assert set(matcher.allowed(None)) == slow(constraint, matcher)


def slots(constraint: Constraint) -> list[int]:
    return list(constraint.engine.visible._automaton.kept_slots)


# Frames


BRACKETS = ["[]", "{}", "()", "<>"]


def nested(rng: random.Random, depth: int, size: list[int]) -> str:
    """Values in brackets; `size` is how many more there may be."""
    size[0] -= 1
    if not depth or size[0] < 0 or rng.random() < 0.1:
        return '"' + rng.choice(["", "a", "ab"]) + '"'
    begin, end = rng.choice(BRACKETS)
    return begin + ",".join(nested(rng, depth - 1, size) for _ in range(rng.randint(1, 3))) + end


def test_what_leaves_a_module_is_noted_for_each_frame(kernel):
    """Each mask is made twice, the second time from what was noted, and compared with that of a machine that forgets
    what it noted. Frames share records, and more is noted than there is room for."""
    rng = random.Random(7)
    lists = " | ".join(f"list{number}" for number in range(4))
    text = f'root ::= value\nvalue ::= {lists} | string\nstring ::= "\\"" [a-z]* "\\""\n'
    text += "\n".join(f'list{n} ::= "{begin}" value ("," value)* "{end}"' for n, (begin, end) in enumerate(BRACKETS))
    ends = ['",', '"]', '"}', '">', '")', '"]]', '"),(', '"}>']
    words = vocabulary(*ends, *(word + end for word in WORDS for end in ends))
    constraint, other = (make(text, words, own, nesting=40) for own in (kernel, KERNELS[0]))
    document = f"[{','.join(nested(rng, 12, [60]) for _ in range(60))}]".encode()
    assert len(document) > 5_000
    matcher, forgetful = constraint.matcher(), other.matcher()
    row, again, expected = (array("i", [0]) * words_for(len(words)) for _ in range(3))
    for byte in document:
        matcher.fill_next_token_bitmask(row)
        matcher.fill_next_token_bitmask(again)
        other.engine.visible._machine.forget_left()
        forgetful.fill_next_token_bitmask(expected)
        assert row == again == expected
        assert matcher.accept_bytes(bytes([byte]))
        assert forgetful.accept_bytes(bytes([byte]))
    assert constraint.engine.visible._machine.frame_count > 1024


def test_frames_grow_with_the_depth_of_the_text(kernel):
    constraint = make(LISTS, vocabulary("[[", "]]", "]]]]", "],[", "[[[["), kernel, nesting=300)
    matcher = constraint.matcher()
    text = b"[1," * 250 + b"1" + b"]" * 250
    before = constraint.engine.visible._machine.frame_count
    for position in range(len(text)):
        assert matcher.accept_bytes(text[position : position + 1])
        if position % 97 == 0:
            check(constraint, matcher)
    assert matcher.is_completed()
    assert constraint.engine.visible._machine.frame_count >= before + 250
    deepest = constraint.matcher()
    assert deepest.accept_bytes(b"[" * 301)
    assert deepest.next_bytes() == b"]"
    check(constraint, deepest)


@pytest.mark.parametrize("wide", [False, True])
def test_frames_grow_during_a_mask(kernel, wide):
    long = "[]," * 400  # one scratch frame for each bracket, more than there is room for at first
    letters = " | [a-z]+" if wide else ""
    constraint = make(LISTS + letters, vocabulary(long + "1", long + "]", long + "]]", "1," + long), kernel, nesting=4)
    for text in ("", "[", "[[", "[[[[", "[1,", "[[],", "[[1"):
        matcher = constraint.matcher()
        assert matcher.accept_bytes(text.encode())
        check(constraint, matcher)
        check(constraint, matcher)
    if wide:
        assert any(slot >= 0 or slot == BY_DEPTH for slot in slots(constraint))


def test_many_stacks_end_with_their_texts(kernel, monkeypatch):
    monkeypatch.setattr(visible, "_MANY_FRAMES", 40)
    constraint = make('root ::= "[" root "]" | "(" root ")" | "1"', vocabulary("[(", ")]"), kernel)
    first = constraint.matcher()
    assert first.accept_bytes(b"[([")
    machines = set()
    for brackets in itertools.product("[(", repeat=6):
        matcher = constraint.matcher()
        text = "".join(brackets) + "1"
        assert matcher.accept_bytes(text.encode())
        assert matcher.next_bytes() == (b"]" if brackets[-1] == "[" else b")")
        machines.add(id(constraint.engine.visible._machine))
    assert len(machines) > 1
    assert constraint.engine.visible._machine.frame_count < 80
    assert first.accept_bytes(b"1])]")
    assert first.is_completed()


def test_masks_that_fill_too_much_memory_end_with_their_texts(kernel, monkeypatch):
    words = vocabulary("".join(map(chr, range(97, 123))), *("ab" * n for n in range(1, 150)))
    constraint = make('root ::= "(" [a-z]* ")" root | [a-z]+', words, kernel)
    first = constraint.matcher()
    assert first.accept_bytes(b"(a")
    check(constraint, first)
    assert constraint.memory["masks"] > 0
    monkeypatch.setattr(visible, "_MANY_BYTES", 1)
    second = constraint.matcher()
    assert constraint.memory["masks"] == 0
    for matcher in (first, second, first):
        check(constraint, matcher)
        assert matcher.accept_bytes(b"a)b" if matcher is first else b"(")
        check(constraint, matcher)
        if matcher is first:
            matcher.rollback()


def test_a_text_with_too_many_stacks_is_refused_with_its_code(kernel, monkeypatch):
    monkeypatch.setattr(visible, "_MAXIMUM_FRAMES", 300)
    constraint = make('root ::= "[" (root ("," root)*)? "]" | "(" root ")" | "1"', vocabulary("[(" * 3), kernel)
    matcher = constraint.matcher()
    assert matcher.accept_bytes(b"[")

    def read_all_stacks() -> None:
        for brackets in itertools.product("[(", repeat=8):
            closing = "".join({"[": "]", "(": ")"}[b] for b in reversed(brackets))
            assert matcher.accept_bytes(f"{''.join(brackets)}1{closing},".encode())

    with pytest.raises(MaskError) as caught:
        read_all_stacks()
    assert caught.value.code == "MASK_STACKS"
    check(constraint, matcher)  # nothing has moved


def test_an_error_while_a_local_mask_is_found_leaves_nothing_behind(kernel, monkeypatch):
    monkeypatch.setattr(visible, "_MAXIMUM_FRAMES", 300)
    long = "[]," * 600
    constraint = make(LISTS + ' | [a-z]+ | "(" [a-y]* ")"', vocabulary(long + "1", "[" + long), kernel, nesting=4)
    matcher = constraint.matcher()
    assert matcher.accept_bytes(b"[")
    with pytest.raises(MaskError):
        matcher.allowed(None)
    other = constraint.matcher()
    assert other.accept_bytes(b"(")
    check(constraint, other)


# Wide states


def test_narrow_and_wide_states_are_told_apart(kernel):
    constraint = make(JSON, vocabulary('{"', '":"', '"}', '","', '"]', '":{"', 'a"'), kernel)
    matcher = constraint.matcher()
    for byte in b'{"ab":["c",{"d":"e"}]}':
        assert matcher.accept_bytes(bytes([byte]))
        check(constraint, matcher)
    assert matcher.is_completed()
    kinds = slots(constraint)
    assert any(slot <= NOTED for slot in kinds)
    assert any(slot >= 0 for slot in kinds)


def test_what_a_narrow_walk_found_is_kept(kernel, monkeypatch):
    monkeypatch.setattr(visible, "_NARROW", 1024)
    constraint = make('root ::= "(" [a-z]+ ")" root?', vocabulary("a)", "b)(", "z)(a"), kernel)
    matcher = constraint.matcher()
    assert matcher.accept_bytes(b"(")
    seen = []
    for _ in range(3):
        check(constraint, matcher)
        seen.append(slots(constraint))
    assert min(seen[0]) <= NOTED
    assert seen == [seen[0]] * 3


def test_exits_of_a_narrow_walk_go_on_in_every_caller(kernel, monkeypatch):
    monkeypatch.setattr(visible, "_NARROW", 1024)
    text = 'root ::= "(" word ")" root? | "[" word "]" root? | "<" word ">x"  word ::= [a-c]+'
    constraint = make(text.replace("  ", "\n"), vocabulary("a)", "b)(", "c](a", "a>x", "ab)[c]<", "b><"), kernel)
    for text in ("(", "(a", "[b", "<c", "(a)[", "<", "[c](a"):
        matcher = constraint.matcher()
        assert matcher.accept_bytes(text.encode())
        check(constraint, matcher)
        check(constraint, matcher)


def test_where_a_walk_has_more_exits_than_there_is_room_for_a_local_mask_is_made(kernel, monkeypatch):
    monkeypatch.setattr(visible, "_NARROW", 8)
    words = [f"a{letter}" for letter in "0123456789;.:-_!?/"]
    constraint = make('root ::= word ("" | [0-9;.:?/!_] "-" root)\nword ::= "a"', vocabulary(*words), kernel)
    matcher = constraint.matcher()
    check(constraint, matcher)
    assert any(slot >= 0 for slot in slots(constraint))
    assert matcher.accept_bytes(b"a0-")
    check(constraint, matcher)
    check(constraint, matcher)


def test_a_wide_mask_that_a_single_byte_makes_depend_on_depth(kernel):
    """No token calls anything: `[` only reaches a state that needs room. Seen first where there is room."""
    text = 'root ::= "[" root "]" | [a-z]+'
    words = Vocabulary.from_bytes([b"[", b"]", *(w.encode() for w in WORDS), None], eos=[len(WORDS) + 2])
    for depths in ([0, 1, 2, 3], [3, 0, 2, 1]):
        constraint = make(text, words, kernel, nesting=3)
        for depth in depths:
            matcher = constraint.matcher()
            assert matcher.accept_bytes(b"[" * depth)
            check(constraint, matcher)
            assert (0 in matcher.allowed()) is (depth < 3)
        assert BY_DEPTH in slots(constraint)


def test_a_wide_mask_that_depends_on_depth_through_calls(kernel):
    more = ["[" * n for n in range(2, 7)] + ["[[a", "[a]", "[[ab]]", "(a)", "[(", ")]]", "]]", "a]]"]
    constraint = make('root ::= "[" root "]" | "(" [a-z]* ")" | [a-z]+', vocabulary(*more), kernel, nesting=4)
    for depth in (1, 4, 0, 3, 2, 4):
        for end in ("", "(", "(a", "a", "(b)"):
            matcher = constraint.matcher()
            assert matcher.accept_bytes(b"[" * depth + end.encode())
            check(constraint, matcher)
    kinds = slots(constraint)
    assert BY_DEPTH in kinds
    assert any(slot >= 0 for slot in kinds)  # inside the parentheses depth does not matter


def test_room_that_the_state_needs_anyway_does_not_make_depth_matter(kernel):
    constraint = make('root ::= "<" [a-z]* root ">" | "."', vocabulary("<a", "<<", ".>"), kernel, nesting=6)
    for depth in (1, 6, 3):
        matcher = constraint.matcher()
        assert matcher.accept_bytes(b"<" * depth + b"ab")
        check(constraint, matcher)


def test_exits_go_on_in_every_caller(kernel):
    tokens = [
        'a"',
        '":',
        '"}',
        '"]',
        '",',
        '","',
        '":"',
        '"}}',
        '"]}',
        'b":{"',
        'a","b',
        'z"}]',
        '","a":"',
        '"]]]',
        ',:"',
    ]
    constraint = make(JSON, vocabulary(*tokens), kernel)
    texts = ('{"', '{"a":"', '{"a":["', '{"a":[["', '{"a":{"b":"', '{"a":["x",{"', '{"a":{"', '{"a":[{"b":["')
    for text in (*texts, *reversed(texts)):
        matcher = constraint.matcher()
        assert matcher.accept_bytes(text.encode())
        check(constraint, matcher)
    assert sum(slot >= 0 for slot in slots(constraint)) <= 2  # the string's, whoever calls it


def test_as_many_callees_as_bytes_can_wait_together(kernel):
    firsts = [b for b in range(0x21, 0x7F) if chr(b) not in '"\\;']
    rules = [f'r{b} ::= "\\x{b:02X}" (r{b} ";")? [a-z]? ";"' for b in firsts if not chr(b).islower()]
    names = " | ".join(f"r{b}" for b in firsts if not chr(b).islower())
    constraint = make(f"root ::= x\nx ::= ({names}) x?\n" + "\n".join(rules), vocabulary(";!", "!;!", "A;B;"), kernel)
    for text in ("", "!", "!;", "A;B", "AA;;", "AAA;"):
        matcher = constraint.matcher()
        assert matcher.accept_bytes(text.encode())
        check(constraint, matcher)


def test_more_pairs_than_a_visible_automaton_can_have_are_an_internal_error(kernel, monkeypatch):
    monkeypatch.setattr(visible, "_MAXIMUM_WAITING", 1)
    constraint = make('root ::= x | y\nx ::= "a" x? ";"\ny ::= "b" y? ";"', vocabulary(), kernel)
    with pytest.raises(MaskError) as caught:
        constraint.matcher().allowed()
    assert caught.value.code == "INTERNAL"


LONG = Vocabulary.from_bytes(
    [
        *sorted({bytes([b]) for b in ALPHABET.encode()}),
        *("".join(t).encode() for n in (2, 3) for t in itertools.product('ab"[{', repeat=n)),
        *("".join(t).encode() for t in itertools.product('ab"[', repeat=4)),
        *("".join(t).encode() for t in itertools.product("ab", repeat=7)),
        None,
    ],
    eos=[len(set(ALPHABET.encode())) + 25 + 125 + 256 + 128],
)


@given(grammars(), st.integers(1, 4), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_masks_equal_the_oracle_where_states_are_wide(grammar, nesting, rng):
    limits = Limits(nesting=nesting)
    try:
        constraints = [compile(grammar, LONG, contract="context-free", limits=limits, kernel=k) for k in KERNELS]
    except GrammarError as error:
        assume(error.code not in ("GRAMMAR_UNPRODUCTIVE", "GRAMMAR_EMPTY_LANGUAGE", "GRAMMAR_BUDGET_DEPTH"))
        raise
    assume(constraints[0].engine.visible is not None)
    for _ in range(2):
        matchers = [c.matcher() for c in constraints]
        for _ in range(4):
            expected = slow(constraints[0], matchers[0])
            for matcher in matchers:
                assert set(matcher.allowed(None)) == expected
            choices = sorted(expected - set(LONG.eos))
            if not choices:
                break
            token = rng.choice(choices)
            assert all(m.accept_token(token) for m in matchers)


# Cursors


def test_rollback_and_copy(kernel):
    constraint = make(JSON, vocabulary('{"', '":"', '"}', '":[', '"]'), kernel)
    matcher = constraint.matcher()
    text = b'{"a":["b",{"c":"d"}],"e":"f"}'
    masks, forks = [], []
    for byte in text:
        masks.append(matcher.allowed(None))
        forks.append(matcher.fork())
        assert matcher.accept_bytes(bytes([byte]))
    matcher.rollback(5)
    assert matcher.allowed(None) == masks[-5]
    assert matcher.accept_bytes(text[-5:])
    matcher.rollback(1)
    for position in reversed(range(len(text) - 5)):
        matcher.rollback(1)
        assert matcher.allowed(None) == masks[position]
    assert matcher.steps == 0
    for position in (0, 3, 9, len(text) - 1):
        fork = forks[position]
        assert fork.allowed(None) == masks[position]
        assert fork.accept_bytes(text[position:])
        assert fork.is_completed()
        fork.rollback(fork.steps)
        assert fork.allowed(None) == masks[0]


def test_what_does_not_fit_changes_nothing(kernel):
    constraint = make(JSON, vocabulary('{"', "}}"), kernel)
    matcher = constraint.matcher()
    assert matcher.accept_bytes(b'{"a":{')
    here, mask = matcher.configuration(), matcher.allowed(None)
    cursor = constraint.engine.visible.cursor()
    for bad in (b"}}}", b"1", b'"a":"b"}}x', b'"a"::'):
        assert not matcher.accept_bytes(bad)
        assert not cursor.accept_bytes(bad)
    for token in (-1, 10**6, sys.maxsize, constraint.vocabulary.eos[0], BYTES.index(b"1")):
        assert not cursor.accept_token(token)
    assert matcher.configuration() is here
    assert matcher.allowed(None) == mask
    assert cursor.position() == constraint.engine.visible.cursor().position()


def words_of(vocabulary: Vocabulary) -> int:
    return (len(vocabulary) + 31) // 32


def test_every_kind_of_buffer_gets_the_same_mask(kernel):
    np = pytest.importorskip("numpy")
    vocab = vocabulary("{a", '{"')
    constraint = make(JSON, vocab, kernel)
    words = words_of(vocab)
    for text in (b"", b'{"'):
        matcher = constraint.matcher()
        assert matcher.accept_bytes(text)
        expected = slow(constraint, matcher)
        for buffer, index in (
            (np.full((3, words), -1, dtype=np.int32), 1),
            (np.full((2, words + 2), -1, dtype=np.int32), 0),
            (np.full((1, words), 7, dtype=np.uint32), 0),
            (np.full(words, -1, dtype=np.int32), 0),
            (memoryview(array("i", [-1] * (2 * words))).cast("B").cast("i", (2, words)), 1),
            (memoryview(array("I", [9] * (2 * words))).cast("B").cast("I", (2, words)), 1),
            (array("i", [-1] * words), 0),
            (array("I", [5] * (words + 1)), 0),
        ):
            others = [row.copy() for row in np.atleast_2d(np.asarray(buffer))]
            assert matcher.fill_next_token_bitmask(buffer, index)
            assert set(allowed_tokens(buffer, index)) == expected
            rows = np.atleast_2d(np.asarray(buffer))
            assert not rows[index, words:].any()
            for row, other in enumerate(others):
                assert row == index or (rows[row] == other).all()


def test_buffers_of_the_wrong_shape_are_refused_alike(kernel):
    np = pytest.importorskip("numpy")
    vocab = vocabulary()
    words = words_of(vocab)
    matcher = make(JSON, vocab, kernel).matcher()
    readonly = np.zeros((1, words), dtype=np.int32)
    readonly.flags.writeable = False
    for buffer, index in (
        (np.zeros((2, words), dtype=np.int32), 2),
        (np.zeros((2, words), dtype=np.int32), -1),
        (np.zeros((2, words), dtype=np.int32), 2**40),
        (np.zeros((2, words - 1), dtype=np.int32), 0),
        (np.zeros((2, words), dtype=np.int64), 0),
        (np.zeros((2, words), dtype=np.int16), 0),
        (np.zeros((2, 2 * words), dtype=np.int32)[:, ::2], 0),
        (readonly, 0),
        (array("i", [0] * (words - 1)), 0),
        (array("q", [0] * words), 0),
    ):
        with pytest.raises(MaskError) as caught:
            matcher.fill_next_token_bitmask(buffer, index)
        assert caught.value.code == "MASK_BUFFER"


def test_a_short_row_is_refused(kernel):
    constraint = make(JSON, vocabulary(), kernel)
    with pytest.raises(ValueError, match="no such row"):
        constraint.engine.visible.cursor().fill_row(memoryview(array("I", [0])))


def test_many_rows_are_filled_in_one_call(kernel):
    constraint = make(JSON, vocabulary('{"', '":"', '"}'), kernel)
    words = words_of(constraint.vocabulary)
    texts = ("", "{", '{"', '{"a', '{"a":', '{"a":"b')
    cursors, expected = [], []
    for text in texts:
        matcher = constraint.matcher()
        assert matcher.accept_bytes(text.encode())
        cursor = constraint.engine.visible.cursor()
        assert cursor.accept_bytes(text.encode())
        cursors.append(cursor)
        expected.append(slow(constraint, matcher))
    indices = [5, 0, 7, 1, 2, 6]
    rows = memoryview(array("i", [-1]) * (8 * (words + 1))).cast("B").cast("i", (8, words + 1))
    assert fill_batch(cursors, rows, indices) is (kernel.mode == "compiled")
    if kernel.mode == "interpreted":
        kernel.machine.VisibleCursor.fill_batch(cursors, rows, indices)
    for index, mask in zip(indices, expected, strict=True):
        assert set(allowed_tokens(rows, index)) == mask
    for index in (3, 4):
        assert rows.tolist()[index] == [-1] * (words + 1)
    for bad in ([0, 1, 2, 3, 4, 8], [0, 1, 2, 3, 4, -1]):
        with pytest.raises(ValueError, match="no such row"):
            kernel.machine.VisibleCursor.fill_batch(cursors, rows, bad)
    assert not fill_batch([*cursors, object()], rows, [*indices, 4])
    assert not fill_batch([], rows, [])


# A machine that is shared


def test_a_machine_used_by_another_while_it_finds_a_mask(kernel, monkeypatch):
    """While a mask is found for one thread, all others wait, and then go on as if nothing had been."""
    grammar = LISTS + " | [a-z]+"
    words = vocabulary("[]," * 300 + "a", "[[", "[a", "a]")
    calm = make(grammar, words, kernel, nesting=4)
    texts = ("[", "", "[[[[", "[a", "[[1,", "[[[")
    pool = ThreadPoolExecutor(len(texts))
    running: list[Future[list[int]]] = []
    find = wide.WideMasks.find

    def read(text: str) -> list[int]:
        matcher = constraint.matcher()
        assert matcher.accept_bytes(text.encode())
        return matcher.allowed(None)

    def disturb(*arguments):
        if not running:
            running.extend(pool.submit(read, text) for text in texts)
            time.sleep(0.1)
            assert not any(future.done() for future in running)
        return find(*arguments)

    monkeypatch.setattr(wide.WideMasks, "find", disturb)
    constraint = make(grammar, words, kernel, nesting=4)
    first = read("[")
    monkeypatch.undo()
    for text, future in zip(texts, running, strict=True):
        alone = calm.matcher()
        assert alone.accept_bytes(text.encode())
        assert future.result() == alone.allowed(None) == read(text)
    assert first == running[0].result()
    pool.shutdown()


def test_what_a_module_allows_is_found_once_for_all_grammars(kernel, monkeypatch):
    words = vocabulary('x"', '"x', 'a"}', 'b"]')
    string = f'string ::= "<" [a-z]* ">" | "{"no short rule, so it is called " * 2}"'
    first = make(f'root ::= "{{" string "}}" string\n{string}', words, kernel)
    second = make(f'root ::= "[" string ("," string)* "]"\n{string}', words, kernel)
    for constraint, text in ((first, b"{<a"), (second, b"[<a")):
        matcher = constraint.matcher()
        assert matcher.accept_bytes(text)
        check(constraint, matcher)
        assert max(slots(constraint)) >= 0
        monkeypatch.setattr(wide.WideMasks, "_make", None)  # nothing is walked for the second
