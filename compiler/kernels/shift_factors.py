"""Let one factor of contractions of signed 8-bit integers be unsigned, as instructions have it.

::

    %y = kernel.nest {... store %q} : tensor<64xi8>
    kernel.nest {%s = sweep (dot) {... cast(load %y[d1] else 0 : i8) * cast(load %w[d0, d1] : i8)}}

    -->  %y = kernel.nest {... store %q + 128} : tensor<64xui8>
         kernel.nest {
           %t = sweep (dot) {... cast(load %y[d1] else 128 : ui8) * cast(load %w[d0, d1] : i8)}
           %s = sub(%t, load %c[d0])}

where %w is a constant, and %c has 128 times the sums of it.  Processors multiply unsigned numbers
of 8 bits by signed ones, four of each in a step; as numbers of 16 bits they take two (see
``schedule.groups``).  Sums of integers wrap, so that nothing is lost.  Needs narrow-integers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.passes import ModulePass

from opc.dialects import body, kernel
from opc.dialects.body import scalar_type
from opc.dialects.element import BY_NAME, ElementType
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.shape import shape_of, tensor_type
from opc.graph.rewriting import functions, set_type

I8, UI8, SUM = (BY_NAME[name] for name in ("i8", "ui8", "i32"))
SHIFT = -int(np.iinfo(I8.dtype).min)
"""What makes a signed number of 8 bits an unsigned one."""


@dataclass(frozen=True)
class ShiftFactorsPass(ModulePass):
    """See the module's docstring."""

    name: ClassVar[str] = "shift-factors"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on every function."""
        for _, block in functions(op):
            nests = [nest for nest in block.ops if isinstance(nest, kernel.NestOp)]
            found = [product for nest in nests for product in _products(nest)]
            for tensor in dict.fromkeys(product.shifted.source for product in found):
                _shift(tensor, [p for p in found if p.shifted.source is tensor])


@dataclass(frozen=True)
class Product:
    """A contraction of what a nest stores, and of a constant, both signed and of 8 bits."""

    nest: kernel.NestOp
    sweep: kernel.SweepOp
    shifted: kernel.LoadOp
    weights: kernel.LoadOp

    def sums(self) -> ConstantOp:
        """128 times the sums of the weights, along those of their axes that are kept."""
        constant, rank = self.weights.source.owner, len(self.nest.extents.data)
        assert isinstance(constant, ConstantOp)
        inside = {d for e in self.weights.index.data if (d := e.dim()) is not None and d >= rank}
        axes = tuple(k for k, e in enumerate(self.weights.index.data) if e.dim() in inside)
        total = constant.array().astype(np.int64).sum(axes, dtype=np.int64) * SHIFT
        for k, n in enumerate(self.sweep.extents.data):
            total = total * (1 if rank + k in inside else n.constant or 0)
        return ConstantOp.of(np.asarray(total).astype(np.int32), SUM)

    def add_sums(self) -> None:
        """Take what the shift adds to the sum from it."""
        rank, block, outside = len(self.nest.extents.data), self.nest.body.block, self.nest.parent
        assert outside is not None
        constant = self.sums()
        outside.insert_op_before(constant, self.nest)
        index = tuple(e for e in self.weights.index.data if (d := e.dim()) is None or d < rank)
        users = list(self.sweep.outputs[0].uses)
        load = kernel.LoadOp.of(constant.result, index)
        less = body.ApplyOp.of("sub", [self.sweep.outputs[0], load.result])
        block.insert_ops_after([load, less], self.sweep)
        for use in users:
            use.operation.operands[use.index] = less.result


def _products(nest: kernel.NestOp) -> Iterator[Product]:
    """What a nest multiplies that can be shifted."""
    for sweep in nest.body.block.ops if nest.has_chain else ():
        if not isinstance(sweep, kernel.SweepOp) or [k.data for k in sweep.kinds.data] != ["dot"]:
            continue
        product = sweep.yielded[0].owner
        factors = list(product.operands) if isinstance(product, body.ApplyOp) else []
        loads = [_signed(factor) for factor in factors]
        if len(loads) != 2 or scalar_type(sweep.yielded[0]) is not SUM:
            continue
        for shifted, weights in (loads, loads[::-1]):
            if shifted is None or weights is None or not _is_known(weights, sweep):
                continue
            if _is_shiftable(shifted.source):
                yield Product(nest, sweep, shifted, weights)
                break


def _signed(factor: SSAValue) -> kernel.LoadOp | None:
    """The load of signed numbers of 8 bits that a factor is."""
    cast = factor.owner
    if not isinstance(cast, body.ApplyOp) or cast.function.data != "cast":
        return None
    load = cast.args[0].owner
    if not isinstance(load, kernel.LoadOp) or scalar_type(load.result) is not I8:
        return None
    return load


def _is_known(weights: kernel.LoadOp, sweep: kernel.SweepOp) -> bool:
    """Whether sums of a constant along what is contracted are known."""
    dims = [d for e in weights.index.data if (d := e.dim()) is not None]
    return (
        isinstance(weights.source.owner, ConstantOp)
        and weights.default is None
        and len(dims) == len(set(dims))
        and all(e.dim() is not None or e.constant == 0 for e in weights.index.data)
        and all(n.constant is not None for n in sweep.extents.data)
    )


def _is_shiftable(tensor: SSAValue) -> bool:
    """Whether a nest stores a tensor, and only loads read it."""
    nest = tensor.owner
    if not isinstance(nest, kernel.NestOp):
        return False
    is_scattered = any(isinstance(op, kernel.ScatterOp) for op in nest.walk())
    return not is_scattered and all(isinstance(u.operation, kernel.LoadOp) for u in tensor.uses)


def _shift(tensor: SSAValue, products: list[Product]) -> None:
    """Store a tensor shifted, and take that back where it is read."""
    nest = tensor.owner
    assert isinstance(nest, kernel.NestOp) and isinstance(tensor, OpResult)
    set_type(tensor, tensor_type(UI8, shape_of(tensor.type)))
    for store in [op for op in nest.walk() if isinstance(op, kernel.StoreOp)]:
        if store.number == tensor.index:
            store.operands[0] = _moved(store.value, SHIFT, UI8, store)
    for product in products:
        product.add_sums()
    whole = {product.shifted for product in products}
    for load in [use.operation for use in list(tensor.uses)]:
        assert isinstance(load, kernel.LoadOp)
        number = None if load.default is None else body.number_of(load.default)
        default = None
        if number is not None:
            default = body.ConstantOp.of(int(number.value.data) + SHIFT, UI8).value
        new = kernel.LoadOp.of(load.source, load.index.data, default)
        _before(load, new)
        value = new.result if load in whole else _moved(new.result, -SHIFT, I8, load)
        load.result.replace_all_uses_with(value)
        load.detach()
        load.erase()


def _moved(value: SSAValue, by: int, type: ElementType, before: Operation) -> SSAValue:
    """A number of 8 bits, and so much more, in another type of 8 bits."""
    wide = _before(before, body.ApplyOp.of("cast", [value], SUM))
    shift = _before(before, body.ConstantOp.of(by, SUM))
    total = _before(before, body.ApplyOp.of("add", [wide, shift]))
    return _before(before, body.ApplyOp.of("cast", [total], type))


def _before(op: Operation, new: Operation) -> SSAValue:
    """Put an operation in front of another; its result."""
    assert op.parent is not None
    new.location = op.location
    op.parent.insert_op_before(new, op)
    return new.results[0]
