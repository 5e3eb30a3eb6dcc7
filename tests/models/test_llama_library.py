"""Finding, binding and checking llama.cpp: on fakes for what must be refused, on the real library for the rest."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from checkrail.errors import MissingExtra, ModelError
from checkrail.models import llama_library
from checkrail.models.llama_library import LIBRARY_VARIABLE, LlamaLibrary, find_library, load_library
from fake_llama import write_model_file


def install(monkeypatch: pytest.MonkeyPatch, folder: Path, *files: str) -> None:
    """Make the packages in `folder` the only ones: `package/file`."""
    for file in files:
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"not a library")

    def find_spec(name: str) -> ModuleSpec | None:
        if not (folder / name).is_dir():
            return None
        spec = ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = [str(folder / name)]
        return spec

    monkeypatch.setattr(llama_library, "find_spec", find_spec)
    monkeypatch.delenv(LIBRARY_VARIABLE, raising=False)


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ([], None),
        (["xllamacpp/__init__.py"], None),
        (["xllamacpp/xllamacpp.abi3.so"], "xllamacpp/xllamacpp.abi3.so"),
        (["llama_cpp/lib/libllama.dylib"], "llama_cpp/lib/libllama.dylib"),
        (["llama_cpp/lib/libllama.so", "xllamacpp/xllamacpp.abi3.so"], "xllamacpp/xllamacpp.abi3.so"),
    ],
)
def test_the_library_is_found_in_the_packages(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, files: list[str], found: str | None
) -> None:
    install(monkeypatch, tmp_path, *files)
    assert find_library() == (None if found is None else tmp_path / found)


def test_the_environment_names_another(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install(monkeypatch, tmp_path, "xllamacpp/xllamacpp.abi3.so")
    monkeypatch.setenv(LIBRARY_VARIABLE, "mine.so")
    assert find_library() == Path("mine.so")


def test_nothing_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install(monkeypatch, tmp_path)
    with pytest.raises(MissingExtra, match="MISSING_EXTRA") as caught:
        load_library()
    assert "pip install 'checkrail[local]'" in caught.value.render()


def test_a_file_that_is_no_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install(monkeypatch, tmp_path, "llama_cpp/lib/libllama.so")
    with pytest.raises(ModelError, match=r"MODEL_RUNTIME: .* libllama\.so cannot be opened"):
        load_library()


def test_a_library_without_the_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda path: SimpleNamespace())
    with pytest.raises(ModelError, match=r"MODEL_RUNTIME: .* old\.so has no function llama_backend_init"):
        LlamaLibrary(Path("old.so"))


def test_the_next_package_is_tried(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, library: LlamaLibrary) -> None:
    install(monkeypatch, tmp_path, "xllamacpp/xllamacpp.abi3.so", "llama_cpp/lib/placeholder")
    (tmp_path / "llama_cpp/lib/libllama.so").symlink_to(library.path)
    assert load_library().path == tmp_path / "llama_cpp/lib/libllama.so"


def _context_defaults(*numbers: int) -> Callable[[], Any]:
    parameters = llama_library._Parameters()
    ctypes.memmove(parameters.bytes, (ctypes.c_uint32 * 4)(*numbers), 16)
    return lambda: parameters


def _batch_of(**changes: int) -> Callable[..., Any]:
    def make(tokens: Any, count: int) -> Any:
        fields = {"n_tokens": count, "token": ctypes.addressof(tokens), **changes}
        return llama_library._Batch(**fields)

    return make


@pytest.mark.parametrize(
    ("defaults", "batch", "fits"),
    [
        (_context_defaults(512, 2048, 512, 1), _batch_of(), True),
        (_context_defaults(0, 512, 2048, 512), _batch_of(), False),  # a field in front, as before 2024
        (_context_defaults(512, 2048, 512, 1), _batch_of(n_tokens=0), False),
        (_context_defaults(512, 2048, 512, 1), _batch_of(token=16), False),
        (_context_defaults(512, 2048, 512, 1), _batch_of(pos=16), False),
    ],
)
def test_another_layout_is_refused(defaults: Callable[[], Any], batch: Callable[..., Any], fits: bool) -> None:
    functions = {"llama_context_default_params": defaults, "llama_batch_get_one": batch}
    if fits:
        llama_library._check_layout(functions, Path("x.so"))
    else:
        with pytest.raises(ModelError, match=r"MODEL_RUNTIME: .* x\.so is a version of llama\.cpp with another"):
            llama_library._check_layout(functions, Path("x.so"))


def test_the_real_library(library: LlamaLibrary) -> None:
    assert load_library() is library
    assert repr(library) == f"<LlamaLibrary {library.path.name}>"


def test_what_llama_cpp_refuses_is_told(library: LlamaLibrary, tmp_path: Path) -> None:
    path = write_model_file(tmp_path / "model.gguf")
    with pytest.raises(ModelError, match=r"MODEL_FILE: .* error loading model") as caught:
        library.load_model(path)
    assert caught.value.params["what"].isprintable()
    assert str(tmp_path) not in caught.value.message


def test_its_log_is_silent_and_its_package_is_not_imported(library: LlamaLibrary, tmp_path: Path) -> None:
    path = write_model_file(tmp_path / "model.gguf")
    code = f"""
import sys
from checkrail.errors import MissingExtra, ModelError
from checkrail.models.llama_library import load_library
try:
    load_library().load_model({str(path)!r})
except ModelError:
    print(sorted({{"xllamacpp", "llama_cpp", "numpy"}} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_errors_only_are_kept() -> None:
    llama_library._errors.clear()
    assert llama_library._reason() == "llama.cpp gives no reason"
    for level, text in ((3, b"warning"), (4, None), (4, b"loader: a\n\x1b[31m\xff"), (4, b"second")):
        llama_library._note(level, text, None)
    assert llama_library._reason() == "a  [31m\N{REPLACEMENT CHARACTER}"
