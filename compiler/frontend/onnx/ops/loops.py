"""Loop: one body for all iterations if possible, else unrolled."""

from __future__ import annotations

from contextlib import suppress
from itertools import count, zip_longest
from typing import Any

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.budgets import BudgetExceeded, check
from opc.dialects.onnx import NodeOp, YieldOp
from opc.dialects.shape import tensor_of, tensor_type
from opc.errors import UnsupportedError
from opc.frontend.models.bodies import Outlined, change_results
from opc.frontend.models.containers import Held, grouped, listed
from opc.frontend.models.op_builder import Builder, Result
from opc.frontend.models.parts import beginning

from .control import check_kept, number, scalar
from .list_append import taken_apart
from .loop_state import growing, is_ragged
from .node import Node
from .schema import onnx

ENDLESS = 1 << 40
"""A trip count from here on counts as none: the condition ends the loop."""


@onnx("Loop", 1, 11, 13, 16, 19, 21, 23, 24, 25, held="V")
def repeat(node: Node) -> tuple[Result, ...]:
    """Loop --> opc.scan; unrolled if shapes need it and the trip count is known."""
    count, condition = number(node, 0) if node.has(0) else None, True
    if count is not None and (count.constant or 0) >= ENDLESS and _may_end(node):
        node, count = node.with_inputs(None, *node.inputs[1:]), None
    if node.has(1):
        known = number(node, 1)
        condition = None if known is None or known.constant is None else bool(known.constant)
    trips = None if count is None else count.constant
    if condition is False:
        trips, count = 0, ex.const(0)
    try:
        return _looped(node, count, condition)
    except UnsupportedError as error:
        unrolled = None
        if condition is not None and trips is not None:
            unrolled = _unrolled(node, trips)
        elif condition and not node.has(0):
            # Without a trip count, each condition may be known.
            with suppress(UnsupportedError, BudgetExceeded):
                unrolled = _unrolled(node, None)
        if unrolled is not None:
            return unrolled
        appended, reason = None, error
        if trips is None or condition is None:
            try:
                appended = _appended(node, count, condition)
            except UnsupportedError as other:
                reason = other
        if appended is not None:
            return appended
        for options in ({"grows": True}, {"unify": True}):
            with suppress(UnsupportedError, BudgetExceeded):
                return _looped(node, count, condition, **options)
        raise reason from None


def _may_end(node: Node) -> bool:
    """Whether the body computes the condition of the next iteration."""
    graph = node.op.graphs.get("body")
    end = None if graph is None else graph.block.last_op
    if not isinstance(end, YieldOp) or not end.operands:
        return False
    value = end.operands[0]
    while isinstance(op := value.owner, NodeOp) and op.operator.data in ("Identity", "Cast"):
        value = op.values[0]
    return isinstance(op, NodeOp) and op.operator.data != "Constant"


def _appended(
    node: Node, count: ex.Expr | None, condition: bool | None
) -> tuple[Result, ...] | None:
    """The results of a loop with appended values stacked; None if that does not apply.

    UnsupportedError for a loop over sequences that cannot be legalized so.
    """
    op = node.op.clone()
    node.insert(op)
    copy = Node(op, node.schema, node.inputs, node.ordinal, node.insert, node.into)
    try:
        results = taken_apart(copy)
        if results is None:
            return None
        try:
            return results(_looped(copy, count, condition))
        except UnsupportedError:
            return results(_looped(copy, count, condition, grows=True, apart=True))
    except UnsupportedError:
        if any(isinstance(v, Held) for v in node.inputs):
            raise
        return None
    finally:
        op.detach()
        op.erase()


def _looped(
    node: Node,
    count: ex.Expr | None,
    condition: bool | None,
    *,
    grows: bool = False,
    apart: bool = False,
    unify: bool = False,
) -> tuple[Result, ...]:
    """A loop with one body for all iterations.

    ``condition`` is the first condition if known, ``count`` an upper bound of the iterations.  With
    ``grows``, carried tensors may change their shape.  With ``apart``, stacked values that differ
    in one extent become a sequence.  With ``unify``, carried extents that may be equal are required
    to be so.
    """
    first = scalar(node, node[1], el.I1) if node.has(1) else node.constant(True, el.I1)
    sequences = [listed(v) for v in node.inputs[2:]]
    carried = [first]
    for k, sequence in enumerate(sequences):
        items = [node.value(2 + k)] if sequence is None else sequence.items
        carried += [node.tensor(v) for v in items if v is not None]
    types = [tensor_type(el.I64, ()), *(tensor_of(v) for v in carried)]
    body = node.outline("body", types, [None, None, *sequences])
    for state, result in zip_longest([None, *sequences], body.sequences):
        before, behind = ("a tensor" if s is None else s.described for s in (state, result))
        if before != behind:
            raise node.unsupported(f"{before} becomes {behind} in an iteration")
    grown = growing(node, carried, body, sequences) if grows else None
    if grown is not None:
        outputs = _repeated(node, grown.body, grown.carried, count, condition, grows)
        results = grown.results(node, list(map(node.tensor, outputs)), apart=apart)
        return tuple(grouped(results, sequences))
    check_kept(node, "a carried value", carried, body.types, unify=unify)
    if is_ragged(body, len(carried)):
        raise node.unsupported("the body computes extents of stacked results")
    return tuple(grouped(_repeated(node, body, carried, count, condition, grows), sequences))


