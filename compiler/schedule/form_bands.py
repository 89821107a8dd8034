"""Put nests that work on each other's results into bands, so that these need little memory.

``nest (scores); nest (softmax); nest (values)  -->  schedule.band over [d0, d1], ... { ... }``

Nests that follow one another are tried from each on, as long as each reads what those before it
wrote at the same outer points (``schedule.bands``): at those that both factors of a contraction
have, as the heads of attention.  The band is taken that saves the most bytes of what the second
cache does not hold: attention of 512 and 1024 positions takes 0.94 and 0.92 of the time so.  One
that exists already stays as it is, if it is legal: who edits one may compile it.  Needs
plan-buffers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile

from xdsl.dialects.func import FuncOp

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.band import BandOp
from opc.dialects.budgets import BAND
from opc.dialects.buffer import root
from opc.function_pass import MachinePass
from opc.kernels.place_buffers import place_slices
from opc.provenance import fused

from .bands import Access, Dims, accesses, is_known, moves, private, spreads
from .contraction import analyse
from .cost import guessed_bytes

BUFFERS = (loop.SliceOp, loop.ViewOp, loop.ConstantOp)
"""What stands between nests without computing anything."""
Own = list["int | None"]
"""For each dimension of the first nest of a band, which of another nest's is the same."""


def _steps(access: Access, dims: Sequence[int | None]) -> dict[int, ex.Expr]:
    """How far apart what is accessed lies along some dimensions, by their numbers."""
    found = {d: access.offset.coefficient(d) for d in dims if d is not None}
    return {d: step for d, step in found.items() if step is not None and step != 0}


def meet(group: Sequence[tuple[kernel.NestOp, Own]], nest: kernel.NestOp) -> Own | None:
    """Which dimensions of another nest are those of a group, by what it reads of its results.

    None if it reads none.
    """
    stores = {root(a.buffer): (a, own) for n, own in group for a in accesses(n) if a.is_store}
    found: Own | None = None
    for access in accesses(nest):
        if (known := stores.get(root(access.buffer))) is not None:
            store, own = known
            rank, steps = range(len(nest.extents.data)), _steps(store, own)
            at = {step: d for d, step in _steps(access, rank).items() if nest.extents.data[d] != 1}
            mine: Own = [at.get(steps[d]) if d is not None and d in steps else None for d in own]
            pairs = zip(found or mine, mine, strict=True)
            found = [a if a == b else None for a, b in pairs]
    return found


@lru_cache(maxsize=64)
def _outer(nest: kernel.NestOp) -> frozenset[int]:
    """The dimensions that may be those of a band: of a contraction, what both factors have."""
    if (c := analyse(nest)) is not None:
        return frozenset(d for axis in c.outer for d in axis)
    return frozenset(range(len(nest.extents.data)))


def _dims(group: Sequence[tuple[kernel.NestOp, Own]]) -> Dims:
    """The dimensions that all nests of a group have; empty ones if it is no band."""
    first, mine = group[0]
    found: list[tuple[int, ...]] = []
    for k, d in enumerate(mine):
        dims = tuple(e for _, own in group if (e := own[k]) is not None)
        if len(dims) == len(group) and all(
            e in _outer(nest)
            and nest.extents.data[e] == first.extents.data[d or 0]
            and moves(nest, [e])
            for e, (nest, _) in zip(dims, group, strict=True)
        ):
            found.append(dims)
    while True:
        every = [(nest, [dims[n] for dims in found]) for n, (nest, _) in enumerate(group)]
        steps = [spread.steps for spread in spreads(every).values()]
        kept = [dims for k, dims in enumerate(found) if all(own[k] is not None for own in steps)]
        if len(kept) == len(found):
            return every if found and all(is_known(*dims) for dims in every) else []
        found = kept


def _together(nests: Sequence[kernel.NestOp]) -> Iterator[tuple[kernel.NestOp, Own]]:
    """The first of some nests and those behind it that share dimensions."""
    group: list[tuple[kernel.NestOp, Own]] = []
    for nest in nests[:BAND]:
        own: Own = [d if e != 1 else None for d, e in enumerate(nest.extents.data)]
        met = meet(group, nest) if group else own
        if met is None or all(d is None for d in met) or 0 in nest.extents.data:
            return
        group.append((nest, met))
        yield group[-1]


def _grown(nests: Sequence[kernel.NestOp], most: int) -> Dims:
    """The best band that begins with the first of some nests, if one saves more than so much."""
    group, best = list(_together(nests)), list[tuple[kernel.NestOp, Sequence[int]]]()
    for count in range(2, len(group) + 1):
        if any(nest.has_chain for nest, _ in group[:count]):
            found = _dims(group[:count])
            if found and (size := sum(map(guessed_bytes, private(found)))) > most:
                best, most = [*found], size
    return best


class FormBandsPass(MachinePass):
    """See the module's docstring; ``target`` names the machine."""

    name = "form-bands"

    def rewrite(self, function: FuncOp) -> None:
        """Form the bands of one function."""
        block = function.body.block
        ops = [op for op in block.ops if not isinstance(op, BUFFERS)]
        while ops:
            nests = takewhile(lambda op: isinstance(op, kernel.NestOp), ops)
            found = _grown([op for op in nests if isinstance(op, kernel.NestOp)], self.machine.l2)
            if found:
                after = found[-1][0].next_op
                assert after is not None
                for nest, _ in found:
                    nest.detach()
                band = BandOp.of([dims for _, dims in found], [nest for nest, _ in found])
                band.location = fused(nest.location for nest, _ in found)
                block.insert_op_before(band, after)
            del ops[: max(1, len(found))]
        if any(isinstance(op, BandOp) for op in block.ops):
            # All nests of a band need their buffers at the same time.
            place_slices(function)
