"""Graphs of PyTorch in parts: those that opc compiles, and what runs in PyTorch between them."""

from __future__ import annotations

import math
import operator
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, cast

from opc.errors import UnsupportedError
from opc.frontend.torch.node import overload
from opc.frontend.torch.ops import is_check, refusal
from opc.frontend.torch.tensors import element_type

FEWEST = 2
"""The fewest computing operators of a part beside others that run in PyTorch.

Apart from what they compute, a call of a part takes 4.4 us, one of an operator of PyTorch 2 to 4.
"""

MOVES = frozenset(
    {
        *("alias", "clone", "expand", "permute", "select"),
        *("slice", "split_with_sizes", "squeeze", "unsqueeze", "view"),
    }
)
"""Operators that compute nothing."""

NUMBERS = frozenset(("SymInt", "SymFloat", "SymBool", "int", "float", "bool"))
"""Types of values that are no tensors."""


@dataclass(frozen=True)
class Extent:
    """The description of an argument that gives a symbol its value: a tensor of so many elements.

    There is no such tensor: calls pass its extent.
    """

    dtype: Any
    shape: tuple[Any]


def divided(
    graph_module: Any,
    weights: Iterable[int],
    compiled: Callable[[Any, tuple[int, ...]], Callable[..., Any]],
    refused: Mapping[str, str],
) -> Any:
    """The graph with each part that opc takes in one call, of ``compiled(part, weights)``.

    ``weights`` are the places of the arguments that are weights, of the graph and of a part.
    ``refused`` says of nodes, by name, why opc does not take them.  What stays in PyTorch is
    warned of, once for each operator.
    """
    fx: Any = import_module("torch.fx")
    fuser: Any = import_module("torch.fx.passes.utils.fuser_utils")
    graph = fx.Graph()
    graph.output(graph.graph_copy(graph_module.graph, {}))
    outer = fx.GraphModule(graph_module, graph)
    placeholders = [node for node in graph.nodes if node.op == "placeholder"]
    _state_extents(graph, placeholders)
    numbers = _plain_numbers(placeholders)
    reasons = {
        node: refused.get(node.name) or _refusal(node, numbers)
        for node in graph.nodes
        if node.op == "call_function" and _has_tensors(node)
    }
    parts = _parts(outer, reasons, _views_of_arguments(graph))
    for reason in reasons.values():
        if reason is not None:
            warn(reason)
    fuser.fuse_by_partitions(outer, parts, prefix="opc_", always_return_tuple=True)
    # Fusing has made another graph.
    placeholders = [node for node in outer.graph.nodes if node.op == "placeholder"]
    constant = {placeholders[k] for k in weights}
    calls = [node for node in outer.graph.nodes if node.op == "call_module"]
    for call in calls:
        _take_graphs(outer, call)
        _give_extents(getattr(outer, call.target), call, placeholders, constant)
    outer.graph.eliminate_dead_code()
    outer.recompile()
    for call in calls:
        places = [
            k for k, node in enumerate(call.args) if node in constant or node.op == "get_attr"
        ]
        part = getattr(outer, call.target)
        delattr(outer, call.target)
        # An attribute that is no module: calls of modules take longer.
        outer.__dict__[call.target] = compiled(part, tuple(places))
    return outer


def _views_of_arguments(graph: Any) -> set[Any]:
    """The nodes that make results out of arguments without a copy.

    PyTorch takes the place of a view in its argument from the result, so it makes these itself.
    """
    (end,) = (node for node in graph.nodes if node.op == "output")
    views = set[Any]()
    for result in end.all_input_nodes:
        chain, node = list[Any](), result
        while node.op == "call_function" and (_is_item(node) or _is_view(node)):
            chain.append(node)
            node = node.args[0]
        if node.op == "placeholder":
            views |= {*chain}
    return views


