"""Gives one factor of 8-bit contractions the other sign, where dot-product instructions need it.

::

    %y = kernel.nest {... store %q} : tensor<64xi8>
    kernel.nest {%s = sweep (dot) {... cast(load %y[d1] else 0 : i8) * cast(load %w[d0, d1] : i8)}}

    -->  %y = kernel.nest {... store %q + 128} : tensor<64xui8>
         kernel.nest {
           %t = sweep (dot) {... cast(load %y[d1] else 128 : ui8) * cast(load %w[d0, d1] : i8)}
           %s = sub(%t, load %c[d0])}

    kernel.nest {sweep (dot) {... cast(load %y[d1] : i8) * cast(load %w[d0, d1] : i8)}}
    -->  kernel.nest {sweep (dot) {... cast(load %y[d1] : i8) * cast(load %w[d0, d1] : ui8)}}

    kernel.nest {sweep (dot) {... cast(load %y[d1] : ui8) * cast(load %w[d0, d1] : i8)}}
    -->  ... {... cast(load %y[d1] : i8) * ...}, %y less 128, for like signs

%w is a constant, in the second case of numbers that both types have, and %c has 128 times its sums.
A factor that is an input is shifted when it is packed.  If both factors are inputs, another nest
computes the sums of one::

    %c = kernel.nest {sweep (sum) {cast(load %x[d0, d1] : i8)} * 128}
    kernel.nest {
      %t = sweep (dot) {cast(load %x[d0, d2] : i8) * (cast(load %w[d2, d1] : i8) + 128)}
      %s = sub(%t, load %c[d0])}

Only for machines that multiply four pairs of 8-bit numbers in a step, but not with any signs
(``Target.alike``).  Sums of integers wrap, so the result is exact.  Needs narrow-integers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.rewriter import Rewriter

from opc.dialects import body, kernel
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.element import BY_NAME, ElementType
from opc.dialects.materialized import stores_to
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.shape import element, shape_of, tensor_of, tensor_type
from opc.dialects.walking import walk
from opc.graph.rewriting import set_type
from opc.passes.function_pass import MachinePass

from .kernel_forms import before, identity

I8, UI8, SUM = (BY_NAME[name] for name in ("i8", "ui8", "i32"))
SHIFT = -int(np.iinfo(I8.dtype).min)
"""The number that makes signed 8-bit numbers unsigned."""
OTHER = {I8: (UI8, SHIFT), UI8: (I8, -SHIFT)}
"""The type with the other sign, and what is added to numbers of that type."""


@dataclass(frozen=True)
class ShiftFactorsPass(MachinePass):
    """dot(x : i8, w : i8)  -->  dot(x + 128 : ui8, w) - 128 * sum(w)."""

    name: ClassVar[str] = "shift-factors"

    def rewrite(self, function: FuncOp) -> None:
        """Rewrite one function, for machines that multiply bytes."""
        if not self.machine.multiplies_bytes:
            return
        block = function.body.block
        nests = [nest for nest in block.ops if isinstance(nest, kernel.NestOp)]
        products = [p for nest in nests for p in _products(nest, self.machine.alike)]
        for product in products:
            product.add_sums()
        stored = dict.fromkeys(p.shifted.source for p in products if p.is_stored)
        for product in products:
            if product.shifted.source not in stored:
                product.shift()
        for tensor in stored:
            _shift(tensor, {p.shifted for p in products if p.shifted.source is tensor})


@dataclass(frozen=True)
class Product:
    """A contraction of two 8-bit factors whose signs do not go together."""

    nest: kernel.NestOp
    sweep: kernel.SweepOp
    shifted: kernel.LoadOp
    other: kernel.LoadOp
    is_stored: bool
    """Whether the factor is shifted where it is stored, rather than where it is read."""

    @property
    def by(self) -> int:
        """What is added to the shifted factor."""
        return OTHER[scalar_type(self.shifted.result)][1]

    def sums(self) -> Operation:
        """The shift times the sums of the other factor along its contracted axes."""
        constant = self.other.source.owner
        return self._known(constant) if isinstance(constant, ConstantOp) else self._nest()

    def _known(self, constant: ConstantOp) -> ConstantOp:
        rank, index = len(self.nest.extents.data), self.other.index.data
        inside = {d for e in index if (d := e.dim()) is not None and d >= rank}
        axes = tuple(k for k, e in enumerate(index) if e.dim() in inside)
        total = constant.array().astype(np.int64).sum(axes, dtype=np.int64) * self.by
        for k, n in enumerate(self.sweep.extents.data):
            total = total * (1 if rank + k in inside else n.constant or 0)
        return ConstantOp.of(np.asarray(total).astype(np.int32), SUM)

    def _nest(self) -> kernel.NestOp:
        outer, rank = self.nest.extents.data, len(self.nest.extents.data)
        kept = [d for e in self.other.index.data if (d := e.dim()) is None or d < rank]
        shape = tuple(ex.const(1) if d is None else outer[d] for d in kept)
        # The kept dimensions come first, then those of the sweep.
        dims = {d: ex.dim(k) for k, d in enumerate(kept) if d is not None}
        extents = self.sweep.extents.data
        dims |= {rank + k: ex.dim(len(kept) + k) for k in range(len(extents))}
        index = tuple(e.substitute(dims) for e in self.other.index.data)
        inner = Block([load := kernel.LoadOp.of(self.other.source, index)])
        inner.add_op(wide := body.ApplyOp.of("cast", [load.result], SUM))
        inner.add_op(kernel.YieldOp(operands=[[wide.result]]))
        sweep = kernel.SweepOp.of(extents, ["sum"], inner)
        shift = body.ConstantOp.of(self.by, SUM)
        total = body.ApplyOp.of("mul", [sweep.outputs[0], shift.result])
        store = kernel.StoreOp.of(total.result, 0, identity(len(kept)))
        block = Block([sweep, shift, total, store])
        return kernel.NestOp.of(shape, block, [tensor_type(SUM, shape)])

    def shift(self) -> None:
        """Add the shift to the factor where it is read."""
        product = self.sweep.yielded[0].owner
        assert isinstance(product, Operation)
        number = [_byte(factor) for factor in product.operands].index(self.shifted)
        shift = before(product, body.ConstantOp.of(self.by, SUM))
        total = body.ApplyOp.of("add", [product.operands[number], shift])
        product.operands[number] = before(product, total)

    def add_sums(self) -> None:
        """Subtract the contribution of the shift from the sum."""
        rank, block, outside = len(self.nest.extents.data), self.nest.body.block, self.nest.parent
        assert outside is not None
        (sums,) = (op := self.sums()).results
        op.location = self.nest.location
        outside.insert_op_before(op, self.nest)
        index = tuple(e for e in self.other.index.data if (d := e.dim()) is None or d < rank)
        users = list(self.sweep.outputs[0].uses)
        load = kernel.LoadOp.of(sums, index)
        less = body.ApplyOp.of("sub", [self.sweep.outputs[0], load.result])
        block.insert_ops_after([load, less], self.sweep)
        for use in users:
            use.operation.operands[use.index] = less.result


def _reads_other(nest: kernel.NestOp, load: kernel.LoadOp) -> bool:
    """Read a constant in the type with the other sign, if its numbers fit; whether they do."""
    constant = load.source.owner
    if not isinstance(constant, ConstantOp) or load.default is not None:
        return False
    values, type = constant.array(), OTHER[scalar_type(load.result)][0]
    if values.min(initial=0) < 0 or values.max(initial=0) >= SHIFT:
        return False
    moved = before(nest, ConstantOp.of(values.astype(type.dtype), type))
    Rewriter.replace_op(load, kernel.LoadOp.of(moved, load.index.data))
    return True


def _products(nest: kernel.NestOp, alike: tuple[bool, ...]) -> Iterator[Product]:
    """The contractions of a nest that can be shifted."""
    for sweep in nest.sweeps if nest.has_chain else ():
        if [k.data for k in sweep.kinds.data] != ["dot"]:
            continue
        product = sweep.yielded[0].owner
        factors = list(product.operands) if isinstance(product, body.ApplyOp) else []
        loads = [load for factor in factors if (load := _byte(factor)) is not None]
        if len(loads) != 2 or scalar_type(sweep.yielded[0]) is not SUM:
            continue
        if (scalar_type(loads[0].result) is scalar_type(loads[1].result)) in alike:
            continue
        if any(_reads_other(nest, load) for load in loads):
            continue
        shiftable = _product(nest, sweep, *loads)
        if shiftable is not None:
            yield shiftable


def _product(
    nest: kernel.NestOp, sweep: kernel.SweepOp, first: kernel.LoadOp, second: kernel.LoadOp
) -> Product | None:
    """Choose the factor to shift; None if neither can be.

    If the sums of one factor are known, the other is shifted, where it is stored if a nest does
    that.  Else it is the right one, which is packed anyway, while tiles read the left one from
    memory, whose sums are of contiguous rows.  256 x 512 by 512 x 512 takes 0.51 of the time, and
    0.54 with the left one shifted.  With known sums, 16 x 512 by 512 x 512 takes 0.53 of the time,
    and 0.63 with the constant shifted instead.
    """
    for shifted, weights in ((first, second), (second, first)):
        is_stored = _is_shiftable(shifted.source)
        if _is_known(weights, sweep) and (is_stored or _is_plain(shifted)):
            return Product(nest, sweep, shifted, weights, is_stored)
    last = ex.dim(len(nest.extents.data) - 1)
    left, right = (second, first) if last in first.index.data else (first, second)
    rank, count = len(nest.extents.data), len(sweep.extents.data)
    varies = all(ex.dim(rank + k) in left.index.data for k in range(count))
    if not varies or not all(_is_plain(load) for load in (left, right)):
        return None
    return Product(nest, sweep, right, left, False)


def _byte(factor: SSAValue) -> kernel.LoadOp | None:
    """The load of a factor, if it is of 8-bit numbers."""
    cast = factor.owner
    if not isinstance(cast, body.ApplyOp) or cast.function.data != "cast":
        return None
    load = cast.args[0].owner
    if not isinstance(load, kernel.LoadOp) or scalar_type(load.result) not in OTHER:
        return None
    return load


def _is_known(weights: kernel.LoadOp, sweep: kernel.SweepOp) -> bool:
    """Whether the sums of a factor along contracted axes are known at compile time."""
    return (
        isinstance(weights.source.owner, ConstantOp)
        and _is_plain(weights)
        and all(n.constant is not None for n in sweep.extents.data)
    )


def _is_plain(load: kernel.LoadOp) -> bool:
    """Whether each axis is indexed by its own dimension, or by 0."""
    dims = [d for e in load.index.data if (d := e.dim()) is not None]
    is_told = all(e.dim() is not None or e.constant == 0 for e in load.index.data)
    return load.default is None and is_told and len(dims) == len(set(dims))


def _is_shiftable(tensor: SSAValue) -> bool:
    """Whether a nest stores a tensor, and only loads read it."""
    nest = tensor.owner
    if not isinstance(nest, kernel.NestOp):
        return False
    is_scattered = any(isinstance(op, kernel.ScatterOp) for op in walk(nest))
    return not is_scattered and all(isinstance(u.operation, kernel.LoadOp) for u in tensor.uses)


def _shift(tensor: SSAValue, factors: set[kernel.LoadOp]) -> None:
    """Store a tensor shifted, and subtract the shift in all loads but those of ``factors``."""
    nest = tensor.owner
    assert isinstance(nest, kernel.NestOp) and isinstance(tensor, OpResult)
    old = element(tensor_of(tensor))
    type, by = OTHER[old]
    set_type(tensor, tensor_type(type, shape_of(tensor.type)))
    for store in stores_to(nest, tensor.index):
        store.operands[0] = _moved(store.value, by, type, store)
    for load in [use.operation for use in list(tensor.uses)]:
        assert isinstance(load, kernel.LoadOp)
        number = None if load.default is None else body.number_of(load.default)
        default = None
        if number is not None:
            default = body.ConstantOp.of(int(number.value.data) + by, type).value
        value = before(load, kernel.LoadOp.of(load.source, load.index.data, default))
        value = value if load in factors else _moved(value, -by, old, load)
        Rewriter.replace_op(load, [], [value])


def _moved(value: SSAValue, by: int, type: ElementType, at: Operation) -> SSAValue:
    """Add a constant to an 8-bit number; the result in another 8-bit type."""
    wide = before(at, body.ApplyOp.of("cast", [value], SUM))
    shift = before(at, body.ConstantOp.of(by, SUM))
    total = before(at, body.ApplyOp.of("add", [wide, shift]))
    return before(at, body.ApplyOp.of("cast", [total], type))
