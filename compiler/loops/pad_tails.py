"""Compute what a row leaves over after full vectors as one more full vector.

C compilers compute the last points of a loop one by one, or in ever smaller vectors: up to 15 of 31
exponentials, which take far longer than the others.  So what these points read is
copied to arrays of a vector's size, filled up with zeros, and what they give is copied back::

    for i = 0 to n { y[i] = exp(x[i]) }
      -->
    for i = 0 to floordiv(n, 16)*16 { y[i] = exp(x[i]) }
    if mod(n, 16) >= 1
      widen x[floordiv(n, 16)*16 ..., mod(n, 16)] to a
      for k = 0 to 16 { b[k] = exp(a[k]) }
      narrow b to y[floordiv(n, 16)*16 ..., mod(n, 16)]

Arrays that only loops over the same points use have room for full vectors: those need no copies,
and loops that use nothing else just take as many points as full vectors have.  Where there are
neither functions nor several divisions, C compilers do better, unless vectors are read of what is
written: processors wait until narrower stores are in the cache.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from opc.dialects import body, loop
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.buffer import root
from opc.dialects.shape import shape_of
from opc.dialects.strip import FILLED
from opc.schedule.nest import has_functions
from opc.target import LONG, VECTOR

from .loop_parts import (
    PLAIN,
    At,
    array_of,
    insert,
    is_along,
    is_there,
    part_of,
    start_and_count,
)

SLOW = ("div", "sqrt", "mod", "fmod")
"""Functions that take many cycles for one point, and hardly more for a vector."""
SEVERAL = 4
"""Of those so many take longer for a few points than copies do."""
WIDEST = LONG
"""Points of a known extent from which on what is left over does not matter."""


def _may_be_cut(op: loop.ForOp) -> bool:
    """Whether a loop may be cut, and is worth it."""
    ops = list(op.body.block.ops)
    if op.kind.data != "vector" or op.bounds[2] != 1 or not (_is_slow(ops) or _is_strip(ops)):
        return False
    if not _comes_often(op):
        return False
    read = [o for o in ops if isinstance(o, loop.LoadOp)]
    stores = [o for o in ops if isinstance(o, loop.StoreOp)]
    loads = [o for o in read if op.variable in o.dims]
    types = {scalar_type(o.result) for o in loads} | {scalar_type(o.value) for o in stores}
    written = {root(o.target) for o in stores}
    met = [(o, w) for o in read for w in stores if root(o.source) is root(w.target)]
    return (
        all(is_along(o, op) for o in (*loads, *stores))
        and types <= {*FILLED}
        and len(written) == len(stores)
        and all(is_there(o, w) for o, w in met)
    )


def _comes_often(op: loop.ForOp) -> bool:
    """Whether a loop, or that over the blocks it is one of, is a row in another that leaves over.

    That is one of unknown extent, or a short one with functions or for vectors. Where there is but
    one row, what it leaves over does not count.
    """
    lower, upper, _ = op.bounds
    is_row, around = False, loop.around(op)
    while isinstance(around, loop.ForOp):
        if around.bounds[2] > 1 and around.variable in op.dims:
            lower, upper = around.bounds[0], upper + around.bounds[1]
        else:
            is_row = True
        around = loop.around(around)
    n = upper.constant
    if n is None:
        return is_row and lower == 0 and bool(upper.symbols())
    ops = list(op.body.block.ops)
    whole = VECTOR if _is_strip(ops) else VECTOR // 2 if has_functions(ops) else 1
    return is_row and lower == 0 and VECTOR < n < WIDEST and n % whole != 0


def _is_slow(ops: list[Operation]) -> bool:
    """Whether a point takes long, and nothing but points is in the loop."""
    applied = [o for o in ops if isinstance(o, body.ApplyOp)]
    few = sum(o.function.data in SLOW for o in applied) < SEVERAL
    slow = not few or any(o.is_long for o in applied)
    return slow and all(isinstance(o, PLAIN) for o in ops)


def _is_strip(ops: list[Operation]) -> bool:
    """Whether all that a loop writes is then taken as vectors, which waits for narrower stores."""
    written = [o.target for o in ops if isinstance(o, loop.StoreOp)]
    return all(isinstance(o, PLAIN) for o in ops) and all(
        any(_is_group_of(use.operation, target) for use in target.uses) for target in written
    )


def _is_group_of(op: Operation, array: SSAValue) -> bool:
    return isinstance(op, loop.GroupOp) and op.source is array and op.index.data[0] == 0


def _spare(function: FuncOp) -> set[SSAValue]:
    """Local arrays of which loops over the same points use those, and nothing else anything.

    What is left of a run may be taken from them besides, of which only the points that there are
    count.
    """
    return {
        local.result
        for local in function.walk()
        if isinstance(local, loop.LocalOp) and _is_spare(local)
    }


def _is_spare(local: loop.LocalOp) -> bool:
    every = [use.operation for use in local.result.uses]
    users = [user for user in every if not _is_group_of(user, local.result)]
    extents = shape_of(local.result.type)
    loops = [user.parent_op() for user in users]
    first = loops[0] if loops else None
    if not isinstance(first, loop.ForOp) or len(extents) != 1:
        return False
    bound = ex.upper_bound(first.bounds[1], {})
    length, most = extents[0].constant, bound.constant if bound is not None else None
    if length is None or most is None or most > length or length % VECTOR != 0:
        return False
    return all(
        isinstance(around, loop.ForOp)
        and around.kind.data == "vector"
        and around.bounds == first.bounds
        and around.bounds[0] == 0
        and list(around.dims) == list(first.dims)
        and isinstance(user, loop.LoadOp | loop.StoreOp)
        and list(user.dims) == [around.variable]
        and user.index.data == (ex.dim(0),)
        for user, around in zip(users, loops, strict=True)
    )


def fill(op: loop.ForOp, spare: set[SSAValue]) -> None:
    """Cut a loop, if it is worth it; ``spare`` arrays have room for full vectors."""
    if not _may_be_cut(op):
        return
    lower, upper, _ = op.bounds
    if all(array_of(o) in spare for o in _along(op)):
        count = ex.floordiv(upper + (VECTOR - 1), VECTOR) * VECTOR
        insert(part_of(op, (lower, list(op.dims)), (count, list(op.dims))), op)
        op.detach()
        op.erase()
        return
    dims, span = list(op.dims), upper - lower
    whole, rest = ex.floordiv(span, VECTOR) * VECTOR, ex.mod(span, ex.const(VECTOR))
    if whole != 0:
        insert(part_of(op, (lower, dims), (whole, dims)), op)
    part = part_of(op, (lower + whole, dims), (ex.const(VECTOR), []))
    insert(loop.IfOp.of(ex.atleast(rest, 1), dims, Block([part])), op)
    _fill(part, (rest, dims), spare)
    op.detach()
    op.erase()


def _along(op: loop.ForOp) -> list[loop.LoadOp | loop.StoreOp]:
    """The loads and stores of a loop that go from point to point, loads first."""
    ops = list(op.body.block.ops)
    loads = [o for o in ops if isinstance(o, loop.LoadOp) and op.variable in o.dims]
    return [*loads, *(o for o in ops if isinstance(o, loop.StoreOp))]


def _fill(op: loop.ForOp, count: At, spare: set[SSAValue]) -> None:
    """Let arrays stand for what the points of a loop read and write, of which only some count."""
    arrays: dict[object, SSAValue] = {}
    after: Operation = op
    for access in _along(op):
        if array_of(access) in spare:
            continue
        is_load = isinstance(access, loop.LoadOp)
        source = access.source if is_load else access.target
        key = source, access.index, tuple(access.dims)
        at = start_and_count(access, op.variable, count)
        if key not in arrays:
            type = scalar_type(access.result if is_load else access.value)
            local = loop.LocalOp.of(type, VECTOR)
            insert(local, op)
            arrays[key] = local.result
            if is_load:
                insert(loop.WidenOp.of(source, arrays[key], *at), op)
        if is_load:
            new: Operation = loop.LoadOp.of(arrays[key], ex.dim(0), [op.variable])
            insert(new, access)
            access.result.replace_all_uses_with(new.results[0])
        else:
            insert(loop.StoreOp.of(access.value, arrays[key], ex.dim(0), [op.variable]), access)
            narrow = loop.NarrowOp.of(arrays[key], source, *at)
            narrow.location = op.location
            assert op.parent is not None
            op.parent.insert_op_after(narrow, after)
            after = narrow
        access.detach()
        access.erase()


@dataclass(frozen=True)
class PadTailsPass(ModulePass):
    """See the module's docstring."""

    name: ClassVar[str] = "pad-tails"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite every function."""
        for function in op.body.block.ops:
            if isinstance(function, FuncOp) and not function.is_declaration:
                spare = _spare(function)
                for inner in list(function.walk()):
                    if isinstance(inner, loop.ForOp):
                        fill(inner, spare)
