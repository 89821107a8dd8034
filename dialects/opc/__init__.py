"""The ``opc`` dialect: tensor operators with value semantics, one small class for each."""

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
    given,
    indexing,
    movement,
    parts,
    ranges,
    read_extents,
    reduction,
    symbols,
    unary,
    walk,
)
from .base import OpcOp
from .choice import IfOp
from .scan import ScanOp


def _leaves(base: type[OpcOp]) -> list[type[OpcOp]]:
    found: list[type[OpcOp]] = []
    for child in base.__subclasses__():
        if "name" in vars(child):
            found.append(child)
        found += _leaves(child)
    return found


OPERATORS: tuple[type[OpcOp], ...] = tuple(
    sorted(_leaves(OpcOp), key=lambda op: (op.__module__, op.name))
)
"""Every operator on tensors: a leaf is registered by being defined in one of these modules."""

SYMBOLS = (
    symbols.RequireOp,
    symbols.SplitAxesOp,
    read_extents.ReadExtentsOp,
    given.GivenExtentsOp,
    data_extent.DataExtentOp,
)
"""Operations about symbolic extents, which compute no tensor."""

CHECKS = (ranges.RequireRangeOp,)
"""What must hold of data."""

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
    "choice",
    "contraction",
    "control",
    "cumulative",
    "data_extent",
    "extent",
    "given",
    "indexing",
    "movement",
    "parts",
    "ranges",
    "read_extents",
    "reduction",
    "scan",
    "symbols",
    "unary",
    "walk",
]
