"""Adds products of small integers in f32, where that is exact and instructions add no groups.

::

    %s = sweep [3, 3, 1] (dot) {cast(load %x : ui8) : i32 * cast(load %w : i8) : i32} : i32

    -->  %t = sweep [3, 3, 1] (dot) {cast(load %x : ui8) : f32 * cast(load %w : i8) : f32} : f32
         %s = cast(%t) : i32

Depthwise convolutions have no neighbours that ``schedule.groups`` takes together, and processors
multiply vectors of 32-bit integers at a quarter of the rate of fused multiply-adds.  Sums below
2^24 are exact in f32, in any order.  For machines with vectors of fused multiply-adds.  Needs
narrow-integers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.rewriter import Rewriter

from opc.dialects import body, kernel
from opc.dialects import expr as ex
from opc.dialects.body import Interval, intervals, scalar_type
from opc.dialects.element import BY_NAME, F32
from opc.dialects.walking import walk
from opc.graph.rewriting import set_type
from opc.passes.function_pass import MachinePass

from .kernel_forms import before, shared_dims
from .narrow_integers import interval_loaded

SUM = BY_NAME["i32"]


@dataclass(frozen=True)
class FloatWindowsPass(MachinePass):
    """dot(x : i32, w : i32)  -->  cast(dot(x : f32, w : f32))."""

    name: ClassVar[str] = "float-windows"

    def rewrite(self, function: FuncOp) -> None:
        """Rewrite one function."""
        if not (self.machine.fma and self.machine.has_vectors):
            return
        for nest in function.body.block.ops:
            if isinstance(nest, kernel.NestOp) and nest.has_chain:
                for sweep in nest.sweeps:
                    if shared_dims(nest, sweep) and _is_exact(sweep):
                        _convert(sweep)


def _is_exact(sweep: kernel.SweepOp) -> bool:
    """Whether a sweep adds products of integers of one channel, which f32 does exactly."""
    product, count = sweep.yielded[0].owner, ex.product(sweep.extents.data).constant
    if [kind.data for kind in sweep.kinds] != ["dot"] or scalar_type(sweep.yielded[0]) is not SUM:
        return False
    if count is None or sweep.extents.data[-1] != 1:
        return False
    loads = [op for op in walk(sweep.body) if isinstance(op, kernel.LoadOp)]
    loaded: dict[SSAValue, Interval] = {
        op.result: interval for op in loads if (interval := interval_loaded(op)) is not None
    }
    known = intervals(walk(sweep.body), loaded)
    if not isinstance(product, body.ApplyOp) or not known.keys() >= set(product.args):
        return False
    most = math.prod(max(map(abs, known[factor])) for factor in product.args)
    return product.function.data == "mul" and most * count <= 2 ** (np.finfo(F32.dtype).nmant + 1)


def _convert(sweep: kernel.SweepOp) -> None:
    """Add products in f32, and convert the sum."""
    product, total = sweep.yielded[0].owner, sweep.outputs[0]
    assert isinstance(product, body.ApplyOp)
    factors = [before(product, body.ApplyOp.of("cast", [_narrow(v)], F32)) for v in product.args]
    Rewriter.replace_op(product, body.ApplyOp.of("mul", factors))
    set_type(total, F32.type)
    for user in dict.fromkeys(use.operation for use in total.uses):
        is_cast = isinstance(user, body.ApplyOp) and user.function.data == "cast"
        if is_cast and user.results[0].type == F32.type:
            Rewriter.replace_op(user, [], [total])
        else:
            converted = before(user, body.ApplyOp.of("cast", [total], SUM))
            user.operands = [converted if v is total else v for v in user.operands]


def _narrow(value: SSAValue) -> SSAValue:
    """The small integer that a value is converted from, or itself."""
    op = value.owner
    if not isinstance(op, body.ApplyOp) or op.function.data != "cast":
        return value
    return op.args[0] if scalar_type(op.args[0]).bits <= 16 else value
