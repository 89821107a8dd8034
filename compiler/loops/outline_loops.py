"""Decides which loops are C functions, and which of them have one.

::

    for i = 0 to 64 { y[i] = f(x[i]) }
    for i = 0 to 64 { z[i] = f(y[i]) }
      -->
    for i = 0 to 64 function loop0 { y[i] = f(x[i]) }
    for i = 0 to 64 function loop0 { z[i] = f(y[i]) }

Functions are: loops that threads share; outermost ones that declare more than a few bytes of
arrays, since frames of functions do not add up; all in a block with many loops; those that are
equal but for their buffers (``dialects/loop_form.py``), as in the layers of a network; those whose
indices divide much.  The mark ``own_frame`` is on functions that must not be inlined: those of many
loops, and those with sums in registers, of which gcc 12 makes scalar code in some that it inlines.

A BERT of 12 layers has 2,800 lines of C instead of 25,800 and takes gcc 1.2 s instead of 3.3; one
of 48 layers takes 1.2 s instead of 12.  Runs behind share-loops.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable

from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from opc.dialects import expr as ex
from opc.dialects import loop
from opc.dialects.buffer import buffer_of, element_in, results_of
from opc.dialects.loop_form import Form, moved
from opc.dialects.shape import shape_of
from opc.dialects.walking import walk
from opc.passes.function_pass import FunctionPass
from opc.support.target import FEW_ON_STACK, LOOPS, STACK

from .share_loops import returns
from .workarounds.divided_indices import divides

LEAST = 12
"""The fewest operations of a loop that is a function because others are equal to it."""


class OutlineLoopsPass(FunctionPass):
    """loop.for { ... }  -->  loop.for function loop0 { ... }."""

    name = "outline-loops"

    def rewrite(self, function: FuncOp) -> None:
        """Choose the C functions of one function."""
        Functions(function).choose(function.body.block, is_outermost=True)
        name_functions(function.body.block)


def known_bytes(array: SSAValue) -> int:
    """The bytes of an array; 0 for one of unknown length, which is never on the stack."""
    return (shape_of(array.type)[0].constant or 0) * element_in(array).bytes


def is_array(op: Operation) -> bool:
    """Whether an operation declares an array in memory."""
    return (
        isinstance(op, loop.LocalOp)
        and bool(shape_of(op.result.type))
        and op.register_lanes is None
    )


def _declared(op: Operation) -> int:
    """The bytes of the arrays that a loop declares."""
    return sum(known_bytes(inner.results[0]) for inner in walk(op) if is_array(inner))


def _has_registers(op: Operation) -> bool:
    """Whether sums in registers are declared in a loop."""
    return any(isinstance(o, loop.LocalOp) and o.register_lanes is not None for o in walk(op))


def equal_loops(function: FuncOp) -> dict[Operation, Form]:
    """The outermost loops, conditions aside, that are equal to others; each with the form of all.

    A loop whose bounds depend on the address of an array is equal to no other.
    """
    args, varying = function.body.block.args, dict[Operation, bool]()
    inputs = args[: max(len(args) - 1 - len(results_of(function)), 0)]
    forms: defaultdict[Hashable, dict[Operation, Form]] = defaultdict(dict)
    flat = loop.flat(function.body.block)
    loops = [op for op in flat if isinstance(op, loop.ForOp) and not op.dims]
    known = share_starts(loops, inputs, varying, LEAST)
    for op in loops:
        form = known.get(op) or Form(op, inputs, varying)
        forms[form.key][op] = form
    groups = (group for group in forms.values() if len(group) > 1)
    return {op: next(iter(group.values())) for group in groups for op in group}


def name_functions(block: Block) -> None:
    """Name the C functions in the order of their texts: inner ones first, equal ones once."""
    first: dict[StringAttr, loop.ForOp] = {}

    def visit(block: Block) -> None:
        for op in (op for op in loop.flat(block) if isinstance(op, loop.ForOp)):
            name = op.function
            if name is not None and name in first:
                for known, inner in zip(walk(first[name]), walk(op), strict=True):
                    if isinstance(inner, loop.ForOp):
                        assert isinstance(known, loop.ForOp)
                        inner.function = known.function
                continue
            visit(op.body.block)
            if name is not None:
                op.function = StringAttr(f"loop{len(first)}")
                first[name] = op

    visit(block)


class Functions:
    """Chooses the C functions of the loops of one function."""

    def __init__(self, function: FuncOp) -> None:
        block = function.body.block
        self._beside: set[Operation] = set()
        for op in loop.flat(block):
            for region in op.regions:
                self._find_beside(region.block)
        sizes = [_declared(op) for op in loop.flat(block)]
        self._few = FEW_ON_STACK if sum(n for n in sizes if n <= FEW_ON_STACK) <= STACK else 0
        self._equal = equal_loops(function)

    def choose(self, block: Block, *, is_outermost: bool) -> None:
        """Choose the functions of the loops of a block, with one name for equal ones."""
        are_many = sum(isinstance(op, loop.ForOp) for op in loop.flat(block)) > LOOPS
        for op in block.ops:
            if isinstance(op, loop.IfOp):
                for inner in op.blocks:
                    self.choose(inner, is_outermost=is_outermost)
            elif isinstance(op, loop.ForOp):
                equal = self._equal.get(op)
                is_wanted = op.work is not None or (equal is not None and equal.size >= LEAST)
                is_wanted |= is_outermost and (_declared(op) > self._few or divides(op))
                is_apart = are_many or op in self._beside
                if (is_wanted or is_apart) and not returns(op):
                    if is_apart or _has_registers(op):
                        # Inlined, so many loops are around sums in registers that gcc 12's counts
                        # of iterations overflow.  It takes the loops for never executed and makes
                        # no vectors: 60 times the time.
                        op.mark("own_frame")
                    same = op if equal is None else equal
                    op.function = StringAttr(f"{id(same)} {op.has('own_frame')}")
                self.choose(op.body.block, is_outermost=False)

    def _find_beside(self, block: Block) -> bool:
        """Find neighbouring loops with sums in registers, as in a tile fusion.

        In one function they would compete for registers.  Returns whether there are any.
        """
        loops = [op for op in loop.flat(block) if isinstance(op, loop.ForOp)]
        inside = [op for op in loops if self._find_beside(op.body.block)]
        with_sums = [op for op in loops if _has_registers(op)]
        if not inside and len(with_sums) > 1:
            self._beside.update(op for op in with_sums if not returns(op))
        return bool(inside) or not self._beside.isdisjoint(loops)


def starts_of(op: loop.ForOp) -> dict[SSAValue, int]:
    """The starts of the buffers that a loop only loads from, where they are not 0."""
    inner = list(walk(op))
    used = {v for o in inner if not isinstance(o, loop.LoadOp) for v in o.operands}
    starts = dict[SSAValue, int]()
    for load in (o for o in inner if isinstance(o, loop.LoadOp) and o.source not in used):
        start = sum(number for factors, number in load.index.data[0].terms if not factors)
        if start >= 0:
            starts[load.source] = min(start, starts.get(load.source, start))
    return {buffer: start for buffer, start in starts.items() if start}


def share_starts(
    loops: Collection[loop.ForOp],
    inputs: Collection[SSAValue],
    varying: dict[Operation, bool],
    least: int,
) -> dict[loop.ForOp, Form]:
    """Let loops count from views that are equal but for where they begin to read.

    ::

        for i = 0 to n { y[i] = f(x[i * 8 + 3]) }
        for i = 0 to n { z[i] = f(x[i * 8 + 5]) }
          -->
        %a = view %x from 3
        for i = 0 to n { y[i] = f(a[i * 8]) }
        %b = view %x from 5
        for i = 0 to n { z[i] = f(b[i * 8]) }

    So they have one function in C, as the steps of a recurrence that is written out, or the heads
    of a network, which slice one tensor.  A start is the least constant in the offsets of loads.
    Loops of less than ``least`` operations stay.  Returns the forms of loops without starts.
    """
    forms = dict[loop.ForOp, Form]()
    groups = defaultdict[Hashable, list[tuple[loop.ForOp, dict[SSAValue, int]]]](list)
    for op in loops:
        starts = starts_of(op)
        form = Form(op, inputs, varying, starts)
        if not starts:
            forms[op] = form
        if form.size >= least:
            groups[form.key].append((op, starts))
    for group in groups.values():
        if len({tuple(starts.values()) for _, starts in group}) > 1:
            for op, starts in group:
                _view(op, starts)
    return forms


def _view(op: loop.ForOp, starts: dict[SSAValue, int]) -> None:
    """Load from views in a loop."""
    views = dict[SSAValue, SSAValue]()
    for buffer, start in starts.items():
        view = loop.ViewOp.of(buffer, buffer_of("loop.view", buffer), ex.const(start))
        Rewriter.insert_op(view, InsertPoint.before(op))
        views[buffer] = view.result
    for load in [o for o in walk(op) if isinstance(o, loop.LoadOp) and o.source in views]:
        load.properties["index"] = moved(load, starts[load.source])
        load.operands[0] = views[load.source]