def _is_view(node: Any) -> bool:
    arguments = getattr(getattr(node.target, "_schema", None), "arguments", ())
    info = arguments[0].alias_info if arguments else None
    return info is not None and not info.is_write


def _parts(graph_module: Any, reasons: dict[Any, str | None], left: set[Any]) -> list[Any]:
    """The nodes of each part, of all but ``left``.

    The reason of a node that is left alone is entered.
    """
    partitioner: Any = import_module("torch.fx.passes.infra.partitioner")
    operators: Any = import_module("torch.fx.passes.operator_support")

    class Support(operators.OperatorSupportBase):  # type: ignore[misc]
        """What opc takes."""

        def is_node_supported(self, submodules: Any, node: Any) -> bool:
            """Whether that is a call without a reason against it."""
            return node in reasons and reasons[node] is None and node not in left

    division = partitioner.CapabilityBasedPartitioner(graph_module, Support(), True)
    parts = [part.nodes for part in division.propose_partitions()]
    if not any(reasons.values()):
        return parts
    for nodes in parts:
        if sum(_stem(n) not in MOVES and not _is_item(n) for n in nodes) < FEWEST:
            reasons |= {n: f"{overload(n.target)}: its neighbours run there, too" for n in nodes}
    return [nodes for nodes in parts if not any(reasons[n] for n in nodes)]


def _has_tensors(node: Any) -> bool:
    """Whether a call computes tensors; others compute numbers, or check something."""
    source = node.args[0] if _is_item(node) else node
    return node.meta.get("val") is not None and not is_number(node) and not is_check(source)


def is_number(node: Any) -> bool:
    """Whether the value of a node is a number."""
    return type(node.meta.get("val")).__name__ in NUMBERS


def symbols_of(value: Any) -> set[str]:
    """The symbols in a number, or in the extents of tensors."""
    if isinstance(value, list | tuple):
        return set[str]().union(*map(symbols_of, cast("Sequence[Any]", value)))
    if hasattr(value, "shape"):
        return symbols_of(tuple(value.shape))
    return {s.name for s in value.node.expr.free_symbols} if hasattr(value, "node") else set()


def _plain_numbers(placeholders: list[Any]) -> set[str]:
    """The symbols that may be below 0, as numbers that a caller passes; extents are not."""
    symbols: set[str] = set()
    for node in placeholders:
        value = node.meta.get("val")
        if type(value).__name__ == "SymInt" and value.node.expr.is_Symbol:
            limits = value.node.shape_env.var_to_range.get(value.node.expr)
            if limits is None or limits.lower < 0:
                symbols.add(str(value))
    return symbols


def _refusal(node: Any, numbers: set[str]) -> str | None:
    """Why opc does not take a node, as far as can be seen without its neighbours.

    ``numbers`` are symbols that need not be extents.
    """
    if _is_item(node):
        return _refusal(node.args[0], numbers) if node.args[0].op == "call_function" else None
    reason = refusal(node)
    if reason is not None:
        return reason
    for other in (node, *node.all_input_nodes):
        described = other.meta.get("val")
        if symbols_of(described) & numbers:
            return f"{overload(node.target)}: a number that may be below 0 is only known in a call"
        several = cast("Sequence[Any]", described) if isinstance(described, list | tuple) else ()
        for tensor in several or [described]:
            if tensor is None or type(tensor).__name__ in NUMBERS:
                continue
            try:
                element_type(tensor.dtype)
            except UnsupportedError as error:
                return f"{overload(node.target)}: {error.message}"
            if tensor.device.type != "cpu":
                return f"{overload(node.target)}: a tensor is on {tensor.device}"
            if tensor.is_neg():
                return f"{overload(node.target)}: a tensor is negated lazily"
    return None


def _is_item(node: Any) -> bool:
    return node.target is operator.getitem


def _stem(node: Any) -> str:
    """``view`` of ``aten.view.default``."""
    return overload(node.target).split(".")[-2:][0]


