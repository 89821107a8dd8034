"""Names of extents and inputs in messages."""

from __future__ import annotations

import re
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr
from xdsl.dialects.func import FuncOp

from opc.dialects.named import EXTENT_NAMES, INPUT_NAMES
from opc.dialects.shape import shape_of

UNNAMED = "s"
"""The prefix of symbols for unknown extents of inputs; a number follows."""
_UNNAMED = re.compile(rf"{UNNAMED}[0-9]+\Z")


def input_names(function: FuncOp) -> list[str]:
    """The names of the inputs of a function."""
    names = function.attributes.get(INPUT_NAMES)
    if isinstance(names, ArrayAttr):
        return [name.data for name in cast("ArrayAttr[StringAttr]", names)]
    return [arg.name_hint or f"arg{arg.index}" for arg in function.args]


def extent_names(function: FuncOp) -> dict[str, str]:
    """The names that the model has for symbols, where they differ, by symbol."""
    names = function.attributes.get(EXTENT_NAMES)
    if not isinstance(names, DictionaryAttr):
        return {}
    return {k: v.data for k, v in names.data.items() if isinstance(v, StringAttr)}


def shown_names(function: FuncOp) -> dict[str, str]:
    """Names in messages, by symbol: *input 'x' axis 1* for ``s0``, else those of the model."""
    names = extent_names(function)
    if function.sym_visibility is not None:
        return names
    for arg, name in zip(function.args, input_names(function), strict=False):
        for axis, extent in enumerate(shape_of(arg.type)):
            symbol = extent.symbol() or ""
            if _UNNAMED.match(symbol):
                names.setdefault(symbol, f"input {name!r} axis {axis}")
    return names
