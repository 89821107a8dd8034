"""Python functions as graphs: tracing over symbolic arrays.

:mod:`opc.frontend.python.signature` determines the inputs and their types.  With types from a call,
the function is traced again once it is known which extents must be equal
(``Meetings``), so it should have no side effects.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region, SSAValue

from opc import numpy as numpy  # the functions that operators of arrays call
from opc.dialects.shape import Tensor, fits, shape_of, tensor_of, tensor_type
from opc.errors import ArgumentError, OpcError, UsageError
from opc.graph.rewriting import remove_unused

from .array import Array, Trace
from .extent import Meetings
from .promotion import promoted
from .signature import (
    EMPTY,
    Parameter,
    Specs,
    function_name,
    parameters_of,
    with_specs,
)
from .source_location import input_error
from .spec import tensor_types

NAME = "opc.name"
"""The attribute of an argument or result for a name that IR text cannot represent."""


def trace(fn: Callable[..., Any], specs: Specs | None = None) -> ModuleOp:
    """The module with the graph that ``fn`` computes; its inputs are named as the parameters.

    ``specs`` are the types of inputs without annotation, by order or by name.
    The function returns one array, several in a tuple or list, or a dict that names them.

    Raises :class:`UsageError` for a function that cannot be traced, :class:`InputError` for
    incompatible shapes or types, :class:`UnsupportedError` for functions without an operator.
    """
    target = fn.function if isinstance(fn, Traceable) else fn
    return build(target, with_specs(parameters_of(target), specs if specs is not None else ()))


def build(
    fn: Callable[..., Any],
    parameters: Sequence[Parameter],
    constants: Mapping[str, Any] | None = None,
) -> ModuleOp:
    """The module with the graph of a function whose parameters are those.

    ``constants`` are given in place of defaults.  Raises what :func:`trace` does.
    """
    inputs = [p for p in parameters if not p.is_constant]
    untyped = [p.name for p in inputs if p.spec is None]
    if untyped:
        raise UsageError(
            f"{function_name(fn)}(): the types of {', '.join(untyped)} are not known: annotate the "
            'parameters, as in `x: Annotated[np.ndarray, "f32[N, 1024]"]`, or give specs'
        )
    specs = [p.spec for p in inputs if p.spec is not None]
    types = tensor_types([p.name for p in inputs], specs)
    while True:
        free = (shape_of(t) for t, p in zip(types, inputs, strict=True) if p.is_free)
        symbols = [name for shape in free for e in shape if (name := e.symbol())]
        meetings = Meetings(list(dict.fromkeys(symbols)))
        try:
            module = _traced(fn, parameters, types, meetings, constants or {})
        except OpcError:
            if not meetings.found():
                raise
        else:
            if not meetings.found():
                return module
        values = meetings.found()
        types = [
            tensor_type(t.element_type, [e.substitute(values) for e in shape_of(t)]) for t in types
        ]


def _traced(
    fn: Callable[..., Any],
    parameters: Sequence[Parameter],
    types: Sequence[Tensor],
    meetings: Meetings,
    constants: Mapping[str, Any],
) -> ModuleOp:
    inputs = [p for p in parameters if not p.is_constant]
    block = Block(arg_types=types)
    graph = Trace(block, meetings)
    values = dict(constants)
    for p, argument in zip(inputs, block.args, strict=True):
        argument.name_hint = SSAValue.extract_valid_name(p.name) if p.name.isascii() else None
        values[p.name] = Array(graph, argument, weak=p.spec is not None and p.spec.weak)
    try:
        names, results = _results(fn, graph, _called(fn, parameters, values))
    finally:
        graph.is_open = False
    block.add_op(ReturnOp(*results))
    remove_unused(block)
    function = FuncOp(
        function_name(fn),
        ([a.type for a in block.args], [r.type for r in results]),
        Region(block),
        arg_attrs=_names([p.name for p in inputs], [a.name_hint for a in block.args]),
        res_attrs=_names(names, [None] * len(names)),
    )
    return ModuleOp([function])


def _called(
    fn: Callable[..., Any], parameters: Sequence[Parameter], values: Mapping[str, Any]
) -> Any:
    """The return value of the function for these values and defaults."""
    by_order = [p for p in parameters if not p.is_keyword]
    while by_order and by_order[-1].name not in values:
        by_order.pop()
    named = {p.name: values[p.name] for p in parameters if p.is_keyword and p.name in values}
    return fn(*(values.get(p.name, p.default) for p in by_order), **named)


def _names(names: Sequence[str], hints: Sequence[str | None]) -> ArrayAttr[DictionaryAttr] | None:
    """Attributes for names that IR text would lose: ``x_1`` is printed as ``x``."""
    kept = [
        DictionaryAttr({} if name == hint else {NAME: StringAttr(name)})
        for name, hint in zip(names, hints, strict=True)
    ]
    return ArrayAttr(kept) if any(k.data for k in kept) else None


def _results(
    fn: Callable[..., Any], graph: Trace, returned: Any
) -> tuple[list[str], list[SSAValue]]:
    names: list[str] = []
    values: list[Any]
    if isinstance(returned, Mapping):
        mapping = cast(Mapping[Any, Any], returned)
        names, values = list(map(str, mapping)), list(mapping.values())
    elif isinstance(returned, tuple | list):
        values = list(cast(Sequence[Any], returned))
    else:
        values = [returned]
    if not values or any(v is None or isinstance(v, tuple | list | Mapping) for v in values):
        what = "an array, a tuple or list of arrays, or a dict of them"
        raise UsageError(f"{function_name(fn)}() must return {what}")
    return names, [promoted(v, trace=graph)[0].value for v in values]


class Traceable:
    """A Python function and its parameters; with symbolic arrays it is part of another trace."""

    def __init__(self, fn: Callable[..., Any], specs: Specs) -> None:
        self.function = fn
        self.parameters = with_specs(parameters_of(fn), specs)
        self._inputs = [p for p in self.parameters if not p.is_constant]

    def trace(self) -> ModuleOp:
        """The module of the graph; :class:`UsageError` if only a call can determine the types."""
        return build(self.function, self.parameters)

    def __repr__(self) -> str:
        inputs = ", ".join(f"{p.name}: {p.spec or '?'}" for p in self._inputs)
        return f"<opc function {function_name(self.function)}({inputs})>"

    def _bound(self, args: tuple[Any, ...], named: Mapping[str, Any]) -> dict[str, Any]:
        """The values of inputs, and of constants that differ from their defaults, by name."""
        names = [p.name for p in self.parameters]
        values = dict(zip(names, args, strict=False))
        problem = ""
        if len(args) > len(names):
            problem = f"found {len(args)} arguments, expected {len(names)}"
        elif named.keys() - set(names):
            problem = f"there is no parameter {', '.join(sorted(named.keys() - set(names)))}"
        elif named.keys() & values.keys():
            problem = f"{', '.join(sorted(named.keys() & values.keys()))} given twice"
        values |= named
        for p in self._inputs:
            if p.name not in values and p.default is not EMPTY and p.default is not None:
                values[p.name] = p.default
        missing = [p.name for p in self._inputs if p.name not in values]
        if missing and not problem:
            problem = f"{', '.join(missing)} missing"
        if problem:
            raise ArgumentError(f"{function_name(self.function)}({', '.join(names)}): {problem}")
        return values

    def _inlined(self, args: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
        values = self._bound(args, named)
        for p in self._inputs:
            value = values[p.name]
            if p.spec is None or not isinstance(value, Array):
                continue
            (wanted,) = tensor_types([p.name], [p.spec])
            same = value.element is p.spec.element
            if not same or not fits(shape_of(wanted), shape_of(tensor_of(value.value))):
                raise input_error(
                    f"{function_name(self.function)}(): input {p.name} is {value!r}, "
                    f"expected {p.spec}"
                )
        return _called(self.function, self.parameters, values)
