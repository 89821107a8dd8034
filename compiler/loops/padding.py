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
from opc.dialects.layout import linearize
from opc.dialects.schedule import Axis
from opc.passes.loop_places import Place
from opc.schedule.contraction import Contraction, Operand
from opc.schedule.window import Window

ZERO = ex.const(0)


@dataclass(frozen=True)
class Padded:
    """How an operand lies once it is laid out with its padding."""

    operand: Operand
    window: Window
    spare: ex.Expr
    """Values behind, which a tile reads that goes on beyond the last row or column."""

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
    return Padded(operand, window, spare)


def _block(tree: schedule.TreeOp, axis: Axis | None) -> int:
    """Values of a tile along an axis."""
    loops = (op for op in tree.walk() if isinstance(op, schedule.ForOp) and op.axis == axis)
    steps = [op.step for op in loops if op.kind.data in ("serial", "parallel") and op.step > 1]
    return min(steps, default=1)


def write_padded(padded: Padded, buffer: SSAValue, block: Block) -> None:
    """Write the loops that lay an operand out."""
    window = padded.window
    default = window.load.default
    if default is not None or window.phases > 1:
        outer = window.order[0]
        here = Place(block, []).loop(ZERO, window.extents[outer], "parallel")
        first = here.variable() * window.strides[outer]
        here = here.loop(ZERO, window.strides[outer], "vector")
        _fill(padded, buffer, here, first + here.variable())
    if padded.spare != 0:
        # What a tile computes of it is thrown away, but nothing reads what was never written.
        here = Place(block, []).loop(window.elements, padded.elements, "vector")
        _fill(padded, buffer, here, here.variable())
    _copy(window, buffer, Place(block, []))


def _fill(padded: Padded, buffer: SSAValue, here: Place, index: ex.Expr) -> None:
    """Write the padding, or 0."""
    load = padded.window.load
    type = scalar_type(load.result)
    constant = body.ConstantOp.of(0, type)
    if load.default is not None:
        constant = body.ConstantOp(
            properties={"value": load.default}, result_types=[load.result.type]
        )
    here.write(here.add(constant), buffer, index)


def _copy(window: Window, buffer: SSAValue, here: Place) -> None:
    last, inner = len(window.source) - 1, window.inner
    outer = window.order[:-1]
    is_turned = window.phases == 1 and inner != last and outer[-1] == last
    at: dict[int, ex.Expr] = {}
    for number, axis in enumerate(outer[:-1] if is_turned else outer):
        here = here.loop(*window.inside(axis), "serial" if number else "parallel")
        at[axis] = here.variable()
    if not is_turned:
        here, at[inner] = _along(window, here)
        index = tuple(at[k] for k in range(len(window.source)))
        value = here.read(window.load.source, linearize(index, window.source))
        here.write(value, buffer, window.offset(index))
        return
    bounds = {axis: window.inside(axis) for axis in (inner, last)}
    at |= {axis: begin for axis, (begin, _) in bounds.items()}
    index = tuple(at[k] for k in range(len(window.source)))
    rows, columns = (end - begin for begin, end in (bounds[inner], bounds[last]))
    apart = ex.product(window.source[inner + 1 :])
    turned = (
        *(linearize(index, window.source), apart),
        *(window.offset(index), window.strides[last]),
        *(rows, columns),
    )
    found, dims = Place(here.block, here.variables).resolve_all(turned)
    here.block.add_op(loop.TransposeOp.of(window.load.source, buffer, found, dims))


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
