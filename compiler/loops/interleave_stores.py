"""Joins loops that store neighbours, as those of a stack along the last axis do.

::

    for i = 0 to n { y[i*2] = a[i] }
    for i = 0 to n { y[i*2 + 1] = b[i] }
      -->
    for i = 0 to n { y[i*2] = a[i]; y[i*2 + 1] = b[i] }

C compilers write one loop in vectors, whose values they interleave in registers; each of the two
would store element by element.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from opc.dialects import expr as ex
from opc.dialects import loop
from opc.dialects.walking import walk
from opc.passes.function_pass import FunctionPass
from opc.support.target import PHASES

from .loop_parts import PLAIN, joined


def join(op: loop.ForOp) -> None:
    """Put the bodies of the loops behind a loop into it, as long as they store neighbours."""
    while isinstance(after := op.next_op, loop.ForOp) and _are_neighbours(op, after):
        after.variable.replace_all_uses_with(op.variable)
        for inner in list(after.body.block.ops):
            inner.detach()
            op.body.block.add_op(inner)
        Rewriter.erase_op(after)


def _are_neighbours(op: loop.ForOp, after: loop.ForOp) -> bool:
    """Whether two vector loops go over the same values, and the second one fills gaps."""
    loops = op, after
    if any(o.kind.data != "vector" or o.function is not None for o in loops):
        return False
    if op.bounds != after.bounds or list(op.dims) != list(after.dims):
        return False
    bodies = [list(o.body.block.ops) for o in loops]
    if not all(isinstance(o, PLAIN) for ops in bodies for o in ops):
        return False
    stores = [[o for o in ops if isinstance(o, loop.StoreOp)] for ops in bodies]
    targets = {o.target for own in stores for o in own}
    # The first one may have been joined before.
    if not stores[0] or len(stores[1]) != 1 or len(targets) != 1:
        return False
    # All that is read stays as it is, so that values do not depend on which loop is first.
    written = {loop.root(value) for value in targets}
    reads = [o for ops in bodies for o in ops if isinstance(o, loop.LoadOp)]
    if any(loop.root(o.source) in written for o in reads):
        return False
    dims: list[SSAValue] = []
    last, dims = _over(stores[1][0], after, op, dims)
    step = last.coefficient(dims.index(op.variable)) if op.variable in dims else None
    if step is None or not 1 < (step.constant or 0) <= PHASES:
        return False
    for store in stores[0]:
        first, dims = _over(store, op, op, dims)
        apart = (last - first).constant
        if apart is None or not 0 < abs(apart) < (step.constant or 0):
            return False
    return True


def _over(
    store: Operation, around: loop.ForOp, op: loop.ForOp, dims: list[SSAValue]
) -> tuple[ex.Expr, list[SSAValue]]:
    """The offset of a store over ``dims`` and more values, with the variable of ``op``."""
    assert isinstance(store, loop.StoreOp)
    own = [op.variable if v is around.variable else v for v in store.dims]
    return joined(store.index.data[0], own, dims)


class InterleaveStoresPass(FunctionPass):
    """for i {y[2*i] = a[i]}; for i {y[2*i + 1] = b[i]}  -->  for i {y[2*i] = ...; y[2*i + 1]}."""

    name = "interleave-stores"

    def rewrite(self, function: FuncOp) -> None:
        """Join the loops of one function."""
        for op in list(walk(function.body.block)):
            if isinstance(op, loop.ForOp) and op.parent is not None:
                join(op)
