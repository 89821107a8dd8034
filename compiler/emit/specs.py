"""Specifications of the inputs and outputs of a function, for callers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue

from opc.dialects.buffer import element_in
from opc.dialects.named import EXTENT_NAMES, NOTES, RESULT_KEYS, RESULT_LABELS
from opc.dialects.shape import shape_of
from opc.support.interface import TensorSpec


def spec(name: str, value: SSAValue, below: int | str | None = None) -> TensorSpec:
    """Name, element type and shape of a buffer."""
    shape = tuple(e.constant if e.constant is not None else str(e) for e in shape_of(value.type))
    return TensorSpec(name, element_in(value).dtype, shape, below)


def with_tables(spec: TensorSpec, function: FuncOp, position: int) -> TensorSpec:
    """The specification with the tables of labels and keys that the function has for the result."""
    labels, keys = (_table(function, key, position) for key in (RESULT_LABELS, RESULT_KEYS))
    names = None if labels is None else tuple(map(str, labels))
    return replace(spec, labels=names, keys=keys)


def _table(function: FuncOp, attribute: str, position: int) -> tuple[int | str, ...] | None:
    tables = function.attributes.get(attribute)
    if not isinstance(tables, ArrayAttr):
        return None
    table = cast("ArrayAttr[Attribute]", tables).data[position]
    if not isinstance(table, ArrayAttr):
        return None
    entries = cast("ArrayAttr[Attribute]", table).data
    return tuple(_entry(entry) for entry in entries)


def _entry(entry: Attribute) -> int | str:
    if isinstance(entry, StringAttr):
        return entry.data
    assert isinstance(entry, IntegerAttr)
    return int(entry.value.data)


def extent_names(function: FuncOp, dims: Sequence[str]) -> dict[str, str]:
    """What the model calls extents of inputs whose symbols have other names."""
    names = function.attributes.get(EXTENT_NAMES)
    if not isinstance(names, DictionaryAttr):
        return {}
    return {name: str(_entry(names.data[name])) for name in dims if name in names.data}


def notes(function: FuncOp) -> tuple[str, ...]:
    """The notes of the frontend about the results."""
    attr = function.attributes.get(NOTES)
    entries = cast("ArrayAttr[Attribute]", attr).data if isinstance(attr, ArrayAttr) else ()
    return tuple(str(_entry(entry)) for entry in entries)
