"""Converts attributes of ONNX nodes to IR attributes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    BytesAttr,
    DenseArrayBase,
    Float32Type,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute

from opc.errors import InputError, UnsupportedError
from opc.frontend.verify import shown

from .tensors import Tensors, dense_of


def _texts(strings: Any) -> Attribute:
    """A list of strings; a long one repeats few, as the modes of nodes of trees."""
    texts = {text: StringAttr(text.decode("utf-8")) for text in dict.fromkeys(strings)}
    return ArrayAttr(map(texts.__getitem__, strings))


KINDS: dict[int, Callable[[Any], Attribute]] = {
    1: lambda a: FloatAttr(float(a.f), Float32Type()),
    2: lambda a: IntegerAttr(a.i, i64),
    3: lambda a: StringAttr(a.s.decode("utf-8")),
    # Without an object for each element: trees have lists of millions.
    6: lambda a: DenseArrayBase(Float32Type(), BytesAttr(np.array(a.floats, np.float32).tobytes())),
    7: lambda a: DenseArrayBase(i64, BytesAttr(np.array(a.ints, np.int64).tobytes())),
    8: lambda a: _texts(a.strings),
    # An empty Optional has a type, which opc does not need.
    13: lambda a: UnitAttr(),
}
"""Converters by ``AttributeProto.AttributeType``."""

TENSOR = 4
GRAPH = 5
"""A region of the node, which the graph reader reads."""
SPARSE = 11
"""A tensor that lists its nonzero elements."""


def attributes_of(
    node: Any, bound: Mapping[str, Any], tensors: Tensors, what: str
) -> dict[str, Attribute]:
    """The attributes of a node.  ``bound`` has those of the call to the enclosing function."""
    attributes: dict[str, Attribute] = {}
    seen = set[str]()
    for attribute in node.attribute:
        name = attribute.name
        if not name or name in seen:
            problem = "is given twice" if name else "has no name"
            raise InputError(f"{what}attribute {shown(name)!r} {problem}", tensors.place)
        seen.add(name)
        source = attribute
        if attribute.type == GRAPH:
            if attribute.ref_attr_name:
                text = f"{what}attribute {shown(name)} is a graph that a call gives"
                raise UnsupportedError(f"{text}, which is not supported", tensors.place)
            continue
        if attribute.ref_attr_name:
            if attribute.ref_attr_name not in bound:
                continue
            source = bound[attribute.ref_attr_name]
        attributes[name] = _attribute(source, name, tensors, what)
    return attributes


def is_unknown(attribute: Any) -> bool:
    """Whether opc cannot read this kind of attribute.  References have no kind."""
    kind = attribute.type
    return (
        not attribute.ref_attr_name and kind not in (0, TENSOR, GRAPH, SPARSE) and kind not in KINDS
    )


def kind_of(attribute: Any) -> str:
    """The name of an attribute's kind."""
    names = {number: name.lower() for name, number in attribute.AttributeType.items()}
    return names.get(attribute.type, str(attribute.type))


def _attribute(source: Any, name: str, tensors: Tensors, what: str) -> Attribute:
    kind = source.type or _guessed(source)
    label = f"{what}attribute {shown(name)}"
    if kind == TENSOR:
        return tensors.read(source.t, label)
    if kind == SPARSE:
        return dense_of(tensors, source.sparse_tensor, label)
    if kind not in KINDS:
        text = f"{label} is of kind {kind_of(source)}"
        raise UnsupportedError(f"{text}, which is not supported", tensors.place)
    try:
        return KINDS[kind](source)
    except UnicodeDecodeError:
        raise InputError(f"{label} is not UTF-8 text", tensors.place) from None


def _guessed(source: Any) -> int:
    """The kind inferred from the fields, which models of IR version 1 need."""
    for kind, field in ((1, "f"), (2, "i"), (3, "s"), (4, "t")):
        if source.HasField(field):
            return kind
    return next(
        (k for k, f in ((6, "floats"), (7, "ints"), (8, "strings")) if len(getattr(source, f))), 0
    )