def _state_extents(graph: Any, placeholders: list[Any]) -> None:
    """sym_size(tensor, axis)  -->  the placeholder of that symbol, or an expression over such.

    Numbers that are taken from tensors would tie parts together.
    """
    interpreter: Any = import_module("torch.utils._sympy.interp")
    reference: Any = import_module("torch.utils._sympy.reference")
    fx: Any = import_module("torch.fx")

    def whole(function: Callable[[float], int]) -> Any:
        """A function that makes a float an integer, also of a node."""

        def rounded(x: Any, dtype: Any) -> Any:
            if not isinstance(x, fx.Proxy):
                return function(x)
            return x.tracer.create_proxy("call_function", function, (x,), {})

        return staticmethod(rounded)

    class Reference(reference.PythonReferenceAnalysis):  # type: ignore[misc]
        """Arithmetic on nodes, with the floats of a resizing by 2.5."""

        trunc_to_int, floor_to_int, ceil_to_int = map(whole, (math.trunc, math.floor, math.ceil))

    known = {
        node.meta["val"].node.expr: fx.Proxy(node)
        for node in placeholders
        if type(node.meta.get("val")).__name__ == "SymInt" and node.meta["val"].node.expr.is_Symbol
    }
    for node in list(graph.nodes):
        if node.op != "call_function" or _stem(node) != "sym_size":
            continue
        expression = node.meta["val"].node.expr
        if expression.free_symbols <= known.keys():
            with graph.inserting_before(node):
                value = interpreter.sympy_interp(Reference, dict(known), expression)
            if isinstance(value, fx.Proxy):
                value.node.meta.setdefault("val", node.meta["val"])
                node.replace_all_uses_with(value.node)
                graph.erase_node(node)


def _take_graphs(outer: Any, call: Any) -> None:
    """Move the graphs that operators of a part have as arguments into the part."""
    part, kept = getattr(outer, call.target), list[Any]()
    placeholders = [node for node in part.graph.nodes if node.op == "placeholder"]
    for node, argument in zip(placeholders, call.args, strict=True):
        value = getattr(outer, argument.target) if argument.op == "get_attr" else None
        if not hasattr(value, "graph"):
            kept.append(argument)
            continue
        setattr(part, argument.target, value)
        with part.graph.inserting_before(node):
            node.replace_all_uses_with(part.graph.get_attr(argument.target))
        part.graph.erase_node(node)
    call.args = tuple(kept)


def _give_extents(part: Any, call: Any, placeholders: list[Any], weights: set[Any]) -> None:
    """Add an argument for each symbol of a part that no tensor has as an extent."""
    torch: Any = import_module("torch")
    needed, known = set[str](), set[str]()
    for node in part.graph.nodes:
        needed |= symbols_of(node.meta.get("val"))
    for argument in call.args:
        described = argument.meta.get("val")
        if argument not in weights and hasattr(described, "shape"):
            known |= {str(n) for n in described.shape}
    values = {p: p.meta.get("val") for p in placeholders}
    values |= {p: value.shape[0] for p, value in values.items() if isinstance(value, Extent)}
    extents = {str(n): p for p, n in values.items() if type(n).__name__ == "SymInt"}
    last = [node for node in part.graph.nodes if node.op == "placeholder"][-1:]
    for name in sorted((needed - known) & extents.keys()):
        with part.graph.inserting_after(*last):
            last = [part.graph.placeholder(f"extent_{name}")]
        last[0].meta["val"] = Extent(torch.bool, (values[extents[name]],))
        call.args = (*call.args, extents[name])
    part.recompile()


_WARNED = set[str]()


def warn(reason: str) -> None:
    """Say what runs in PyTorch, if that was not said before."""
    operator_name = reason.partition(":")[0]
    if operator_name not in _WARNED:
        _WARNED.add(operator_name)
        warnings.warn(f"opc: runs in PyTorch: {reason}", stacklevel=2)
