"""A graph with its inputs, and changed copies of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

from opc.api.options import Options
from opc.dialects import expr as ex
from opc.dialects.blob import dense
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.control import ControlOp, bodies_below
from opc.dialects.opc.data_extent import DataExtentOp
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.opc.scan import ScanOp
from opc.dialects.opc.symbols import RequireOp, SymbolSource
from opc.dialects.shape import DimsAttr, Tensor, shape_of, tensor_of, tensor_type
from opc.dialects.walking import walk
from opc.graph.rewriting import set_type
from opc.interpret import bounds
from opc.interpret.extents import element_type
from opc.interpret.precision import Array

from .subject import Subject, function_in

Axis: TypeAlias = "tuple[SSAValue, int]"


@dataclass(frozen=True, eq=False)
class Candidate:
    """A module with one function of operators of opc, and an array for each argument."""

    module: ModuleOp
    inputs: Sequence[Array]

    @property
    def function(self) -> FuncOp:
        """The function."""
        return function_in(self.module)

    @property
    def operators(self) -> list[OpcOp]:
        """The operators, constants among them, in order."""
        return [op for op in self.function.body.block.ops if isinstance(op, OpcOp)]

    @property
    def computed(self) -> list[SSAValue]:
        """The results of operators and control flow, in order."""
        ops = self.function.body.block.ops
        return [v for op in ops if isinstance(op, OpcOp | ControlOp) for v in op.results]

    @property
    def results(self) -> list[SSAValue]:
        """What is returned."""
        end = self.function.body.block.last_op
        assert isinstance(end, ReturnOp)
        return list(end.operands)

    def values(self) -> dict[SSAValue, Array]:
        """Every value, as the interpreter computes it."""
        bounded = bounds.evaluate(self.function, self.inputs)[1]
        return {v: x.value for v, x in bounded.items()}

    def subject(self, options: Options) -> Subject:
        """The graph to be compiled."""
        return Subject(self.module, options)

    @property
    def size(self) -> tuple[int, int, int]:
        """Operations, arguments and results; elements and axes of arguments."""
        shapes = [x.shape for x in self.inputs]
        ops = sum(isinstance(op, OpcOp | ControlOp) for op in walk(self.module))
        count = ops + len(shapes) + len(self.results)
        return count, sum(map(math.prod, shapes)), sum(map(len, shapes))


@dataclass(frozen=True)
class Change:
    """The changes of a copy; operations that become dead are dropped."""

    results: Sequence[int] | None = None
    """The numbers of the results that stay."""
    arguments: Mapping[SSAValue, Array] = field(default_factory=dict[SSAValue, Array])
    """Values that become arguments, with the array given for each."""
    operands: Mapping[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """Values, each with the operand of its operation that replaces it."""
    arrays: Mapping[SSAValue, Array] = field(default_factory=dict[SSAValue, Array])
    """Other elements for arguments and constants."""
    params: Mapping[Operation, Mapping[str, Any]] = field(
        default_factory=dict[Operation, "Mapping[str, Any]"]
    )
    """Other attributes of operators."""
    extents: Mapping[Axis, int | None] = field(default_factory=dict[Axis, "int | None"])
    """New extents of axes; None drops the axis."""
    is_static: bool = False
    """Whether symbolic extents become those of the inputs."""


def changed(candidate: Candidate, change: Change) -> Candidate:
    """The changed copy.  VerifyException or OpcError where there is none."""
    return _Rebuilding(candidate, change).run()


class _Rebuilding:
    def __init__(self, candidate: Candidate, change: Change) -> None:
        self.candidate = candidate
        self.change = change
        self.block = Block()
        self.inputs: list[Array] = []
        self.new: dict[SSAValue, SSAValue] = {}
        block = candidate.function.body.block
        self.given = dict(zip(block.args, candidate.inputs, strict=True))
        self.actual = candidate.values() if change.is_static else {}

    def run(self) -> Candidate:
        """Build it."""
        kept = self.change.results
        results = self.candidate.results
        results = results if kept is None else [results[k] for k in kept]
        needed = self._needed(results)
        for arg in self.given:
            if arg in needed:
                array = self.change.arrays.get(arg, self.given[arg])
                self._argument(arg, array, self._type(arg))
        for op in self.candidate.function.body.block.ops:
            if isinstance(op, RequireOp | SymbolSource | DataExtentOp):
                if not (isinstance(op, RequireOp) and self.change.is_static):
                    self.block.add_op(op.clone(self.new))
            elif isinstance(op, OpcOp | ControlOp) and not needed.isdisjoint(op.results):
                self._operation(op, [v for v in op.results if v in needed])
        values = [self.new[v] for v in results]
        self.block.add_op(ReturnOp(*values))
        types = [a.type for a in self.block.args], [v.type for v in values]
        function = FuncOp("main", types, Region(self.block))
        bodies = list(bodies_below(self.candidate.function))
        module = ModuleOp([function, *(body.clone() for body in bodies)])
        kept = {body.sym_name.data for body in bodies_below(function)}
        for body in list(module.body.block.ops)[1:]:
            if isinstance(body, FuncOp) and body.sym_name.data not in kept:
                body.detach()
        module.verify()
        return Candidate(module, self.inputs)

    def _needed(self, results: Iterable[SSAValue]) -> set[SSAValue]:
        needed: set[SSAValue] = set()
        behind = list(results)
        for op in self.candidate.function.body.block.ops:
            if isinstance(op, SymbolSource | DataExtentOp):
                behind += op.operands
        while behind:
            value = behind.pop()
            if value in needed:
                continue
            needed.add(value)
            op = value.owner
            if not isinstance(op, Operation) or value in self.change.arguments:
                continue
            other = self.change.operands.get(value)
            behind += op.operands if other is None else [other]
        return needed

    def _argument(self, value: SSAValue, array: Array, type: Tensor) -> SSAValue:
        argument = self.block.insert_arg(type, len(self.block.args))
        argument.name_hint = f"x{len(self.inputs)}"
        self.inputs.append(array)
        self.new[value] = argument
        return argument

    def _operation(self, op: OpcOp | ControlOp, needed: Sequence[SSAValue]) -> None:
        """An operator or control flow, unless other values are in the place of its results."""
        change = self.change
        for value in needed:
            if value in change.arguments:
                array = change.arguments[value]
                self._argument(value, array, tensor_type(element_type(value), array.shape))
            elif value in change.operands:
                self.new[value] = self.new[change.operands[value]]
        if all(v in self.new for v in needed):
            return
        if isinstance(op, OpcOp):
            self.new[op.result] = self._operator(op)
            return
        copy = op.clone({v: self.new[v] for v in op.operands})
        if self.change.is_static:
            self._make_static(op, copy)
        self.block.add_op(copy)
        for old, new in zip(op.results, copy.results, strict=True):
            self.new.setdefault(old, new)

    def _make_static(self, op: ControlOp, copy: ControlOp) -> None:
        """Give control flow the extents of the values; its bodies have symbols of their own."""
        for old, new in zip(op.results, copy.results, strict=True):
            set_type(new, tensor_type(element_type(old), self.actual[old].shape))
        if isinstance(op, ScanOp) and not op.is_open:
            along = [*op.scanned, *op.outputs[len(op.carried) :]]
            counts = [self.actual[v].shape[0] for v in along]
            if counts:
                copy.properties["extent"] = DimsAttr((ex.Expr.of(counts[0]),))

    def _operator(self, op: OpcOp) -> SSAValue:
        change = self.change
        if isinstance(op, ConstantOp):
            array = change.arrays.get(op.result)
            constant = ConstantOp(value=op.value)
            if array is not None:
                constant = ConstantOp(value=dense(array, element_type(op.result)))
            self.block.add_op(constant)
            return constant.result
        params = {p.name: v for p in op.params if (v := op.values().get(p.name)) != p.default}
        params |= change.params.get(op, {})
        said = self._type(op.result) if op.takes_result_type else None
        copy = op.__class__(*(self.new[v] for v in op.operands), result_type=said, **params)
        self.block.add_op(copy)
        return copy.result

    def _type(self, value: SSAValue) -> Tensor:
        """The type of a value with its new extents."""
        type, extents = tensor_of(value), list[ex.Expr]()
        for axis, e in enumerate(shape_of(type)):
            new = self.change.extents.get((value, axis), e)
            if new is None:
                continue
            if self.change.is_static:
                new = self.actual[value].shape[axis]
            extents.append(
                e if e.constant is None and not self.change.is_static else ex.Expr.of(new)
            )
        return tensor_type(type.element_type, extents)
