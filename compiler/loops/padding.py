"""An operand that is laid out with its padding, for tiles to read where it lies.

The padding is written first, over everything and what a tile may read behind it, then the source.
Where the source runs along the axis before the innermost one, blocks of it are turned around.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.ir import SSAValue

from opc.dialects import body, schedule
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.buffer import LocalOp
from opc.dialects.element import ElementType
from opc.dialects.layout import linearize
from opc.dialects.schedule import Axis
from opc.schedule.contraction import Contraction, Operand
from opc.schedule.groups import type_of
from opc.schedule.window import Window
from opc.target import L1

from .places import ZERO, Place

TURNED = L1 // 4
"""Elements of a block that is turned around before it is converted: it stays in the first cache."""


@dataclass(frozen=True)
class Padded:
    """How an operand lies once it is laid out with its padding."""

    operand: Operand
    window: Window
    spare: ex.Expr
    """Values behind, which a tile reads that goes on beyond the last row, column or group."""
    type: ElementType
    """What a value lies there as."""

    @property
    def is_converted(self) -> bool:
        """Whether a value lies there as another type than in the source."""
        return scalar_type(self.window.load.result) is not self.type

    @property
    def elements(self) -> ex.Expr:
        """All values."""
        return self.window.elements + self.spare


def pads(c: Contraction, pad: schedule.PadOp, tree: schedule.TreeOp) -> Padded:
    """What a pad makes."""
    operand = c.operand(pad.operand.data)
    window = c.window(operand)
    assert window is not None
    spare = ZERO
    for axis in (c.row, c.column):
        step = window.at.coefficient(axis[-1]) if axis else None
        spare += (step or ZERO) * (_block(tree, axis) - 1)
    if pad.count > 1 and ex.mod(c.extent(c.reduced[-1]), pad.count) != 0:
        spare += pad.count - 1
    return Padded(operand, window, spare, type_of(c, operand, pad.count))


def _block(tree: schedule.TreeOp, axis: Axis | None) -> int:
    """Values of a tile along an axis."""
    loops = (op for op in tree.walk() if isinstance(op, schedule.ForOp) and op.axis == axis)
    steps = [op.step for op in loops if op.kind.data in ("serial", "parallel") and op.step > 1]
    return min(steps, default=1)


@dataclass(frozen=True)
class Padding:
    """Writes and reads an operand that lies in a buffer with its padding."""

    padded: Padded
    buffer: SSAValue

    @property
    def window(self) -> Window:
        """What is seen of the source."""
        return self.padded.window

    def read(self, here: Place, begin: ex.Expr, own: ex.Expr, number: int) -> SSAValue:
        """A value for the dimensions of here, by its number in a group."""
        return here.read(self.buffer, self.window.at.substitute(here.at) + number)

    def write(self, here: Place) -> None:
        """Write the loops that lay the operand out, where there are none around."""
        window, at = self.window, dict[int, ex.Expr]()
        if self.padded.spare != 0:
            # What a tile computes of it is thrown away, but nothing reads what was never written.
            behind = here.loop(window.elements, self.padded.elements, "vector")
            self._fill(behind, behind.variable())
        if window.load.default is not None or window.phases > 1:
            here = self._fill_around(here, at)
        self._copy(here, at)

    def _fill_around(self, here: Place, at: dict[int, ex.Expr]) -> Place:
        """Write the padding, in loops over the outermost axes up to one that has some itself.

        What lies at one place along all of these is filled, then copied to while it is in a cache.
        """
        window, first = self.window, ZERO
        for axis in window.order[: -2 if self._is_turned else -1]:
            step, extent, origin = window.strides[axis], window.extents[axis], window.origin[axis]
            begin, end = (e - origin for e in window.inside(axis))
            # A window may end before the source begins, or begin behind it.
            before = ex.minimum(begin, extent)
            for a, b in ((ZERO, before), (ex.maximum(end, before), extent)):
                if a != b:
                    outside = here.loop(first + a * step, first + b * step, "vector")
                    self._fill(outside, outside.variable())
            here = self._along(axis, here, at)
            first += (at[axis] - origin) * step
            if begin != 0 or end != extent:
                break
        last = window.order[len(at) - 1] if at else None
        size = window.strides[last] if last is not None else window.elements
        part = here.loop(0, size, "vector")
        self._fill(part, first + part.variable())
        return here

    def _along(self, axis: int, here: Place, at: dict[int, ex.Expr]) -> Place:
        """A loop over what is in the source along one of its axes, and where that is."""
        is_outermost = all(self.window.extents[k] == 1 for k in at)
        here = here.loop(*self.window.inside(axis), "parallel" if is_outermost else "serial")
        at[axis] = here.variable()
        return here

    @property
    def _is_turned(self) -> bool:
        """Whether the source runs along the axis before the innermost one."""
        window, last = self.window, len(self.window.source) - 1
        return window.phases == 1 and window.inner != last and window.order[-2] == last

    def _fill(self, here: Place, index: ex.Expr) -> None:
        """Write the padding, or 0."""
        load, number = self.window.load, 0
        if load.default is not None:
            default = {"value": load.default}
            number = body.ConstantOp(properties=default, result_types=[load.result.type]).number
        here.write(here.add(body.ConstantOp.of(number, self.padded.type)), self.buffer, index)

    def _copy(self, here: Place, at: dict[int, ex.Expr]) -> None:
        """Write the source to where it lies, along all axes at which ``here`` is not yet."""
        window, is_converted = self.window, self.padded.is_converted
        is_known = not is_converted or bool(window.extents[window.inner].constant)
        is_turned = self._is_turned and is_known
        for axis in window.order[: -2 if is_turned else -1]:
            if axis not in at:
                here = self._along(axis, here, at)
        if is_turned:
            (self._turn_converted if is_converted else self._turn)(here, at)
            return
        here, at[window.inner] = _along_inner(window, here)
        value = here.read(window.load.source, self._source(at))
        self._store(value, here, at)

    def _source(self, at: Mapping[int, ex.Expr]) -> ex.Expr:
        """The offset in the source, by the place along each of its axes."""
        return linearize(_in_order(at), self.window.source)

    def _store(self, value: SSAValue, here: Place, at: Mapping[int, ex.Expr]) -> None:
        here.write(
            here.cast(value, self.padded.type), self.buffer, self.window.offset(_in_order(at))
        )

    def _turn(self, here: Place, at: dict[int, ex.Expr]) -> None:
        """Turn around what lies along the last axis of the source and the innermost one."""
        window, last = self.window, len(self.window.source) - 1
        bounds = {axis: window.inside(axis) for axis in (window.inner, last)}
        at |= {axis: begin for axis, (begin, _) in bounds.items()}
        to = window.offset(_in_order(at)), window.strides[last]
        counts = (end - begin for begin, end in bounds.values())
        index = self._source(at), _apart(window), *to, *counts
        here.transpose(window.load.source, self.buffer, index)

    def _turn_converted(self, here: Place, at: dict[int, ex.Expr]) -> None:
        """The same into another type: blocks are turned around in an array, and converted there."""
        window, last = self.window, len(self.window.source) - 1
        (begin, end), (first, behind) = window.inside(window.inner), window.inside(last)
        depth = window.extents[window.inner].constant
        assert depth
        size = max(1, TURNED // depth)
        here = here.loop(first, behind, "serial", size)
        at |= {window.inner: begin, last: here.variable()}
        columns = ex.minimum(behind - at[last], size)
        tile = here.add(LocalOp.of(scalar_type(window.load.result), depth * size))
        index = self._source(at), _apart(window), ZERO, ex.const(depth), end - begin, columns
        here.transpose(window.load.source, tile, index)
        here = here.loop(0, columns, "serial")
        column = here.variable()
        here = here.loop(0, end - begin, "vector")
        value = here.read(tile, column * depth + here.variable())
        at |= {window.inner: begin + here.variable(), last: at[last] + column}
        self._store(value, here, at)


def _in_order(at: Mapping[int, ex.Expr]) -> tuple[ex.Expr, ...]:
    """The place along each axis of the source."""
    return tuple(at[k] for k in range(len(at)))


def _apart(window: Window) -> ex.Expr:
    """How far apart neighbours along the innermost axis are in the source."""
    return ex.product(window.source[window.inner + 1 :])


def _along_inner(window: Window, here: Place) -> tuple[Place, ex.Expr]:
    """Loops along the innermost axis, in the order in which it is to lie, and the index there."""
    begin, end = window.inside(window.inner)
    apart, least = window.phases, window.origin[window.inner]
    if apart == 1:
        here = here.loop(begin, end, "vector")
        return here, here.variable()
    here = here.loop(0, apart, "serial")
    phase = here.variable()
    first, last = (ex.floordiv(e - least + (apart - 1) - phase, apart) for e in (begin, end))
    here = here.loop(first, last, "vector")
    return here, here.variable() * apart + phase + least
