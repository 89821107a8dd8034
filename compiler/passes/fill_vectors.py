"""Compute what an unknown extent leaves over after full vectors as one more full vector.

C compilers compute the last points of a loop one by one where they do not know how many there are:
up to 15 of 31 exponentials, which take far longer than the others.  So what these points read is
copied to arrays of a vector's size, filled up with zeros, and what they give is copied back::

    for i = 0 to n { y[i] = exp(x[i]) }
      -->
    for i = 0 to floordiv(n, 16)*16 { y[i] = exp(x[i]) }
    for t = 0 to min(mod(n, 16), 1)
      widen x[floordiv(n, 16)*16 ..., mod(n, 16)] to a
      for k = 0 to 16 { b[k] = exp(a[k]) }
      narrow b to y[floordiv(n, 16)*16 ..., mod(n, 16)]

Where there are neither functions nor divisions, C compilers do better.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from opc.dialects import body, loop
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.strip import FILLED

from .loop_parts import PLAIN, At, insert, joined, moved, part_of
from .loop_places import VECTOR
from .strip_rounding import root

SLOW = ("div", "sqrt", "mod", "fmod")
"""Functions that take many cycles for one point, and hardly more for a vector."""


def _may_be_cut(op: loop.ForOp) -> bool:
    """Whether a loop may be cut, and is worth it."""
    ops = list(op.body.block.ops)
    if op.kind.data != "vector" or op.bounds[2] != 1 or not _is_slow(ops):
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
        all(_is_along(o, op) for o in (*loads, *stores))
        and types <= {*FILLED}
        and len(written) == len(stores)
        and all(_is_there(o, w) for o, w in met)
    )


def _comes_often(op: loop.ForOp) -> bool:
    """Whether a loop, or that over the blocks it is one of, is a row of unknown extent in another.

    Where there is but one row, what it leaves over does not count.
    """
    lower, upper, _ = op.bounds
    is_row, around = False, op.parent_op()
    while isinstance(around, loop.ForOp):
        if around.bounds[2] > 1 and around.variable in op.dims:
            lower, upper = around.bounds[0], upper + around.bounds[1]
        else:
            is_row = True
        around = around.parent_op()
    return is_row and lower == 0 and bool(upper.symbols())


def _is_slow(ops: list[Operation]) -> bool:
    """Whether a point takes long, and nothing but points is in the loop."""
    applied = [o for o in ops if isinstance(o, body.ApplyOp)]
    slow = any(o.is_long or o.function.data in SLOW for o in applied)
    return slow and all(isinstance(o, PLAIN) for o in ops)


def _is_along(access: loop.LoadOp | loop.StoreOp, op: loop.ForOp) -> bool:
    """Whether an access goes from one element to the next."""
    dims = list(access.dims)
    if dims.count(op.variable) != 1 or len(access.index.data) != 1:
        return False
    step = access.index.data[0].coefficient(dims.index(op.variable))
    return step is not None and step == 1


def _is_there(load: loop.LoadOp, store: loop.StoreOp) -> bool:
    """Whether a value is read from where another one is stored, before that."""
    here = load.source is store.target and load.index == store.index
    return here and list(load.dims) == list(store.dims) and load.is_before_in_block(store)


def fill(op: loop.ForOp) -> None:
    """Cut a loop, if it is worth it."""
    if not _may_be_cut(op):
        return
    lower, upper, _ = op.bounds
    dims, span = list(op.dims), upper - lower
    whole, rest = ex.floordiv(span, VECTOR) * VECTOR, ex.mod(span, ex.const(VECTOR))
    if whole != 0:
        insert(part_of(op, (lower, dims), (whole, dims)), op)
    once = loop.ForOp.of(ex.const(0), ex.minimum(rest, ex.const(1)), dims, "serial")
    part = part_of(op, (lower + whole, dims), (ex.const(VECTOR), []))
    once.body.block.add_op(part)
    insert(once, op)
    _fill(part, (rest, dims))
    op.detach()
    op.erase()


def _fill(op: loop.ForOp, count: At) -> None:
    """Let arrays stand for what the points of a loop read and write, of which only some count."""
    ops = list(op.body.block.ops)
    loads = [o for o in ops if isinstance(o, loop.LoadOp) and op.variable in o.dims]
    stores = [o for o in ops if isinstance(o, loop.StoreOp)]
    arrays: dict[object, SSAValue] = {}
    after: Operation = op
    for access in (*loads, *stores):
        is_load = isinstance(access, loop.LoadOp)
        source = access.source if is_load else access.target
        key = source, access.index, tuple(access.dims)
        at = _at(access, op.variable, count)
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


def _at(
    access: loop.LoadOp | loop.StoreOp, variable: SSAValue, count: At
) -> tuple[list[ex.Expr], list[SSAValue]]:
    """Where what is left over starts, and the number of its elements."""
    start, dims = moved(access.index.data[0], list(access.dims), variable, (ex.const(0), []))
    number, dims = joined(*count, dims)
    return [start, number], dims


@dataclass(frozen=True)
class FillVectorsPass(ModulePass):
    """See the module's docstring."""

    name: ClassVar[str] = "fill-vectors"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite every function."""
        for function in op.body.block.ops:
            if isinstance(function, FuncOp) and not function.is_declaration:
                for inner in list(function.walk()):
                    if isinstance(inner, loop.ForOp):
                        fill(inner)
