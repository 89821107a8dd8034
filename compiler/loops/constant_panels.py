"""Panels of operands that are known when compiling: weights are laid out once, for good."""

from __future__ import annotations

import numpy as np
from xdsl.ir import SSAValue

from opc.dialects import body, kernel, loop, scalar
from opc.dialects.blob import elements
from opc.dialects.body import scalar_type
from opc.dialects.opc.movement import Array
from opc.dialects.scalar import CONVERSIONS, SCALARS
from opc.schedule.contraction import Contraction

from .contraction import Panels


def constant_panels(c: Contraction, panel: Panels) -> Array | None:
    """All panels of an operand, flat; None if it is not made of constants and exact functions."""
    loads = [op for op in panel.operand.ops if isinstance(op, kernel.LoadOp)]
    known = {op.source: _constant(op.source) for op in loads}
    axes = (*panel.outer, *((panel.axis,) if panel.axis else ()), *c.reduced)
    extents = [c.extent(axis).constant for axis in axes]
    is_exact = all(
        not isinstance(op, body.ApplyOp)
        or op.function.data in CONVERSIONS
        or SCALARS[op.function.data].exact
        for op in panel.operand.ops
    )
    if any(op.default is not None for op in loads):
        return None
    if not loads or not is_exact or None in extents or any(v is None for v in known.values()):
        return None
    shape, dims = _grids(c, panel)
    values: dict[SSAValue, Array] = {}
    for op in panel.operand.ops:
        match op:
            case kernel.LoadOp():
                array = known[op.source]
                assert array is not None
                values[op.result] = array.reshape(-1)[c.offsets[op].evaluate(dims, {})]
            case body.ConstantOp():
                dtype = scalar_type(op.result).dtype
                values[op.result] = np.asarray(op.number).astype(dtype)
            case body.ApplyOp():
                args = [values[a] for a in op.args]
                found = scalar.apply(op.function.data, args, scalar_type(op.result))
                values[op.result] = np.asarray(found)
            case _:
                return None
    return np.broadcast_to(values[panel.operand.value], shape).reshape(-1)


def _constant(source: SSAValue) -> Array | None:
    owner = source.owner
    while isinstance(owner, loop.ViewOp):
        owner = owner.source.owner
    return elements(owner.value) if isinstance(owner, loop.ConstantOp) else None


def _grids(c: Contraction, panel: Panels) -> tuple[tuple[int, ...], dict[int, Array]]:
    """The shape of all panels, and for each axis its value at each of their elements."""
    own = c.extent(panel.axis).constant or 0
    count = -(-own // panel.size)
    outer = [c.extent(axis).constant or 0 for axis in panel.outer]
    reduced = [c.extent(axis).constant or 0 for axis in c.reduced]
    shape = (*outer, count, *reduced, panel.size)

    def along(position: int) -> Array:
        ones = [n if k == position else 1 for k, n in enumerate(shape)]
        return np.arange(shape[position]).reshape(ones)

    dims = {axis[-1]: along(k) for k, axis in enumerate(panel.outer)}
    dims |= {axis[-1]: along(len(outer) + 1 + k) for k, axis in enumerate(c.reduced)}
    if panel.axis is not None:
        place = along(len(outer)) * panel.size + along(len(shape) - 1)
        dims[panel.axis[-1]] = np.minimum(place, max(own - 1, 0))
    return shape, dims
