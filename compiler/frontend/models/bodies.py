"""Bodies of control flow: loops whose bodies are traced functions, and graphs of nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TypeAlias

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.control import Binding, IfOp
from opc.dialects.opc.functions import add_body
from opc.dialects.opc.scan import ScanOp
from opc.dialects.shape import Tensor, shape_of, tensor_of, tensor_type
from opc.errors import UnsupportedError

from .containers import Held
from .extent_facts import Ones
from .op_builder import Builder
from .traced import NodeTrace

Arrays: TypeAlias = "Sequence[Any]"
"""Traced arrays."""


@dataclass
class Symbols:
    """The symbols of one body, and the outer extents that they stand for.

    An outer symbol keeps its name, also if it is captured after the others.  So no other extent
    gets a name that is ``taken`` outside.
    """

    taken: AbstractSet[str]
    inside: dict[ex.Expr, ex.Expr] = field(default_factory=dict[ex.Expr, ex.Expr])

    @classmethod
    def for_values(cls, values: Iterable[SSAValue]) -> Symbols:
        """The symbols of a body that takes exactly these values, in any order."""
        return cls({name for v in values for e in shape_of(v.type) for name in e.symbols()})

    def extent(self, e: ex.Expr) -> ex.Expr:
        """An outer extent as an extent of the body."""
        if e.constant is not None or e.symbol() is not None:
            self.inside.setdefault(e, e)
        elif e not in self.inside:
            taken = {name for known in self.inside.values() for name in known.symbols()}
            names = (f"body{k}" for k in count())
            name = next(n for n in names if n not in taken and n not in self.taken)
            self.inside[e] = ex.sym(name)
        return self.inside[e]

    def type(self, type: Tensor, skipped: int = 0) -> Tensor:
        """The type of an argument, without ``skipped`` leading axes."""
        extents = shape_of(type)[skipped:]
        return tensor_type(type.element_type, [self.extent(e) for e in extents])

    def chosen(self, outer: Ones) -> dict[ex.Expr, bool]:
        """What is certain outside about extents of the body: 1 or not."""
        facts = ((e, outer.is_one(f)) for f, e in self.inside.items() if e.constant is None)
        return {e: fact for e, fact in facts if fact is not None}

    def outside(self, type: Tensor, leading: Sequence[ex.Expr] = ()) -> Tensor:
        """The outer type of a result."""
        values = {name: f for f, e in self.inside.items() if (name := e.symbol()) is not None}
        extents = [e.substitute(values) for e in shape_of(type)]
        return tensor_type(type.element_type, [*leading, *extents])


def _body(trace: NodeTrace, stem: str, types: Sequence[Tensor], step: Callable[..., Arrays]) -> str:
    """The name of a body with arguments of these types, whose results are those of a function."""
    block = Block(arg_types=types)
    inner = NodeTrace(Builder(block.add_op, trace.node.at))
    block.add_op(ReturnOp(*(v.value for v in step(*map(inner.array, block.args)))))
    assert trace.node.at is not None
    return add_body(trace.node.at, stem, block)


def chosen(condition: Any, captured: Arrays, arms: Sequence[Callable[..., Arrays]]) -> list[Any]:
    """The results of the first of two functions of arrays if an i1 of rank 0 is true."""
    trace: NodeTrace = condition.trace
    values = [v.value for v in captured]
    symbols = Symbols.for_values(values)
    types = [symbols.type(tensor_of(v)) for v in values]
    results: list[Tensor] = []

    def noted(arm: Callable[..., Arrays]) -> Callable[..., Arrays]:
        def step(*arguments: Any) -> Arrays:
            arrays = arm(*arguments)
            results[:] = [symbols.outside(tensor_of(v.value)) for v in arrays]
            return arrays

        return step

    then, other = (_body(trace, "branch", types, noted(arm)) for arm in arms)
    op = IfOp.of(condition.value, (then, other), (values, values), results)
    trace.node.insert(op)
    return list(map(trace.array, op.outputs))


def scan(
    extent: ex.Expr | int,
    carried: Arrays,
    scanned: Arrays,
    captured: Arrays,
    step: Callable[..., tuple[Arrays, Arrays]],
    *,
    is_reversed: bool = False,
    **how: Any,
) -> tuple[list[Any], list[Any]]:
    """Final carried values and stacked results of a loop over the leading axis of arrays.

    ``step`` gets the carried values, one element of each scanned one, and the captured ones; with
    ``has_index`` the number of the iteration first.  It returns carried and stacked values.
    """
    groups = [[v.value for v in group] for group in (carried, scanned, captured)]
    symbols = Symbols.for_values(v for group in groups for v in group)
    types = [tensor_type(el.I64, ())] if how.get("has_index") else []
    types += [symbols.type(tensor_of(v), int(k == 1)) for k in range(3) for v in groups[k]]
    trace: NodeTrace = (*carried, *scanned, *captured)[0].trace
    results = [tensor_of(v) for v in groups[0]]

    def noted(*arguments: Any) -> Arrays:
        last, stacked = step(*arguments)
        results.extend(symbols.outside(tensor_of(v.value), [ex.Expr.of(extent)]) for v in stacked)
        return [*last, *stacked]

    name = _body(trace, "step", types, noted)
    if is_reversed:
        outputs = range(len(results) - len(carried))
        how |= {"reversed_inputs": range(len(scanned)), "reversed_outputs": outputs}
    op = ScanOp.of(name, extent, groups[0], groups[1], groups[2], results, **how)
    trace.node.insert(op)
    arrays = list(map(trace.array, op.outputs))
    return arrays[: len(carried)], arrays[len(carried) :]


def repeated(
    count: Any,
    carried: Arrays,
    captured: Arrays,
    step: Callable[..., Arrays],
    has_condition: bool = False,
) -> list[Any]:
    """The final carried values of a loop; the number of iterations is an i64 of rank 0.

    ``step`` gets the number of the iteration, the carried and the captured values.  With a
    condition, the first carried value says whether there is another iteration.
    """
    how = {"has_index": True, "has_condition": has_condition, "trip": count.value}
    return scan(0, carried, [], captured, lambda *values: (step(*values), []), **how)[0]


def joined(builder: Builder, x: SSAValue, axis: int) -> SSAValue:
    """Stacked values [times, ...] concatenated along an axis of the values."""
    times, *shape = shape_of(tensor_of(x))
    order = [*range(1, 1 + axis), 0, *range(1 + axis, 1 + len(shape))]
    shape[axis] = times * shape[axis]
    return builder.reshape(builder.transpose(x, order), shape)


@dataclass(frozen=True)
class Outlined:
    """A graph attribute of a node that became a body of control flow."""

    name: str
    body: FuncOp
    captured: list[SSAValue]
    """The outer values that it takes after the requested arguments."""
    types: list[Tensor]
    """The types of its results at the call."""
    keeps_condition: bool
    """Whether the first result is true, or is the second argument."""
    sequences: list[Held | None]
    """The results that are sequences; each value of a sequence is one result."""

    @property
    def arguments(self) -> list[Tensor]:
        """The types of all its arguments in its own symbols."""
        return [tensor_of(a) for a in self.body.body.block.args]

    @property
    def results(self) -> list[Tensor]:
        """The types of its results in its own symbols."""
        end = self.body.body.block.last_op
        assert end is not None
        return [tensor_of(v) for v in end.operands]

    def scan(
        self,
        builder: Builder,
        extent: ex.Expr,
        carried: Sequence[SSAValue],
        scanned: Sequence[SSAValue] = (),
        captured: Sequence[SSAValue] | None = None,
        **how: Any,
    ) -> list[SSAValue]:
        """The outputs of opc.scan with this body; ``captured`` are usually its own."""
        captured, binding = self.captured if captured is None else captured, Binding()
        types = [tensor_type(el.I64, ())] if how.get("has_index") else []
        types += map(tensor_of, carried)
        types += [tensor_type(tensor_of(v).element_type, shape_of(v.type)[1:]) for v in scanned]
        types += map(tensor_of, captured)
        for wanted, type in zip(self.arguments, types, strict=True):
            binding.argument(wanted, type)
        stacked = map(binding.result, self.results[len(carried) :])
        results = [*map(tensor_of, carried)]
        results += [tensor_type(t.element_type, (extent, *shape_of(t))) for t in stacked]
        op = ScanOp.of(self.name, extent, carried, scanned, captured, results, **how)
        builder.insert(op)
        return list(op.outputs)


class RankError(UnsupportedError):
    """The rank of result ``result`` of a body is known at run time only."""

    def __init__(self, message: str, location: str, result: int) -> None:
        super().__init__(message, location)
        self.result = result


def change_results(
    body: FuncOp, change: Callable[[Builder, list[SSAValue]], Sequence[SSAValue]]
) -> None:
    """Replace the results of a body by others, which ``change`` computes at its end."""
    block = body.body.block
    back = block.last_op
    assert isinstance(back, ReturnOp)

    def insert(op: Operation) -> None:
        op.location = back.location
        block.insert_op_before(op, back)

    insert(ReturnOp(*change(Builder(insert), list(back.operands))))
    block.erase_op(back)
    body.update_function_type()
