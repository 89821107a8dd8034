"""The registry of ONNX operators: a row for each version, with the function that legalizes it."""

from __future__ import annotations

from . import (
    binary,
    contraction,
    control,
    conversion,
    normalization,
    padding,
    parts,
    pooling,
    recurrent,
    reduction,
    shapes,
    softmax,
    unary,
    window,
)
from .row import ROWS, Row, element_named, find

NEWEST = 28
"""The newest opset that the rows were compared with."""

__all__ = [
    "NEWEST",
    "ROWS",
    "Row",
    "binary",
    "contraction",
    "control",
    "conversion",
    "element_named",
    "find",
    "normalization",
    "padding",
    "parts",
    "pooling",
    "recurrent",
    "reduction",
    "shapes",
    "softmax",
    "unary",
    "window",
]
