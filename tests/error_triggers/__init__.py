"""For each code of the failure catalogue, a way to reach it. One module for each area of the package.

A trigger raises an `Error`, or returns what carries the code: an error, a fault, a notice, the code itself, an
`End` with an error, or a list of those.
"""

from collections.abc import Callable

Trigger = Callable[[], object]
