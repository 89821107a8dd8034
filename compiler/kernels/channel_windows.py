"""Adds windows of small integers channel by channel, where channels are innermost.

::

    %y = nest [1, 64, 56, 56] {
      sweep [3, 3, 1] (dot) {cast(load %x[d0, d1 + d6, d2 + d4 - 1, d3 + d5 - 1] else 0) : f32
                             * cast(load %w[d1, d6, d4, d5]) : f32} : f32 ... } : ui8
    nest [1, 24, 56, 56] {sweep [64] (dot) {... load %y[d0, d4, d2, d3] : ui8 ...}}
      -->
    %p = nest [1] { sweep [1, 58, 64] { 0.0; store to [d0, d1, d2, d3] } ...
                    sweep [56, 56, 64] { cast(load %x[d0, d3, d1, d2]) : f32;
                                         store to [d0, d1 + 1, d2 + 1, d3] } }
    %y = nest [1, 64, 56, 56] { fma(load %p[d0, d2, d3, d1], load %v[0, d1], 0.0); ...
                                fma(load %p[d0, d2 + 2, d3 + 2, d1], load %v[8, d1], ...) ... }

Depthwise convolutions of quantized networks stand between contractions along channels, for which
order-axes makes channels innermost.  Vectors go along channels then, and no row has a tail.  A
layer of 192 channels and 28 by 28 pixels takes 0.4 of the time with its padding.
Float-windows has made sure that the sums are exact, in any order.  Needs float-windows.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from opc.dialects import body, kernel
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.element import F32
from opc.dialects.opc.movement import Array, ConstantOp
from opc.dialects.shape import Shape, shape_of, tensor_type
from opc.passes.function_pass import MachinePass
from opc.support.target import GUESSED, NEXT_BODY, Target

from .kernel_forms import before, cast, factor, identity, shared_dims
from .order_axes import along_chains, is_free, is_scattered, order


@dataclass(frozen=True)
class ChannelWindowsPass(MachinePass):
    """nest [64, 56, 56] {sweep [3, 3] (dot)}  -->  nest [64, 56, 56] {fma(...), fma(...), ...}.

    ``target`` names the machine.
    """

    name: ClassVar[str] = "channel-windows"

    def rewrite(self, function: FuncOp) -> None:
        """Rewrite one function."""
        if not (self.machine.fma and self.machine.has_vectors):
            return
        nests = [op for op in function.body.block.ops if isinstance(op, kernel.NestOp)]
        contracted = {(load.source, axis) for nest in nests for load, axis in along_chains(nest)}
        for nest in nests:
            windows = _windows_of(nest)
            if windows is not None and windows.pay(self.machine):
                result = nest.outputs[0]
                axes = [k for k, e in enumerate(windows.store.index.data) if e == windows.channels]
                if all((result, axis) in contracted and is_free(result, axis) for axis in axes):
                    windows.unroll()


@dataclass(frozen=True)
class _Windows:
    """A nest whose only sweep adds products of a window of each channel with constants, in f32."""

    nest: kernel.NestOp
    sweep: kernel.SweepOp
    store: kernel.StoreOp
    window: kernel.LoadOp
    weight: kernel.LoadOp
    dim: int
    """The dimension of channels."""

    @property
    def channels(self) -> ex.Expr:
        """The index of a channel."""
        return ex.dim(self.dim)

    @property
    def axis(self) -> int:
        """The axis of channels of what windows see."""
        return next(k for k, e in enumerate(self.window.index.data) if self.dim in e.dims())

    @property
    def points(self) -> list[dict[int, ex.Expr]]:
        """The indices of the sweep, for each product."""
        rank, extents = len(self.nest.extents.data), self.sweep.extents.data
        places = itertools.product(*(range(e.constant or 0) for e in extents))
        return [{rank + k: ex.const(n) for k, n in enumerate(place)} for place in places]

    def pay(self, machine: Target) -> bool:
        """Whether channels fill vectors and may be innermost, and a cache holds what windows see.

        From the last cache, floats take longer to come than rows of few values to compute.
        """
        count = self.nest.extents.data[self.dim].constant or 0
        ops = 5 * len(self.points)
        source = self.window.source
        is_movable = is_free(source, self.axis) and not is_scattered(source, self.axis)
        images, *image = (e.constant for e in shape_of(source.type))
        # An unknown number of images counts as one.
        seen = math.prod(n or GUESSED for n in image) * (images or 1) * F32.bytes
        pays = count >= machine.lanes(F32.bytes) and seen <= machine.l2 and 0 < ops <= NEXT_BODY
        return pays and is_movable and source.has_one_use()

    def unroll(self) -> None:
        """Replace the sweep by its products."""
        source, begin = self._padded()
        products, value = self._weights(), before(self.sweep, body.ConstantOp.of(0.0, F32))
        for number, point in enumerate(self.points):
            moved = zip(self.window.index.data, begin, strict=True)
            index = tuple(e.substitute(point) - first for e, first in moved)
            factors = [
                before(self.sweep, kernel.LoadOp.of(source, index)),
                before(self.sweep, kernel.LoadOp.of(products, (ex.const(number), self.channels))),
            ]
            value = before(self.sweep, body.ApplyOp.of("fma", [*factors, value]))
        self.sweep.outputs[0].replace_all_uses_with(value)
        Rewriter.erase_op(self.sweep)

    def _padded(self) -> tuple[SSAValue, Shape]:
        """What the windows see, with channels innermost, and where that begins along each axis."""
        source, index = self.window.source, self.window.index.data
        order({source: self.axis})
        index = self.window.index.data
        counts = (*self.nest.extents.data, *self.sweep.extents.data)
        first = {k: ex.const(0) for k in range(len(counts))}
        last = {k: count - 1 for k, count in enumerate(counts)}
        begin = tuple(e.substitute(first) for e in index)
        end = tuple(e.substitute(last) + 1 for e in index)
        extents = tuple(high - low for low, high in zip(begin, end, strict=True))
        type = tensor_type(F32, extents)
        boxes = _boxes(begin, end, shape_of(source.type))
        sweeps = [self._filled(box, begin, n + 1 == len(boxes)) for n, box in enumerate(boxes)]
        padded = kernel.NestOp.of(extents[:1], Block(sweeps), [type])
        padded.location = self.nest.location
        Rewriter.insert_op(padded, InsertPoint.before(self.nest))
        return padded.outputs[0], begin

    def _filled(self, box: Box, begin: Shape, is_copied: bool) -> kernel.SweepOp:
        """The sweep that stores a part of what is padded: a copy, or the default."""
        block, index = Block(), identity(len(box))
        place = tuple(d + low for d, (low, _) in zip(index, box, strict=True))
        if is_copied:
            value = cast(block, factor(block, self.window.source, place), F32)
        else:
            assert self.window.default is not None
            number = body.number_of(self.window.default)
            assert number is not None
            block.add_op(constant := body.ConstantOp.of(number.value.data, F32))
            value = constant.result
        stored = tuple(e - low for e, low in zip(place, begin, strict=True))
        block.add_op(kernel.StoreOp.of(value, 0, stored))
        block.add_op(kernel.YieldOp(operands=[[]]))
        return kernel.SweepOp.of(tuple(high - low for low, high in box[1:]), [], block)

    def _weights(self) -> SSAValue:
        """The constants, [number of a product, channel]."""
        constant = self.weight.source.owner
        assert isinstance(constant, ConstantOp)
        array, indices = constant.array(), self.weight.index.data
        rows = [array[tuple(_at(e, point, self.dim) for e in indices)] for point in self.points]
        packed: Array = np.ascontiguousarray(np.stack(rows).astype(F32.dtype))
        return before(self.nest, ConstantOp.of(packed, F32))


Box: TypeAlias = "list[tuple[ex.Expr, ex.Expr]]"
"""The begin and the end along each axis."""


def _boxes(begin: Shape, end: Shape, extents: Shape) -> list[Box]:
    """What lies before and behind a tensor along each axis but the first, and then the rest."""
    rest, boxes = list(zip(begin, end, strict=True)), list[Box]()
    for axis, extent in enumerate(extents):
        low, high = rest[axis]
        inside = ex.maximum(low, 0), ex.minimum(high, extent)
        for part in ((low, inside[0]), (inside[1], high)):
            if axis and part[0] != part[1]:
                boxes.append([*rest[:axis], part, *rest[axis + 1 :]])
        rest[axis] = inside
    return [*boxes, rest]


def _at(e: ex.Expr, point: Mapping[int, ex.Expr], channels: int) -> int | slice:
    """The index along an axis of the constant: all channels, or a number."""
    if channels in e.dims():
        return slice(None)
    number = e.substitute(point).constant
    assert number is not None
    return number


def _windows_of(nest: kernel.NestOp) -> _Windows | None:
    """The windows of a nest; None if it has no such sweep."""
    stores = [op for op in nest.body.block.ops if isinstance(op, kernel.StoreOp)]
    if len(nest.sweeps) != 1 or len(stores) != 1 or len(nest.outputs) != 1:
        return None
    (sweep,) = nest.sweeps
    product, shared = sweep.yielded[0].owner, shared_dims(nest, sweep)
    is_sum = [kind.data for kind in sweep.kinds] == ["dot"] and len(shared) == 1
    if not is_sum or scalar_type(sweep.yielded[0]) is not F32:
        return None
    if not isinstance(product, body.ApplyOp) or product.function.data != "mul":
        return None
    loads = [_byte(value) for value in product.args]
    constants = [op for op in loads if op is not None and isinstance(op.source.owner, ConstantOp)]
    windows = [op for op in loads if op is not None and isinstance(op.source, OpResult)]
    windows = [op for op in windows if isinstance(op.source.owner, kernel.NestOp)]
    if len(constants) != 1 or len(windows) != 1:
        return None
    (weight,), (window,), (dim,) = constants, windows, shared
    rank, extents = len(nest.extents.data), sweep.extents.data
    if weight.default is not None or any(e.constant is None for e in extents):
        return None
    ones = {rank + k: ex.const(0) for k, e in enumerate(extents) if e == 1}
    for op in (window, weight):
        axes = [e.substitute(ones) for e in op.index.data if dim in e.dims()]
        if axes != [ex.dim(dim)]:
            return None
    is_known = all(
        set(e.dims()) <= {dim, *range(rank, rank + len(extents))} for e in weight.index.data
    )
    extent = shape_of(weight.source.type)
    place = next(k for k, e in enumerate(weight.index.data) if dim in e.dims())
    if not is_known or extent[place] != nest.extents.data[dim]:
        return None
    return _Windows(nest, sweep, stores[0], window, weight, dim)


def _byte(value: SSAValue) -> kernel.LoadOp | None:
    """The load of a small integer that a factor is converted from."""
    op = value.owner
    while isinstance(op, body.ApplyOp) and op.function.data == "cast":
        op = op.args[0].owner
    if not isinstance(op, kernel.LoadOp) or not scalar_type(op.result).is_integer:
        return None
    return op
