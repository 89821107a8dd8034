"""Check coalesced axes, transposed tiles and non-temporal stores of nests without sweeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Operation

from opc.dialects import expr as ex
from opc.dialects import kernel
from opc.dialects.body import scalar_type
from opc.dialects.collapse import Collapsed
from opc.dialects.schedule import (
    SMALL,
    Axis,
    CoalesceOp,
    ForOp,
    NonTemporalOp,
    PrefetchOp,
    RunOp,
    TransposeOp,
)
from opc.dialects.schedule_nests import axis_text
from opc.support.target import LINE

from .coalesced_rows import Rows
from .nest import NestFacts
from .nest_trees import Left, assumed, fail, inside, most_of, only, path, points_of

Lefts = Mapping[Axis, Left]


def check_coalesced(facts: NestFacts, axes: list[Axis], op: CoalesceOp, left: Lefts) -> None:
    """Raise InputError unless the axes may be one coalesced loop."""
    _check_body(op)
    shown, count = ", ".join(map(axis_text, op.axes)), len(op.axes)
    # nest_schedule_c9: the innermost axes are coalesced; the first of them may go in blocks.
    if op.axes != axes[-count:]:
        wanted = " ".join(map(axis_text, axes))
        raise fail(f"found {shown} coalesced, expected the last ones of {wanted}", op)
    _check_done(axes[:-count], left, op.name)
    first, *rest = (left[axis] for axis in op.axes)
    around = op.parent_op()
    is_block = first.depth == 1 and isinstance(around, ForOp) and around.axis == op.axes[0]
    if not (first.is_whole or is_block) or not all(e.is_whole for e in rest):
        raise fail(
            f"found parts of {shown}, expected all of each, or of the first one a block of the "
            "loop right around",
            op,
        )
    outer = facts.space(axes)
    width = ex.product(outer.extents[-count + 1 :])
    most = width.constant if width.constant is not None else most_of(width, assumed(op))
    rows = Rows(facts, outer, len(axes) - count + 1, most or 0)
    # nest_schedule_c10: an access is contiguous in the coalesced loop, or its values can be copied.
    if not rows.are_sound:
        raise fail(f"found {shown}, expected accesses that are contiguous or copied", op)
    # nest_schedule_c39: copies in vectors are of one value of each row, or of a row that repeats.
    if op.lanes > 1 and not (op.lanes <= SMALL and rows.are_simple):
        raise fail(f"found {shown} in vectors of {op.lanes} values, expected short copies", op)
    # nest_schedule_c11: copies have a known upper bound.
    is_known = first.size.constant is not None and width.constant is not None
    if not is_known and (most is None or points_of(first.size, width) is None):
        raise fail(
            f"found blocks of {first.size} rows of {width} values, expected numbers, or "
            "<floordiv(points, values)> where a version has few values",
            op,
        )


def check_transposed(facts: NestFacts, axes: list[Axis], op: TransposeOp, left: Lefts) -> None:
    """Raise InputError unless tiles may be transposed."""
    *prefetches, loop = inside(op) or [op]
    row = _loop(loop, "serial")
    column = only(inside(row))
    non_temporal = column if isinstance(column, NonTemporalOp) else None
    column = _loop(only(inside(column)) if non_temporal is not None else column, "vector")
    _check_body(column)
    outer, own = facts.space(axes), (row.axis, column.axis)
    _check_done([axis for axis in axes if axis not in own], left, op.name)
    sizes = {axis: left[axis].size.constant for axis in axes}
    # nest_schedule_c12: a tile has a known size.
    if len(set(own)) != 2 or None in (sizes[row.axis], sizes[column.axis]):
        raise fail(f"found tiles of {[sizes[a] for a in own]}, expected two numbers", op)
    for number in op.loads:
        # nest_schedule_c13: a transposed load is contiguous along the rows of a tile.
        steps = _steps_of(facts, outer, number)
        along, across = (steps[axes.index(axis)] for axis in own)
        if along != 1 or across is None:
            raise fail(f"found load {number} by {along}, {across}, expected by 1 and a number", op)
    for prefetch in prefetches:
        # nest_schedule_c14: whole cache lines of the next block are prefetched.
        if not isinstance(prefetch, PrefetchOp):
            raise fail(f"found {prefetch.name}, expected prefetches and a loop", prefetch)
        steps = _steps_of(facts, outer, prefetch.number)
        line = LINE // scalar_type(facts.loads[op.loads[0]].result).bytes
        if prefetch.axis not in axes or any((sizes[a] or 0) % line for a in own):
            raise fail(
                f"found prefetch {prefetch.number} along {axis_text(prefetch.axis)} in tiles of "
                f"{[sizes[a] for a in own]}, expected an axis, and whole lines of {line} values",
                prefetch,
            )
        if None in steps:
            raise fail(f"found prefetch {prefetch.number}, expected known steps", prefetch)
        for block in path(op):
            if block.axis in own and block.step % line:
                raise fail(
                    f"found blocks of {block.size} around prefetch {prefetch.number}, expected "
                    f"whole lines of {line} values",
                    block,
                )
    along = {axis_text(p.axis) for p in prefetches if isinstance(p, PrefetchOp)}
    if len(along) > 1:
        raise fail(f"found prefetches along {', '.join(sorted(along))}, expected one axis", op)
    if non_temporal is not None:
        _check_along(facts, outer, non_temporal, axes.index(column.axis))


def check_non_temporal(facts: NestFacts, axes: list[Axis], op: NonTemporalOp, left: Lefts) -> None:
    """Raise InputError unless stores may be non-temporal."""
    inner, outer = _loop(only(inside(op)), "vector"), facts.space(axes)
    _check_body(inner)
    k = axes.index(inner.axis)
    stores, size = _check_along(facts, outer, op, k), left[inner.axis].size.constant
    line = LINE // min(scalar_type(s.value).bytes for s in stores)
    # nest_schedule_c19: non-temporal stores write whole cache lines, a known number in a block.
    is_even = all(facts.broken_lines(s, outer).constant in (0, None) for s in stores)
    if (
        not is_even
        or k < len(axes) - 1
        or size is None
        or left[inner.axis].depth > 1
        or size % line
    ):
        raise fail(f"found blocks of {size}, expected whole lines of {line} values", op)
    _check_done([a for a in axes if a != inner.axis], left, op.name)


def _check_along(
    facts: NestFacts, outer: Collapsed, op: NonTemporalOp, k: int
) -> list[kernel.StoreOp]:
    """The non-temporal stores, which are contiguous along the innermost loop."""
    # nest_schedule_c21: there are such stores.
    if not all(number < len(facts.stores) for number in op.stores):
        raise fail(f"found stores {op.stores}, expected some of {len(facts.stores)}", op)
    stores = [facts.stores[number] for number in op.stores]
    for step in (facts.steps(store, outer)[k] for store in stores):
        if step != 1:
            raise fail(f"found a non-temporal store by {step}, expected by 1", op)
    return stores


def _check_body(op: ForOp | CoalesceOp) -> None:
    run = only(inside(op))
    if not isinstance(run, RunOp) or run.stage.data != "out":
        raise fail(f"found {run.name}, expected schedule.run out", run)


def _check_done(axes: Sequence[Axis], left: Lefts, name: str) -> None:
    """Loops around go over the other axes by 1."""
    for axis in axes:
        if not left[axis].is_one:
            raise fail(f"found {name} and no loop by 1 over {axis_text(axis)}, expected one")


def _loop(op: object, kind: str) -> ForOp:
    """The operation as a loop by 1 of a kind."""
    if not isinstance(op, ForOp) or op.size != 1 or op.kind.data != kind:
        at = op if isinstance(op, Operation) else None
        raise fail(f"found {getattr(op, 'name', op)}, expected a {kind} loop by 1", at)
    return op


def _steps_of(facts: NestFacts, outer: Collapsed, number: int) -> list[ex.Expr | None]:
    """The steps of a load, by its number."""
    loads = facts.loads
    if number >= len(loads) or loads[number].default is not None:
        raise fail(f"found load {number}, expected one of {len(loads)} without a default")
    return facts.steps(loads[number], outer)
