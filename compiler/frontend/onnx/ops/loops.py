"""Loop: one body for all iterations where that can be, else every iteration by itself."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import count, zip_longest

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.budgets import BudgetExceeded, check
from opc.dialects.onnx import NodeOp, YieldOp
from opc.dialects.opc.scan import ScanOp
from opc.dialects.shape import shape_of, tensor_of, tensor_type
from opc.errors import UnsupportedError
from opc.frontend.models import known as kn
from opc.frontend.models.indexed import Numbers
from opc.frontend.models.known import Held, Known
from opc.frontend.models.op_builder import Result
from opc.frontend.models.outlined import Outlined

from .control import ALL, check_kept, number, scalar
from .list_append import taken_apart
from .loop_outputs import run_while
from .loop_state import growing, is_ragged
from .node import Node
from .schema import BOOL, INT64, add

ENDLESS = 1 << 40
"""A loop of so many iterations or more is one without a number: its condition ends it."""


def repeat(node: Node) -> tuple[Result, ...]:
    """Loop --> opc.scan; written out where only that tells shapes, and the number is known."""
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
        found = None
        if condition is not None and trips is not None:
            found = _unrolled(node, trips)
        elif condition and not node.has(0):
            # Without a number of iterations, the condition may be known in each.
            with suppress(UnsupportedError, BudgetExceeded):
                found = _unrolled(node, None)
        if found is not None:
            return found
        appended, reason = None, error
        if trips is None or condition is None:
            try:
                appended = _appended(node, count, condition)
            except UnsupportedError as other:
                reason = other
        if appended is not None:
            return appended
        for how in ({"grows": True}, {"unify": True}):
            with suppress(UnsupportedError, BudgetExceeded):
                return _looped(node, count, condition, **how)
        raise reason from None


def _may_end(node: Node) -> bool:
    """Whether the condition of the next iteration is computed, and not what it was."""
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
    """A loop that stacks what it appends; None if it appends nothing, or else than to sequences.

    UnsupportedError for sequences with parts that do not fit, or where the rest of it does not.
    """
    graph, inputs = node.op.graphs.get("body"), list(node.inputs)
    if graph is None:
        return None
    other, found, failure = graph.clone().detach_block(0), None, None
    results = taken_apart(node)
    if results is not None:
        try:
            try:
                found = results(_looped(node, count, condition))
            except UnsupportedError:
                found = results(_looped(node, count, condition, grows=True, apart=True))
        except UnsupportedError as error:
            changed = graph.detach_block(0)
            graph.add_block(other)
            other, node.inputs[:] = changed, inputs
            failure = error
    for op in other.walk():
        op.drop_all_references()
    if failure is not None and any(isinstance(v, Held) for v in inputs):
        raise failure
    return found


def _looped(
    node: Node,
    count: ex.Expr | None,
    condition: bool | None,
    *,
    grows: bool = False,
    apart: bool = False,
    unify: bool = False,
) -> tuple[Result, ...]:
    """A loop whose body is the same in every iteration.

    ``condition`` is the first one if it is known, ``count`` the greatest number of iterations.
    What it carries may change its shape if it ``grows``; what it stacks may differ in one extent,
    and is a sequence then, if that stays ``apart``.  Extents of what it carries that may stay the
    same must do so if they ``unify``.
    """
    first = scalar(node, node[1], el.I1) if node.has(1) else node.constant(True, el.I1)
    sequences = [kn.listed(v) for v in node.inputs[2:]]
    carried = [first, *_one_by_one(node, sequences)]
    types = [tensor_type(el.I64, ()), *(tensor_of(v) for v in carried)]
    body = node.outline("body", types, [None, None, *sequences])
    _check_sequences(node, sequences, body.sequences)
    grown = growing(node, carried, body, sequences) if grows else None
    if grown is not None:
        found = _repeated(node, grown.body, grown.carried, count, condition, grows)
        results = grown.results(node, list(map(node.tensor, found)), apart=apart)
        return tuple(kn.grouped(results, sequences))
    check_kept(node, "a carried value", carried, body.types, unify=unify)
    if is_ragged(body, len(carried)):
        raise node.unsupported("the body computes extents of what is stacked")
    return tuple(kn.grouped(_repeated(node, body, carried, count, condition, grows), sequences))


def _one_by_one(node: Node, sequences: Sequence[Held | None]) -> list[SSAValue]:
    """What a loop carries at first, besides the condition: of sequences the values."""
    found: list[SSAValue] = []
    for k, sequence in enumerate(sequences):
        items = [node.value(2 + k)] if sequence is None else sequence.items
        found += [node.tensor(v) for v in items if v is not None]
    return found


def _check_sequences(
    node: Node, first: Sequence[Held | None], results: Sequence[Held | None]
) -> None:
    """UnsupportedError unless a body gives as long sequences as it takes, and no others."""
    for given, found in zip_longest([None, *first], results):
        before, behind = ("a tensor" if s is None else s.described for s in (given, found))
        if before != behind:
            raise node.unsupported(f"{before} becomes {behind} in an iteration")


def _repeated(
    node: Node,
    body: Outlined,
    carried: list[SSAValue],
    count: ex.Expr | None,
    condition: bool | None,
    grows: bool,
) -> tuple[Result, ...]:
    """What a loop of a body gives, without the condition, which it carries first.

    The room for what is stacked grows where no number of iterations bounds it.
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
            return _run_closed(node, body, carried, _iterations(node, carried[0]))
        return tuple(run_while(node, body, carried, most))
    if stacked and count is None:
        count = _iterations(node, None)
    if not is_open and count is not None:
        count = ex.maximum(count, 0) if not ex.is_nonnegative(count) else count
        return _run_closed(node, body, carried, count)
    op = ScanOp.of(
        body.name,
        0,
        carried,
        [],
        body.captured,
        [v.type for v in carried],
        has_index=True,
        has_condition=is_open,
        trip=scalar(node, node[0], el.I64) if node.has(0) else None,
    )
    node.insert(op)
    return tuple(op.outputs[1:])


