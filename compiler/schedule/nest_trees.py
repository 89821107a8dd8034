"""What is read off a schedule of a nest that is no contraction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.ir import Block, Operation, Region
from xdsl.irdl import IRDLOperation

from opc.dialects import expr as ex
from opc.dialects.schedule import Axis, CoalesceOp, ForOp, IfOp, PipelineOp, TreeOp
from opc.errors import InputError
from opc.support.locations import location_of


def axes_in(ops: Sequence[Operation]) -> list[Axis]:
    """The axes that loops run over, in the order of the nest's dimensions."""
    found: set[Axis] = set()
    for op in (inner for outer in ops for inner in outer.walk()):
        if isinstance(op, ForOp | PipelineOp):
            found.add(op.axis)
        elif isinstance(op, CoalesceOp):
            found.update(op.axes)
    return sorted(found)


Loop: TypeAlias = "tuple[Axis | None, int | ex.Expr, str]"
"""Axis, block and kind of a loop."""


def nested(loops: Sequence[Loop], ops: Sequence[IRDLOperation]) -> list[IRDLOperation]:
    """Loops around operations, outermost first; none where there is no axis."""
    found: list[IRDLOperation] = [*ops]
    for axis, by, kind in reversed(loops):
        if axis is not None:
            found = [ForOp.of(axis, by, kind, found)]
    return found


def in_threads(
    loops: Sequence[tuple[Axis, int | ex.Expr]], ops: Sequence[IRDLOperation]
) -> list[IRDLOperation]:
    """The same, of which threads share the outermost one."""
    kinds = ("serial" if k else "parallel" for k in range(len(loops)))
    return nested([(*at, kind) for at, kind in zip(loops, kinds, strict=True)], ops)


def inside(op: ForOp | Operation) -> list[Operation]:
    """The operations in the only region of an operation."""
    (region,) = op.regions
    return list(region.block.ops)


def loops_around(ops: Sequence[Operation]) -> tuple[list[ForOp], list[Operation]]:
    """The loops around everything else, outermost first, and what stands in them."""
    loops, ops = list[ForOp](), list(ops)
    while len(ops) == 1 and isinstance(op := ops[0], ForOp):
        loops.append(op)
        ops = inside(op)
    return loops, ops


def versions_of(tree: TreeOp) -> list[TreeOp]:
    """The schedules of a contraction that versions choose from; one where there are none.

    Each has what is laid out for all of them, too.
    """
    *shared, last = tree.body.block.ops or (None,)
    if not isinstance(last, IfOp):
        return [tree]
    regions = (last.then, last.otherwise)
    return [
        TreeOp.of(Block([op.clone() for op in (*shared, *region.block.ops)])) for region in regions
    ]


Assumed = list[tuple[ex.Expr, int, bool]]
"""Expressions, numbers, and whether each expression is that number or more, or less."""


def conditions(op: Operation) -> list[tuple[ex.Expr, bool]]:
    """The conditions of the versions around an operation, and their contraries: what they are."""
    found: list[tuple[ex.Expr, bool]] = []
    region: Region | None = op.parent_region()
    while region is not None:
        around = region.parent
        if isinstance(around, IfOp):
            is_true = region is around.then
            found += [(around.when, is_true), (1 - around.when, not is_true)]
        region = None if around is None else around.parent_region()
    return found


def assumed(op: Operation) -> Assumed:
    """What the versions around an operation say of extents.

    That is what an extent is where ``atleast(extent, 33)`` or the contrary is true or not.
    """
    found: Assumed = []
    for e, is_true in conditions(op):
        args = _arguments(e, "atleast")
        if args is not None and (n := args[1].constant) is not None:
            found.append((args[0], n, is_true))
    return found


def most_of(e: ex.Expr, known: Assumed) -> int | None:
    """The most that an extent is where all this is assumed."""
    below = [n - 1 for x, n, is_least in known if x == e and not is_least]
    return min([*below, *([] if e.constant is None else [e.constant])], default=None)


def points_of(size: ex.Expr, width: ex.Expr) -> int | None:
    """How many points a block of rows has at most, whose size is these divided by their width."""
    args = _arguments(size, "floordiv")
    return args[0].constant if args is not None and args[1] == width else None


def _arguments(e: ex.Expr, kind: str) -> tuple[ex.Expr, ex.Expr] | None:
    """The two arguments where an expression is a function of some kind."""
    atom = e.atom()
    if atom is None or atom.kind != kind:
        return None
    a, b = (ex.Expr.of(arg) for arg in atom.args)
    return a, b


def fail(what: str, at: Operation | None = None) -> InputError:
    """The error for a schedule that is not legal, at an operation or at the tree."""
    return InputError(f"schedule: {what}", "" if at is None else location_of(at))


def only(ops: Sequence[Operation]) -> Operation:
    """The only one of some operations."""
    if len(ops) != 1:
        found = ", ".join(op.name for op in ops) or "nothing"
        raise fail(f"found {found}, expected one loop or stage", ops[0] if ops else None)
    return ops[0]


@dataclass(frozen=True)
class Left:
    """What loops leave of an axis: at most so many values, of so many in all."""

    size: ex.Expr
    extent: ex.Expr
    depth: int = 0
    """How many loops go over it."""

    @property
    def is_one(self) -> bool:
        """Whether it is one value."""
        return self.size == 1

    @property
    def is_whole(self) -> bool:
        """Whether no loop has taken a part of it."""
        return self.depth == 0

    def block(self, size: ex.Expr) -> Left:
        """A block of it."""
        return Left(size, self.extent, self.depth + 1)


def is_positive(e: ex.Expr, known: Assumed) -> bool:
    """Whether an expression is certain to be 1 or more, where all this is assumed."""
    if e.constant is not None:
        return e.constant >= 1
    if (args := _arguments(e, "floordiv")) is not None:
        most, value = most_of(args[1], known), args[0].constant
        return most is not None and value is not None and value >= most
    if (args := _arguments(e, "min")) is not None:
        return all(is_positive(arg, known) for arg in args)
    return ex.is_nonnegative(e - 1)
