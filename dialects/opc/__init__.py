"""The ``opc`` dialect: tensor operators with value semantics, one small class each."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from xdsl.ir import Dialect

from ..blob import BlobAttr
from ..order import OrderAttr
from ..shape import DimsAttr, IndexAttr
from .base import OpcOp
from .control import IfOp
from .data_extent import DataExtentOp, RequireRangeOp
from .read_extents import ReadExtentsOp
from .scan import ScanOp
from .symbols import GivenExtentsOp, RequireOp, SplitAxesOp

# Importing a module registers its operators.
for _module in iter_modules(__path__, f"{__name__}."):
    import_module(_module.name)


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

SYMBOLS = (RequireOp, SplitAxesOp, ReadExtentsOp, GivenExtentsOp, DataExtentOp)
"""Operations on symbolic extents."""

CHECKS = (RequireRangeOp,)
"""Checks of data."""

CONTROL = (ScanOp, IfOp)
"""Control flow."""

Opc = Dialect(
    "opc", [*OPERATORS, *SYMBOLS, *CHECKS, *CONTROL], [DimsAttr, IndexAttr, BlobAttr, OrderAttr]
)