def _iterations(node: Node, first: SSAValue | None) -> ex.Expr:
    """The number of iterations as an extent that is read; 0 where the first condition is false."""
    n = Numbers(node)
    trip = n.most(scalar(node, node[0], el.I64), 0)
    if first is not None:
        trip = n.where(first, trip, 0)
    return node.read_value("plain", node.reshape(trip, (1,)))[0]


def _run_closed(
    node: Node, body: Outlined, carried: list[SSAValue], count: ex.Expr
) -> tuple[Result, ...]:
    """A loop of so many iterations; the condition is no result."""
    stacked = body.types[len(carried) :]
    types = [tensor_type(t.element_type, (count, *shape_of(t))) for t in stacked]
    op = ScanOp.of(
        body.name,
        count,
        carried,
        [],
        body.captured,
        [*(v.type for v in carried), *types],
        has_index=True,
    )
    node.insert(op)
    return tuple(op.outputs[1:])


def _unrolled(node: Node, trips: int | None) -> tuple[Result, ...] | None:
    """Every iteration by itself; None unless the condition is known in each.

    Without a number of iterations there are as many as the condition says.
    """
    # Before it is begun: each iteration counts again when it is written.
    check("a loop that is written out", "nodes", max(trips or 0, 0) * node.size("body"))
    carried: list[Result] = [v for v in node.inputs[2:] if v is not None]
    stacked: list[list[SSAValue]] = []
    for k in count() if trips is None else range(trips):
        found = node.inline("body", [kn.of([k], ()), kn.of([1], (), el.I1), *carried])
        going, *values = found
        carried = values[: len(carried)]
        stacked.append([node.tensor(v) for v in values[len(carried) :]])
        known = going if isinstance(going, Known) else kn.constant(going)
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


for _since in (1, 11, 13, 16, 19, 21, 23, 24, 25):
    add(
        "Loop",
        _since,
        "M?:I cond?:B v_initial*:V -> v_final_and_scan_outputs*:V",
        {"V": ALL[_since], "I": INT64, "B": BOOL},
        repeat,
        "body:graph!",
        None if _since == 1 else 2,
        held="V",
    )
