"""Put texts into a skeleton, as ids, and prove that no text came out as control.

The pieces of the template are encoded with control tokens, the texts without, each apart; the ids are joined. Then one
more look at the whole: the places of control ids are the places where the template has them, or a frame, and no others.

Nothing is lost by the seams but a merge here and there: tokenizers split behind the line ends and marks that templates
put there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from ...errors import ContextError, Error, InputError
from ...vocabulary.control_literals import Literals
from .fitting import Inserter
from .framing import IdFraming, boundary_of
from .key import ReinsertKey
from .law import TokenizerAdapter, checked_data, first_lawful, named_data
from .parts import OwnTokens, Part, ToolOutput, Trusted, Untrusted, UserText
from .payload import Escape, Hidden, escaped, readable, seen
from .prompt import DataSpan, Prompt, Trust
from .template import Hole, Skeleton

__all__ = ["Filling", "Manner", "assemble"]


@dataclass(frozen=True, slots=True)
class Filling:
    """What goes into one hole. number: of the turn, from 1. framed: whether the template frames what is inserted."""

    parts: tuple[Part, ...]
    number: int
    framed: bool = False


@dataclass(frozen=True, slots=True)
class Manner:
    """How text is put in; see `build`."""

    key: ReinsertKey
    framing: IdFraming | None = None
    escape: Escape = "minimal"
    hidden: Hidden = "escape"

    def __post_init__(self) -> None:
        for name, value, words in (
            ("escape", self.escape, ("minimal", "html")),
            ("hidden", self.hidden, ("escape", "strip", "reject")),
        ):
            if value not in words:
                raise InputError("INPUT_FORMAT", name=name, what=f"must be one of {', '.join(words)}")


def assemble(
    tokenizer: TokenizerAdapter,
    skeleton: Skeleton,
    fillings: Sequence[Filling],
    manner: Manner,
    *,
    template_sha256: str,
    max_tokens: int | None,
) -> Prompt:
    """The prompt. fillings: by the numbers of the skeleton's holes. Raises as `build` does."""
    work = _Assembly(tokenizer, manner)
    for part in skeleton:
        if isinstance(part, Hole):
            work.fill(fillings[part.slot], json_hole=part.json)
        else:
            work.template(part)
    prefix = list(tokenizer.prefix_ids)
    if work.ids[: len(prefix)] != prefix:
        work.shift(prefix)
    work.verify()
    if max_tokens is not None and len(work.ids) > max_tokens:
        raise ContextError("CONTEXT_OVERFLOW", need=len(work.ids), have=max_tokens)
    return Prompt(tuple(work.ids), tuple(work.spans), tuple(_notices(work.spans)), template_sha256)


