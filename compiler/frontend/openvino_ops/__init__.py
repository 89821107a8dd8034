"""The registry of OpenVINO operators: one row for each version, with its legalizing function.

Importing a module of this package adds its rows; :func:`find` knows them all.
"""

from __future__ import annotations

from . import (
    activation,
    arithmetic,
    conversion,
    logic,
    normalization,
    parts,
    recurrent,
    reduction,
    shape,
    window,
)
from .row import ROWS, Row, canonical, find

__all__ = [
    "ROWS",
    "Row",
    "activation",
    "arithmetic",
    "canonical",
    "conversion",
    "find",
    "logic",
    "normalization",
    "parts",
    "recurrent",
    "reduction",
    "shape",
    "window",
]
