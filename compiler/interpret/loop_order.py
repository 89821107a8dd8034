"""Which iterations of a loop the interpreter may vectorize with the same results.

Iterations are independent where none touches an element that another one stores to.  The exception
are folds, ``load acc; acc = f(acc, x); store acc``, which are computed in order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.ir import Operation, SSAValue

from opc.dialects import body, loop
from opc.dialects.body import scalar_type

from .memory import Memory

PLAIN = (loop.LoadOp, loop.StoreOp, body.ApplyOp, body.ConstantOp, body.IndexOp)
FOLDED: Mapping[str, Any] = {
    "add": np.add,
    "mul": np.multiply,
    "max": np.maximum,
    "min": np.minimum,
    "and": np.logical_and,
    "or": np.logical_or,
    "bitwise_and": np.bitwise_and,
    "bitwise_or": np.bitwise_or,
}
"""Functions that NumPy can apply in order; of floats only sums and products."""


@dataclass(frozen=True)
class Fold:
    """``store apply(load, x)``, or with the operands the other way round."""

    load: loop.LoadOp
    apply: body.ApplyOp
    store: loop.StoreOp

    @property
    def operand(self) -> SSAValue:
        """The operand that is folded in."""
        a, b = self.apply.args
        return b if a is self.load.result else a

    @property
    def function(self) -> Any:
        """The function of NumPy."""
        return FOLDED[self.apply.function.data]


@dataclass(frozen=True)
class Together:
    """A loop whose iterations are vectorized; its folds follow the other operations.

    That only holds if the buffers of each of ``pairs`` have no memory in common.
    """

    ops: Sequence[Operation]
    folds: Sequence[Fold]
    pairs: frozenset[tuple[SSAValue, SSAValue]]

    def applies(self, memories: Mapping[SSAValue, Memory]) -> bool:
        """Whether the buffers of each pair are disjoint in this run."""
        return not any(
            np.may_share_memory(memories[a].data, memories[b].data) for a, b in self.pairs
        )


def together(op: loop.ForOp) -> Together | None:
    """How to vectorize a loop; None if its iterations depend on each other."""
    ops = list(op.body.block.ops)
    if not all(isinstance(o, PLAIN) for o in ops):
        return None
    folds = [f for o in ops if isinstance(o, loop.StoreOp) and (f := _fold(o, op.variable))]
    folded: set[Operation] = {o for f in folds for o in (f.load, f.apply, f.store)}
    rest = [o for o in ops if o not in folded]
    loads = [(o.source, o) for o in ops if isinstance(o, loop.LoadOp)]
    stores = [(o.target, o) for o in ops if isinstance(o, loop.StoreOp)]
    pairs: set[tuple[SSAValue, SSAValue]] = set()
    for target, store in stores:
        if store not in folded and not _differs(store, op.variable):
            return None
        for buffer, other in (*loads, *stores):
            if buffer is not target:
                pairs.add((target, buffer))
                continue
            is_apart = (other in folded) != (store in folded)
            if is_apart or not _is_at(other, store):
                return None
    # A local shares its memory with nothing.
    pairs = {pair for pair in pairs if not any(isinstance(v.owner, loop.LocalOp) for v in pair)}
    return Together(rest, folds, frozenset(pairs))


def _is_at(a: loop.LoadOp | loop.StoreOp, b: loop.LoadOp | loop.StoreOp) -> bool:
    """Whether two operations access the same offset."""
    return a.index == b.index and tuple(a.dims) == tuple(b.dims)


def _differs(store: loop.StoreOp, variable: SSAValue) -> bool:
    """Whether no two iterations store to the same element."""
    dims = [k for k, v in enumerate(store.dims) if v is variable]
    if len(dims) != 1:
        return False
    factor = store.index.data[0].coefficient(dims[0])
    return factor is not None and factor.constant not in (None, 0)


def _fold(store: loop.StoreOp, variable: SSAValue) -> Fold | None:
    """The fold that ends with a store, if nothing else in the loop touches the element."""
    apply = store.value.owner
    if not isinstance(apply, body.ApplyOp) or apply.function.data not in FOLDED:
        return None
    if scalar_type(store.value).is_float and apply.function.data not in ("add", "mul"):
        return None
    if any(v is variable for v in store.dims) or apply.parent is not store.parent:
        return None
    accesses = [
        o
        for use in store.target.uses
        if (o := use.operation).parent is store.parent and o is not store
    ]
    if len(accesses) != 1 or not isinstance(load := accesses[0], loop.LoadOp):
        return None
    is_used = [a is load.result for a in apply.args]
    once = load.result.uses.get_length() == 1 and apply.result.uses.get_length() == 1
    if not _is_at(load, store) or sum(is_used) != 1 or not once:
        return None
    return Fold(load, apply, store)
