"""Arguments, buffers and results of an interpreted function of kernels or loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from xdsl.dialects.builtin import IntegerAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

from opc.dialects import loop
from opc.dialects.blob import array_of
from opc.dialects.bounds import at_most
from opc.dialects.buffer import OUTPUTS, WORKSPACE
from opc.dialects.named import donations
from opc.dialects.opc.control import ControlOp
from opc.dialects.opc.data_extent import (
    DataExtentOp,
    RequireRangeOp,
    data_bounds,
    data_extents,
    is_data_dependent,
)
from opc.dialects.opc.movement import ConstantOp, ReshapeOp
from opc.dialects.opc.symbols import RequireOp, SymbolSource
from opc.dialects.shape import IndexAttr, shape_of
from opc.errors import InputError

from .control import Runner
from .extents import (
    bind_inputs,
    define_data_extent,
    define_symbols,
    element_type,
    extent,
    known_extents,
    known_shape,
    require,
)
from .indexing import require_range
from .memory import Memory, Workspace
from .precision import Array


class Frame:
    """The buffers of a function that runs, and the values of its symbols."""

    def __init__(
        self, function: FuncOp, inputs: Sequence[Array], symbols: Mapping[str, int] | None
    ) -> None:
        self.function = function
        self.block = function.body.block
        self.symbols = dict(symbols or {})
        self.memories: dict[SSAValue, Memory] = {}
        args = list(self.block.args)
        outputs = function.attributes.get(OUTPUTS)
        self.has_buffers = isinstance(outputs, IntegerAttr)
        count = outputs.value.data if isinstance(outputs, IntegerAttr) else 0
        self.inputs = args[: len(args) - 1 - count] if self.has_buffers else args
        self.outputs = args[len(self.inputs) : -1] if self.has_buffers else []
        arrays = bind_inputs(self.inputs, inputs, self.symbols)
        for arg, array in zip(self.inputs, arrays, strict=True):
            self.memories[arg] = Memory.of(array)
        self.from_data = data_bounds(data_extents(self.block))
        # Extents that inputs hold are read before anything is computed, as in C.
        for op in self.block.ops:
            is_first = isinstance(op, RequireOp) and not is_data_dependent(op, self.from_data)
            if is_first or isinstance(op, SymbolSource):
                self.define(op)
        if self.has_buffers:
            self._allocate_outputs()
            self._allocate_workspace()

    def _allocate_outputs(self) -> None:
        """Allocate outputs, at upper bounds where extents are known only at the end."""
        for number, result in donations(self.function).items():
            array = self.memories[self.inputs[number]].array("a donated input")
            self.memories.setdefault(self.outputs[result], Memory.of(array.copy()))
        for value in self.outputs:
            if value not in self.memories:
                most = [at_most(e, self.from_data) for e in shape_of(value.type)]
                shape = known_extents(most, self.symbols, f"the bounds of {value.type}")
                self.memories[value] = Memory.new(element_type(value), shape)
            symbols = {n for e in shape_of(value.type) for n in e.symbols()}
            if symbols & self.from_data.keys() and symbols <= self.symbols.keys():
                shape = known_shape(value, self.symbols)
                self.memories[value] = self.memories[value].beginning(shape)

    def _allocate_workspace(self) -> None:
        attr = self.function.attributes.get(WORKSPACE)
        size = extent(attr.data[0], self.symbols) if isinstance(attr, IndexAttr) else 0
        if size is None:
            raise InputError("the size of the workspace has symbols without a value")
        self.workspace = Workspace(size)

    def define(self, op: Operation) -> bool:
        """Run an operation that defines symbols or buffers; False for any other."""
        match op:
            case RequireOp():
                require(op, self.symbols)
            case RequireRangeOp():
                require_range(op, self.memories[op.values].array(op.name), self.symbols)
            case DataExtentOp():
                value = self.memories[op.value].array(op.name)
                define_data_extent(op, value.reshape(()), self.symbols)
                self._allocate_outputs()
            case SymbolSource():
                sources = [self.memories[v] for v in op.operands]
                arrays = [m.data.reshape(m.shape) for m in sources]
                define_symbols(op, arrays, self.symbols)
            case ReshapeOp() | loop.ViewOp():
                shape, source = known_shape(op.results[0], self.symbols), op.operands[0]
                self.memories[op.results[0]] = self.memories[source].seen_as(shape)
                if isinstance(op, loop.ViewOp) and (start := op.start.constant):
                    self.memories[op.result] = self.memories[source].behind(start, shape)
            case ConstantOp():
                self.memories[op.result] = Memory.of(op.array())
            case loop.ConstantOp():
                self.memories[op.result] = Memory.of(np.asarray(array_of(op.value)))
            case ControlOp():
                self.run_control(op, Runner())
            case loop.SliceOp():
                offset, shape = (
                    extent(op.offset.data[0], self.symbols),
                    known_shape(op.result, self.symbols),
                )
                assert offset is not None
                type = element_type(op.result)
                self.memories[op.result] = self.workspace.cut(op, offset, type, shape)
            case _:
                return False
        return True

    def run_control(self, op: ControlOp, runner: Runner) -> None:
        """Run the bodies of control flow, each with buffers of its own."""
        count = len(op.operands) - len(op.operands_filled)
        arrays = [self.memories[v].array(op.name) for v in op.operands[:count]]
        for value, result in zip(op.targets, runner.run(op, arrays, self.symbols), strict=True):
            if value not in self.memories:
                self.memories[value] = Memory.of(result)
            else:
                memory = self.memories[value]
                memory.write(op, np.arange(memory.data.size), result.reshape(-1))

    def results(self) -> list[Array]:
        """The results of the function.  FaultError where an element was never written."""
        end = self.block.last_op
        if not isinstance(end, ReturnOp):
            raise InputError(f"function {self.function.sym_name.data} does not return")
        values = self.outputs if self.has_buffers else end.operands
        return [self.memories[v].array(f"result {k}") for k, v in enumerate(values)]
