"""Forms the kernel of a concatenation: a sweep stores each part to its piece of the result.

Nested concatenations without other uses are flattened, and a part that one value fills becomes a
constant in the sweep.  So padding along two axes is one kernel::

    concat(fill, concat(fill, %x, fill) {axis = 2}, fill) {axis = 3}  -->
    kernel.nest [1, 64] {
      kernel.sweep [1, 14] { 0.0; store to 0[d0, d1, d2, d3 + 1] }
      kernel.sweep [14, 14] { load %x[d0, d1, d2, d3]; store to 0[d0, d1, d2 + 1, d3 + 1] } ... }
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block, SSAValue

from opc.dialects import body, kernel
from opc.dialects import expr as ex
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.parts import ConcatOp
from opc.dialects.shape import Shape, element, normalize_axis, shape_of, tensor_of
from opc.graph.rewriting import uniform

from .kernel_forms import identity, is_empty, load


def concat(op: OpcOp) -> kernel.NestOp:
    """The nest over the axes in front of all concatenated axes, with a sweep for each part."""
    shape = shape_of(op.type)
    leaves = list(_leaves(op, (ex.const(0),) * len(shape)))
    first = min(axis for _, _, axis in leaves)
    parts = [(v, at) for v, at, _ in leaves if not is_empty(v)] or [leaves[0][:2]]
    sweeps = [_part(value, at, first) for value, at in parts]
    return kernel.NestOp.of(shape[:first], Block(sweeps), [op.type])


def _leaves(op: OpcOp, at: Shape) -> Iterator[tuple[SSAValue, Shape, int]]:
    """The parts, where each begins in the result, and the outermost axis of concatenation."""
    axis = normalize_axis(op.values()["axis"], len(at))
    for operand in op.operands:
        inner = operand.owner
        if isinstance(inner, ConcatOp) and operand.has_one_use():
            yield from ((v, begin, min(axis, k)) for v, begin, k in _leaves(inner, at))
        else:
            yield operand, at, axis
        at = (*at[:axis], at[axis] + shape_of(tensor_of(operand))[axis], *at[axis + 1 :])


def _part(value: SSAValue, at: Shape, first: int) -> kernel.SweepOp:
    """The sweep that stores a part, which begins at ``at`` in the result."""
    inner, shape = Block(), shape_of(tensor_of(value))
    index, filled, type = identity(len(at)), uniform(value), element(tensor_of(value))
    if filled is None:
        scalar = load(inner, value, index)
    else:
        inner.add_op(constant := body.ConstantOp.of(filled, type))
        scalar = constant.result
    target = tuple(d + begin for d, begin in zip(index, at, strict=True))
    inner.add_op(kernel.StoreOp.of(scalar, 0, target))
    inner.add_op(kernel.YieldOp(operands=[[]]))
    return kernel.SweepOp.of(shape[first:], [], inner)
