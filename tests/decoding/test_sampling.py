import dataclasses
import json
import math

import pytest

from checkrail.decoding.sampling import Sampling
from checkrail.errors import SamplingError

NAN, INF = math.nan, math.inf
BAD: dict[str, list[object]] = {
    "temperature": [-1.0, -1e-300, NAN, INF, "1", None, True, 10**400],
    "top_p": [0, 0.0, -0.1, 1.0000001, NAN, INF, "1", None, False],
    "min_p": [-0.1, 1.1, NAN, INF, "1", None],
    "repetition_penalty": [0, 0.0, -1.0, NAN, INF, "1", None],
    "presence_penalty": [NAN, INF, -INF, 1001, "0", None],
    "frequency_penalty": [NAN, INF, -INF, -1001, "0", None],
    "top_k": [-1, 1.0, True, None, 2**31],
    "min_tokens": [-1, 1.0, True, None],
    "repetition_window": [0, -1, 1.0, True],
    "include_prompt": [0, 1, None],
    "forbidden": [1, [-1], ["a"], [1.0], [True]],
    "nan_policy": ["", "ZERO", None, 0],
    "inf_policy": ["zero", None],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in BAD.items() for value in values])
def test_refuses_what_is_outside_the_domain(name: str, value: object) -> None:
    with pytest.raises(SamplingError) as caught:
        Sampling(**{name: value})  # type: ignore[arg-type]  # the wrong value is the test
    assert caught.value.code == "SAMPLING_PARAM"
    assert caught.value.params["name"] == name


def test_accepts_the_edges() -> None:
    Sampling(temperature=5e-324, top_p=5e-324, min_p=1, repetition_penalty=5e-324, presence_penalty=-1000)
    Sampling(temperature=1e308, top_k=2**31 - 1, top_p=1, min_p=0, repetition_window=1, frequency_penalty=1000)


def test_is_a_value() -> None:
    assert Sampling(temperature=1) == Sampling(temperature=1.0)
    assert hash(Sampling(forbidden=[2, 1, 2])) == hash(Sampling(forbidden={1, 2}))
    assert Sampling(forbidden=iter([1])).forbidden == frozenset({1})  # type: ignore[arg-type]  # works all the same
    with pytest.raises(dataclasses.FrozenInstanceError):
        Sampling().top_k = 1  # type: ignore[misc]  # frozen is the test


def test_repr_shows_what_differs() -> None:
    assert repr(Sampling()) == "Sampling()"
    assert repr(Sampling(top_k=5, forbidden=range(100))) == "Sampling(top_k=5, forbidden=100 ids)"


def test_to_json_has_every_parameter() -> None:
    data = json.loads(json.dumps(Sampling(temperature=1, forbidden=[3, 1]).to_json()))
    assert data["forbidden"] == [1, 3]
    assert data["temperature"] == 1.0
    assert set(data) == {f.name for f in dataclasses.fields(Sampling)}
