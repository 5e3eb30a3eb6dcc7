import threading

import pytest

from checkrail.decoding.run import Run
from checkrail.errors import SamplingError


def test_cancel_wins_or_comes_too_late() -> None:
    run = Run("abcdefghij")
    assert not run.cancelled
    assert [run.cancel(), run.cancel(), run.finish(), run.cancelled] == [True, True, False, True]
    assert repr(run) == "<Run abcdefgh cancelled 0 tokens>"
    run = Run()
    assert [run.finish(), run.cancel(), run.cancel(), run.cancelled] == [True, False, False, False]


def test_one_winner_among_many_threads() -> None:
    for _ in range(50):
        run = Run()
        barrier = threading.Barrier(5)
        cancels: list[bool] = []
        finishes: list[bool] = []

        def cancel(run: Run = run, barrier: threading.Barrier = barrier, answers: list[bool] = cancels) -> None:
            barrier.wait()
            answers.append(run.cancel())

        def finish(run: Run = run, barrier: threading.Barrier = barrier, answers: list[bool] = finishes) -> None:
            barrier.wait()
            answers.append(run.finish())

        threads = [threading.Thread(target=t) for t in (cancel, cancel, finish, cancel, cancel)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert set(cancels) == {not finishes[0]}


def test_ids_are_random_and_a_run_is_claimed_once() -> None:
    run = Run()
    assert run.run_id != Run().run_id
    run.claim()
    with pytest.raises(SamplingError, match="run must be a fresh Run"):
        run.claim()
