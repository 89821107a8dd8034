"""Control flow: If, Loop and Scan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.data_extent import RequireRangeOp
from opc.dialects.shape import (
    MAX_RANK,
    Requirement,
    Tensor,
    shape_of,
    shape_text,
    tensor_of,
    tensor_type,
    type_text,
)
from opc.errors import InputError
from opc.frontend.models.bodies import Outlined, RankError, scan
from opc.frontend.models.containers import grouped
from opc.frontend.models.op_builder import Result
from opc.frontend.models.windows import integers
from opc.frontend.verify import shorten

from .branches import if_of
from .node import Node
from .schema import onnx

if TYPE_CHECKING:
    from opc.frontend.tail_duplication import Tail

BRANCHES = ("then_branch", "else_branch")


def scalar(node: Node, value: Result, type: el.ElementType) -> SSAValue:
    """A one-element value as a tensor of rank 0."""
    x = node.tensor(value)
    for extent in shape_of(tensor_of(x)):
        if extent.constant not in (None, 1):
            raise node.error(f"expected one element, found {type_text(x.type)}")
        node.require("equal", extent, ex.const(1), "expected one element")
    return node.cast(node.reshape(x, ()), type)


def number(node: Node, position: int) -> ex.Expr | None:
    """The value of a one-element input if known at compile time."""
    value = node.known(position)
    if value is None or value.array.size != 1:
        return None
    return value.exprs[0]


@onnx("If", 1, 11, 13, 16, 19, 21, 23, 24, 25)
def choose(node: Node) -> tuple[Result | None, ...]:
    """If --> the taken branch if known at compile time, else opc.if."""
    for name, branch in node.op.graphs.items():
        end = branch.block.last_op
        count, expected = len(end.operands) if end is not None else 0, len(node.op.outputs)
        if count < expected:
            raise node.error(f"{name} gives {count} values, expected {expected}")
    condition, tail = number(node, 0), node.tail()
    if condition is not None and condition.constant is not None:
        tail.place(BRANCHES[0] if condition.constant else BRANCHES[1])
        return (None,) * len(node.op.outputs)
    return choose_by(node, scalar(node, node[0], el.I1), tail)


def choose_by(
    node: Node,
    value: SSAValue,
    tail: Tail[Any],
    cases: Sequence[str] = BRANCHES,
    message: str | None = None,
) -> tuple[Result | None, ...]:
    """opc.if of two branches by an i1 of rank 0; ``cases`` describe them in errors.

    A branch that cannot be typed, alone or with what follows, fails if taken at run time.  Where
    results differ in rank, the following operations move into the branches; ``message`` is the
    error for a rank that stays undecided.
    """
    while True:
        arms, errors = list[Outlined](), dict[str, InputError]()
        undecided: RankError | None = None
        for name in BRANCHES:
            try:
                arms.append(tail.outline(name))
            except RankError as error:
                undecided = error
            except InputError as error:
                errors[name] = error
        differing = {} if undecided is None else {undecided.result: undecided.message}
        if len(arms) == 2:
            indices = _differing(node, arms)
            differing = {k: message or _ranks(node, arms, k) for k in indices}
            errors = _of_other_rank(node, tail.ranks, arms) if differing else {}
        if len(errors) == 2:
            raise errors[BRANCHES[0]]
        both = zip(BRANCHES, BRANCHES[::-1], cases, cases[::-1], strict=True)
        for name, other, case, other_case in both:
            if name in errors:
                reason = f"{case} cannot be taken: {errors[name].message}"
                reason = shorten(reason.replace(f"{node.label}: ", ""))
                # The other branch must be the taken one.
                wanted = ex.const(int(name == BRANCHES[1]))
                taken = node.cast(value, el.I64)
                node.insert(RequireRangeOp.of(taken, wanted, wanted, reason))
                tail.place(other, f"{reason}, nor {other_case}")
                return (None,) * len(node.op.outputs)
        if not differing:
            break
        tail.extend(differing, node.place)
    results = if_of(node, value, (arms[0], arms[1]))
    return tail.replaced(grouped(results, arms[0].sequences))


def _differing(node: Node, arms: Sequence[Outlined]) -> list[int]:
    """The results whose ranks differ.  UnsupportedError if element types or kinds differ."""
    for here, there in zip(arms[0].sequences, arms[1].sequences, strict=False):
        kinds = ["a tensor" if s is None else s.described for s in (here, there)]
        if kinds[0] != kinds[1]:
            raise node.unsupported(f"one branch gives {kinds[0]}, the other one {kinds[1]}")
    one, other = (arm.types for arm in arms)
    if len(one) != len(other):
        raise node.error(f"the branches give {len(one)} and {len(other)} values")
    indices: list[int] = []
    for k, (a, b) in enumerate(zip(one, other, strict=True)):
        is_one_kind, differs = (
            a.element_type == b.element_type,
            len(shape_of(a)) != len(shape_of(b)),
        )
        if not is_one_kind or (differs and any(arms[0].sequences)):
            raise node.unsupported(f"one branch gives {type_text(a)}, the other one {type_text(b)}")
        indices += [k] * differs
    return indices


def _ranks(node: Node, arms: Sequence[Outlined], result: int) -> str:
    """The error for a result whose rank stays undecided."""
    shapes = [shape_of(arm.types[result]) for arm in arms]
    ranks = (
        f"{len(shape)} in {name} ({arm.types[result].element_type}{shape_text(shape)})"
        for name, arm, shape in zip(BRANCHES, arms, shapes, strict=True)
    )
    return node.unsupported(
        f"nothing decides the rank of a result, {' or '.join(ranks)}; fix extents (dims=, --dim)"
    ).message


def _of_other_rank(
    node: Node, ranks: Sequence[int | None], arms: Sequence[Outlined]
) -> dict[str, InputError]:
    """Errors, by branch, of results with another rank than required."""
    errors: dict[str, InputError] = {}
    for name, arm in zip(BRANCHES, arms, strict=True):
        for type, rank in zip(arm.types, ranks, strict=True):
            if rank is not None and len(shape_of(type)) != rank:
                errors[name] = node.error(
                    f"a result is {type_text(type)}, declared with rank {rank}"
                )
    return errors


def check_kept(
    node: Node, what: str, carried: Sequence[SSAValue], types: Sequence[Tensor], *, unify: bool
) -> None:
    """UnsupportedError unless carried values keep their types; ``what`` names one in errors.

    With ``unify``, extents that may be equal become a requirement.
    """
    for value, type in zip(carried, types, strict=False):
        first, later = shape_of(value.type), shape_of(type)
        is_one_kind = tensor_of(value).element_type == type.element_type
        if value.type == type:
            continue
        needs = [Requirement("equal", a, b, what) for a, b in zip(first, later, strict=False)]
        may_be_one = all(need.decided() is not False for need in needs)
        if not (unify and is_one_kind and len(first) == len(later) and may_be_one):
            raise node.unsupported(
                f"{what} is {type_text(value.type)} at first and {type_text(type)} later"
            )
        for a, b in zip(first, later, strict=True):
            node.require("equal", a, b, f"{what} changes its shape")


def _backwards(node: Node, name: str, count: int) -> list[int]:
    """The indices of values scanned backwards."""
    flags = integers(node, name, count, 0, 0)
    if any(v not in (0, 1) for v in flags):
        raise node.error(f"attribute {name} is {list(flags)}, expected 0 and 1")
    return [k for k, v in enumerate(flags) if v]


def _inputs(node: Node, values: list[SSAValue]) -> tuple[list[SSAValue], list[SSAValue]]:
    """Carried values, and scanned ones."""
    count = node.attr("num_scan_inputs")
    if not 1 <= count <= len(values):
        raise node.error(f"num_scan_inputs is {count}, of {len(values)} inputs")
    return values[: len(values) - count], values[len(values) - count :]


def _body(
    node: Node, carried: list[SSAValue], scanned: list[SSAValue]
) -> tuple[Outlined, list[int]]:
    """The body for these values, and the ranks of its stacked outputs."""
    slices = [tensor_type(tensor_of(v).element_type, shape_of(v.type)[1:]) for v in scanned]
    body = node.outline("body", [*(tensor_of(v) for v in carried), *slices])
    if len(body.types) < len(carried):
        raise node.error(f"{len(carried)} states, the body gives {len(body.types)} values")
    check_kept(node, "a state", carried, body.types, unify=True)
    return body, [len(shape_of(t)) for t in body.types[len(carried) :]]


@onnx("Scan", 9, 11, 16, 19, 21, 23, 24, 25)
def scan_axes(node: Node) -> tuple[Result, ...]:
    """Scan --> opc.scan, with scanned axes moved to the front."""
    carried, scanned = _inputs(node, node.tensors())
    axes = integers(node, "scan_input_axes", len(scanned), -MAX_RANK, 0)
    placed: list[SSAValue] = []
    for x, axis in zip(map(node.trace.array, scanned), axes, strict=True):
        placed.append(onp.moveaxis(x, node.axis(axis, x.ndim), 0).value)
    steps = shape_of(tensor_of(placed[0]))[0]
    for x in placed[1:]:
        node.require("equal", shape_of(tensor_of(x))[0], steps, "the numbers of steps differ")
    body, ranks = _body(node, carried, placed)
    backwards: dict[str, Any] = {
        "reversed_inputs": _backwards(node, "scan_input_directions", len(scanned)),
        "reversed_outputs": _backwards(node, "scan_output_directions", len(ranks)),
    }
    outputs = body.scan(node, steps, carried, placed, **backwards)
    results = outputs[: len(carried)]
    out_axes = integers(node, "scan_output_axes", len(ranks), -MAX_RANK, 0)
    for x, axis, rank in zip(outputs[len(carried) :], out_axes, ranks, strict=True):
        moved = onp.moveaxis(node.trace.array(x), 0, node.axis(axis, rank + 1))
        results.append(moved.value)
    return tuple(results)


@onnx("Scan", 8)
def scan_batch(node: Node) -> tuple[Result, ...]:
    """Scan-8 --> opc.scan over the batch, the first axis, of an inner opc.scan."""
    if node.has(0):
        raise node.unsupported("input sequence_lens is not supported")
    carried, scanned = _inputs(node, [node[k] for k in range(1, len(node.inputs))])
    batch, steps, *_ = node.ranked(1 + len(carried), least=2)
    for k in range(1, len(node.inputs)):
        shape = node.ranked(k, least=1 + (k > len(carried)))
        node.require("equal", shape[0], batch, "the batches differ")
        if k > len(carried):
            node.require("equal", shape[1], steps, "the numbers of steps differ")
    backwards = _backwards(node, "directions", len(scanned))
    probes = [node.part(x, 0) for x in (*carried, *scanned)]
    body, _ = _body(node, probes[: len(carried)], probes[len(carried) :])

    def element_of_batch(*arrays: Any) -> tuple[list[Any], list[Any]]:
        inner, arguments = arrays[0].trace, [a.value for a in arrays]
        states = list(arguments[: len(carried)])
        over = list(arguments[len(carried) : len(carried) + len(scanned)])
        captured = arguments[len(carried) + len(scanned) :]
        count = shape_of(tensor_of(over[0]))[0]
        outputs = body.scan(inner.node, count, states, over, captured, reversed_inputs=backwards)
        return [], list(map(inner.array, outputs))

    over = list(map(node.trace.array, (*carried, *scanned)))
    captured = list(map(node.trace.array, body.captured))
    return tuple(v.value for v in scan(batch, [], over, captured, element_of_batch)[1])
