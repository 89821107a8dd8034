"""Convert f16 and bf16 in staging buffers, in hardware where available; round without converting.

C compilers use no conversion instructions in loops that they vectorize, and conversion by
arithmetic takes far longer than the loop itself.  So a loop goes in blocks of 64 points: staging
buffers convert operands to f32 before it, and results after it::

    for i = 0 to 1024 { y[i] = f16(f32(x[i]) - s) }
      -->
    for i = 0 to 1024 step 64
      widen x[i ...] to wide
      for l = 0 to 64 { narrow[l] = wide[l] - s }
      narrow narrow to y[i ...]

64 points fill vectors, and are so few that C compilers unroll the loops and keep the buffers in
registers.  Operands that are not contiguous are converted in the loop.

``f32(f16(x))  -->  round_f16(x)``, which is less arithmetic, and even less for a whole staging
buffer.  So a loop over a staging buffer is split where it rounds::

    for l = 0 to 64 { y[l] = exp(round_f16(x[l] - s)) }
      -->
    for l = 0 to 64 { wide[l] = x[l] - s }
    round wide to f16
    for l = 0 to 64 { y[l] = exp(wide[l]) }

Other values that later loops need go through arrays of their own, or are loaded again (``stages``).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from opc.dialects import body, loop
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.buffer import root
from opc.dialects.memory_ops import NARROW
from opc.dialects.walking import walk
from opc.support.target import LEAST_STAGED, STAGED

from .loop_parts import (
    At,
    PlainLoopsPass,
    block_of,
    from_zero,
    insert,
    is_along,
    is_there,
    most_points,
    part_of,
    start_and_count,
)
from .split_loops import Stages, split

EXACT = (
    *("max", "min", "at_least", "at_most", "abs", "neg"),
    *("select", "sign", "ceil", "floor", "round", "trunc"),
)
"""Functions that map numbers of a type to numbers of this type."""


ROUNDINGS = {f"round_{type}": type for type in NARROW}


def _narrowed(value: SSAValue) -> SSAValue | None:
    """The f32 value that was converted to this f16 or bf16."""
    op = value.owner
    if not isinstance(op, body.ApplyOp) or op.function.data != "cast":
        return None
    is_narrowing = scalar_type(value) in NARROW and scalar_type(op.args[0]) is el.F32
    return op.args[0] if is_narrowing else None


def _widenings(value: SSAValue) -> list[body.ApplyOp]:
    """The conversions of a value of f16 or bf16 to f32."""
    if scalar_type(value) not in NARROW:
        return []
    users = [use.operation for use in value.uses]
    return [
        user
        for user in users
        if isinstance(user, body.ApplyOp)
        and user.function.data == "cast"
        and scalar_type(user.result) is el.F32
    ]


def round_in_place(function: FuncOp) -> None:
    """Replace conversions to a narrow type and back; numbers of that type need neither."""
    for op in list(walk(function)):
        if not isinstance(op, body.ApplyOp):
            continue
        value = _narrowed(op.result)
        for back in _widenings(op.result) if value is not None else ():
            assert value is not None
            if not _is_from(value, scalar_type(op.result)):
                rounded = body.ApplyOp.of(f"round_{scalar_type(op.result)}", [value])
                insert(rounded, back)
                value = rounded.result
            back.result.replace_all_uses_with(value)
            Rewriter.erase_op(back)


def _is_from(value: SSAValue, type: el.ElementType) -> bool:
    """Whether a value is a number of a type: of it, rounded to it, or chosen among such numbers."""
    op = value.owner
    if isinstance(op, body.ConstantOp):
        return float(np.asarray(op.number).astype(type.dtype)) == op.number
    if not isinstance(op, body.ApplyOp):
        return False
    if op.function.data == "cast":
        return scalar_type(op.args[0]) is type
    if op.function.data == f"round_{type}":
        return True
    chosen = op.args[1:] if op.function.data == "select" else op.args
    return op.function.data in EXACT and all(_is_from(a, type) for a in chosen)


def roundings(op: loop.ForOp) -> dict[Operation, el.ElementType]:
    """Operations that round values which differ between points of a loop, with their types."""
    varying: set[SSAValue] = {op.variable}
    rounded: dict[Operation, el.ElementType] = {}
    for inner in op.body.block.ops:
        if not varying.isdisjoint(inner.operands):
            varying.update(inner.results)
            if isinstance(inner, body.ApplyOp) and inner.function.data in ROUNDINGS:
                rounded[inner] = ROUNDINGS[inner.function.data]
    return rounded


class Roundings(Stages):
    """Stages that end with a rounding."""

    def __init__(self, op: loop.ForOp) -> None:
        super().__init__(op)
        self.rounded, before = roundings(op), dict[SSAValue, int]()
        """How many roundings a value depends on, itself included."""
        for o in self.ops:
            count = max((before.get(a, 0) for a in o.operands), default=0)
            if isinstance(o, body.ApplyOp | loop.StoreOp):
                self.stages[o] = count + 1
            for result in o.results:
                before[result] = count + (o in self.rounded)
        self.settle()


@dataclass
class Conversions:
    """The loads and stores of a loop that are converted in staging buffers."""

    loads: list[loop.LoadOp]
    stores: list[loop.StoreOp]

    @staticmethod
    def of(op: loop.ForOp) -> Conversions | None:
        """Those of a loop of plain operations; None if it converts and rounds nothing."""
        ops = list(op.body.block.ops)
        reads = [o for o in ops if isinstance(o, loop.LoadOp)]
        writes = [o for o in ops if isinstance(o, loop.StoreOp)]
        read, written = [root(o.source) for o in reads], [root(o.target) for o in writes]
        staged = Conversions([], [])
        # Reads move before the loop and writes behind it, so they must be of other buffers, but
        # where a point overwrites what only it has read.
        for load, source in zip(reads, read, strict=True):
            met = (o for o, target in zip(writes, written, strict=True) if target is source)
            is_wide = bool(_widenings(load.result)) and is_along(load, op)
            if is_wide and all(is_there(load, store) for store in met):
                staged.loads.append(load)
        for store, target in zip(writes, written, strict=True):
            met = (o for o, source in zip(reads, read, strict=True) if source is target)
            is_narrow = _narrowed(store.value) is not None and is_along(store, op)
            if is_narrow and written.count(target) == 1 and all(o in staged.loads for o in met):
                staged.stores.append(store)
        return staged if staged.loads or staged.stores or roundings(op) else None


def _staged(op: loop.ForOp, length: int) -> None:
    """Convert operands before and results after a loop from 0 over at most ``length`` points."""
    conversions = Conversions.of(op)
    if conversions is None:
        return
    count: At = op.bounds[1], list(op.dims)
    stagings: dict[object, SSAValue] = {}
    for load in conversions.loads:
        key = load.source, load.index, tuple(load.dims)
        if key not in stagings:
            stagings[key] = _local(op, length)
            index = start_and_count(load, op.variable, count)
            insert(loop.WidenOp.of((load.source, stagings[key]), *index), op)
        wide = loop.LoadOp.of(stagings[key], ex.dim(0), [op.variable])
        insert(wide, load)
        for widening in _widenings(load.result):
            widening.result.replace_all_uses_with(wide.result)
            Rewriter.erase_op(widening)
    after: Operation = op
    for store in conversions.stores:
        value = _narrowed(store.value)
        assert value is not None
        wide = _local(op, length)
        insert(loop.StoreOp.of(value, wide, ex.dim(0), [op.variable]), store)
        narrow = loop.NarrowOp.of((wide, store.target), *start_and_count(store, op.variable, count))
        narrow.location = op.location
        Rewriter.insert_op(narrow, InsertPoint.after(after))
        after = narrow
        Rewriter.erase_op(store)
    stages = Roundings(op)
    if stages.rounded and stages.is_safe():
        split(op, length, stages, stages.rounded)


def _local(op: loop.ForOp, length: int) -> SSAValue:
    """A staging buffer."""
    new = loop.LocalOp.of(el.F32, length)
    insert(new, op)
    return new.result


class ConvertNarrowFloatsPass(PlainLoopsPass):
    """for i { y[i] = f16(f32(x[i]) - s) }  -->  for i by 64 { widen x; for l {...}; narrow y }."""

    name = "convert-narrow-floats"

    def rewrite(self, function: FuncOp) -> None:
        """See the base."""
        round_in_place(function)
        super().rewrite(function)

    def rewrite_loop(self, op: loop.ForOp) -> None:
        """Split a loop that converts or rounds into blocks with staging buffers."""
        lower, upper, _ = op.bounds
        dims, span, most = list(op.dims), upper - lower, most_points(op)
        is_short = span.constant is not None and span.constant < LEAST_STAGED
        if is_short or Conversions.of(op) is None:
            return
        if most is not None and most <= STAGED:
            part = op
            if lower != 0:
                part = from_zero(op)
                Rewriter.erase_op(op)
            _staged(part, max(most, 1))
            return
        tail = ex.mod(span, ex.const(STAGED))
        _staged(block_of(op, upper - tail, STAGED, True), STAGED)
        if tail != 0:
            last = part_of(op, (upper - tail, dims), (tail, dims))
            insert(last, op)
            if (length := STAGED if tail.constant is None else tail.constant) >= LEAST_STAGED:
                _staged(last, length)
        Rewriter.erase_op(op)
