"""Computes sums of integers inside of the contraction of floats that adds them up.

::

    %p = kernel.nest [8, 16, 128] {%s = sweep [32] (dot) {...}; store f(%s) to [d1, d2, d0]}
    kernel.nest [16, 128] {sweep [8] (dot) {load %p[d0, d1, d2] * load %x[d0, d2]}}

    -->  kernel.nest [16, 128] {
           sweep [8] (dot) {%s = sweep [32] (dot) {...}; f(%s) * load %x[d0, d2]}}

So products with weights of blocks are one nest, whose tiles hold the integers of a block.  Blocks
follow one another in both factors, so that they are one axis, and are no more than a chain has.
Constants that f reads, such as scales, are laid out in the order of the dimensions.  Needs
narrow-integers and shift-factors, which see the integers alone.
"""

from __future__ import annotations

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from opc.dialects import body, kernel
from opc.dialects import expr as ex
from opc.dialects.blob import deferred
from opc.dialects.body import scalar_type
from opc.dialects.layout import linearize
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.order import BLOCK
from opc.dialects.shape import IndexAttr, element, shape_of, tensor_of
from opc.dialects.walking import walk
from opc.passes.function_pass import FunctionPass

from .fusion_inline import is_contraction, simple
from .kernel_forms import before, unshaped


class NestContractionsPass(FunctionPass):
    """sum(load %p * x) with %p = f(dot(a, b))  -->  sum(f(dot(a, b)) * x)."""

    name = "nest-contractions"

    def rewrite(self, function: FuncOp) -> None:
        """Move each contraction of integers into the only contraction that reads it."""
        for nest in [op for op in function.body.block.ops if isinstance(op, kernel.NestOp)]:
            sweep = simple(nest)[1] if is_contraction(nest) else None
            uses = [use.operation for use in nest.outputs[0].uses] if sweep else []
            if sweep is not None and len(uses) == 1 and isinstance(uses[0], kernel.LoadOp):
                places = _places(nest, sweep, uses[0])
                if places is not None:
                    _move(nest, uses[0], places)


def _places(
    nest: kernel.NestOp, sweep: kernel.SweepOp, load: kernel.LoadOp
) -> dict[int, ex.Expr] | None:
    """The dimensions of a nest where a load reads it; None if it cannot be moved there."""
    around, (store,) = load.parent_op(), _stores(nest)
    user = around.parent_op() if isinstance(around, kernel.SweepOp) else None
    if not isinstance(around, kernel.SweepOp) or user is None or not is_contraction(user):
        return None
    extents = [*around.extents.data, *sweep.extents.data]
    counts, rank = [e.constant for e in extents], len(nest.extents.data)
    is_exact = scalar_type(sweep.yielded[0]).is_integer and load.default is None
    if not is_exact or len(counts) != 2 or None in counts or (counts[0] or 0) > BLOCK:
        return None
    scope, places = kernel.scope(load), {rank: ex.dim(len(kernel.scope(load)))}
    for e, at in zip(store.index.data, load.index.data, strict=True):
        if (d := e.dim()) is None:
            return None
        places[d] = at
    ranges = dict(enumerate((*scope, extents[1])))
    for op in sweep.body.block.ops:
        if isinstance(op, kernel.LoadOp):
            index = tuple(e.substitute(places, ranges) for e in op.index.data)
            offset = linearize(index, shape_of(tensor_of(op.source)))
            steps = [offset.coefficient(len(scope) + k) for k in (-1, 0)]
            if op.default is not None or None in steps or steps[0] != (steps[1] or 0) * extents[1]:
                return None
    return places


def _stores(nest: kernel.NestOp) -> list[kernel.StoreOp]:
    return [op for op in nest.body.block.ops if isinstance(op, kernel.StoreOp)]


def _move(nest: kernel.NestOp, load: kernel.LoadOp, places: dict[int, ex.Expr]) -> None:
    """Copy the operations of a nest in front of the load of their result."""
    values: dict[SSAValue, SSAValue] = {}
    block, ranges, (store,) = load.parent, dict(enumerate(kernel.scope(load))), _stores(nest)
    assert block is not None
    for op in [op for op in nest.body.block.ops if op is not store]:
        ordered = _in_order(nest, op) if isinstance(op, kernel.LoadOp) else None
        copy = ordered or op.clone(values)
        values |= dict(zip(op.results, copy.results, strict=True))
        for inner in walk(copy):
            if isinstance(inner, kernel.LoadOp | body.IndexOp):
                index = tuple(e.substitute(places, ranges) for e in inner.index.data)
                inner.properties["index"] = IndexAttr(index)
        block.insert_op_before(copy, load)
    Rewriter.replace_op(load, [], [values[store.value]])
    Rewriter.erase_op(nest)


def _in_order(nest: kernel.NestOp, load: kernel.LoadOp) -> Operation | None:
    """A load of a constant with its axes in the order of the dimensions that index them; None if
    they are in order.
    """
    constant, shape = unshaped(load.source).owner, shape_of(tensor_of(load.source))
    dims = [-1 if (d := e.dim()) is None else d for e in load.index.data]
    axes = sorted(range(len(dims)), key=dims.__getitem__)
    if not isinstance(constant, ConstantOp) or axes == sorted(axes):
        return None
    extents, type = [e.constant or 0 for e in shape], element(tensor_of(load.source))
    value = deferred(
        lambda: np.ascontiguousarray(constant.array().reshape(extents).transpose(axes)),
        *(type, [extents[k] for k in axes]),
    )
    laid_out = before(nest, ConstantOp(value=value))
    return kernel.LoadOp.of(laid_out, tuple(load.index.data[k] for k in axes))
