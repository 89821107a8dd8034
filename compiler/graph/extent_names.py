"""What messages call the symbols of a function that its author did not name."""

from __future__ import annotations

import re
from collections import Counter
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr
from xdsl.dialects.func import FuncOp

from opc.dialects.named import EXTENT_NAMES, INPUT_NAMES
from opc.dialects.shape import shape_of

UNNAMED = "s"
"""What symbols start with that stand for unknown extents of inputs; a number is behind it."""
_UNNAMED = re.compile(rf"{UNNAMED}[0-9]+\Z")


def input_names(function: FuncOp) -> list[str]:
    """What the inputs of a function are called."""
    names = function.attributes.get(INPUT_NAMES)
    if isinstance(names, ArrayAttr):
        return [name.data for name in cast("ArrayAttr[StringAttr]", names)]
    return [arg.name_hint or f"arg{arg.index}" for arg in function.args]


def extent_names(function: FuncOp) -> dict[str, str]:
    """Names of symbols as the model has them, by symbols; those that are the same are not there."""
    names = function.attributes.get(EXTENT_NAMES)
    if not isinstance(names, DictionaryAttr):
        return {}
    return {k: v.data for k, v in names.data.items() if isinstance(v, StringAttr)}


def shown_names(function: FuncOp) -> dict[str, str]:
    """``s0`` is *input 'x' axis 1*, as is one of several with a name; others have the model's."""
    found = extent_names(function)
    own = {name for arg in function.args for e in shape_of(arg.type) for name in e.symbols()}
    counts = Counter(found.get(name, name) for name in own)
    if function.sym_visibility is not None:
        return found
    places: dict[str, str] = {}
    for arg, name in zip(function.args, input_names(function), strict=False):
        for axis, extent in enumerate(shape_of(arg.type)):
            symbol = extent.symbol() or ""
            if counts[found.get(symbol, symbol)] > 1 or _UNNAMED.match(symbol):
                places.setdefault(symbol, f"input {name!r} axis {axis}")
    return found | places
