"""``Node``: a call of an operator of ATen, with its tensors as traced arrays."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from importlib import import_module
from typing import Any, TypeAlias, cast

from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.base import OpcOp
from opc.dialects.shape import MAX_RANK, Shape, element, fits, shape_of, tensor_of, type_text
from opc.dialects.shape import tensor_type as typed
from opc.frontend.models.call import Call
from opc.frontend.models.op_builder import Insert
from opc.frontend.models.traced import unified
from opc.frontend.python.elementwise import widened

from .extents import extent_of
from .tensors import element_type

Meaning: TypeAlias = "Callable[..., Any]"

IGNORED = ("memory_format", "layout", "device", "pin_memory", "non_blocking", "implicit")
"""Arguments that say where and how a tensor is stored, not what it is."""
_FRAME = re.compile(r'File "([^"]+)", line (\d+)')


@dataclass(frozen=True)
class Operator:
    """What an overload means: a function of arrays and Python values, in the order of its schema.

    Its parameter ``node`` is the call itself.  ``computes``: f16 and bf16 come as f32, and the
    result is rounded once.
    """

    meaning: Meaning
    computes: bool
    parameters: Mapping[str, inspect.Parameter]


OPERATORS: dict[str, Operator] = {}
"""Overload, ``add.Tensor`` of ``aten::add.Tensor``  --> its meaning."""


def enter(name: str, meaning: Meaning, computes: bool = False) -> None:
    """Enter the meaning of an overload; one without a name is ``default``."""
    name = name if "." in name else f"{name}.default"
    OPERATORS[name] = Operator(meaning, computes, inspect.signature(meaning).parameters)


def aten(*names: str, computes: bool = False) -> Callable[[Meaning], Meaning]:
    """Register a function as the meaning of overloads."""

    def register(meaning: Meaning) -> Meaning:
        for name in names:
            enter(name, meaning, computes)
        return meaning

    return register


def overload(target: Any) -> str:
    """``aten.add.Tensor`` of what a node of a graph calls, or the name of a function."""
    if hasattr(target, "_schema"):
        return str(target)
    name = str(getattr(target, "__name__", target))
    return f"{name}.default" if getattr(target, "namespace", "") == "higher_order" else name


def place_of(node: Any) -> str:
    """``file:line`` of the innermost line outside of PyTorch, or empty."""
    lines = _FRAME.findall(node.meta.get("stack_trace") or "")
    lines = [line for line in lines if "/torch/" not in line[0]] or lines
    return f"{lines[-1][0]}:{lines[-1][1]}" if lines else ""


def _is_tensor(value: Any) -> bool:
    return isinstance(value, SSAValue)


class Node(Call):
    """A call whose tensors are computed already.

    ``values`` has the value of each node of the graph: an ``SSAValue`` of a tensor, an extent of an
    integer, a number, or a tuple of such.  ``symbols`` has extents that only a run knows.
    """

    def __init__(
        self,
        node: Any,
        values: Mapping[Any, Any],
        symbols: dict[str, ex.Expr],
        insert: Insert,
        into: Any,
        at: Operation,
    ) -> None:
        self.node = node
        self.values = values
        self.symbols = symbols
        operands: list[Any] = [values.get(n) for n in node.all_input_nodes]
        super().__init__([v for v in operands if _is_tensor(v)], insert, into, at)

    @property
    def label(self) -> str:
        """``aten.add.Tensor (node add_1)``."""
        return f"{self.operator} (node {self.node.name})"

    @property
    def place(self) -> str:
        """The line of the user's code."""
        return place_of(self.node)

    @property
    def operator(self) -> str:
        """``aten.add.Tensor``."""
        return overload(self.node.target)

    def input_name(self, position: int) -> str:
        """``tensor 0``."""
        return f"tensor {position}"

    def attr(self, name: str) -> Any:
        """An argument by its name."""
        return self.node.kwargs.get(name)

    @cached_property
    def declared(self) -> list[Any]:
        """The results as PyTorch describes them: tensors without elements, or None."""
        value = self.node.meta.get("val")
        return list(cast("Sequence[Any]", value)) if isinstance(value, list | tuple) else [value]

    def kind(self, number: int = 0) -> el.ElementType:
        """The element type of a result."""
        return element_type(self.declared[number].dtype)

    def shape_of_result(self, number: int = 0) -> Shape:
        """The shape of a result, as PyTorch has it."""
        return tuple(self.extent(n) for n in self.declared[number].shape)

    def extent(self, number: Any) -> ex.Expr:
        """An int or ``SymInt`` as an extent."""
        return extent_of(number, self.symbols)

    def learn(self, extent: ex.Expr) -> None:
        """Take an extent that only a run knows for the symbol that the result has for it."""
        for number in self.declared[0].shape:
            name = str(getattr(number, "node", ""))
            if name.startswith("u") and name not in self.symbols:
                self.symbols[name] = extent
                return

    @property
    def common(self) -> el.ElementType:
        """The type in which operands are compared, by PyTorch's promotion."""
        torch: Any = import_module("torch")
        described = [a.meta["val"] if hasattr(a, "meta") else a for a in self.node.args]
        # Numbers alone have a type that a tensor beside them does not.
        pairs = reduce(lambda a, b: torch.empty((), dtype=torch.result_type(a, b)), described)
        return element_type(pairs.dtype)

    def number(self, value: Any, type: el.ElementType) -> Any:
        """A number, or an extent, as an array of rank 0."""
        if isinstance(value, ex.Expr) and value.constant is None:
            return self.trace.number(value).astype(type)
        value = value.constant if isinstance(value, ex.Expr) else value
        if type.is_integer:
            value = ((int(value) + (1 << 63)) % (1 << 64)) - (1 << 63)
        return self.trace.constant(value, type)

    def as_type(self, x: Any, type: el.ElementType) -> Any:
        """An array, a number or an extent as an array of a type."""
        return x.astype(type) if hasattr(x, "trace") else self.number(x, type)

    def emit(self, op: type[OpcOp], *arrays: Any, **params: Any) -> Any:
        """An operator of arrays."""
        return self.trace.emit(op, *arrays, **params)

    def shaped(self, x: Any, shape: Sequence[Any]) -> Any:
        """x reshaped."""
        return self.trace.array(self.reshape(x.value, shape))

    def stretched(self, x: Any, shape: Sequence[Any]) -> Any:
        """x broadcast to a shape, aligned at the last axis."""
        return self.trace.array(self.broadcast(x.value, shape))

    def results(self) -> Any:
        """What the call gives, as ``values`` has it."""
        operator = OPERATORS[self.operator.removeprefix("aten.")]
        args = [self._argument(a, operator.computes) for a in self.node.args]
        named = {k: self._argument(a, operator.computes) for k, a in self.node.kwargs.items()}
        for name in named.keys() & set(IGNORED) - operator.parameters.keys():
            del named[name]
        if "node" in operator.parameters:
            named["node"] = self
        try:
            inspect.signature(operator.meaning).bind(*args, **named)
        except TypeError as error:
            raise self.unsupported(f"its arguments: {error}") from None
        try:
            results = self.applied(operator.meaning, *args, **named)
        except VerifyException as error:
            raise self.error(str(error)) from error
        if not isinstance(results, list | tuple):
            return self._checked(results, 0)
        every = cast("Sequence[Any]", results)
        return tuple(self._checked(x, k) for k, x in enumerate(every))

    def _argument(self, value: Any, computes: bool) -> Any:
        """An argument as functions of arrays take it."""
        if isinstance(value, list | tuple):
            return [self._argument(v, computes) for v in cast("Sequence[Any]", value)]
        if hasattr(value, "all_input_nodes"):
            known: Any = self.values[value]
            if isinstance(known, ex.Expr):
                return known if known.constant is None else known.constant
            if _is_tensor(known):
                x = self.trace.array(known)
                return widened(x) if computes else x
            return known
        if str(value).startswith("torch.") and type(value).__name__ == "dtype":
            return element_type(value)
        if type(value).__name__ == "SymInt":
            extent = self.extent(value)
            return extent if extent.constant is None else extent.constant
        return value

    def _checked(self, x: Any, number: int) -> Any:
        """A result of the shape and type that PyTorch says it has."""
        if not hasattr(x, "trace"):
            return x
        value: SSAValue = x.value
        type = tensor_of(value)
        declared = self.declared[number]
        if declared is None:
            return value
        kind, shape = self.kind(number), self.shape_of_result(number)
        if kind.is_small_float and element(type) is el.F32:
            value = self.cast(value, kind)
        if element(tensor_of(value)) is not kind or not fits(shape, shape_of(type)):
            wanted = type_text(typed(kind.type, shape))
            raise self.error(f"the result is {type_text(type)}, PyTorch says {wanted}")
        if len(shape) > MAX_RANK:
            raise self.unsupported(f"rank {len(shape)} exceeds {MAX_RANK}")
        what = "extents differ from those that PyTorch found"
        result: SSAValue = unified(self.trace.array(value), shape, what).value
        return result
