"""Passes that are wrong on purpose: each is the real one, and one change after it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from opc.dialects import body, kernel, loop
from opc.dialects.opc.apply import ApplyOp
from opc.dialects.shape import IndexAttr
from opc.graph.decompose import DecomposePass
from opc.kernels.fuse_kernels import FuseKernelsPass
from opc.loops.lower_to_loops import LowerToLoopsPass
from opc.passes.registry import PASSES

Change = Callable[[ModuleOp], None]


def swap_in_graph(module: ModuleOp) -> None:
    """a - b  -->  b - a, as operators."""
    for op in module.walk():
        if isinstance(op, ApplyOp) and op.function == "sub":
            op.operands = list(op.operands)[::-1]


def swap_where_one_is_stored(module: ModuleOp) -> None:
    """The same in kernels, but only in sweeps that reduce and store one value.

    So it is neither seen where the operator is alone, nor where every value is a result.
    """
    for op in module.walk():
        sweep = op.parent_op()
        is_sub = isinstance(op, body.ApplyOp) and op.function.data == "sub"
        if is_sub and isinstance(sweep, kernel.SweepOp) and len(sweep.kinds) == 1:
            stores = [o for o in sweep.body.block.ops if isinstance(o, kernel.StoreOp)]
            if len(stores) == 1:
                op.operands = list(op.operands)[::-1]


def read_too_far(module: ModuleOp) -> None:
    """x[i]  -->  x[i + 1] in the last load of an argument."""
    loads = [o for o in module.walk() if isinstance(o, loop.LoadOp) and o.dims]
    op = [o for o in loads if not isinstance(o.source.owner, loop.LocalOp)][-1]
    op.properties["index"] = IndexAttr((op.index.data[0] + 1,))


def drop_store(module: ModuleOp) -> None:
    """Leave out what writes a result."""
    for op in list(module.walk()):
        if isinstance(op, loop.StoreOp) and not isinstance(op.target.owner, loop.LocalOp):
            op.detach()
            op.erase()


PLANTS: dict[str, tuple[str, type[ModulePass], Change]] = {
    "swap in graph": ("decompose", DecomposePass, swap_in_graph),
    "swap in kernels": ("fuse-kernels", FuseKernelsPass, swap_where_one_is_stored),
    "read too far": ("lower-to-loops", LowerToLoopsPass, read_too_far),
    "drop store": ("lower-to-loops", LowerToLoopsPass, drop_store),
}
"""The name of the pass, the pass, and what is changed after it."""
current: list[str] = []


@dataclass(frozen=True)
class WrongPass(ModulePass):
    """The pass that is planted now."""

    name: ClassVar[str] = "wrong"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """The real pass, then the change."""
        _, real, change = PLANTS[current[-1]]
        real().apply(ctx, op)
        change(op)


@contextmanager
def planted(name: str) -> Iterator[Any]:
    """Compile with a wrong pass."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PASSES, PLANTS[name][0], "tests.unit.common.planted:WrongPass")
        current.append(name)
        yield patch
        current.pop()