@dataclass(slots=True)
class _Assembly:
    """The ids so far, what they are, and where control ids may be."""

    tokenizer: TokenizerAdapter
    manner: Manner
    ids: list[int] = field(default_factory=list)
    spans: list[DataSpan] = field(default_factory=list)
    control: set[int] = field(default_factory=set)  # places
    literals: Literals = field(init=False)

    def __post_init__(self) -> None:
        self.literals = Literals(self.tokenizer.control_literals)

    def template(self, text: str) -> None:
        """The template's own text, or the developer's."""
        for identifier in self.tokenizer.encode_template(text):
            if identifier in self.tokenizer.control_ids:
                self.control.add(len(self.ids))
            self.ids.append(identifier)

    def fill(self, filling: Filling, *, json_hole: bool) -> None:
        """The texts of one hole."""
        for part in filling.parts:
            if isinstance(part, Trusted):
                self.template(_inner(part.text) if json_hole else part.text)
            elif isinstance(part, UserText):
                self.user_text(part.text, f"user:turn-{filling.number}", json_hole=json_hole)
            elif isinstance(part, OwnTokens):
                self.own(part.ids, f"model:turn-{filling.number}", json_hole=json_hole)
            else:
                self.insertion(part, framed=filling.framed, json_hole=json_hole)

    def user_text(self, text: str, source: str, *, json_hole: bool) -> None:
        """Text as it is; one that the vocabulary cannot write, or misreads, as a JSON string in ASCII."""
        found = seen(text, self.manner.hidden, source)
        _, ids, hard = first_lawful(
            self.encoder(json_hole),
            found.value,
            lambda: escaped(json.dumps(found.value, ensure_ascii=False), self.literals, "all"),
            source,
        )
        self.span(ids, source, "user", total=len(found.value), hidden=found.hidden, escaped=hard)

    def own(self, ids: Sequence[int], source: str, *, json_hole: bool) -> None:
        """What the model wrote, as it wrote it."""
        count = sum(identifier in self.tokenizer.control_ids for identifier in ids)
        if count:
            raise ContextError("CONTEXT_CONTROL_TOKEN", source=source, count=count)
        if json_hole:
            text = self.tokenizer.decode_bytes(ids).decode("utf-8", "replace")
            ids = named_data(self.encoder(json_hole), text, source)
        self.span(ids, source, "own")

    def insertion(self, part: Untrusted | ToolOutput, *, framed: bool, json_hole: bool) -> None:
        """Header, payload, and a frame around them unless the template has one."""
        encode = self.encoder(json_hole)
        inserter = Inserter(encode, self.decoder(json_hole), self.literals, self.manner.escape, self.manner.hidden)
        if isinstance(part, ToolOutput):
            tool, failed = part.result.tool, part.result.error
            value = part.result.result if failed is None else {"error": failed.to_json()}
            request_id, role, source = part.result.request_id, "tool", f"tool:{tool.name}@{tool.version}"
        else:
            value, request_id, role, source = part.text, part.id, "document", part.source
        fitted = inserter.fit(
            value, request_id=request_id, role=role, source=source, max_tokens=part.max_tokens, keep=part.keep
        )
        start, framing = len(self.ids), self.manner.framing
        if framing is not None:
            self.frame(framing.start)
            self.ids += fitted.ids
            self.frame(framing.end)
        elif framed:
            self.ids += fitted.ids
        else:
            boundary = boundary_of(self.manner.key, request_id, fitted.payload)
            self.template(_inner(f"DATA {boundary}\n") if json_hole else f"DATA {boundary}\n")
            self.ids += fitted.ids
            self.template(_inner(f"END {boundary}\n") if json_hole else f"END {boundary}\n")
        header = fitted.header
        self.spans.append(
            DataSpan(
                start,
                len(self.ids),
                source,
                "untrusted",
                header=header.line(),
                kept_chars=header.kept_chars,
                total_chars=header.total_chars,
                hidden=header.hidden,
                escaped=fitted.escaped,
            )
        )

    def frame(self, identifier: int) -> None:
        """A control token that frames an insertion."""
        if identifier not in self.tokenizer.control_ids:
            raise InputError("INPUT_FORMAT", name="IdFraming", what=f"token {identifier} is no control token")
        self.control.add(len(self.ids))
        self.ids.append(identifier)

    def span(
        self, ids: Sequence[int], source: str, trust: Trust, *, total: int = 0, hidden: int = 0, escaped: bool = False
    ) -> None:
        """Data without a header."""
        start = len(self.ids)
        self.ids += ids
        self.spans.append(DataSpan(start, len(self.ids), source, trust, "", total, total, hidden, escaped))

    def encoder(self, json_hole: bool) -> Callable[[str], list[int]]:
        """Text to ids under the law, for a hole in a text or in a JSON string."""
        if json_hole:
            return lambda text: checked_data(self.tokenizer, _inner(text))
        return lambda text: checked_data(self.tokenizer, text)

    def decoder(self, json_hole: bool) -> Callable[[list[int]], bytes]:
        """What a beginning of such ids writes."""
        if json_hole:
            return lambda ids: _outer(self.tokenizer.decode_bytes(ids))
        return self.tokenizer.decode_bytes

    def shift(self, prefix: list[int]) -> None:
        """Put ids in front of all."""
        size = len(prefix)
        self.ids[:0] = prefix
        self.control = {place + size for place in self.control}
        self.control |= {place for place, identifier in enumerate(prefix) if identifier in self.tokenizer.control_ids}
        self.spans = [replace(span, start=span.start + size, end=span.end + size) for span in self.spans]

    def verify(self) -> None:
        """The law of the whole prompt."""
        control = self.tokenizer.control_ids
        places = {place for place, identifier in enumerate(self.ids) if identifier in control}
        if places != self.control:
            raise ContextError("CONTEXT_CONTROL_TOKEN", source="the prompt", count=len(places ^ self.control))


def _notices(spans: Iterable[DataSpan]) -> Iterable[Error]:
    for span in spans:
        if span.truncated:
            yield ContextError("CONTEXT_TRUNCATED", source=span.source, kept=span.kept_chars, total=span.total_chars)
        if span.hidden:
            yield ContextError("CONTEXT_HIDDEN_TEXT", source=span.source, count=span.hidden)


def _inner(text: str) -> str:
    """What stands between the quotes of a JSON string."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _outer(data: bytes) -> bytes:
    """The text of which a beginning of its `_inner` is given."""
    whole: str = json.loads(f'"{readable(data)}"')
    return whole.encode()
