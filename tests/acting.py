"""A model that writes a script, step by step, and sessions with it: for tests of the loop.

At each step it wants to write the next text of its script; the mask may make it leave the text, as it would a real one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import toy_tools
from checkrail.boundary.confirm import Confirmer
from checkrail.boundary.confirmation.confirmers import ScriptedConfirmer
from checkrail.models.protocol import Logits
from checkrail.models.scripted import ScriptedModel
from checkrail.tools.session import Session
from checkrail.tools.writing import answer_text, call_text
from checkrail.vocabulary.vocabulary import Vocabulary

TOKENS = [*(bytes([b]) for b in range(256)), b'{"', b'": ', b'": "', None, None, None]
SPECIAL = {"<|im_start|>": 259, "<|im_end|>": 260, "<tool_call>": 261}
VOCABULARY = Vocabulary.from_bytes(TOKENS, eos=260, special=SPECIAL)
OPENING = 259

answer, call = answer_text, call_text


class Actor(ScriptedModel):
    """script: what it writes, one text a step; after the last one it answers "done". prompts: the ids of each step."""

    def __init__(self, script: Iterable[str], *, name: str = "actor", context_size: int = 100_000) -> None:
        super().__init__(VOCABULARY, name=name, context_size=context_size)
        self._script = iter(script)
        self._wanted = b""
        self._before: tuple[int, ...] = ()
        self.prompts: list[tuple[int, ...]] = []
        self.before_step: Callable[[int], object] = lambda step: None

    def logits(self, ids: Sequence[int], /) -> Logits:
        begin = max(at for at, identifier in enumerate(ids) if identifier == OPENING)
        if tuple(ids[:begin]) != self._before:  # another prompt, so the next step
            self._before = tuple(ids[:begin])
            self.before_step(len(self.prompts))
            self._wanted = next(self._script, answer("done")).encode()
            self.prompts.append(tuple(ids))
        scores = super().logits(ids[begin:])  # what stands before it is the same at each step, and long
        if not self._rest(self.vocabulary.decode(ids[begin:])):
            scores[list(b'x}"')] = 1, 2, 3  # it was made to leave its text: it brings the step to an end
            scores[list(self.vocabulary.eos)] = 4
        return scores

    def _rest(self, written: bytes) -> bytes:
        text = written.removeprefix(b"assistant\n")
        return self._wanted[len(text) :] if self._wanted.startswith(text) else b""

    def shown(self, step: int) -> str:
        """The prompt of a step as text, its special tokens left out."""
        return VOCABULARY.decode(self.prompts[step]).decode()


def session(
    folder: Path,
    script: Iterable[str],
    *answers: Any,
    confirm: Confirmer | None = None,
    runner: Any = None,
    **options: Any,
) -> Session:
    """A session of the toy tools, whose model plays a script and whose person gives these answers."""
    person = confirm if confirm is not None else ScriptedConfirmer(*answers)
    options.setdefault("tools", toy_tools.ALL)
    return Session(
        Actor(script),
        options.pop("tools"),
        confirm=person,
        roots={"notes": folder},
        runner=toy_tools.Runner() if runner is None else runner,
        **options,
    )
