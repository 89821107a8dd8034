"""Evaluates nodes on values known at compile time, such as computed shapes."""

from __future__ import annotations

from collections.abc import Sequence

from opc.dialects import expr as ex
from opc.frontend.models import evaluate as ev
from opc.frontend.models import known_values as kv
from opc.frontend.models.evaluate import Evaluate
from opc.frontend.models.known import Elements, Known

from .node import Node


def evaluate(node: Node) -> Known | None:
    """The result of a node if its inputs are known, else None."""
    return ev.evaluated(node, EVALUATE, ELEMENTWISE)


def _elementwise(node: Node, args: Sequence[Known]) -> Elements | None:
    if node.since < 7 and node.operator not in ("Neg", "Not"):
        return None
    name = ELEMENTWISE[node.operator]
    return ev.elementwise("fmod" if name == "mod" and node.attr("fmod") else name, args)


def _gather(node: Node, args: Sequence[Known]) -> Elements | None:
    data = args[0].array
    return kv.taken(data, args[1], node.axis(node.attr("axis"), data.ndim))


def _slice(node: Node, args: Sequence[Known]) -> Elements | None:
    if node.since >= 10:
        return ev.part(1, 2, 3, 4)(node, args)
    data = args[0].array
    starts, ends, axes = (node.attr(n) for n in ("starts", "ends", "axes"))
    axes = [node.axis(axis, data.ndim) for axis in (range(len(starts)) if axes is None else axes)]
    bounds = zip(axes, starts, ends, strict=True)
    return kv.part(data, [(axis, ex.const(a), ex.const(b), 1) for axis, a, b in bounds])


def _expand(node: Node, args: Sequence[Known]) -> Elements | None:
    """Expands lists only: tensors of higher rank are not shapes."""
    data, wanted = args[0].array, kv.numbers(*args[1].exprs)
    return ev.expanded(data, tuple(wanted)) if data.ndim <= 1 and len(wanted) == 1 else None


ELEMENTWISE = ev.named(
    "Add:add Sub:sub Mul:mul Neg:neg Div:div Mod:mod Max:max Min:min And:and Or:or Xor:xor "
    "Equal:equal Less:less Greater:greater LessOrEqual:less_equal GreaterOrEqual:greater_equal "
    "Where:where Not:not"
)
EVALUATE: dict[str, Evaluate] = {
    **dict.fromkeys(ELEMENTWISE, _elementwise),
    **ev.REDUCTIONS,
    "Gather": _gather,
    "Concat": ev.concat,
    "Slice": _slice,
    "Transpose": lambda node, args: kv.transposed(args[0].array, node.attr("perm")),
    "Range": ev.counted,
    "Expand": _expand,
}
"""The evaluated operators.  Legalizing Reshape, Squeeze, Cast and others keeps known values."""
