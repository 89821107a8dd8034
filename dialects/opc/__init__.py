"""The ``opc`` dialect: tensor operators with value semantics, one small class each."""

from __future__ import annotations

from xdsl.ir import Dialect

from ..blob import BlobAttr
from ..order import OrderAttr
from ..shape import DimsAttr, IndexAttr
from . import (
    apply,
    binary,
    contraction,
    control,
    cumulative,
    data_extent,
    extent,
    indexing,
    movement,
    parts,
    read_extents,
    reduction,
    symbols,
    unary,
    walk,
)
from .base import OpcOp
from .control import IfOp
from .scan import ScanOp


def _leaves(base: type[OpcOp]) -> list[type[OpcOp]]:
    leaves: list[type[OpcOp]] = []
    for child in base.__subclasses__():
        if "name" in vars(child):
            leaves.append(child)
        leaves += _leaves(child)
    return leaves


OPERATORS: tuple[type[OpcOp], ...] = tuple(
    sorted(_leaves(OpcOp), key=lambda op: (op.__module__, op.name))
)
"""Every operator on tensors; defining a leaf in one of these modules registers it."""

SYMBOLS = (
    symbols.RequireOp,
    symbols.SplitAxesOp,
    read_extents.ReadExtentsOp,
    symbols.GivenExtentsOp,
    data_extent.DataExtentOp,
)
"""Operations on symbolic extents."""

CHECKS = (data_extent.RequireRangeOp,)
"""Checks of data."""

CONTROL = (ScanOp, IfOp)
"""Control flow."""

Opc = Dialect(
    "opc", [*OPERATORS, *SYMBOLS, *CHECKS, *CONTROL], [DimsAttr, IndexAttr, BlobAttr, OrderAttr]
)

__all__ = [
    "CHECKS",
    "CONTROL",
    "OPERATORS",
    "SYMBOLS",
    "Opc",
    "apply",
    "binary",
    "contraction",
    "control",
    "cumulative",
    "data_extent",
    "extent",
    "indexing",
    "movement",
    "parts",
    "read_extents",
    "reduction",
    "scan",
    "symbols",
    "unary",
    "walk",
]
