"""Lets concatenations read what a slice copies where that lies.

::

    %s = nest [92, 16] { load %x[d0 + 8, d1]; store to [d0, d1] }
    %c = nest [] { sweep [92, 16] { load %s[d0, d1]; store } ... }
      -->
    %c = nest [] { sweep [92, 16] { load %x[d0 + 8, d1]; store } ... }
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.rewriter import Rewriter

from opc.dialects import kernel
from opc.dialects.shape import IndexAttr, Shape

from .kernel_forms import identity


def forward_slices(function: FuncOp) -> None:
    """Replace loads of slices in later nests, and erase the nests that make slices."""
    for nest in [op for op in function.body.block.ops if isinstance(op, kernel.NestOp)]:
        sliced = _slice(nest)
        if sliced is None:
            continue
        source, starts = sliced
        loads = [use.operation for use in nest.outputs[0].uses]
        if not all(isinstance(op, kernel.LoadOp) and _is_copied(op) for op in loads):
            continue
        for load in loads:
            assert isinstance(load, kernel.LoadOp)
            load.operands[0] = source
            moved = zip(load.index.data, starts, strict=True)
            load.index = IndexAttr(tuple(index + start for index, start in moved))
        Rewriter.erase_op(nest)


def _slice(nest: kernel.NestOp) -> tuple[SSAValue, Shape] | None:
    """The tensor that a nest copies a slice of with step 1, and where the slice begins."""
    match list(nest.body.block.ops):
        case [kernel.LoadOp() as load, kernel.StoreOp() as store]:
            pass
        case _:
            return None
    point = identity(len(nest.extents.data))
    if store.value is not load.result or store.index.data != point or load.default is not None:
        return None
    if len(load.index.data) != len(point):
        return None
    starts = tuple(at - d for at, d in zip(load.index.data, point, strict=True))
    return None if any(start.constant is None for start in starts) else (load.source, starts)


def _is_copied(load: kernel.LoadOp) -> bool:
    """Whether a sweep does nothing but copy what is loaded, as those of a concatenation."""
    block = load.parent
    kinds = [] if block is None else list(map(type, block.ops))
    return kinds == [kernel.LoadOp, kernel.StoreOp, kernel.YieldOp] and load.default is None
