"""Names that a misspelt one may have meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_CUTOFF = 0.85
"""What is less alike is another function: ``median`` and ``mean`` are at 0.8."""
_SHORTEST = 5
"""Shorter names are a letter away from others that have nothing to do with them: sinc and sin."""


def near(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """The names that differ from ``name`` by a slip of the pen, the nearest first."""
    if len(name) < _SHORTEST:
        return []
    return difflib.get_close_matches(name, list(known), most, _CUTOFF)
