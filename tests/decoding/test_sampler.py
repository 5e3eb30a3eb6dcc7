import dataclasses
import hashlib
import json
import math
import os
import struct
import subprocess
import sys
from array import array
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference_sampler
from checkrail.decoding.det_exp import det_exp
from checkrail.decoding.det_exp_array import det_exp_array
from checkrail.decoding.plain_sampler import PlainSampler
from checkrail.decoding.randomness import Randomness
from checkrail.decoding.sampler import Sampler
from checkrail.decoding.sampling import Draw, Sampling
from checkrail.errors import Error, MaskError, SamplingError
from data_path import shared_data

FOLDER = Path(__file__).resolve().parents[2] / "conformance"
CONFORMANCE = FOLDER / "sampler.json"
DET_EXP = json.loads((FOLDER / "det_exp.json").read_text("utf-8"))
KEY = bytes(range(32))
NAN, INF = math.nan, math.inf
THOROUGH = os.environ.get("CHECKRAIL_THOROUGH") == "1"
CASES = 100_000 if THOROUGH else 6_000


def bitmask(allowed: Any, size: int) -> Any:
    if allowed is None:
        return None
    words = array("i", bytes(4 * ((size + 31) // 32)))
    for i in allowed:
        if i < size:
            words[i >> 5] |= 1 << (i & 31) if i & 31 != 31 else -(1 << 31)
    return words


def draw(logits: Any, allowed: Any = None, history: Any = (), **parameters: Any) -> Draw:
    size = parameters.pop("size", len(logits))
    sampler = Sampler(Sampling(**parameters), logits_width=len(logits), vocabulary_size=size, key=KEY)
    return sampler.sample(np.array(logits), bitmask(allowed, size), list(history))


def outcome(
    sampler: Sampler | PlainSampler, logits: Any, allowed: Any, history: Any, **arguments: Any
) -> dict[str, Any]:
    try:
        result = sampler.sample(logits, bitmask(allowed, sampler._size), history, **arguments)
    except Error as error:
        return {"error": error.code}
    return {"token": result.token, "probability": result.probability}


# -- against the reference ----------------------------------------------------------------------------------


def random_parameters(random: Random, size: int) -> dict[str, Any]:
    options: dict[str, list[Any]] = {
        "top_k": [1, 2, 3, 100],
        "top_p": [5e-324, 0.1, 0.5, 0.9, 0.999, 1 - 2**-53],
        "min_p": [1e-300, 0.05, 0.5, 1.0],
        "repetition_penalty": [0.5, 1.3, 5e-324, 1e308],
        "presence_penalty": [-1.5, 0.4, 1000.0],
        "frequency_penalty": [-0.5, 0.4],
        "repetition_window": [1, 3],
        "min_tokens": [2, 10],
        "forbidden": [[0], [size - 1], list(range(size))],
        "nan_policy": ["logit_zero", "fail"],
        "inf_policy": ["fail"],
    }
    chosen = {name: random.choice(values) for name, values in options.items() if random.random() < 0.2}
    return {"temperature": random.choice([0.0, 5e-324, 1e-3, 0.7, 1.0, 1.0, 1.0, 3.0, 1e308]), **chosen}


SPECIAL = [NAN, INF, -INF, 0.0, -0.0, 5e-324, -5e-324, 2.2e-308, 1.7e308, -1.7e308]


def random_logits(random: Random, size: int) -> list[float]:
    odd = random.choice([0.0, 0.0, 0.1, 0.9])
    places = random.choice([0, 1, 15])  # few places make ties
    return [random.choice(SPECIAL) if random.random() < odd else round(random.gauss(0, 3), places) for _ in range(size)]


def test_agrees_with_the_reference_on_random_cases() -> None:
    random, seen = Random(7), Counter[str]()
    for _ in range(CASES // 50):
        width = random.randint(1, 40)
        size = random.randint(1, width) if random.random() < 0.2 else width
        parameters = random_parameters(random, size)
        sizes = {"logits_width": width, "vocabulary_size": size}
        sampler, plain = (kind(Sampling(**parameters), key=KEY, **sizes) for kind in (Sampler, PlainSampler))
        for _ in range(50):
            logits = random_logits(random, width)
            allowed = None if random.random() < 0.2 else [i for i in range(width) if random.random() < 0.6]
            history = [random.randrange(width) for _ in range(random.randint(0, 6))]
            arguments: dict[str, Any] = {"accepting": random.random() < 0.3, "eos_ids": [random.randrange(size)]}
            mine = outcome(sampler, np.array(logits), allowed, history, **arguments)
            assert outcome(plain, logits, allowed, history, **arguments) == mine
            arguments["eos"] = arguments.pop("eos_ids")
            theirs = reference_sampler.sample(logits, allowed, history, size=size, key=KEY, **arguments, **parameters)
            assert mine == theirs, (logits, allowed, history, arguments, parameters)
            seen[theirs.get("error", "drawn" if theirs.get("token") is not None else "complete")] += 1
    assert seen["drawn"] > CASES // 2
    errors = ("LOGITS_NAN", "LOGITS_INF", "LOGITS_NONE_FINITE", "MASK_DEAD_END", "SAMPLING_FORBIDDEN_EMPTY")
    assert min(seen[name] for name in (*errors, "complete")) > CASES // 1000


@settings(deadline=None, max_examples=300)
@given(
    st.lists(st.floats(width=32) | st.sampled_from(SPECIAL), min_size=1, max_size=12),
    st.sampled_from(["<f2", "<f4", "<f8", ">f4", ">f8"]),
    st.fixed_dictionaries({"temperature": st.floats(0, 10), "top_p": st.floats(5e-324, 1), "min_p": st.floats(0, 1)}),
)
def test_every_float_type_is_widened_exactly(logits: list[float], dtype: str, parameters: dict[str, Any]) -> None:
    with np.errstate(over="ignore"):
        narrow = np.array(logits).astype(dtype)
    size = len(logits)
    sampler = Sampler(Sampling(**parameters), logits_width=size, vocabulary_size=size, key=KEY)
    wide = [float(z) for z in narrow]
    assert outcome(sampler, narrow, None, []) == reference_sampler.sample(
        wide, None, [], size=size, key=KEY, **parameters
    )


def number(text: str) -> float:
    return float(struct.unpack(">d", bytes.fromhex(text))[0])


def test_conformance_of_the_parts() -> None:
    data = json.loads(CONFORMANCE.read_text(encoding="utf-8"))
    for vector in DET_EXP["vectors"]:
        assert det_exp(number(vector["in"])) == number(vector["out"])
    many = DET_EXP["many"]
    values, state = [], 1
    for i in range(many["count"]):
        state = (state * many["a"] + many["c"]) % 2**64
        values.append(-(state >> 11) * 2.0**-53 * (750.0 if i % 2 else 30.0))
    results = det_exp_array(np.array(values)).astype("<f8")
    assert hashlib.sha256(results.tobytes()).hexdigest() == many["sha256_le"]
    for vector in data["uniform"]:
        assert Randomness(bytes.fromhex(vector["key"])).uniform(int(vector["step"])) == number(vector["u"])
    for vector in data["seeds"]:
        assert Randomness.from_seed(vector["seed"]).seal().hex() == vector["key"]


def test_conformance_of_whole_draws() -> None:
    data = json.loads(CONFORMANCE.read_text(encoding="utf-8"))
    assert len(data["draws"]) >= 500
    for case in data["draws"]:
        parameters: dict[str, Any] = {
            n: number(v) if isinstance(v, str) and len(v) == 16 else v for n, v in case["parameters"].items()
        }
        logits = np.array([number(z) for z in case["logits"]])
        for kind in (Sampler, PlainSampler):
            sampler = kind(
                Sampling(**parameters),
                logits_width=logits.size,
                vocabulary_size=case["size"],
                key=bytes.fromhex(data["key"]),
            )
            result = outcome(
                sampler, logits, case["allowed"], case["history"], eos_ids=case["eos"], accepting=case["accepting"]
            )
            if "probability" in result:
                result["probability"] = struct.pack(">d", result["probability"]).hex()
            assert result == case["result"]


# -- public cases -------------------------------------------------------------------------------------------


def public_parameters(spec: dict[str, Any]) -> tuple[dict[str, Any], list[int]]:
    parameters: dict[str, Any] = {
        name: spec[name] for name in ("temperature", "top_k", "top_p", "min_p") if name in spec
    }
    penalty = spec.get("penalty")
    if penalty:
        parameters[penalty["type"] + "_penalty"] = penalty["value"]
    if "min_tokens_left" in spec:
        parameters["min_tokens"] = spec["min_tokens_left"]
    return parameters, penalty["history"] if penalty else []


def test_public_cases() -> None:
    lines = (shared_data() / "public-cases.jsonl").read_text(encoding="utf-8").strip().split("\n")
    cases = [case for case in map(json.loads, lines) if case["kind"] == "sampling"]
    assert len(cases) >= 12
    for case in cases:
        spec = case["spec"]
        parameters, history = public_parameters(spec)
        known = {"logits", "allowed", "vocab_size", "eos", "penalty", "min_tokens_left", *parameters}
        assert set(spec) <= known, case["id"]
        came = set()
        for seed in range(200):
            try:
                sampler = Sampler(
                    Sampling(nan_policy="fail", inf_policy="fail", **parameters),
                    logits_width=len(spec["logits"]),
                    vocabulary_size=spec.get("vocab_size", len(spec["logits"])),
                    seed=seed,
                )
                mask = bitmask(spec["allowed"], len(spec["logits"]))
                token = sampler.sample(
                    np.array([float(z) for z in spec["logits"]]), mask, history, eos_ids=spec.get("eos", ())
                ).token
                came.add(str(token))
            except SamplingError as error:
                came.add(error.code)
        if case["compile"] == "error":
            assert len(came) == 1, case["id"]
            assert came <= {"LOGITS_NAN", "LOGITS_INF", "LOGITS_NONE_FINITE", "SAMPLING_PARAM"}, case["id"]
        elif spec.get("top_p") == 0:
            assert came == {"SAMPLING_PARAM"}, case["id"]  # the case allows a refusal
        else:
            assert came == set(case["accept"]), case["id"]


# -- properties that need no oracle -------------------------------------------------------------------------


def test_chi_square_of_a_million_draws() -> None:
    probabilities = np.array([0.4, 0.3, 0.15, 0.1, 0.04, 0.01])
    sampler = Sampler(Sampling(temperature=1.0), logits_width=6, vocabulary_size=6, seed=1)
    order_sums = np.cumsum(probabilities)
    u = np.array([sampler.randomness.uniform(t) for t in range(1_000_000)])
    counts = np.bincount(np.searchsorted(order_sums, u, side="right"), minlength=6)
    assert chi_square(counts, probabilities * u.size) < 20.5  # 5 degrees of freedom, p = 0.001


def test_chi_square_of_whole_draws() -> None:
    logits = np.array([0.0, 1.0, -1.0, 2.0, 0.0, 50.0])
    sampler = Sampler(Sampling(temperature=2.0), logits_width=6, vocabulary_size=6, seed=2)
    mask = bitmask(range(5), 6)
    tokens = [sampler.sample(logits, mask, (), step=t).token for t in range(1_000_000 if THOROUGH else 20_000)]
    weights = np.exp(logits[:5] / 2)
    counts = np.bincount(np.array(tokens), minlength=6)
    assert counts[5] == 0
    assert chi_square(counts[:5], weights / weights.sum() * len(tokens)) < 18.5  # 4 degrees of freedom


def chi_square(counts: Any, expected: Any) -> float:
    return float(((counts - expected) ** 2 / expected).sum())


sets = st.sets(st.integers(0, 9), min_size=1)
scores = st.lists(st.integers(-40, 40).map(lambda n: n / 4), min_size=10, max_size=10)
ways = st.fixed_dictionaries(
    {
        "temperature": st.sampled_from([0.0, 0.5, 1.0, 2.0]),
        "top_k": st.integers(0, 4),
        "top_p": st.sampled_from([0.3, 0.8, 1.0]),
        "min_p": st.sampled_from([0.0, 0.1, 0.5]),
    }
)


@settings(deadline=None, max_examples=200)
@given(scores, sets, ways, st.integers(-8, 8))
def test_adding_a_constant_changes_nothing(z: list[float], allowed: set[int], way: dict[str, Any], shift: int) -> None:
    assert draw(z, allowed, **way) == draw([x + shift for x in z], allowed, **way)


@settings(deadline=None, max_examples=200)
@given(scores, sets, ways, st.randoms())
def test_illegal_scores_do_not_matter(z: list[float], allowed: set[int], way: dict[str, Any], random: Random) -> None:
    other = [x if i in allowed else random.choice([-INF, INF, 0.0, 99.0]) for i, x in enumerate(z)]
    assert draw(z, allowed, **way) == draw(other, allowed, **way)


@settings(deadline=None, max_examples=200)
@given(scores, sets, ways)
def test_masking_first_is_restriction(z: list[float], allowed: set[int], way: dict[str, Any]) -> None:
    ids = sorted(allowed)
    masked, restricted = draw(z, allowed, **way), draw([z[i] for i in ids], **way)
    assert restricted.token is not None
    assert (masked.token, masked.probability) == (ids[restricted.token], restricted.probability)


@settings(deadline=None, max_examples=200)
@given(scores, sets)
def test_a_tiny_temperature_is_greedy_when_the_best_is_unique(z: list[float], allowed: set[int]) -> None:
    legal = sorted((z[i] for i in allowed), reverse=True)
    if len(legal) > 1 and legal[0] == legal[1]:
        return
    assert draw(z, allowed, temperature=5e-324).token == draw(z, allowed).token


@settings(deadline=None, max_examples=200)
@given(scores, sets, ways)
def test_only_legal_tokens_and_true_probabilities(z: list[float], allowed: set[int], way: dict[str, Any]) -> None:
    sampler = Sampler(Sampling(**way), logits_width=10, vocabulary_size=10, seed=3)
    draws = [sampler.sample(np.array(z), bitmask(allowed, 10), (), step=t) for t in range(60)]
    shares = {d.token: d.probability for d in draws}
    assert set(shares) <= allowed
    assert sum(shares.values()) <= 1 + 1e-12
    assert all(shares[d.token] == d.probability for d in draws)


class Fixed(Randomness):
    """Gives one number for every position."""

    __slots__ = ("u",)

    def __init__(self, u: float) -> None:
        super().__init__()
        self.u = u

    def uniform(self, step: int) -> float:
        return self.u


@pytest.mark.parametrize(("u", "token"), [(0.0, 0), (0.5 - 2**-53, 0), (0.5, 1), (1 - 2**-53, 1)])
def test_the_draw_takes_the_first_sum_above_the_threshold(u: float, token: int) -> None:
    sampler = Sampler(Sampling(temperature=1.0), logits_width=2, vocabulary_size=2)
    sampler.randomness = Fixed(u)
    assert sampler.sample(np.zeros(2), None, []) == Draw(token, 0.5)


def test_a_weight_that_vanishes_in_the_sum_is_never_reached() -> None:
    sampler = Sampler(Sampling(temperature=1.0), logits_width=4, vocabulary_size=4)
    sampler.randomness = Fixed(1 - 2**-53)
    assert sampler.sample(np.array([0.0, 0.0, 0.0, -745.0]), None, []).token == 2


# -- edge cases, one by one ---------------------------------------------------------------------------------


def test_greedy_takes_the_smallest_of_equals() -> None:
    assert draw([1.0, 3.0, 3.0, 2.0]) == Draw(1)
    assert draw([0.0, -0.0]) == Draw(0)


def test_top_k_keeps_exactly_k_by_id() -> None:
    tied = {draw([1.0] * 50, temperature=1.0, top_k=3, history=[0] * t).token for t in range(200)}
    assert tied == {0, 1, 2}


def test_nan_is_not_zero() -> None:
    assert draw([NAN, -5.0, -6.0]) == Draw(1, 1.0, (("LOGITS_NAN", 1),))
    assert draw([NAN, -5.0, -6.0], nan_policy="logit_zero").token == 0
    with pytest.raises(SamplingError) as caught:
        draw([NAN, NAN, 1.0], nan_policy="fail")
    assert (caught.value.code, caught.value.params) == ("LOGITS_NAN", {"count": 2})
    with pytest.raises(SamplingError, match="LOGITS_NONE_FINITE"):
        draw([NAN, 1.0], allowed=[0])


def test_infinities() -> None:
    assert draw([1.0, INF, INF]) == Draw(1, 1.0, (("LOGITS_INF", 2),))
    assert draw([1.0, INF, INF], temperature=1.0) in [Draw(i, 0.5, (("LOGITS_INF", 2),)) for i in (1, 2)]
    assert draw([1.0, INF], allowed=[0]) == Draw(0)
    with pytest.raises(SamplingError, match="LOGITS_INF"):
        draw([1.0, INF], inf_policy="fail")
    with pytest.raises(SamplingError, match="LOGITS_NONE_FINITE"):
        draw([-INF, -INF, 3.0], allowed=[0, 1])


def test_repetition_once_per_id_by_sign() -> None:
    assert draw([2.0, 1.5], history=[0, 0, 0], repetition_penalty=1.3).token == 0  # 1.54, not 0.9
    assert draw([2.0, 1.5], history=[0], repetition_penalty=1.5).token == 1
    assert draw([-1.0, -1.5], history=[0], repetition_penalty=2.0).token == 1
    assert draw([2.0, 1.9], history=[0, 1, 1], repetition_penalty=2.0, repetition_window=2).token == 0
    assert draw([2.0, 1.9], history=[1, 0], repetition_penalty=2.0, repetition_window=1).token == 1


def test_the_end_waits_for_min_tokens() -> None:
    sampler = Sampler(Sampling(min_tokens=2), logits_width=3, vocabulary_size=3)
    logits = np.array([0.0, 1.0, 9.0])
    tokens = [sampler.sample(logits, bitmask([0, 1], 3), [0] * n, eos_ids=(2,), accepting=True).token for n in range(3)]
    assert tokens == [1, 1, 2]
    assert sampler.sample(logits, bitmask([2], 3), [], eos_ids=(2,), accepting=True).token == 2


def test_ends() -> None:
    with pytest.raises(MaskError) as dead:
        draw([1.0, 2.0], allowed=[], history=[0, 1, 0])
    assert (dead.value.code, dead.value.params) == ("MASK_DEAD_END", {"tokens": 3})
    with pytest.raises(SamplingError) as caught:
        draw([1.0, 2.0], allowed=[1], forbidden=[1])
    assert (caught.value.code, caught.value.params) == ("SAMPLING_FORBIDDEN_EMPTY", {"allowed": 1})
    sampler = Sampler(Sampling(forbidden=[1]), logits_width=2, vocabulary_size=2)
    assert sampler.sample(np.array([1.0, 2.0]), bitmask([], 2), [], eos_ids=(1,), accepting=True) == Draw(None)
    assert sampler.sample(np.array([1.0, 2.0]), bitmask([], 2), [], accepting=True) == Draw(None)


def test_padding_is_neither_drawn_nor_counted() -> None:
    logits = np.array([0.0, 1.0, NAN, INF, 9.0])
    sampler = Sampler(Sampling(nan_policy="fail", inf_policy="fail"), logits_width=4, vocabulary_size=2)
    assert sampler.sample(logits, None, []) == Draw(1)
    assert sampler.sample(logits, array("I", [2**32 - 1]), []) == Draw(1)


def test_same_call_same_draw_and_step_selects_the_number() -> None:
    sampler = Sampler(Sampling(temperature=1.0), logits_width=100, vocabulary_size=100, seed=b"x")
    logits = np.zeros(100)
    assert (
        sampler.sample(logits, None, [5])
        == sampler.sample(logits, None, [6])
        == sampler.sample(logits, None, (), step=1)
    )
    assert len({sampler.sample(logits, None, (), step=t).token for t in range(50)}) > 20


@pytest.mark.parametrize(
    ("logits", "code"),
    [
        (np.zeros(2), "LOGITS_SHAPE"),
        (np.zeros((1, 3)), "LOGITS_SHAPE"),
        (np.float64(1.0), "LOGITS_SHAPE"),
        (np.zeros(3, dtype=np.int32), "LOGITS_DTYPE"),
        (np.zeros(3, dtype=np.complex128), "LOGITS_DTYPE"),
        (np.array([None, 1.0, 2.0]), "LOGITS_DTYPE"),
        (["a", "b", "c"], "LOGITS_DTYPE"),
    ],
)
def test_refuses_other_logits(logits: Any, code: str) -> None:
    with pytest.raises(SamplingError) as caught:
        Sampler(Sampling(), logits_width=3, vocabulary_size=3).sample(logits, None, [])
    assert caught.value.code == code


def test_takes_any_buffer() -> None:
    sampler = Sampler(Sampling(), logits_width=3, vocabulary_size=3)
    values = array("f", [0.0, 2.0, 1.0])
    logits = [values, memoryview(values), np.array(values), np.array(values, dtype=np.float16), list(values)]
    masks = [array("i", [-1]), array("I", [7]), memoryview(array("I", [7])), np.array([[7]], dtype=np.int32), None]
    for z in logits:
        for mask in masks:
            assert sampler.sample(z, mask, []).token == 1
    assert list(values) == [0.0, 2.0, 1.0]


@pytest.mark.parametrize(
    ("mask", "code"),
    [
        (array("i"), "MASK_BUFFER"),
        (np.zeros((2, 1), dtype=np.int32), "MASK_BUFFER"),
        (np.zeros(1, dtype=np.int64), "MASK_DTYPE"),
        (b"\xff\xff\xff\xff", "MASK_DTYPE"),
        (np.zeros(3, dtype=np.bool_), "MASK_DTYPE"),
    ],
)
def test_refuses_other_masks(mask: Any, code: str) -> None:
    with pytest.raises(MaskError) as caught:
        Sampler(Sampling(), logits_width=3, vocabulary_size=3).sample(np.zeros(3), mask, [])
    assert caught.value.code == code


def test_refuses_bad_construction_and_calls() -> None:
    def make(**changes: Any) -> Sampler:
        return Sampler(**{"sampling": Sampling(), "logits_width": 3, "vocabulary_size": 3, **changes})

    for changes in (
        {"vocabulary_size": 4},
        {"vocabulary_size": 0},
        {"seed": 1, "key": KEY},
        {"seed": 1.5},
        {"key": b""},
    ):
        with pytest.raises(SamplingError, match="SAMPLING_PARAM"):
            make(**changes)
    with pytest.raises(SamplingError, match="forbidden must be ids below 3"):
        make(sampling=Sampling(forbidden=[3]))
    with pytest.raises(SamplingError, match="history must be ids from 0 to 2"):
        make(sampling=Sampling(presence_penalty=1)).sample(np.zeros(3), None, [3])
    with pytest.raises(SamplingError, match="eos_ids must be ids below 3"):
        make().sample(np.zeros(3), array("i", [1]), [], eos_ids=(3,), accepting=True)


def test_a_big_vocabulary() -> None:
    size = 32_001
    logits = np.random.default_rng(0).normal(0, 4, size).astype(np.float32)
    ways: list[dict[str, Any]] = [{"temperature": 1.0}, {"temperature": 0.8, "top_k": 40, "top_p": 0.95, "min_p": 0.05}]
    for parameters in ways:
        sampler = Sampler(Sampling(**parameters), logits_width=size + 63, vocabulary_size=size, key=KEY)
        padded = np.concatenate([logits, np.full(63, 99.0, np.float32)])
        theirs = reference_sampler.sample(padded.tolist(), None, [], size=size, key=KEY, **parameters)
        assert outcome(sampler, padded, None, []) == theirs


def test_values_and_reprs() -> None:
    sampler = Sampler(Sampling(top_k=2), logits_width=3, vocabulary_size=2)
    assert repr(sampler) == "<Sampler Sampling(top_k=2) over 2 tokens>"
    with pytest.raises(dataclasses.FrozenInstanceError):
        Draw(1).token = 2  # type: ignore[misc]  # frozen is the test


def test_the_loop_and_the_parameters_do_not_load_numpy() -> None:
    modules = "loop, checkrail.decoding.sampling, checkrail.decoding.plain_sampler"
    code = f"import sys, checkrail.decoding.{modules}; sys.exit('numpy' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", code], check=False, env={"PYTHONPATH": ":".join(sys.path)}).returncode
        == 0
    )
