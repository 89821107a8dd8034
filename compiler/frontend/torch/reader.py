"""Graphs of PyTorch, in operators of ATen, to a module in the ``opc`` dialect.

::

    %add = call_function[target=torch.ops.aten.add.Tensor](args = (%x, %p_bias))
      --> %bias = opc.constant ...
          %add = opc.add %x, %bias

The functions in compiler/frontend/torch/ops say what each operator means.  PyTorch is imported by
whoever has a graph.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from itertools import chain, count
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, FileLineColLoc, IntAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.blob import dense
from opc.dialects.budgets import BudgetExceeded
from opc.dialects.extent_text import extent_text
from opc.dialects.named import INPUT_NAMES, RESULT_NAMES
from opc.dialects.opc.base import check_size
from opc.dialects.opc.extent import ExtentOp
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.opc.symbols import RequireOp
from opc.dialects.shape import Requirement, Shape, tensor_type
from opc.errors import InputError, UnsupportedError
from opc.frontend.models.extent_facts import Capacities, Ones
from opc.frontend.models.kinds import Kinds
from opc.frontend.models.traced import NodeTrace
from opc.frontend.seeds import Streams
from opc.frontend.verify import verify
from opc.graph.rewriting import remove_unused

from .decompositions import decompositions
from .extents import extent_of
from .node import Node, overload, place_of
from .ops import is_check, refusal
from .tensors import array_of, element_type


def read(exported: Any) -> ModuleOp:
    """The verified module of a ``torch.export.ExportedProgram``.

    Parameters, buffers and constants become constants, which share the memory of their tensors.
    Raises UnsupportedError that lists every operator that opc does not have.
    """
    exported = exported.run_decompositions(decompositions())
    signature = exported.graph_signature
    stored = {**exported.state_dict, **exported.constants}
    weights: dict[str, Any] = {}
    for spec in signature.input_specs:
        if spec.kind.name in ("PARAMETER", "BUFFER", "CONSTANT_TENSOR"):
            weights[spec.arg.name] = stored[spec.target]
        elif spec.kind.name == "TOKEN":
            weights[spec.arg.name] = None
        elif spec.kind.name != "USER_INPUT":
            raise UnsupportedError(f"input {spec.arg.name} is a {spec.kind.name.lower()}")
    for spec in signature.output_specs:
        if spec.kind.name not in ("USER_OUTPUT", "TOKEN"):
            what = "input" if "INPUT" in spec.kind.name else "buffer"
            advice = "" if what == "input" else "; for a module in training, export module.eval()"
            raise UnsupportedError(
                f"{spec.arg.name} changes {spec.target}: a compiled function changes no {what} "
                f"({spec.kind.name.lower()}){advice}"
            )
    ranges = {
        str(symbol): (int(limits.lower), int(limits.upper) if limits.upper.is_Integer else None)
        for symbol, limits in exported.range_constraints.items()
        if limits.lower.is_Integer
    }
    names = _names_of(exported.call_spec.out_spec)
    return from_graph(exported.graph_module, weights, names=names, ranges=ranges)


def _names_of(spec: Any) -> list[str | None]:
    """The key of each output in a dictionary; None for the outputs of lists."""
    names: list[str | None] = []

    def walk(spec: Any, path: tuple[str, ...], is_named: bool) -> None:
        children: Any = spec.children() if callable(spec.children) else spec.children
        if not children:
            names.append("_".join(path) if is_named else None)
            return
        keys: Sequence[Any] = spec.context if spec.type is dict else range(len(children))
        for key, child in zip(keys, children, strict=True):
            walk(child, (*path, str(key)), is_named or spec.type is dict)

    walk(spec, (), False)
    return names


def from_graph(
    graph_module: Any,
    weights: Mapping[str, Any],
    *,
    name: str = "main",
    names: Sequence[str | None] = (),
    ranges: Mapping[str, tuple[int, int | None]] | None = None,
) -> ModuleOp:
    """The verified module of an FX graph in ATen's core operators without mutation.

    ``weights`` has the tensors of placeholders that are constants, by name.  The other
    placeholders that are tensors become arguments, in order and under their names; integers
    (``SymInt``) do not, since extents of tensors say them.  Results are the outputs in order but
    for None, named by ``names`` or else by their nodes; integers become i64 of rank 0.
    Each node needs its ``meta["val"]``.

    Raises UnsupportedError that lists every operator that opc does not have, and InputError.
    """
    return _Reader(graph_module, weights, ranges or {}, name).module(names)


class _Reader:
    """Writes the function of one graph."""

    def __init__(
        self,
        graph_module: Any,
        weights: Mapping[str, Any],
        ranges: Mapping[str, tuple[int, int | None]],
        name: str,
    ) -> None:
        self.graph_module = graph_module
        self.weights = weights
        self.ranges = ranges
        self.block = Block()
        self.end: Operation = ReturnOp()
        self.block.add_op(self.end)
        self.function = FuncOp(name, ([], []), Region(self.block))
        self.result = ModuleOp([self.function])
        self.values: dict[Any, Any] = {}
        self.symbols: dict[str, ex.Expr] = {}
        self.taken: set[str] = set()
        self.bound: set[str] = set()
        """Symbols that are extents of arguments."""
        self.limited: set[str] = set()
        """Symbols whose range is required already."""
        # What a call asks of the function that it is in, as of a ``Legalizer``.
        self.place: Callable[[Operation], object] = self.before_end
        """Inserts an operation."""
        self.streams = Streams(self.function, self.block)
        self.capacities = Capacities(self.block, self.fresh)
        self.ones = Ones(self.block)
        self.read: dict[object, Shape] = {}

    def symbol(self) -> str:
        """A new symbol."""
        return self.fresh("v")

    def fresh(self, prefix: str) -> str:
        """A new symbol."""
        name = next(n for n in (f"{prefix}{k}" for k in count()) if n not in self.taken)
        self.taken.add(name)
        return name

    def before_end(self, op: Operation) -> None:
        """Insert an operation of the function itself."""
        self.block.insert_op_before(op, self.end)

    def insert(self, op: Operation) -> None:
        """Insert an operation of the node at hand."""
        op.location = self.end.location
        self.place(op)

    def module(self, names: Sequence[str | None]) -> ModuleOp:
        """The module of all nodes."""
        nodes = list(self.graph_module.graph.nodes)
        self.check_supported(nodes)
        inputs: list[str] = []
        kinds = Kinds()
        self.bind(node.meta["val"] for node in nodes if node.op == "placeholder")
        for node in nodes:
            self.locate(node)
            if node.op == "placeholder":
                inputs += self.placeholder(node)
            elif node.op == "get_attr":
                self.values[node] = self.attribute(node.target)
            elif node.op == "call_function" and all(n in self.values for n in node.all_input_nodes):
                # An error of a node only hides errors of nodes that need its results.
                try:
                    self.values[node] = self.value(node)
                except UnsupportedError as error:
                    kinds.add_error(f"{overload(node.target)} ({error.message})", node.name, error)
        kinds.check()
        outputs = self.outputs(nodes[-1], names)
        self.end.operands = list(outputs.values())
        self.function.function_type = type(self.function.function_type).from_lists(
            [a.type for a in self.block.args], [v.type for v in outputs.values()]
        )
        self.function.attributes[INPUT_NAMES] = ArrayAttr(map(StringAttr, inputs))
        self.function.attributes[RESULT_NAMES] = ArrayAttr(map(StringAttr, outputs))
        remove_unused(self.block)
        verify(self.result)
        return self.result

    def check_supported(self, nodes: Sequence[Any]) -> None:
        """UnsupportedError that lists every operator without a meaning, with its count."""
        kinds = Kinds()
        for node in nodes:
            reason = refusal(node)
            if reason is not None:
                kinds.add(reason, node.name, place_of(node))
        kinds.check()

    def locate(self, node: Any) -> None:
        """Take the line of a node as the location of what is inserted."""
        file, _, line = place_of(node).rpartition(":")
        number = int(line) if line else 0
        self.end.location = FileLineColLoc(StringAttr(file), IntAttr(number), IntAttr(0))

    def placeholder(self, node: Any) -> list[str]:
        """Enter the value of a placeholder; returns its name if it is an argument."""
        if node.name in self.weights:
            weight = self.weights[node.name]
            self.values[node] = None if weight is None else self.constant(weight)
            return []
        described = node.meta["val"]
        if not hasattr(described, "dtype"):
            self.values[node] = self.plain(described)
            return []
        shape = [extent_of(n, self.symbols) for n in described.shape]
        shape = [self.named(e) for e in shape]
        type = tensor_type(element_type(described.dtype), shape)
        check_size(type)
        argument = self.block.insert_arg(type, len(self.block.args))
        argument.name_hint = SSAValue.extract_valid_name(node.name)
        self.values[node] = argument
        return [node.name]

    def bind(self, described: Iterable[Any]) -> None:
        """Note the symbols that are the extent of an argument."""
        extents = (n for value in described for n in getattr(value, "shape", ()))
        for n in extents:
            if type(n).__name__ == "SymInt":
                e = extent_of(n, {})
                self.taken |= e.symbols()
                self.bound |= {name for name in e.symbols() if e == ex.sym(name)}

    def named(self, e: ex.Expr) -> ex.Expr:
        """An extent of an argument: a number, a symbol, or an expression of such.

        A symbol that is no extent itself is computed of one: of e = 2*s + 1 it is (e - 1) / 2.
        """
        for symbol in sorted(e.symbols() - self.limited):
            self.limited.add(symbol)
            if symbol in self.bound:
                self.limit(ex.sym(symbol), symbol)
                continue
            rest = e.substitute({symbol: ex.const(0)})
            factor = (e.substitute({symbol: ex.const(1)}) - rest).constant
            if factor is None or factor < 1 or e != ex.sym(symbol) * factor + rest:
                raise UnsupportedError(f"{symbol} is the extent of no argument")
            name = self.fresh("e")
            self.limited.add(name)
            full = ex.sym(name)
            self.symbols[symbol] = ex.floordiv(full - rest, factor)
            text = f"an extent is not {extent_text(e)}, as it was exported"
            self.insert(RequireOp.of(Requirement("divides", full - rest, ex.const(factor), text)))
            self.limit(self.symbols[symbol], symbol)
            return full
        return e

    def limit(self, extent: ex.Expr, symbol: str) -> None:
        """Require a symbol, which an extent stands for, to be in its range."""
        least, most = self.ranges.get(symbol, (0, None))
        text = f"{symbol} is outside of {least} to {most}, the range in which it was exported"
        if least > 0:
            at_least = Requirement("equal", ex.minimum(extent, least), ex.const(least), text)
            self.insert(RequireOp.of(at_least))
        if most is not None:
            self.insert(
                RequireOp.of(Requirement("equal", ex.maximum(extent, most), ex.const(most), text))
            )

    def attribute(self, path: str) -> Any:
        """A constant of the graph by its path, or a graph in it."""
        value = self.graph_module
        for part in path.split("."):
            value = getattr(value, part)
        return value if hasattr(value, "graph") else self.constant(value)

    def graph_results(
        self, graph_module: Any, arguments: Sequence[Any], trace: NodeTrace
    ) -> list[Any]:
        """The results of a graph for arrays and numbers, written where a trace inserts."""
        inner = copy(self)
        inner.graph_module, inner.place = graph_module, trace.node.insert
        inner.values, rest = dict[Any, Any](), iter(arguments)
        *nodes, end = graph_module.graph.nodes
        for node in nodes:
            self.locate(node)
            if node.op == "placeholder":
                value = next(rest)
                inner.values[node] = getattr(value, "value", value)
            else:
                is_call = node.op == "call_function"
                inner.values[node] = inner.value(node) if is_call else inner.attribute(node.target)
        results: Any = end.args[0]
        flat = cast("Sequence[Any]", results) if isinstance(results, list | tuple) else [results]
        values = [inner.values[v] if v in inner.values else self.plain(v) for v in flat]
        tensors: list[SSAValue] = [
            v if isinstance(v, SSAValue) else inner.as_tensor(v) for v in values
        ]
        return list(map(trace.array, tensors))

    def plain(self, value: Any) -> Any:
        """A number, or a ``SymInt`` as an extent."""
        return extent_of(value, self.symbols) if type(value).__name__ == "SymInt" else value

    def constant(self, tensor: Any) -> SSAValue:
        """A tensor as a constant."""
        array, type = array_of(tensor)
        op = ConstantOp(value=dense(array, type))
        self.insert(op)
        return op.result

    def value(self, node: Any) -> Any:
        """The value of a call."""
        described = node.meta.get("val")
        if node.target is operator.getitem:
            several = self.values[node.args[0]]
            return None if several is None else several[node.args[1]]
        if is_check(node) or type(described).__name__ == "SymBool":
            return None
        if type(described).__name__ == "SymInt" and not overload(node.target).startswith(
            "aten._local_scalar_dense"
        ):
            return self.plain(described)
        call = Node(node, self.values, self.symbols, self.insert, self, self.end)
        try:
            return call.results()
        except BudgetExceeded as error:
            raise call.unsupported(str(error)) from None

    def outputs(self, node: Any, names: Sequence[str | None]) -> dict[str, SSAValue]:
        """The results by name."""
        results: dict[str, SSAValue] = {}
        output: Any = node.args[0]
        flat = cast("Sequence[Any]", output) if isinstance(output, list | tuple) else [output]
        named = list(names) if len(names) == len(flat) else [None] * len(flat)
        for item, chosen in zip(flat, named, strict=True):
            if hasattr(item, "all_input_nodes") and item not in self.values:
                raise InputError(f"{item.name}: an operand comes after it in the graph")
            value = self.values[item] if hasattr(item, "all_input_nodes") else self.plain(item)
            if value is None:
                continue
            stem = str(chosen or getattr(item, "name", "number"))
            name = next(
                n for n in chain([stem], (f"{stem}_{k}" for k in count(1))) if n not in results
            )
            results[name] = value if isinstance(value, SSAValue) else self.as_tensor(value)
        return results

    def as_tensor(self, value: Any) -> SSAValue:
        """A number or an extent as a tensor of rank 0."""
        if isinstance(value, ex.Expr) and value.constant is None:
            op = ExtentOp.of(value)
        else:
            number: Any = value.constant if isinstance(value, ex.Expr) else value
            kinds = {"bool": el.I1, "int": el.I64, "float": el.F64}
            kind = kinds.get(type(number).__name__)
            if kind is None:
                raise InputError(f"an output is a {type(number).__name__}, expected a tensor")
            op = ConstantOp.of(np.asarray(number), kind)
        self.insert(op)
        return op.result
