"""Where Checkrail keeps files between runs: models, and vocabularies that were prepared for masks.

The folder is `CHECKRAIL_CACHE`, else `checkrail` in `XDG_CACHE_HOME`, else in `~/.cache`. Everything in it can be made
again, so it may be deleted at any time.
"""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["CACHE_VARIABLE", "cache_folder"]

CACHE_VARIABLE = "CHECKRAIL_CACHE"


def cache_folder() -> Path:
    """The folder; it need not exist. Raises RuntimeError where it is not named and there is no home folder."""
    named = os.environ.get(CACHE_VARIABLE)
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "checkrail"
