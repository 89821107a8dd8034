"""If whose branches differ in extents: results are padded to the greater one, then sliced.

::

    then [n*2, 2] else [n, 2]  -->  [max(n*2, n), 2] and an i64, to which the result is sliced

The extent that the branch returns is data-dependent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.bounds import at_most
from opc.dialects.extent_text import extent_text
from opc.dialects.opc.control import Binding, IfOp
from opc.dialects.opc.data_extent import data_bounds, data_extents
from opc.dialects.shape import element, shape_of, tensor_of, tensor_type
from opc.frontend.models import known as kn
from opc.frontend.models.bodies import Outlined, change_results
from opc.frontend.models.op_builder import Builder, Result
from opc.frontend.models.parts import beginning, filled

from .node import Node

Pair: TypeAlias = "tuple[ex.Expr, ex.Expr]"
"""An extent of a result in both bodies."""


def if_of(node: Node, condition: SSAValue, arms: tuple[Outlined, Outlined]) -> tuple[Result, ...]:
    """opc.if of two bodies whose results agree in element types and ranks."""
    shapes = ([shape_of(t) for t in arm.results] for arm in arms)
    pairs = [list(zip(one, other, strict=True)) for one, other in zip(*shapes, strict=True)]
    outside = [_Outside(node, arm) for arm in arms]
    greatest: dict[Pair, ex.Expr] = {}
    from_data: list[Pair] = []
    for pair in dict.fromkeys(p for axes in pairs for p in axes):
        one, other = (o.most(e) for o, e in zip(outside, pair, strict=True))
        greatest[pair] = ex.maximum(one, other)
        if one != other or any(o.is_data_dependent(e) for o, e in zip(outside, pair, strict=True)):
            from_data.append(pair)
    captured = [list(arm.captured) for arm in arms]
    if from_data:
        room = node.without_elements([greatest[p] for p in from_data])
        for k, arm in enumerate(arms):
            _fill(node, arm, k, pairs, from_data, room)
            captured[k].append(room)
    types = [
        tensor_type(t.element_type, [greatest[p] for p in axes])
        for t, axes in zip(arms[0].types, pairs, strict=True)
    ]
    types += [tensor_type(el.I64, ()) for _ in from_data]
    op = IfOp.of(condition, (arms[0].name, arms[1].name), (captured[0], captured[1]), types)
    node.insert(op)
    sizes = zip(from_data, op.outputs[len(pairs) :], strict=True)
    extents = {pair: node.data_extent(value, greatest[pair]) for pair, value in sizes}
    return tuple(
        beginning(node, value, {k: extents[p] for k, p in enumerate(axes) if p in extents})
        for value, axes in zip(op.outputs, pairs, strict=False)
    )


class _Outside:
    """Maps extents of a body to those of its caller."""

    def __init__(self, node: Node, arm: Outlined) -> None:
        self.node = node
        self.bounds = data_bounds(data_extents(arm.body.body.block))
        self.binding = Binding()
        for wanted, value in zip(arm.arguments, arm.captured, strict=True):
            self.binding.argument(wanted, tensor_of(value))

    def is_data_dependent(self, extent: ex.Expr) -> bool:
        """Whether the body computes the extent."""
        return not extent.symbols().isdisjoint(self.bounds)

    def most(self, extent: ex.Expr) -> ex.Expr:
        """An upper bound of the extent.  UnsupportedError if the body reads it from data."""
        bound = at_most(extent, self.bounds)
        unknown = bound.symbols() - self.binding.values.keys()
        if unknown:
            raise self.node.unsupported(
                f"a branch reads extent {extent_text(extent)} of a result; extents must "
                "be known outside of it"
            )
        return self.binding.extent(bound)


def _fill(
    node: Node,
    arm: Outlined,
    which: int,
    pairs: Sequence[Sequence[Pair]],
    from_data: Sequence[Pair],
    room: SSAValue,
) -> None:
    """Pad the results of a body to the greater extents, and append its own extents."""
    block = arm.body.body.block
    inner = [
        e if e.constant is not None else ex.sym(node.symbol()) for e in shape_of(tensor_of(room))
    ]
    block.insert_arg(tensor_type(el.I1, inner), len(block.args))
    greater = dict(zip(from_data, inner, strict=False))

    def filled_up(builder: Builder, results: list[SSAValue]) -> list[SSAValue]:
        for k, axes in enumerate(pairs):
            zero = builder.constant(0, element(tensor_of(results[k])))
            for axis, pair in enumerate(axes):
                if pair in greater:
                    more = greater[pair] - pair[which]
                    results[k] = filled(builder, results[k], axis, 0, more, zero)
        return [*results, *(builder.tensor(kn.of([pair[which]], ())) for pair in from_data)]

    change_results(arm.body, filled_up)
