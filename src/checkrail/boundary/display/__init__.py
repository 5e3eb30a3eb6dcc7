"""What somebody else wrote, as text that is safe to show (`visible_text.py`), and its rows in a terminal."""

from .terminal import rows
from .visible_text import Span, visible

__all__ = ["Span", "rows", "visible"]
