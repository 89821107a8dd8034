"""Panels of operands that are known at compile time: weights are packed once.

Panels are computed when they are needed, some rows at a time: large weights are in memory once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from functools import partial

import numpy as np
from xdsl.ir import Attribute, SSAValue

from opc.dialects import body, kernel, scalar
from opc.dialects import expr as ex
from opc.dialects.blob import Derived, elements
from opc.dialects.body import scalar_type
from opc.dialects.budgets import AT_ONCE
from opc.dialects.opc.movement import Array
from opc.dialects.scalar import CONVERSIONS, SCALARS
from opc.schedule.contraction import Contraction, Operand, constant_of

from .packing import Panels


def constant_panels(c: Contraction, panel: Panels) -> Callable[[], Array] | None:
    """A function that gives all panels of an operand, flat; None unless it reads only constants.

    Scalar functions of the operand must be exact.
    """
    sources: dict[SSAValue, Attribute] = {}
    for op in panel.operand.ops:
        match op:
            case kernel.LoadOp():
                constant = constant_of(op.source)
                if op.default is not None or constant is None:
                    return None
                sources[op.source] = constant
            case body.ApplyOp():
                name = op.function.data
                if name not in CONVERSIONS and not SCALARS[name].exact:
                    return None
            case body.ConstantOp():
                pass
            case _:
                return None
    axes = (*panel.outer, panel.axis, *c.reduced)
    is_known = None not in [c.extent(axis).constant for axis in axes]
    if not sources or not is_known:
        return None
    return Derived(_key(c, panel, sources), partial(_compute, c, panel, sources))


def _key(c: Contraction, panel: Panels, sources: Mapping[SSAValue, Attribute]) -> Hashable:
    """What the values of panels depend on, wherever in the network they are used."""
    axes = [axis for axis in (*panel.outer, panel.axis, *c.reduced) if axis is not None]
    dims = {axis[-1]: ex.dim(k) for k, axis in enumerate(axes)}
    ops: dict[SSAValue, int] = {}
    for k, op in enumerate(panel.operand.ops):
        ops |= dict.fromkeys(op.results, k)
    items: list[Hashable] = [
        *(len(panel.outer), panel.axis is None, panel.size, panel.group, panel.type.name),
        *(c.extent(axis) for axis in axes),
        ops[panel.operand.value],
    ]
    for op in panel.operand.ops:
        match op:
            case kernel.LoadOp():
                items += (sources[op.source], c.offsets[op].substitute(dims))
            case body.ConstantOp():
                items.append(repr(op.number))  # 0 and -0 differ
            case body.ApplyOp():
                items += (op.function.data, *(ops[value] for value in op.args))
            case _:
                pass
        items += (result.type for result in op.results)
    return tuple(items)


def _compute(c: Contraction, panel: Panels, sources: Mapping[SSAValue, Attribute]) -> Array:
    """All panels; a row has the values of one panel at one index of the contracted axes."""
    own = c.extent(panel.axis).constant or 0
    axes = (*panel.outer, *c.reduced)
    shape = [panel.count(axis).constant or 0 for axis in axes]
    shape.insert(len(panel.outer), -(-own // panel.size))
    rows, step = math.prod(shape), max(1, AT_ONCE // panel.size)
    values = np.empty((rows, panel.size), panel.type.dtype)
    arrays = {source: _flat(constant) for source, constant in sources.items()}
    for start in range(0, rows, step):
        stop = min(start + step, rows)
        at = [index[:, None] for index in np.unravel_index(np.arange(start, stop), shape)]
        beside = at.pop(len(panel.outer)) * panel.size + np.arange(panel.size)
        dims: dict[int, Array] = {
            axis[-1]: index * panel.step(axis) for axis, index in zip(axes, at, strict=True)
        }
        if panel.axis is not None:
            dims[panel.axis[-1]] = np.minimum(beside, max(own - 1, 0))
        values[start:stop] = _value(c, panel.operand, arrays, dims)
    panels = values.reshape(*shape, panel.size)
    return (_grouped(panels, panel.group) if panel.group > 1 else panels).reshape(-1)


def _value(
    c: Contraction, operand: Operand, arrays: Mapping[SSAValue, Array], dims: dict[int, Array]
) -> Array:
    """The values of an operand at some indices of the dimensions."""
    values: dict[SSAValue, Array] = {}
    for op in operand.ops:
        match op:
            case kernel.LoadOp():
                values[op.result] = arrays[op.source][c.offsets[op].evaluate(dims, {})]
            case body.ConstantOp():
                type = scalar_type(op.result)
                values[op.result] = np.asarray(op.number).astype(type.dtype)
            case body.ApplyOp():
                args, type = [values[a] for a in op.args], scalar_type(op.result)
                values[op.result] = np.asarray(scalar.apply(op.function.data, args, type))
            case _:
                pass
    return values[operand.value]


def _grouped(panels: Array, group: int) -> Array:
    """Panels [..., k, size] as [..., k / group, size, group]; 0 fills up the last group."""
    *outer, length, size = panels.shape
    padded = np.zeros((*outer, -(-length // group) * group, size), panels.dtype)
    padded[..., :length, :] = panels
    return padded.reshape(*outer, -1, group, size).swapaxes(-1, -2)


def _flat(constant: Attribute) -> Array:
    array = elements(constant)
    assert array is not None
    return array.reshape(-1)
