"""Panels of operands that are known at compile time: weights are packed once.

Panels are computed when they are needed, some rows at a time: large weights are in memory once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial

import numpy as np
from numpy.lib.stride_tricks import as_strided
from xdsl.ir import Attribute, SSAValue

from opc.dialects import body, kernel, scalar
from opc.dialects import expr as ex
from opc.dialects.blob import Derived, array_of
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
        *(panel.extents[axis] for axis in c.reduced[-1:]),
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
    """All panels, an array [outer axes, panels, contracted axes, size], flat."""
    grid = [
        (axis[-1], panel.step(axis), panel.count(axis).constant or 0)
        for axis in (*panel.outer, *c.reduced)
    ]
    outer, own = len(panel.outer), c.extent(panel.axis).constant or 0
    dim = panel.axis[-1] if panel.axis is not None else -1
    arrays = {source: array_of(constant).reshape(-1) for source, constant in sources.items()}
    full, tail = divmod(own, panel.size)
    counts = [count for _, _, count in grid]
    shape = *counts[:outer], full + (tail > 0), *counts[outer:], panel.size
    panels = np.empty(shape, panel.type.dtype)
    across = np.moveaxis(panels, outer, 0)
    for begin, count, lanes in ((0, full, panel.size), (full, 1, tail)):
        steps = (dim, panel.size, count), *grid, (dim, 1, lanes)
        values = across[begin : begin + count, ..., :lanes]
        _fill(values, c, panel.operand, arrays, steps, {dim: begin * panel.size})
    if tail:
        across[full, ..., tail:] = across[full, ..., tail - 1 : tail]
    if panel.group > 1:
        length = panel.extents[c.reduced[-1]].constant or 0
        panels = _grouped(panels, panel.group, length)
    return panels.reshape(-1)


def _fill(
    values: Array,
    c: Contraction,
    operand: Operand,
    arrays: Mapping[SSAValue, Array],
    steps: Sequence[tuple[int, int, int]],
    start: Mapping[int, int],
) -> None:
    """Compute the values of an operand on a grid, some at a time along its longest axis.

    :func:`loaded` says what the grid, ``steps``, is.
    """
    if not values.size:
        return
    longest = max(range(values.ndim), key=lambda k: values.shape[k])
    dim, step, count = steps[longest]
    most = max(1, AT_ONCE * count // values.size)
    for first in range(0, count, most):
        part = min(most, count - first)
        grid = [*steps[:longest], (dim, step, part), *steps[longest + 1 :]]
        begin = {**start, dim: start.get(dim, 0) + first * step}
        at = (*[slice(None)] * longest, slice(first, first + part))
        values[at] = _value(c, operand, arrays, grid, begin)


def _value(
    c: Contraction,
    operand: Operand,
    arrays: Mapping[SSAValue, Array],
    grid: Sequence[tuple[int, int, int]],
    start: Mapping[int, int],
) -> Array:
    """The values of an operand on a grid."""
    values: dict[SSAValue, Array] = {}
    for op in operand.ops:
        match op:
            case kernel.LoadOp():
                values[op.result] = loaded(arrays[op.source], c.offsets[op], grid, start)
            case body.ConstantOp():
                type = scalar_type(op.result)
                values[op.result] = np.asarray(op.number).astype(type.dtype)
            case body.ApplyOp():
                args, type = [values[a] for a in op.args], scalar_type(op.result)
                values[op.result] = np.asarray(scalar.apply(op.function.data, args, type))
            case _:
                pass
    return values[operand.value]


def loaded(
    array: Array,
    offset: ex.Expr,
    grid: Sequence[tuple[int, int, int]],
    start: Mapping[int, int],
) -> Array:
    """The elements of a flat array at an offset on a grid; a view where the offset is linear.

    Each axis of the grid has the dimension along which it goes, its step and its count; a dimension
    may have two.  ``start`` is where dimensions begin, if not at 0.  Raises IndexError.
    """
    begin = {dim: start.get(dim, 0) for dim, _, _ in grid}
    factors = [offset.coefficient(dim) for dim, _, _ in grid]
    steps = [
        factor.constant * step if factor is not None and factor.constant is not None else -1
        for factor, (_, step, _) in zip(factors, grid, strict=True)
    ]
    counts = [count for _, _, count in grid]
    if min(steps) >= 0:
        first = int(offset.evaluate(begin, {}))
        last = first + sum(s * (n - 1) for s, n in zip(steps, counts, strict=True))
        if first >= 0 and last < array.size:
            strides = [array.strides[0] * step for step in steps]
            # NumPy makes no such views of the types of ml_dtypes.
            plain = array[first:].view(np.dtype((np.void, array.itemsize)))
            return as_strided(plain, counts, strides, writeable=False).view(array.dtype)
    dims: dict[int, Array] = {}
    for k, (dim, step, count) in enumerate(grid):
        along = np.arange(count).reshape(-1, *[1] * (len(grid) - 1 - k)) * step
        dims[dim] = dims.get(dim, begin[dim]) + along
    return array[offset.evaluate(dims, {})]


def _grouped(panels: Array, group: int, length: int) -> Array:
    """Panels [..., k, size] of ``length`` values along k, filled up with 0, in groups of these.

    They are [..., length / group, size, group], flat, and behind that the rest [..., size, rest].
    """
    *outer, count, size = panels.shape
    padded = np.zeros((*outer, length, size), panels.dtype)
    padded[..., :count, :] = panels
    first = length // group * group
    parts = padded[..., :first, :].reshape(*outer, -1, group, size), padded[..., first:, :]
    return np.concatenate([p.swapaxes(-1, -2).reshape(*outer, -1) for p in parts], axis=-1)
