"""Reads function bodies of the ONNX specification for known input types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from xdsl.ir import Block

from opc.dialects.onnx import YieldOp
from opc.dialects.shape import Tensor

from .file import Model, onnx
from .reader import Call, Opsets, Reader, Scope, without
from .scan import check_operators


def read_body(
    function: Any,
    types: Sequence[Tensor | None],
    attributes: Mapping[str, Any],
    place: str,
    ordinal: str,
) -> tuple[Block, list[bool]]:
    """The body of a function of the specification, with an argument for each type.

    The type of an absent input is None.  The block yields the present results; the list says for
    each result whether it is present.
    """
    graph = onnx().GraphProto(node=function.node)
    proto = onnx().ModelProto(ir_version=10, graph=graph, opset_import=function.opset_import)
    reader = Reader(Model(proto, None, place))
    check_operators(proto, reader.called, place, reader.dead)
    values: Scope = {}
    for name, type in zip(function.input, types, strict=False):
        if type is not None:
            values[name] = reader.block.insert_arg(type, len(reader.block.args))
    absent = {name for name in function.input if name not in values}
    opsets = Opsets.of(proto.opset_import, proto.ir_version, place)
    inner = Call(values, opsets, attributes, f"{ordinal}.", 1)
    reader.nodes(without(function.node, absent), inner)
    present = [name in values for name in function.output]
    results = [values[name] for name in function.output if name in values]
    reader.block.add_op(YieldOp(operands=[results]))
    return reader.block, present
