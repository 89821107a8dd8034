"""The ``loop`` dialect: loops over buffers, one step above C.

Offsets are row-major, and expressions: d0, d1, ... are the values in parentheses::

    loop.for %i = <0> to <4096> step 1 parallel {
      %acc = loop.local : memref<f32>
      loop.store %zero to %acc[0]
      loop.for %j = <0> to <1024> step 1 vector {
        %v = loop.load %x[d0*1024 + d1](%i, %j) : f32
        ...

The dialect is closed: a new operator needs no new loop operation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, IndexType, IntegerAttr, MemRefType, StringAttr
from xdsl.ir import Attribute, Block, Dialect, Operation, Region, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import NoTerminator, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from opc.dialects.walking import walk

from . import element as el
from . import expr as ex
from .buffer import ConstantOp, LocalOp, SliceOp, ViewOp, buffer_of, check_index, root
from .cascade import CascadeOp, CombineOp, GroupOp
from .effects import KEPT
from .formats import Formatted
from .loop_access import GatherOp, Load, ScatterOp, Store
from .loop_if import IfOp, around, flat, is_negated, purpose
from .matrix_ops import (
    MatrixBeginOp,
    MatrixClearOp,
    MatrixEndOp,
    MatrixMultiplyOp,
    MatrixStoreOp,
)
from .memory_ops import (
    LookUpOp,
    NarrowOp,
    NonTemporalOp,
    PrefetchOp,
    RoundOp,
    TransposeOp,
    WidenOp,
)
from .shape import IndexAttr


@irdl_op_definition
class ForOp(Formatted):
    """Runs its body for lower, lower + step, ... below upper.

    ``kind`` is serial; parallel (threads may share the iterations); vector (iterations are
    independent, for vector instructions); unroll; or rolled (serial, never unrolled).

    Threads share a loop that has its ``work`` in simple operations, ``by`` so many iterations.  A
    loop with a ``function`` is the C function of that name; loops of one name are equal but for
    their buffers and numbers.  ``marks`` say what C compilers must do, or not do::

        loop.for %i = <0> to <N> step 1 parallel threads <N*6209> by 1 function loop0 marks
            [in_order] { ... }
    """

    name = "loop.for"
    lower = prop_def(IndexAttr)
    upper = prop_def(IndexAttr)
    step = prop_def(IntegerAttr)
    kind = prop_def(StringAttr)
    work = opt_prop_def(IndexAttr)
    by = opt_prop_def(IntegerAttr)
    function = opt_prop_def(StringAttr)
    marks = opt_prop_def(ArrayAttr[StringAttr])
    dims = var_operand_def()
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())
    KINDS: ClassVar[tuple[str, ...]] = ("serial", "parallel", "vector", "unroll", "rolled")
    MARKS: ClassVar[tuple[str, ...]] = (
        *("own_frame", "as_it_stands", "in_order"),
        *("unroll", "few", "rolled", "no_vectors"),
    )
    ARGUMENT: ClassVar[Attribute] = IndexType()
    FORMAT: ClassVar[str] = (
        "custom<Argument>(ref($body)) `=` $lower `to` $upper custom<Dims>($dims) `step` $step "
        "custom<Word>($kind) (`threads` $work^ `by` $by)? (`function` custom<Word>($function)^)? "
        "(`marks` custom<Words>($marks)^)? $body"
    )

    @staticmethod
    def of(
        lower: ex.Expr,
        upper: ex.Expr,
        dims: Sequence[SSAValue],
        kind: str = "serial",
        step: int = 1,
    ) -> ForOp:
        """The loop with an empty body."""
        body = Region(Block(arg_types=[IndexType()]))
        return ForOp.new(dims, regions=[body], lower=lower, upper=upper, step=step, kind=kind)

    @property
    def bounds(self) -> tuple[ex.Expr, ex.Expr, int]:
        """Lower bound, upper bound and step."""
        return self.lower.data[0], self.upper.data[0], int(self.step.value.data)

    @property
    def variable(self) -> SSAValue:
        """The loop variable."""
        return self.body.block.args[0]

    def has(self, mark: str) -> bool:
        """Whether the loop has a mark."""
        return self.marks is not None and StringAttr(mark) in self.marks.data

    def mark(self, *marks: str) -> None:
        """Add marks, in the order of ``MARKS``."""
        words = [word for word in self.MARKS if word in marks or self.has(word)]
        if words:
            self.marks = ArrayAttr([StringAttr(word) for word in words])

    def verify_(self) -> None:
        """Check kind, step, bounds, work and marks."""
        # for_c1: the kind is known and the step positive.
        if self.kind.data not in self.KINDS or self.step.value.data < 1:
            raise VerifyException(f"loop.for: kind {self.kind.data}, step {self.step.value.data}")
        # for_c2: it has one variable, an index.
        if [a.type for a in self.body.block.args] != [IndexType()]:
            raise VerifyException("loop.for: expected one variable of type index")
        for bound in (self.lower, self.upper, *([] if self.work is None else [self.work])):
            check_index(self.name, bound, self.dims)
        # for_c3: threads share it by so many iterations, if they do.
        by = 0 if self.by is None else self.by.value.data
        if self.work is not None and by < 1:
            raise VerifyException(
                f"loop.for: threads share it by {by} iterations, expected 1 or more"
            )
        # for_c4: marks are known.
        for mark in () if self.marks is None else self.marks.data:
            if mark.data not in self.MARKS:
                known = ", ".join(self.MARKS)
                raise VerifyException(f"loop.for: marks {mark.data}, expected {known}")


@irdl_op_definition
class LoadOp(Load):
    """Loads the element of a buffer at an offset, in its stored type."""

    name = "loop.load"


@irdl_op_definition
class AheadOp(Load):
    """The number of elements from an offset to the start of the next cache line, 0 at a start.

    Peeled loops start their first full block there.  The number depends on the address of the
    buffer, so no result may depend on it.
    """

    name = "loop.ahead"
    result = result_def(IndexType)

    @classmethod
    def of(cls, source: SSAValue, index: ex.Expr, dims: Sequence[SSAValue] = ()) -> AheadOp:
        """The operation for an offset in a buffer."""
        return AheadOp.new(source, dims, results=[IndexType()], index=index)

    def verify_(self) -> None:
        """Check the dimensions."""
        buffer_of(self.name, self.source)
        check_index(self.name, self.index, self.dims)


@irdl_op_definition
class StoreOp(Store):
    """Stores an element to a buffer at an offset."""

    name = "loop.store"


@irdl_op_definition
class BreakOp(Formatted):
    """Leaves the loop around it if a condition holds: ``loop.break %is_done``."""

    name = "loop.break"
    condition = operand_def()
    traits = traits_def(KEPT)
    FORMAT: ClassVar[str] = "$condition"

    def verify_(self) -> None:
        """Check the condition and the loop."""
        # break_c1: the condition is an i1.
        if self.condition.type != el.I1.type:
            raise VerifyException(f"loop.break: {self.condition.type} is no i1")
        # break_c2: it is in a serial loop.
        outer = self.parent_op()
        if not isinstance(outer, ForOp) or outer.kind.data not in ("serial", "rolled"):
            raise VerifyException("loop.break: expected in a serial loop")


Loop = Dialect(
    "loop",
    [
        *(ForOp, IfOp, LoadOp, AheadOp, StoreOp, LocalOp, SliceOp, ViewOp, ConstantOp),
        *(CombineOp, CascadeOp, GroupOp),
        *(TransposeOp, PrefetchOp, NonTemporalOp, LookUpOp, WidenOp, NarrowOp, RoundOp),
        *(MatrixBeginOp, MatrixClearOp, MatrixMultiplyOp, MatrixStoreOp, MatrixEndOp),
        *(GatherOp, ScatterOp, BreakOp),
    ],
)


def is_in_loop(op: Operation) -> bool:
    """Whether there is a loop around an operation."""
    around = op.parent_op()
    while around is not None and not isinstance(around, ForOp):
        around = around.parent_op()
    return around is not None


def function_of(op: Operation) -> ForOp | None:
    """The innermost loop around an operation that is a C function."""
    around = op.parent_op()
    while around is not None and not (isinstance(around, ForOp) and around.function is not None):
        around = around.parent_op()
    return around


def is_shared(op: Operation | None) -> bool:
    """Whether threads share a loop, or one around it."""
    while op is not None and not (isinstance(op, ForOp) and op.work is not None):
        op = op.parent_op()
    return op is not None


def written(ops: Sequence[Operation]) -> set[SSAValue]:
    """The buffers that operations write."""
    buffers: set[SSAValue] = set()
    for op in (inner for o in ops for inner in walk(o)):
        match op:
            case LoadOp() | AheadOp() | CombineOp() | PrefetchOp() | ViewOp():
                pass
            case StoreOp() | TransposeOp() | LookUpOp():
                buffers.add(root(op.target))
            case MatrixMultiplyOp():
                buffers.add(root(op.sums))
            case GroupOp():
                buffers.add(root(op.lanes))
            case _:
                buffers |= {root(v) for v in op.operands if isinstance(v.type, MemRefType)}
    return buffers


__all__ = [
    "AheadOp",
    "BreakOp",
    "CascadeOp",
    "CombineOp",
    "ConstantOp",
    "ForOp",
    "GatherOp",
    "GroupOp",
    "IfOp",
    "LoadOp",
    "LocalOp",
    "LookUpOp",
    "Loop",
    "MatrixBeginOp",
    "MatrixClearOp",
    "MatrixEndOp",
    "MatrixMultiplyOp",
    "MatrixStoreOp",
    "NarrowOp",
    "NonTemporalOp",
    "PrefetchOp",
    "RoundOp",
    "ScatterOp",
    "SliceOp",
    "StoreOp",
    "TransposeOp",
    "ViewOp",
    "WidenOp",
    "around",
    "flat",
    "function_of",
    "is_negated",
    "is_shared",
    "purpose",
    "root",
    "written",
]
