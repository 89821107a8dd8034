"""Build schedule trees, and read them: axes, loops, versions and what these assume."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.ir import Block, Operation, Region
from xdsl.irdl import IRDLOperation

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.schedule import ROTATING, Axis, CoalesceOp, ForOp, IfOp, PipelineOp, RunOp, TreeOp
from opc.dialects.schedule_nests import axis_text
from opc.dialects.walking import walk
from opc.errors import InputError, UnsupportedError
from opc.support.locations import location_of


def axes_in(ops: Sequence[Operation]) -> list[Axis]:
    """The axes of the loops, in the order of the nest's dimensions."""
    axes: set[Axis] = set()
    for op in (inner for outer in ops for inner in walk(outer)):
        if isinstance(op, ForOp | PipelineOp):
            axes.add(op.axis)
        elif isinstance(op, CoalesceOp):
            axes.update(op.axes)
    return sorted(axes)


Loop: TypeAlias = "tuple[Axis | None, int | ex.Expr, str]"
"""Axis, block and kind of a loop."""


def nested(loops: Sequence[Loop], ops: Sequence[IRDLOperation]) -> list[IRDLOperation]:
    """Loops around operations, outermost first; none for an axis that is None."""
    nest: list[IRDLOperation] = [*ops]
    for axis, by, kind in reversed(loops):
        if axis is not None:
            nest = [ForOp.of(axis, by, kind, nest)]
    return nest


def in_threads(
    loops: Sequence[tuple[Axis, int | ex.Expr]], ops: Sequence[IRDLOperation]
) -> list[IRDLOperation]:
    """Serial loops around operations, outermost first; the outermost one is parallel."""
    kinds = ("serial" if k else "parallel" for k in range(len(loops)))
    return nested([(*at, kind) for at, kind in zip(loops, kinds, strict=True)], ops)


def tree_of(nest: kernel.NestOp) -> TreeOp:
    """The schedule of a nest.  Raises UnsupportedError if it has none."""
    tree = nest.body.block.last_op
    if not isinstance(tree, TreeOp):
        raise UnsupportedError("a nest has no schedule; run schedule first")
    return tree


def stages_of(ops: Iterable[Operation]) -> list[RunOp]:
    """The stages in operations, in order."""
    return [run for op in ops for run in walk(op) if isinstance(run, RunOp)]


def inside(op: ForOp | Operation) -> list[Operation]:
    """The operations in the only region of an operation."""
    (region,) = op.regions
    return list(region.block.ops)


def loops_around(ops: Sequence[Operation]) -> tuple[list[ForOp], list[Operation]]:
    """The loops around everything else, outermost first, and the operations in them."""
    loops, ops = list[ForOp](), list(ops)
    while len(ops) == 1 and isinstance(op := ops[0], ForOp):
        loops.append(op)
        ops = inside(op)
    return loops, ops


def path(op: Operation) -> list[ForOp]:
    """The loops around, outermost first."""
    loops: list[ForOp] = []
    parent = op.parent_op()
    while isinstance(parent, ForOp):
        loops.append(parent)
        parent = parent.parent_op()
    return loops[::-1]


def block_of(tree: TreeOp, axis: Axis | None) -> int:
    """The values of a tile along an axis: the step of the innermost loop over tiles."""
    step = next((run for run in stages_of([tree]) if run.stage.data == "step"), None)
    loops = [op for op in path(step) if op.axis == axis] if step is not None else []
    if any(op.kind.data == ROTATING for op in loops):
        return 1
    steps = [op.step for op in loops if op.kind.data in ("serial", "parallel")]
    return steps[-1] if steps else 1


def versions_of(tree: TreeOp) -> list[TreeOp]:
    """The schedule of a contraction in each of its versions; the only one if there are none.

    Each has the packed operands that versions around it share.
    """
    *shared, last = tree.body.block.ops or (None,)
    if not isinstance(last, IfOp):
        return [tree]
    trees = [version_in(shared, region) for region in (last.then, last.otherwise)]
    return [version for tree in trees for version in versions_of(tree)]


