"""An operand that is laid out with its padding, for tiles to read where it lies.

The padding is written first, over everything and what a tile may read behind it, then the source.
Where the source runs along the axis before the innermost one, blocks of it are turned around.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Block, SSAValue

from opc.dialects import body, loop, schedule
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.buffer import LocalOp
from opc.dialects.element import ElementType
from opc.dialects.layout import linearize
from opc.dialects.schedule import Axis
from opc.schedule.contraction import Contraction, Operand
from opc.schedule.groups import factor_types
from opc.schedule.window import Window
from opc.target import L1

from .places import Place

ZERO = ex.const(0)
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
    operand = c.left if pad.operand.data == "left" else c.right
    window = c.window(operand)
    assert window is not None
    spare = ZERO
    for axis in (c.row, c.column):
        step = window.at.coefficient(axis[-1]) if axis else None
        spare += (step or ZERO) * (_block(tree, axis) - 1)
    types = factor_types(c, pad.count)
    assert types is not None
    type = types[0 if operand is c.left else 1]
    if pad.count > 1 and ex.mod(c.extent(c.reduced[-1]), pad.count) != 0:
        spare += pad.count - 1
    return Padded(operand, window, spare, type)


def _block(tree: schedule.TreeOp, axis: Axis | None) -> int:
    """Values of a tile along an axis."""
    loops = (op for op in tree.walk() if isinstance(op, schedule.ForOp) and op.axis == axis)
    steps = [op.step for op in loops if op.kind.data in ("serial", "parallel") and op.step > 1]
    return min(steps, default=1)


def write_padded(padded: Padded, buffer: SSAValue, block: Block) -> None:
    """Write the loops that lay an operand out."""
    window = padded.window
    if padded.spare != 0:
        # What a tile computes of it is thrown away, but nothing reads what was never written.
        here = Place(block, []).loop(window.elements, padded.elements, "vector")
        _fill(padded, buffer, here, here.variable())
    here, at = Place(block, []), dict[int, ex.Expr]()
    if window.load.default is not None or window.phases > 1:
        whole = _whole_axes(window)
        for axis in whole:
            here = here.loop(*window.inside(axis), "serial" if at else "parallel")
            at[axis] = here.variable()
        first = ex.total_of((at[k] - window.origin[k]) * window.strides[k] for k in whole)
        part, last = here, whole[-1] if whole else window.order[0]
        if not whole:
            part = here.loop(ZERO, window.extents[last], "parallel")
            first = part.variable() * window.strides[last]
        part = part.loop(ZERO, window.strides[last], "vector")
        _fill(padded, buffer, part, first + part.variable())
    _copy(padded, buffer, here, at)


def _whole_axes(window: Window) -> tuple[int, ...]:
    """The outermost axes that have no padding; none of them if they have one value in all.

    What lies at one place along all of these is filled, then copied to while it is in a cache.
    """
    found: list[int] = []
    for axis in window.order[: -2 if _is_turned(window) else -1]:
        begin, end = window.inside(axis)
        if begin != window.origin[axis] or end - begin != window.extents[axis]:
            break
        found.append(axis)
    is_one = ex.product(window.extents[k] for k in found) == 1
    return () if is_one else tuple(found)


def _is_turned(window: Window) -> bool:
    """Whether the source runs along the axis before the innermost one."""
    last = len(window.source) - 1
    return window.phases == 1 and window.inner != last and window.order[-2] == last


def _fill(padded: Padded, buffer: SSAValue, here: Place, index: ex.Expr) -> None:
    """Write the padding, or 0."""
    load, number = padded.window.load, 0
    if load.default is not None:
        default = {"value": load.default}
        number = body.ConstantOp(properties=default, result_types=[load.result.type]).number
    here.write(here.add(body.ConstantOp.of(number, padded.type)), buffer, index)


def _copy(padded: Padded, buffer: SSAValue, here: Place, at: dict[int, ex.Expr]) -> None:
    """Write the source to where it lies, along all axes at which ``here`` is not yet."""
    window = padded.window
    inner, is_turned = window.inner, _is_turned(window)
    if padded.is_converted and not window.extents[inner].constant:
        is_turned = False
    for axis in window.order[: -2 if is_turned else -1]:
        if axis not in at:
            here = here.loop(*window.inside(axis), "serial" if at else "parallel")
            at[axis] = here.variable()
    if is_turned:
        turn = _turn_converted if padded.is_converted else _turn
        turn(padded, buffer, here, at)
        return
    here, at[inner] = _along(window, here)
    index = tuple(at[k] for k in range(len(window.source)))
    value = here.read(window.load.source, linearize(index, window.source))
    here.write(here.cast(value, padded.type), buffer, window.offset(index))


def _turn(padded: Padded, buffer: SSAValue, here: Place, at: dict[int, ex.Expr]) -> None:
    """Turn around what lies along the last axis of the source and the innermost one."""
    window = padded.window
    last = len(window.source) - 1
    bounds = [window.inside(axis) for axis in (window.inner, last)]
    at |= {axis: begin for axis, (begin, _) in zip((window.inner, last), bounds, strict=True)}
    index = tuple(at[k] for k in range(len(window.source)))
    turned = (
        *(linearize(index, window.source), _apart(window)),
        *(window.offset(index), window.strides[last]),
        *(end - begin for begin, end in bounds),
    )
    found, dims = here.over(turned)
    here.block.add_op(loop.TransposeOp.of(window.load.source, buffer, found, dims))


def _turn_converted(padded: Padded, buffer: SSAValue, here: Place, at: dict[int, ex.Expr]) -> None:
    """The same into another type: blocks are turned around in an array, and converted from it."""
    window = padded.window
    inner, last = window.inner, len(window.source) - 1
    depth = window.extents[inner].constant
    assert depth
    bounds = {axis: window.inside(axis) for axis in (inner, last)}
    size = max(1, TURNED // depth)
    here = here.loop(*bounds[last], "serial", size)
    at |= {inner: bounds[inner][0], last: here.variable()}
    columns = ex.minimum(bounds[last][1] - at[last], size)
    tile = here.add(LocalOp.of(scalar_type(window.load.result), depth * size))
    index = tuple(at[k] for k in range(len(window.source)))
    turned = (
        *(linearize(index, window.source), _apart(window)),
        *(ZERO, ex.const(depth)),
        *(bounds[inner][1] - bounds[inner][0], columns),
    )
    found, dims = here.over(turned)
    here.block.add_op(loop.TransposeOp.of(window.load.source, tile, found, dims))
    here = here.loop(ZERO, columns, "serial")
    column = here.variable()
    here = here.loop(ZERO, bounds[inner][1] - bounds[inner][0], "vector")
    at |= {inner: at[inner] + here.variable(), last: at[last] + column}
    value = here.cast(here.read(tile, column * depth + here.variable()), padded.type)
    here.write(value, buffer, window.offset(tuple(at[k] for k in range(len(window.source)))))


def _apart(window: Window) -> ex.Expr:
    """How far apart neighbours along the innermost axis are in the source."""
    return ex.product(window.source[window.inner + 1 :])


def _along(window: Window, here: Place) -> tuple[Place, ex.Expr]:
    """Loops along the innermost axis, in the order in which it is to lie, and the index there."""
    begin, end = window.inside(window.inner)
    apart, least = window.phases, window.origin[window.inner]
    if apart == 1:
        here = here.loop(begin, end, "vector")
        return here, here.variable()
    here = here.loop(ZERO, ex.const(apart), "serial")
    phase = here.variable()
    first, last = (ex.floordiv(e - least + (apart - 1) - phase, apart) for e in (begin, end))
    here = here.loop(first, last, "vector")
    return here, here.variable() * apart + phase + least
