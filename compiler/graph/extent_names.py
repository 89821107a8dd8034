"""Names of extents and inputs in messages."""

from __future__ import annotations

import re
from collections import Counter
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
    """Names in messages, by symbol: those of the model, or *input 'x' axis 1*.

    An axis stands for ``s0`` and for a name that several symbols share.
    """
    names = extent_names(function)
    own = {name for arg in function.args for e in shape_of(arg.type) for name in e.symbols()}
    counts = Counter(names.get(name, name) for name in own)
    if function.sym_visibility is not None:
        return names
    axes: dict[str, str] = {}
    for arg, name in zip(function.args, input_names(function), strict=False):
        for axis, extent in enumerate(shape_of(arg.type)):
            symbol = extent.symbol() or ""
            if counts[names.get(symbol, symbol)] > 1 or _UNNAMED.match(symbol):
                axes.setdefault(symbol, f"input {name!r} axis {axis}")
    return names | axes
