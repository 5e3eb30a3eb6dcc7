"""One run record, for tests that need any."""

from __future__ import annotations

from checkrail.boundary.evidence.record import RunRecord
from checkrail.boundary.evidence.setting import Bounds, Environment
from checkrail.boundary.evidence.types import (
    ChatTemplate,
    Code,
    CodeCount,
    Digest,
    Extremes,
    FiveNumbers,
    Id,
    Implementation,
    Kernel,
    OutputKind,
    Platform,
    Stop,
    Version,
)


def example() -> RunRecord:
    """One record in full."""
    numbers = FiveNumbers(1, 2, 3, 4, 5)
    return RunRecord(
        session=Id("se_" + "0" * 26),
        run=Id("rn_" + "1" * 26),
        hour=1_796_022_000,
        environment=Environment(
            Version(0, 1, 0), Implementation.CPYTHON, Version(3, 11, 7), Platform.LINUX_X86_64, Kernel.COMPILED
        ),
        model_sha256=None,
        tokenizer_sha256=Digest("a" * 64),
        template=ChatTemplate.CHATML,
        kind=OutputKind.JSON,
        grammar_tag=Digest("b" * 64),
        bounds=Bounds(512, None, 4096, 256, 256),
        prompt_tokens=24,
        output_tokens=17,
        output_bytes=25,
        allowed_tokens=Extremes(16, 256),
        mask_microseconds=numbers,
        model_microseconds=numbers,
        sample_microseconds=numbers,
        total_microseconds=4764,
        utf8_held=0,
        stop=Stop.FAILED,
        complete=False,
        code=Code("BACKEND_FAILED"),
        notices=(CodeCount(Code("LOGITS_NAN"), 1),),
        faults=(),
        faults_not_listed=0,
    )
