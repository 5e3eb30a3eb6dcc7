import runpy
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "conformance"


def test_the_committed_vectors_are_what_the_script_writes() -> None:
    for name, content in runpy.run_path(str(FOLDER / "generate.py"), run_name="conformance")["files"]().items():
        assert (FOLDER / name).read_text(encoding="utf-8") == content, name
