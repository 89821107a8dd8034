"""Control flow, whose bodies are graphs, and numbers that data decide."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.frontend.models.bodies import Arrays, chosen, repeated, scan
from opc.frontend.torch.extents import truth_of
from opc.frontend.torch.node import Node, aten


def function_of(node: Node, graph: Any, numbers: Sequence[Any] = ()) -> Callable[..., list[Any]]:
    """A graph as a function of arrays, which come in the order of the values that are no numbers.

    ``numbers`` has a number or an array at each place; arrays are those of the caller.
    """

    reader: Any = node.into

    def function(*arrays: Any) -> list[Any]:
        rest = iter(arrays)
        values = [next(rest) if is_array(v) else v for v in numbers] if numbers else arrays
        return reader.graph_results(graph, values, arrays[0].trace if arrays else node.trace)

    return function


def is_array(value: Any) -> bool:
    """Whether a value is an array; others are numbers and extents."""
    return hasattr(value, "trace")


@aten("cond.default")
def cond(condition: Any, then: Any, other: Any, values: Sequence[Any] = (), *, node: Node) -> Any:
    """The results of one of two graphs."""
    arms = [function_of(node, graph, values) for graph in (then, other)]
    arrays = [v for v in values if is_array(v)]
    if not is_array(condition):
        # A condition on extents has no tensor.
        stated = node.node.args[0].meta["val"]
        condition = truth_of(stated, node.symbols, node.trace.number)
    return chosen(condition.reshape(()), arrays or [condition], arms)


@aten("while_loop.default")
def while_loop(
    going: Any, body: Any, carried: Sequence[Any], others: Sequence[Any] = (), *, node: Node
) -> Any:
    """Values that a graph changes as long as a condition on them holds."""
    if not all(map(is_array, carried)):
        raise node.unsupported("a number of Python that changes in a loop")
    condition, step = (function_of(node, g, [*carried, *others]) for g in (going, body))
    captured = [v for v in others if is_array(v)]

    def again(index: Any, going: Any, *values: Any) -> Arrays:
        new = step(*values)
        return [*condition(*new, *values[len(carried) :]), *new]

    most = node.trace.constant((1 << 63) - 1, el.I64)
    first = condition(*carried, *captured)
    return repeated(most, [*first, *carried], captured, again, has_condition=True)[1:]


@aten("scan.default")
def scanned(
    graph: Any, carried: Sequence[Any], over: Sequence[Any], others: Sequence[Any], *, node: Node
) -> Any:
    """Carried values and stacked results of a graph for each element of the first axis."""
    if not all(map(is_array, (*carried, *over))):
        raise node.unsupported("a number of Python that changes in a loop")
    function = function_of(node, graph, [*carried, *over, *others])
    captured = [v for v in others if is_array(v)]

    def step(*values: Any) -> tuple[Arrays, Arrays]:
        results = function(*values)
        return results[: len(carried)], results[len(carried) :]

    last, stacked = scan(over[0].extents[0], carried, over, captured, step)
    return [*last, *stacked]


@aten("map_impl.default")
def mapped(graph: Any, over: Sequence[Any], others: Sequence[Any], *, node: Node) -> Any:
    """Stacked results of a graph for each element of the first axis."""
    return scanned(graph, [], over, others, node=node)


@aten("_local_scalar_dense")
def item(x: Any, *, node: Node) -> ex.Expr:
    """The number in a tensor of one element as an extent."""
    extent = node.extent_in(0)
    node.symbols[str(node.declared[0])] = extent
    return extent
