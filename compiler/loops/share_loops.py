"""Decides which loops threads share.

::

    for i = 0 to n parallel { ... }
      -->
    for i = 0 to n parallel threads <n * work> by 1 { ... }

The work of a loop is about what it costs in simple operations, of which an access of an argument
counts as several.  When the function runs, threads share a loop whose work pays for them.  A loop
that never does enough stays, and so does one inside of a shared one.  Vector loops are shared only
outside of all others, by whole vectors and cache lines.  A loop that changes a scalar of its
surroundings stays, since functions get scalars by value.  Runs on the last loops.
"""

from __future__ import annotations

import math

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument

from opc.dialects import body, loop
from opc.dialects import expr as ex
from opc.dialects.loop import root, written
from opc.dialects.scalar import SCALARS
from opc.dialects.shape import IndexAttr, shape_of
from opc.dialects.walking import walk
from opc.passes.function_pass import FunctionPass
from opc.support.target import ARGUMENT, FORK, GUESSED, JOIN, STAGED


class ShareLoopsPass(FunctionPass):
    """loop.for parallel { ... }  -->  loop.for parallel threads <work> by 1 { ... }."""

    name = "share-loops"

    def rewrite(self, function: FuncOp) -> None:
        """Share the loops of one function."""
        _share(function.body.block, ("parallel", "vector", "unroll"))


def _share(block: Block, kinds: tuple[str, ...]) -> None:
    """Share loops of some kinds in a block, and parallel ones inside of others."""
    for op in loop.flat(block):
        if isinstance(op, loop.ForOp):
            if op.kind.data not in kinds or not may_pay(op) or returns(op):
                _share(op.body.block, ("parallel",))
                continue
            step = op.bounds[2]
            op.work = IndexAttr((work_of(op),))
            op.by = IntegerAttr(max(step, STAGED) if op.kind.data == "vector" else step, i64)


def returns(op: loop.ForOp) -> bool:
    """Whether a loop changes a scalar of its surroundings: functions get these by value.

    So does a loop over sums in registers, which a function would get in memory.
    """
    buffers = {root(value).owner for inner in walk(op) for value in inner.operands}
    outside = [o for o in buffers if isinstance(o, loop.LocalOp) and not op.is_ancestor(o)]
    if any(local.register_lanes is not None for local in outside):
        return True
    scalars = {local.result for local in outside if not shape_of(local.result.type)}
    return bool(scalars) and not scalars.isdisjoint(written([op]))


def work_of(op: loop.ForOp) -> ex.Expr:
    """About what a loop costs; a simple operation or access is 1."""
    lower, upper, step = op.bounds
    return ex.floordiv((upper - lower) * _iteration(op.body.block), step)


def may_pay(op: loop.ForOp) -> bool:
    """Whether a loop may do enough work for threads to share it; True if that is unknown."""
    most = ex.upper_bound(work_of(op), {})
    return most is None or most.constant is None or most.constant >= JOIN


def _iteration(block: Block) -> ex.Expr:
    """About what one iteration costs; a simple operation or access is 1."""
    total = ex.const(0)
    for op in block.ops:
        if isinstance(op, loop.ForOp):
            span, step = _span(op), op.bounds[2]
            inside = ex.const(-(-span.constant // step)) if span.constant is not None else span
            inside = inside * _iteration(op.body.block)
            if span.constant is None:
                inside = ex.Expr({factors: -(-c // step) for factors, c in inside.terms})
            total = total + inside
        elif isinstance(op, loop.IfOp):
            total = ex.total_of([total, *map(_iteration, op.blocks)])
        elif isinstance(op, body.ApplyOp):
            total += SCALARS[op.function.data].cost
        elif isinstance(op, loop.LoadOp | loop.GatherOp):
            total += ARGUMENT if isinstance(root(op.source), BlockArgument) else 1
        elif isinstance(op, loop.StoreOp | loop.ScatterOp):
            total += ARGUMENT if isinstance(root(op.target), BlockArgument) else 1
        elif isinstance(op, loop.MatrixMultiplyOp):
            # The products of a sum are as fast as one simple operation.
            total += math.prod(op.shape[:2])
        elif isinstance(op, loop.TransposeOp):
            total += ex.product(map(_about, op.index.data[-2:])) * 2
        elif isinstance(op, loop.LookUpOp):
            count = op.index.data[-1]
            most = ex.upper_bound(count, {})
            total += _about(count) if most is None or most.constant is None else most
    return total if total.constant is None else ex.const(min(total.constant, FORK))


def _span(op: loop.ForOp) -> ex.Expr:
    """About the range of a loop, without loop variables; a guess if nothing is known."""
    lower, upper, _ = op.bounds
    bounds = [ex.upper_bound(upper - start, {}) for start in ex.least_of(lower)]
    known = [b.constant for b in bounds if b is not None and b.constant is not None]
    if len(known) == len(bounds):
        return ex.const(max(known))
    spans = [_around(end - start) for end in _choices(upper) for start in ex.least_of(lower)]
    return next((e for e in spans if e is not None), ex.const(GUESSED))


def _about(e: ex.Expr) -> ex.Expr:
    """About the value of e, without loop variables; a guess if nothing is known."""
    estimates = map(_around, _choices(e))
    return next((x for x in estimates if x is not None), ex.const(GUESSED))


def _choices(e: ex.Expr) -> list[ex.Expr]:
    """The expressions of which e is the minimum, if it is one, plus what is added to it."""
    for factors, c in e.terms:
        if c == 1 and len(factors) == 1 and factors[0].kind == "min":
            rest = e - ex.Expr({factors: 1})
            return [x for arg in factors[0].args for x in _choices(rest + arg)]
    return [e]


def _around(e: ex.Expr) -> ex.Expr | None:
    """The positive terms of e, if they depend on no loop variable."""
    total = ex.const(0)
    for factors, c in e.terms:
        if c < 0:
            continue
        term = ex.const(c)
        for atom in factors:
            factor: ex.Expr | None = ex.Expr({(atom,): 1})
            if factor.dims():
                choices = map(_around, atom.args if atom.kind == "min" else ())
                factor = next((x for x in choices if x is not None), None)
            if factor is None:
                return None
            term = term * factor
        total = total + term
    return total
