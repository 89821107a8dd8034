"""Separates a reduction of windows along several axes into reductions along one axis each.

::

    nest [64, 56, 56] { sweep [3, 3] (max) { load x[d0, d1*2 + d3, d2*2 + d4] } }
      -->
    %r = nest [64, 56, 113] { sweep [3] (max) { load x[d0, d1*2 + d3, d2] } }
         nest [64, 56, 56] { sweep [3] (max) { load r[d0, d1, d2*2 + d3] } }

The last axis comes last, so that the first reduction reads contiguous rows.  Overlapping windows
share its results.  Ordered reductions stay, so no bit changes.  Runs after fuse-kernels and before
unroll-windows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from opc.dialects import body, kernel
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.scalar import REDUCTIONS
from opc.dialects.shape import IndexAttr, shape_of, tensor_type
from opc.passes.function_pass import FunctionPass

from .kernel_forms import identity


class SeparateWindowsPass(FunctionPass):
    """sweep [3, 3] (max)  -->  sweep [3] (max); sweep [3] (max)."""

    name = "separate-windows"

    def rewrite(self, function: FuncOp) -> None:
        """Separate the windows of all nests."""
        nests = [op for op in function.body.block.ops if isinstance(op, kernel.NestOp)]
        while nests:
            nest = nests.pop()
            for sweep in nest.sweeps:
                slide = _slide_of(nest, sweep)
                if slide is not None and slide.pays:
                    nests.append(slide.write())


@dataclass(frozen=True)
class _Slide:
    """A window that slides along the last dimension of a sweep and a dimension of the nest."""

    nest: kernel.NestOp
    sweep: kernel.SweepOp
    point: int
    """The dimension of the nest."""
    stride: int
    dilation: int
    covered: ex.Expr
    """The extent that all windows together cover."""

    @property
    def last(self) -> int:
        """The last dimension of the sweep."""
        return len(self.nest.extents.data) + len(self.sweep.extents.data) - 1

    @property
    def size(self) -> ex.Expr:
        """The number of values of a window along it."""
        return self.sweep.extents.data[-1]

    @property
    def pays(self) -> bool:
        """Whether there are fewer loads and stores; a load with a stride counts twice."""
        size, others = self.size.constant, ex.product(self.sweep.extents.data[:-1]).constant
        points, covered = self.nest.extents.data[self.point].constant, self.covered.constant
        if size is None or others is None:
            return False
        if points is None or covered is None:
            points, covered = 1, self.stride
        along = points * size * min(self.stride, 2)
        return covered * (others + 1) + along < others * along

    def write(self) -> kernel.NestOp:
        """Insert a nest that reduces the other dimensions; reduce its result along the last."""
        first = self._others()
        point, inner = identity(len(self.nest.extents.data)), Block()
        slid = ex.dim(self.point) * self.stride + ex.dim(len(point)) * self.dilation
        index = (*point[: self.point], slid, *point[self.point + 1 :])
        inner.add_op(load := kernel.LoadOp.of(first.outputs[0], index))
        inner.add_op(kernel.YieldOp(operands=[[load.result]]))
        kinds = [kind.data for kind in self.sweep.kinds]
        along = kernel.SweepOp.of((self.size,), kinds, inner)
        first.location = self.nest.location
        Rewriter.insert_op(first, InsertPoint.before(self.nest))
        Rewriter.replace_op(self.sweep, along)
        return first

    def _others(self) -> kernel.NestOp:
        """The nest that reduces all other dimensions."""
        extents, inner = list(self.nest.extents.data), Block()
        values: dict[SSAValue, SSAValue] = {}
        for op in self.sweep.body.block.ops:
            inner.add_op(copy := op.clone(values))
            if isinstance(copy, kernel.LoadOp):
                copy.index = IndexAttr(tuple(map(self._placed, copy.index.data)))
        kinds = [kind.data for kind in self.sweep.kinds]
        sweep = kernel.SweepOp.of(self.sweep.extents.data[:-1], kinds, inner)
        extents[self.point] = self.covered
        store = kernel.StoreOp.of(sweep.outputs[0], 0, identity(len(extents)))
        type = tensor_type(scalar_type(sweep.outputs[0]), tuple(extents))
        return kernel.NestOp.of(tuple(extents), Block([sweep, store]), [type])

    def _placed(self, e: ex.Expr) -> ex.Expr:
        """Replace window and position in it by one dimension, the covered position."""
        if self.last not in e.dims():
            return e
        step = (e.coefficient(self.last) or ex.const(0)).constant or 0
        start = e.substitute({self.point: ex.const(0), self.last: ex.const(0)})
        return start + ex.dim(self.point) * (step // self.dilation)


def _slide_of(nest: kernel.NestOp, sweep: kernel.SweepOp) -> _Slide | None:
    """The window of an unordered sweep along its last dimension; None if it has none."""
    if len(sweep.extents.data) < 2 or not all(_is_free(sweep, op) for op in sweep.body.block.ops):
        return None
    kinds = [kind.data for kind in sweep.kinds]
    row = REDUCTIONS.get(kinds[0]) if len(kinds) == 1 else None
    if row is None or row.is_arg or row.is_chain or sweep.lanes is not None:
        return None
    rank = len(nest.extents.data)
    last = rank + len(sweep.extents.data) - 1
    loads = [op for op in sweep.body.block.ops if isinstance(op, kernel.LoadOp)]
    indices = [e for load in loads for e in load.index.data]
    slides = {_steps(e, last) for e in indices if last in e.dims()}
    if len(slides) != 1 or (steps := slides.pop()) is None:
        return None
    point, stride, dilation = steps
    if point >= rank or any(point in e.dims() and last not in e.dims() for e in indices):
        return None
    points, size = nest.extents.data[point], sweep.extents.data[-1]
    covered = (points - 1) * stride + (size - 1) * dilation + 1
    if points.constant is None:
        # Without windows the covered extent would be negative, so the nest covers the whole axis.
        extents = [n for load in loads for n in shape_of(load.source.type)]
        axes = list(zip(indices, extents, strict=True))
        sizes = {n for e, n in axes if e == ex.dim(point) * stride + ex.dim(last) * dilation}
        if len(sizes) != 1 or any(last in e.dims() and n not in sizes for e, n in axes):
            return None
        covered = sizes.pop()
    return _Slide(nest, sweep, point, stride, dilation, covered) if points != 0 else None


def _is_free(sweep: kernel.SweepOp, op: Operation) -> bool:
    """Whether an operation may move to another nest."""
    if isinstance(op, kernel.LoadOp):
        return op.default is None and not isinstance(op.source.owner, kernel.SweepOp)
    inside = (body.ConstantOp, body.ApplyOp, kernel.YieldOp)
    return isinstance(op, inside) and all(v.owner.parent is sweep.body.block for v in op.operands)


def _steps(e: ex.Expr, last: int) -> tuple[int, int, int] | None:
    """The only dimension of an index besides the last, and the steps of both over their gcd."""
    others = e.dims() - {last}
    if len(others) != 1:
        return None
    (point,) = others
    constants = [step.constant for d in (point, last) if (step := e.coefficient(d)) is not None]
    steps = [step for step in constants if step is not None and step > 0]
    if len(steps) != 2:
        return None
    scale = math.gcd(*steps)
    return point, steps[0] // scale, steps[1] // scale
