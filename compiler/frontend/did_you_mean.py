"""Suggestions for misspelt names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_CUTOFF = 0.85
"""The least similarity: ``median`` and ``mean``, different functions, are at 0.8."""
_SHORTEST = 5
"""Shorter names differ by a letter from unrelated ones, as sinc from sin."""


def near(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """The names that ``name`` may be a misspelling of, the nearest first."""
    if len(name) < _SHORTEST:
        return []
    return difflib.get_close_matches(name, list(known), most, _CUTOFF)