def version_in(shared: Iterable[Operation], region: Region) -> TreeOp:
    """The tree of one region of a choice, with what stands in front of it."""
    return TreeOp.of(Block([op.clone() for op in (*shared, *region.block.ops)]))


Assumed = list[tuple[ex.Expr, int, bool]]
"""Expressions, numbers, and whether each expression is at least that number, or less."""


def conditions(op: Operation) -> list[tuple[ex.Expr, bool]]:
    """The conditions of the versions around an operation, their contraries, and if they hold."""
    known: list[tuple[ex.Expr, bool]] = []
    region: Region | None = op.parent_region()
    while region is not None:
        around = region.parent
        if isinstance(around, IfOp):
            is_true = region is around.then
            known += [(around.when, is_true), (1 - around.when, not is_true)]
        region = None if around is None else around.parent_region()
    return known


def assumed(op: Operation) -> Assumed:
    """The bounds of extents that the versions around an operation imply.

    They follow from conditions ``atleast(extent, 33)``, and from their contraries.
    """
    bounds: Assumed = []
    for e, is_true in conditions(op):
        args = _arguments(e, "atleast")
        if args is not None and (n := args[1].constant) is not None:
            bounds.append((args[0], n, is_true))
    return bounds


def most_of(e: ex.Expr, known: Assumed) -> int | None:
    """The upper bound of an extent, if any is known."""
    below = [n - 1 for x, n, is_least in known if x == e and not is_least]
    return min([*below, *([] if e.constant is None else [e.constant])], default=None)


def points_of(size: ex.Expr, width: ex.Expr) -> int | None:
    """The most points of a block of ``size`` rows, if that is points divided by ``width``."""
    args = _arguments(size, "floordiv")
    return args[0].constant if args is not None and args[1] == width else None


def _arguments(e: ex.Expr, kind: str) -> tuple[ex.Expr, ex.Expr] | None:
    """The two arguments of an expression that is a function of this kind."""
    atom = e.atom()
    if atom is None or atom.kind != kind:
        return None
    a, b = (ex.Expr.of(arg) for arg in atom.args)
    return a, b


def fail(message: str, at: Operation | None = None) -> InputError:
    """The error for an illegal schedule, at an operation or at the tree."""
    return InputError(f"schedule: {message}", "" if at is None else location_of(at))


def text_of(op: Operation | None) -> str:
    """An operation in an error: ``[d1] by 512 serial``, or ``step 0``."""
    match op:
        case None:
            return "nothing"
        case ForOp():
            pad = f" pad <{', '.join(map(str, op.pads))}>" if op.pads else ""
            return f"{axis_text(op.axis)} by {op.size} {op.kind.data}{pad}"
        case RunOp():
            return op.text
        case _:
            return op.name


def only(ops: Sequence[Operation]) -> Operation:
    """The only operation.  Raises InputError if there are others, or none."""
    if len(ops) != 1:
        names = ", ".join(op.name for op in ops) or "nothing"
        raise fail(f"found {names}, expected one loop or stage", ops[0] if ops else None)
    return ops[0]


@dataclass(frozen=True)
class Left:
    """The part of an axis inside loops: at most ``size`` values of ``extent``."""

    size: ex.Expr
    extent: ex.Expr
    depth: int = 0
    """Loops over the axis so far."""

    @property
    def is_one(self) -> bool:
        """Whether one value is left."""
        return self.size == 1

    @property
    def is_whole(self) -> bool:
        """Whether no loop has gone over the axis."""
        return self.depth == 0

    def block(self, size: ex.Expr) -> Left:
        """A block of the part."""
        return Left(size, self.extent, self.depth + 1)


def is_positive(e: ex.Expr, known: Assumed) -> bool:
    """Whether an expression is at least 1, given the bounds."""
    if e.constant is not None:
        return e.constant >= 1
    if (args := _arguments(e, "floordiv")) is not None:
        most, value = most_of(args[1], known), args[0].constant
        return most is not None and value is not None and value >= most
    if (args := _arguments(e, "min")) is not None:
        return all(is_positive(arg, known) for arg in args)
    return ex.is_nonnegative(e - 1)
