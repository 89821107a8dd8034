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
    axes = (*panel.outer, *((panel.axis,) if panel.axis else ()), *c.reduced)
    if any(c.extent(axis).constant is None for axis in axes):
        return None
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
    if not sources:
        return None
    grid = Grid(c, panel)

    def compute() -> Array:
        found = np.empty((grid.rows, panel.size), panel.type.dtype)
        step = max(1, AT_ONCE // panel.size)
        values = {source: _flat(constant) for source, constant in sources.items()}
        for start in range(0, grid.rows, step):
            stop = min(start + step, grid.rows)
            dims = grid.dims(start, stop)
            for value, each in steps.items():
                values[value] = each(values, dims)
            found[start:stop] = values[panel.operand.value]
        every = found.reshape(*grid.shape, panel.size)
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


class Grid:
    """All elements of the panels as rows of one panel's width."""

    def __init__(self, c: Contraction, panel: Panels) -> None:
        self.own = c.extent(panel.axis).constant or 0
        self.size = panel.size
        self.count = len(panel.outer)
        self.names = [*(axis[-1] for axis in panel.outer), *(axis[-1] for axis in c.reduced)]
        self.axis = None if panel.axis is None else panel.axis[-1]
        outer = [c.extent(axis).constant or 0 for axis in panel.outer]
        reduced = [c.extent(axis).constant or 0 for axis in c.reduced]
        self.shape = (*outer, -(-self.own // panel.size), *reduced)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return math.prod(self.shape)

    def dims(self, start: int, stop: int) -> Dims:
        """For each axis its value at each element of some rows."""
        places = [p[:, None] for p in np.unravel_index(np.arange(start, stop), self.shape)]
        panel = places.pop(self.count)
        found = dict(zip(self.names, places, strict=True))
        if self.axis is not None:
            place = panel * self.size + np.arange(self.size)
            found[self.axis] = np.minimum(place, max(self.own - 1, 0))
        return found
