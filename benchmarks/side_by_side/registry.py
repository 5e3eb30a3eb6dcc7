"""Which engines there are, and which of them this environment has."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module, metadata
from importlib.util import find_spec

from .engine import Engine
from .token_table import TokenTable

__all__ = ["DEFAULT", "ENGINES", "Entry", "create", "installed", "version"]


@dataclass(frozen=True, slots=True)
class Entry:
    """module, name: the adapter. package: what it imports. distribution: what to install. needs: further imports."""

    module: str
    name: str
    package: str = ""
    distribution: str = ""
    needs: tuple[str, ...] = ()


ENGINES = {
    "checkrail": Entry("ours", "Checkrail", "checkrail", "checkrail"),
    "checkrail-earley": Entry("ours", "CheckrailEarley", "checkrail", "checkrail"),
    "llguidance": Entry("peers", "LLGuidance", "llguidance", "llguidance"),
    "llguidance-fixed": Entry("peers", "LLGuidanceFixed", "llguidance", "llguidance"),
    "glrmask": Entry("peers", "GLRMask", "glrmask", "glrmask"),
    "glrmask-trie": Entry("peers", "GLRMaskTrie", "glrmask", "glrmask"),
    "xgrammar": Entry("peers", "XGrammar", "xgrammar", "xgrammar", ("torch",)),
    "maskforge": Entry("peers", "MaskForge", "maskforge", "maskforge"),
    "outlines-core": Entry("peers", "OutlinesCore", "outlines_core", "outlines-core"),
    "null": Entry("engine", "Null"),
}
DEFAULT = ("checkrail", "llguidance", "glrmask", "glrmask-trie", "xgrammar", "maskforge", "outlines-core")


def installed(name: str) -> bool:
    """Whether what the adapter imports is there."""
    entry = ENGINES[name]
    return all(find_spec(package) is not None for package in (entry.package, *entry.needs) if package)


def version(name: str) -> str:
    """The version of the engine's distribution; for Checkrail, which may run from a checkout, its own word."""
    if ENGINES[name].package == "checkrail":
        from checkrail import __version__
        from checkrail.mask import kernel

        return f"{__version__} ({kernel.mode()} kernel)"
    distribution = ENGINES[name].distribution
    return metadata.version(distribution) if distribution else "-"


def create(name: str, table: TokenTable, options: dict[str, str]) -> Engine:
    """The engine, prepared."""
    entry = ENGINES[name]
    adapter: type[Engine] = getattr(import_module(f".{entry.module}", __package__), entry.name)
    return adapter(table, options)
