"""Put nests that work on each other's results into bands, where tiles of these stay in a cache.

``nest (scores); nest (softmax); nest (values)  -->  schedule.band by [1, 36] { ... }``

Needs plan-buffers.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.ir import Operation, SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.band import BandOp
from opc.target import Target, target

from .bands import accesses, moves, root

BUFFERS = (loop.SliceOp, loop.ViewOp, loop.ConstantOp)


def meet(
    dims: list[tuple[kernel.NestOp, list[int | None]]], nest: kernel.NestOp
) -> list[int | None] | None:
    """Which dimensions of another nest are those of a band, by what it reads of its results.

    None if it reads none.
    """
    found: list[int | None] | None = None
    stores = {root(a.buffer): (a, own) for n, own in dims for a in accesses(n) if a.is_store}
    for access in accesses(nest):
        known = stores.get(root(access.buffer))
        if known is None:
            continue
        store, own = known
        mine: list[int | None] = []
        for d in own:
            at = None
            if d is not None and store.buffer is access.buffer:
                places = [p for p, e in enumerate(store.index) if e.dim() == d]
                at = next((access.index[p].dim() for p in places), None)
            extents = nest.extents.data
            is_own = at is not None and at < len(extents)
            mine.append(at if is_own else None)
        found = mine if found is None else [
            a if a == b else None for a, b in zip(found, mine, strict=True)
        ]
    return found


def form(function: FuncOp, machine: Target) -> None:
    block = function.body.block
    ops = [op for op in block.ops if not isinstance(op, BUFFERS)]
    k = 0
    while k < len(ops):
        first = ops[k]
        if not isinstance(first, kernel.NestOp):
            k += 1
            continue
        dims: list[tuple[kernel.NestOp, list[int | None]]] = [
            (first, [d if e != 1 else None for d, e in enumerate(first.extents.data)])
        ]
        for op in ops[k + 1 :]:
            if not isinstance(op, kernel.NestOp):
                break
            own = meet(dims, op)
            if own is None or all(d is None for d in own):
                break
            dims.append((op, own))
        last = dims[-1][1]
        kept = [j for j, d in enumerate(last) if d is not None]
        n = len(dims)
        if n < 3 or not kept or os.environ.get('BY')=='0':
            k += 1
            continue
        by = [ex.const(1)] * (len(kept) - 1) + [ex.const(int(os.environ.get("BY", "32")))]
        over = [[own[j] for j in kept] for _, own in dims]
        nests = [nest for nest, _ in dims]
        after = nests[-1].next_op
        for nest in nests:
            nest.detach()
        band = BandOp.of(tuple(by), over, nests)
        block.insert_op_before(band, after)
        k += n


@dataclass(frozen=True)
class FormBandsPass(ModulePass):
    """See the module's docstring; ``target`` names the machine."""

    name: ClassVar[str] = "form-bands"
    target: str = "native"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite every function."""
        for function in op.body.block.ops:
            if isinstance(function, FuncOp) and not function.is_declaration:
                form(function, target(self.target))
