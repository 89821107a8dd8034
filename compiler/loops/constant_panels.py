"""Panels of operands that are known when compiling: weights are laid out once, for good.

They are computed when they are needed, some rows at a time: large weights are in memory once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from xdsl.ir import Attribute, SSAValue

from opc.dialects import body, kernel, scalar
from opc.dialects import expr as ex
from opc.dialects.blob import elements
from opc.dialects.body import scalar_type
from opc.dialects.budgets import AT_ONCE
from opc.dialects.element import ElementType
from opc.dialects.opc.movement import Array
from opc.dialects.scalar import CONVERSIONS, SCALARS
from opc.schedule.contraction import Contraction, constant_of

from .panels import Panels

Dims: TypeAlias = "dict[int, Array]"
Values: TypeAlias = "dict[SSAValue, Array]"
"""Constants, flat, and values of the body at some points."""
Step: TypeAlias = "Callable[[Values, Dims], Array]"
"""A value of the body at some points, from those before it and the loops' dimensions."""


def constant_panels(c: Contraction, panel: Panels) -> Callable[[], Array] | None:
    """What gives all panels of an operand, flat; None if they depend on more than constants.

    Functions in between must be exact.
    """
    steps: dict[SSAValue, Step] = {}
    sources: dict[SSAValue, Attribute] = {}
    for op in panel.operand.ops:
        match op:
            case kernel.LoadOp():
                constant = constant_of(op.source)
                if op.default is not None or constant is None:
                    return None
                sources[op.source] = constant
                steps[op.result] = _load(op.source, c.offsets[op])
            case body.ConstantOp():
                steps[op.result] = _number(op.number, scalar_type(op.result))
            case body.ApplyOp():
                name = op.function.data
                if name not in CONVERSIONS and not SCALARS[name].exact:
                    return None
                steps[op.result] = _apply(name, list(op.args), scalar_type(op.result))
            case _:
                return None
    own, axes = c.extent(panel.axis).constant, [*panel.outer, *c.reduced]
    extents = [n for axis in axes if (n := c.extent(axis).constant) is not None]
    if not sources or own is None or len(extents) < len(axes):
        return None
    first = len(panel.outer)
    shape = [*extents[:first], -(-own // panel.size), *extents[first:]]
    """Of the panels, each value of which along the chain is a row."""

    def dims_of(start: int, stop: int) -> Dims:
        """For each axis its value at each element of some rows."""
        places = [p[:, None] for p in np.unravel_index(np.arange(start, stop), shape)]
        place = places.pop(first) * panel.size + np.arange(panel.size)
        found = {axis[-1]: p for axis, p in zip(axes, places, strict=True)}
        if panel.axis is not None:
            found[panel.axis[-1]] = np.minimum(place, max(own - 1, 0))
        return found

    def compute() -> Array:
        rows, step = math.prod(shape), max(1, AT_ONCE // panel.size)
        found = np.empty((rows, panel.size), panel.type.dtype)
        values = {source: _flat(constant) for source, constant in sources.items()}
        for start in range(0, rows, step):
            stop = min(start + step, rows)
            dims = dims_of(start, stop)
            for value, each in steps.items():
                values[value] = each(values, dims)
            found[start:stop] = values[panel.operand.value]
        every = found.reshape(*shape, panel.size)
        return (_grouped(every, panel.group) if panel.group > 1 else every).reshape(-1)

    return compute


def _grouped(found: Array, group: int) -> Array:
    """Panels [..., k, size] as [..., k / group, size, group], 0 for what the last group lacks."""
    *outer, length, size = found.shape
    whole = np.zeros((*outer, -(-length // group) * group, size), found.dtype)
    whole[..., :length, :] = found
    return whole.reshape(*outer, -1, group, size).swapaxes(-1, -2)


def _flat(constant: Attribute) -> Array:
    array = elements(constant)
    assert array is not None
    return array.reshape(-1)


def _load(source: SSAValue, offset: ex.Expr) -> Step:
    return lambda values, dims: values[source][offset.evaluate(dims, {})]


def _number(value: object, type: ElementType) -> Step:
    array: Array = np.asarray(value).astype(type.dtype)
    return lambda values, dims: array


def _apply(name: str, args: Sequence[SSAValue], type: ElementType) -> Step:
    return lambda values, _: np.asarray(scalar.apply(name, [values[a] for a in args], type))
