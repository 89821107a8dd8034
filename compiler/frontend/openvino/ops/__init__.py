"""The registry of OpenVINO operators: one row for each version, with its legalizing function.

Importing a module of this package adds its rows; :func:`find` knows them all.
"""

from __future__ import annotations

from . import (
    activation,
    adaptive,
    arithmetic,
    as_onnx,
    attention,
    contraction,
    control,
    conversion,
    indexing,
    interpolate,
    logic,
    moving,
    normalization,
    parts,
    placing,
    quantization,
    recurrent,
    reduction,
    searching,
    selecting,
    shape,
    transposed,
    window,
)
from .row import ROWS, Row, canonical, find

__all__ = [
    "ROWS",
    "Row",
    "activation",
    "adaptive",
    "arithmetic",
    "as_onnx",
    "attention",
    "canonical",
    "contraction",
    "control",
    "conversion",
    "find",
    "indexing",
    "interpolate",
    "logic",
    "moving",
    "normalization",
    "parts",
    "placing",
    "quantization",
    "recurrent",
    "reduction",
    "searching",
    "selecting",
    "shape",
    "transposed",
    "window",
]
