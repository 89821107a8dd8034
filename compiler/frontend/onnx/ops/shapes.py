"""Constants, shapes, and operators that give tensors another shape.

Where the extents decide at run time which axes Squeeze removes, there is a choice::

    y = Squeeze(x: [N, 4])  -->  y = If(N == 1) {Squeeze(x, 0)} else {x}
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, StringAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.irdl import IRDLOperation

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.blob import BlobAttr
from opc.dialects.extent_text import extent_text
from opc.dialects.onnx import CHOSEN, YieldOp
from opc.dialects.opc.binary import EqualOp
from opc.dialects.opc.movement import ConstantOp, TransposeOp
from opc.dialects.shape import broadcast_shapes, element, shape_text, tensor_of
from opc.errors import InputError
from opc.frontend.models import known as kn
from opc.frontend.models import shaping
from opc.frontend.models.bodies import RankError
from opc.frontend.models.containers import Held, Labels
from opc.frontend.models.known import Known
from opc.frontend.models.shaping import not_negative, reshaped, unsqueezed

from .control import BRANCHES, choose_by
from .node import Node
from .schema import Result, onnx


@onnx("Constant", 1, 9, 11, 12, 13, 19, 21, 23, 24, 25)
def constant(node: Node) -> Result:
    """Constant {value} --> opc.constant."""
    forms = [a.name for a in node.schema.signature.attributes if node.given(a.name)]
    if len(forms) != 1:
        names = ", ".join(forms) or "none"
        raise node.error(f"expected one of the forms of a value, found {names}")
    name = forms[0]
    if name == "value_string":
        raise node.unsupported(f"attribute {name} is not supported")
    if name in ("value", "sparse_value"):
        return _written(node, name)
    value = node.attr(name)
    if name == "value_strings":
        return Labels.at(node.constant(np.arange(len(value)), el.I64), value)
    return node.constant(np.array(value), el.I64 if "int" in name else el.F32)


def _written(node: Node, name: str) -> SSAValue:
    """A tensor attribute as a constant."""
    attr = node.op.attributes[name]
    assert isinstance(attr, DenseIntOrFPElementsAttr | BlobAttr)
    return node.add(ConstantOp(value=attr))


@onnx("Shape", 1, 13, 15, 19, 21, 23, 24, 25)
def shape(node: Node) -> Known:
    """Shape(x) --> the extents, from ``start`` to ``end``."""
    return kn.vector(node.shape()[slice(node.attr("start"), node.attr("end"))])


@onnx("Size", 1, 13, 19, 21, 23, 24, 25)
def size(node: Node) -> Known:
    """Size(x) --> the product of the extents."""
    return kn.of([ex.product(node.shape())], ())


@onnx("ConstantOfShape", 9, 20, 21, 23, 24, 25)
def constant_of_shape(node: Node) -> Result:
    """ConstantOfShape(shape) {value} --> opc.broadcast (opc.constant value)."""
    extents = not_negative(node, node.extents(0))
    if not node.given("value"):
        return node.broadcast(node.constant(0, el.F32), extents)
    type, value = element(tensor_of(_written(node, "value"))), node.attr("value").reshape(-1)
    if value.size != 1:
        raise node.error(f"attribute value has {value.size} elements, expected 1")
    return node.broadcast(node.constant(value[0], type), extents)


@onnx("Reshape", 1, 5, 13, 14, 19, 21, 23, 24, 25)
def reshape(node: Node) -> Result:
    """Reshape(x, shape) --> opc.reshape x; 0 keeps an extent, -1 is inferred."""
    if not node.has(1):
        raise node.error("attribute shape is missing")
    return shaping.reshape(node, node.known_list(1), not node.attr("allowzero"))


@onnx("Flatten", 1, 9, 11, 13, 21, 23, 24, 25)
def flatten(node: Node) -> Result:
    """Flatten(x) {axis} --> opc.reshape x to [extents before the axis, extents from it on]."""
    extents, axis = node.shape(), node.attr("axis")
    # Versions before 11 exclude negative axes.
    least = -len(extents) if node.since >= 11 else 0
    if not least <= axis <= len(extents):
        raise node.error(f"axis {axis} is outside [{least}, {len(extents)}]")
    axis += len(extents) if axis < 0 else 0
    return reshaped(node, (ex.product(extents[:axis]), ex.product(extents[axis:])))


@onnx("Squeeze", 1, 11, 13, 21, 23, 24, 25)
def squeeze(node: Node) -> Result | tuple[Result | None, ...]:
    """Squeeze(x, axes) --> opc.reshape x without these axes, by default all of extent 1."""
    extents = node.shape()
    stated = node.known_numbers(1) if node.has(1) else None
    if stated is None and node.has(1):
        return reshaped(node, node.read("squeeze", 1, extents))
    if stated is None:
        chosen = ones(node, node.op, CHOSEN, YieldOp, range(len(extents)))
        if isinstance(chosen, tuple):
            return chosen
        stated = tuple(chosen)
    axes = node.axes(stated, len(extents))
    for k in axes:
        if extents[k].constant not in (None, 1):
            raise node.error(f"axis {k} has extent {extent_text(extents[k])}, expected 1")
        node.require("equal", extents[k], ex.const(1), f"axis {k} is not 1")
    return reshaped(node, [e for k, e in enumerate(extents) if k not in axes])


@onnx("Unsqueeze", 1, 11, 13, 21, 23, 24, 25)
def unsqueeze(node: Node) -> Result:
    """Unsqueeze(x, axes) --> opc.reshape x with axes of extent 1 at these indices of the result."""
    return unsqueezed(node, node.known_numbers(1))


@onnx("Expand", 8, 13)
def expand(node: Node) -> Result:
    """Expand(x, shape) --> opc.broadcast x to the common shape."""
    known, source = node.known_list(1), node.shape()
    if known is None:
        return node.broadcast(node[0], node.read("expand", 1, source))
    wanted = not_negative(node, known)
    rank = max(len(wanted), len(source))
    a, b = ((ex.const(1),) * (rank - len(s)) + tuple(s) for s in (source, wanted))
    for x, y in zip(a, b, strict=True):
        node.require("broadcast", x, y, "shapes do not broadcast")
    extents = broadcast_shapes([source, wanted])
    return node.value(0) if extents == source else node.broadcast(node[0], extents)


@onnx("Transpose", 1, 13, 21, 23, 24, 25)
def transpose(node: Node) -> Result:
    """Transpose(x) {perm} --> opc.transpose x; the axes are reversed by default."""
    rank = len(node.shape())
    order = node.attr("perm")
    if order is None:
        order = tuple(reversed(range(rank)))
    # No version defines negative axes here.
    return node.add(TransposeOp(node[0], permutation=order))


IS_ONE, IS_NOT, UNDECIDED = "1n?"


def ones(
    node: Node, op: Operation, attribute: str, end: type[IRDLOperation], among: Sequence[int]
) -> list[int] | tuple[SSAValue | Held | None, ...]:
    """The axes, ``among`` some, of extent 1, or the node's results if known only at run time.

    ``op`` is the Squeeze in the model; ``attribute`` of it has a mark for each axis.  ``end`` is
    the terminator of branches.
    """
    extents = node.shape()
    marks = op.attributes.get(attribute)
    decided = marks.data if isinstance(marks, StringAttr) else UNDECIDED * len(extents)
    for e, mark in zip(extents, decided, strict=True):
        if mark != UNDECIDED:
            node.ones.chosen[e] = mark == IS_ONE
    facts = {k: node.ones.is_one(extents[k]) for k in among}
    axis = next((k for k, fact in facts.items() if fact is None), None)
    if axis is None:
        gone = [k for k, fact in facts.items() if fact]
        for k in gone:
            node.require("equal", extents[k], ex.const(1), f"axis {k} is not 1")
        return gone

    def branch(name: str) -> Block:
        """The Squeeze with this axis marked."""
        mark = IS_ONE if name == BRANCHES[0] else IS_NOT
        inner = op.clone()
        inner.location = op.location
        inner.attributes[attribute] = StringAttr(decided[:axis] + mark + decided[axis + 1 :])
        return Block([inner, end.build(operands=[list(inner.results)])])

    extent = node.tensor(kn.of([extents[axis]], ()))
    condition = node.add(EqualOp(extent, node.constant(1, el.I64)))
    shown = extent_text(extents[axis])
    cases = (f"extent {shown} of 1", f"another extent {shown} than 1")
    undecided = node.unsupported(
        f"the rank of the result depends on the extents {shape_text(extents[k] for k in among)}; "
        "fix those of inputs (dims=, --dim)"
    )
    tail = node.tail(branch)
    try:
        return choose_by(node, condition, tail, cases, undecided.message)
    except RankError as error:
        try:
            if not tail.precede() or node.ones.is_one(extents[axis]) is None:
                raise error
        except InputError:
            raise error from None
        return ones(node, op, attribute, end, among)