def _repeated(
    node: Node,
    body: Outlined,
    carried: list[SSAValue],
    count: ex.Expr | None,
    condition: bool | None,
    grows: bool,
) -> tuple[Result, ...]:
    """The results of a loop, without the condition, its first carried value.

    With ``grows``, a capacity bounds stacked results if no trip count does.
    """
    is_open = not body.keeps_condition or condition is None
    stacked = body.types[len(carried) :]
    if stacked and is_open and not body.keeps_condition and not node.has(0) and grows:
        return tuple(run_while(node, body, carried, None))
    if not node.has(0) and (stacked or not is_open):
        which = "of a result that stacks them" if stacked else "and no condition"
        raise node.unsupported(f"the loop has no end: no number of iterations, {which}")
    if stacked and is_open:
        most = count if count is not None else _iterations(node, None)
        if body.keeps_condition:
            count = _iterations(node, carried[0])
            return tuple(body.scan(node, count, carried, has_index=True)[1:])
        return tuple(run_while(node, body, carried, most))
    if stacked and count is None:
        count = _iterations(node, None)
    if not is_open and count is not None:
        count = ex.maximum(count, 0) if not ex.is_nonnegative(count) else count
        return tuple(body.scan(node, count, carried, has_index=True)[1:])
    trip = scalar(node, node[0], el.I64) if node.has(0) else None
    how: dict[str, Any] = {"has_index": True, "has_condition": is_open, "trip": trip}
    return tuple(body.scan(node, ex.const(0), carried, **how)[1:])


def _iterations(node: Node, first: SSAValue | None) -> ex.Expr:
    """The trip count as a data-dependent extent; 0 if the first condition is false."""
    array = node.trace.array
    trip = onp.maximum(array(scalar(node, node[0], el.I64)), 0)
    trip = trip if first is None else onp.where(array(first), trip, 0)
    return node.read_value("plain", trip.reshape((1,)).value)[0]


def _unrolled(node: Node, trips: int | None) -> tuple[Result, ...] | None:
    """The results of the unrolled loop; None unless every condition is known.

    Without a trip count the condition ends the loop.
    """
    # An early check: writing the iterations counts them again.
    check("a loop that is written out", "nodes", max(trips or 0, 0) * node.size("body"))
    carried: list[Result] = [v for v in node.inputs[2:] if v is not None]
    stacked: list[list[SSAValue]] = []
    for k in count() if trips is None else range(trips):
        outputs = node.inline(
            "body", [node.constant(k, el.I64), node.constant(True, el.I1), *carried]
        )
        going, *values = outputs
        carried = values[: len(carried)]
        stacked.append([node.tensor(v) for v in values[len(carried) :]])
        known = node.known_of(node.tensor(going))
        numbers = None if known is None else known.constants()
        if numbers is None:
            return None
        if not numbers[0]:
            break
    if not stacked:
        return tuple(carried) if len(node.op.outputs) <= len(carried) else None
    results: list[Result] = list(carried)
    for parts in zip(*stacked, strict=True):
        if any(p.type != parts[0].type for p in parts):
            return None
        results.append(node.stack(parts, 0))
    return tuple(results)


def run_while(
    node: Node, body: Outlined, carried: list[SSAValue], most: ex.Expr | None
) -> list[Result]:
    """Results of a loop of at most ``most`` iterations; the first carried value is the condition.

    The loop also carries the number of iterations, a data-dependent extent that ends the stacked
    results.  Without an upper bound a capacity bounds the iterations; it is too small if the
    condition is still true at the end.
    """
    name = None
    if most is None:
        most, name = node.capacity()
    count, zero = len(carried), node.constant(0, el.I64)
    _count_iterations(body, count)
    how: dict[str, Any] = {"has_index": True, "has_condition": True}
    values = body.scan(node, most, [*carried, zero], **how)
    going, done = values[0], values[count]
    if name is not None:
        more = node.binary("add", done, node.cast(going, el.I64))
        most = node.data_extent_within(more, most, name)
    end = node.data_extent(done, most)
    stacks = values[count + 1 :]
    return [*values[1:count], *(beginning(node, stack, {0: end}) for stack in stacks)]


def _count_iterations(body: Outlined, position: int) -> None:
    """Let a body carry the number of iterations, behind ``position`` values."""
    block = body.body.body.block

    def counted(builder: Builder, results: list[SSAValue]) -> list[SSAValue]:
        more = builder.binary("add", block.args[0], builder.constant(1, el.I64))
        return [*results[:position], more, *results[position:]]

    block.insert_arg(tensor_type(el.I64, ()), 1 + position)
    change_results(body.body, counted)
