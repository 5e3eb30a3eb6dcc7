"""JSONTestSuite: its y_ files are JSON values of the grammar, its n_ files are not."""

from __future__ import annotations

import pytest

from checkrail.json_schema import json_schema_to_grammar
from data_path import unpacked

FILES = sorted((unpacked("json-parsing-test-suite.tar.xz") / "test_parsing").glob("[yn]_*.json"))
ANY_VALUE = json_schema_to_grammar(True)

# Blanks around the whole text are JSON and are never generated: compared without them.
BLANKS = " \t\n\r"
# A bracket a hundred thousand times over: the recogniser's stack, not the grammar, is too small for it.
TOO_LONG = 10_000


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_file(accepts, path):
    data = path.read_bytes()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        assert path.name.startswith("n_")  # masks over UTF-8 never write these bytes
        return
    if len(text) > TOO_LONG:
        assert path.name.startswith("n_")
        assert text.startswith(("[" * 17, '[{"":' * 9))  # 17 levels, and so beyond the nesting bound
        return
    expected = path.name.startswith("y_")
    assert accepts(ANY_VALUE, text.strip(BLANKS) if expected else text) is expected


def test_all_files_are_there():
    assert len([path for path in FILES if path.name.startswith("y_")]) == 95
    assert len([path for path in FILES if path.name.startswith("n_")]) == 188
