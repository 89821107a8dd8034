"""Interprets functions of the loop dialect in the order of the loops.

So sums have the bits of the emitted C.  (Elementary functions have them only where ``functions``
gives those of C: the scalar table's are more accurate.)

Iterations of an innermost loop that share no element are computed at once.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

from opc.dialects import body, kernel, loop, scalar
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.opc.control import ControlOp
from opc.dialects.tile_fusion import TileFusionOp
from opc.errors import UnsupportedError

from . import loop_moves
from .control import Runner
from .extents import element_type, known_shape, sufficient
from .frame import Frame
from .kernel import run_nests
from .loop_order import Fold, together
from .memory import Memory, fault
from .precision import Array

Environment: TypeAlias = "dict[SSAValue, Any]"
"""The scalars and loop variables that have values; arrays where rounds go together."""
Step: TypeAlias = "Callable[[Environment], None]"
Functions: TypeAlias = "Mapping[str, Callable[..., Any]]"


def run(
    function: FuncOp,
    inputs: Sequence[Array],
    symbols: Mapping[str, int] | None = None,
    functions: Functions | None = None,
) -> list[Array]:
    """Run a function of loops; symbols get their values from the shapes of ``inputs``.

    ``functions`` has the scalar functions, ``exp_f32`` say, that are not to be those of the table.

    Raises ArgumentError where inputs do not fit the function or a requirement fails, FaultError
    where an element is read that was never written or is not there, UnsupportedError for an
    operation of another dialect.
    """

    def once(known: Mapping[str, int] | None) -> list[Array]:
        machine = Machine(Frame(function, inputs, known), functions or {})
        with np.errstate(all="ignore"):
            machine.run()
        return machine.frame.results()

    return sufficient(function, symbols, once)


class _LoopRunner(Runner):
    """Runs control flow with the same scalar functions."""

    def __init__(self, functions: Functions) -> None:
        self.functions = functions

    def call(self, body: FuncOp, inputs: Sequence[Any]) -> list[Any]:
        return run(body, inputs, functions=self.functions)


class _BreakError(Exception):
    """The loop around a ``loop.break`` ends."""


class Machine:
    """Runs one function, whose operations become Python functions first."""

    def __init__(self, frame: Frame, functions: Functions) -> None:
        self.frame = frame
        self.functions = functions
        self.memories = frame.memories
        self.symbols = frame.symbols
        self.undefined: dict[SSAValue, Array] = {}
        """Of scalars that come of what was never written: in which rounds."""

    def run(self) -> None:
        """Run the function."""
        values: Environment = {}
        for op in self.frame.block.ops:
            # A data-dependent extent is bound only when its definition runs.
            if (step := self._step(op)) is not None:
                step(values)

    def _step(self, op: Operation) -> Step | None:
        match op:
            case loop.ForOp():
                return self._for(op)
            case loop.IfOp():
                return self._if(op)
            case loop.LoadOp() | loop.GatherOp():
                return self._load(op)
            case loop.BreakOp():
                return partial(self._break, op.condition)
            case loop.AheadOp():
                # Elements up to a cache line.  Addresses change no result: any number will do.
                at = self.offset(op.index.data[0], op.dims)
                return self._set(op.result, lambda values: -(at(values) + 1) % 16)
            case loop.StoreOp() | loop.ScatterOp():
                return self._store(op)
            case loop.LocalOp():
                new = partial(
                    Memory.new, element_type(op.result), known_shape(op.result, self.symbols)
                )
                return self._place(op.result, lambda _: new(local=True))
            case loop.ViewOp() if op.offset is not None:
                start, shape = self.offset(op.start, op.dims), known_shape(op.result, self.symbols)
                source = op.source
                return self._place(
                    op.result, lambda values: self.memories[source].behind(start(values), shape)
                )
            case body.ApplyOp():
                return self._apply(op)
            case body.ConstantOp():
                value = np.asarray(op.number).astype(scalar_type(op.result).dtype)[()]
                return self._set(op.result, lambda _: value)
            case body.IndexOp():
                at = self.offset(op.expr, op.dims)
                return self._set(op.result, lambda values: np.asarray(at(values), np.int64))
            case loop.CombineOp():
                return self._set(
                    op.result, lambda _: loop_moves.combine(op, self.memories[op.lanes])
                )
            case ControlOp():
                return lambda _: self.frame.run_control(op, _LoopRunner(self.functions))
            case loop.PrefetchOp() | ReturnOp():
                return None
            case kernel.NestOp() | TileFusionOp():
                return lambda _: run_nests(self.frame, op)
            case _ if type(op) in loop_moves.MEANINGS:
                return self._move(op)
            case _:
                return partial(self._define, op)

    def _define(self, op: Operation, values: Environment) -> None:
        if not self.frame.define(op):
            raise UnsupportedError(f"{op.name} cannot be interpreted among loops")

    def _set(self, result: SSAValue, compute: Callable[[Environment], Any]) -> Step:
        def step(values: Environment) -> None:
            values[result] = compute(values)

        return step

    def _place(self, result: SSAValue, memory: Callable[[Environment], Memory]) -> Step:
        def step(values: Environment) -> None:
            self.memories[result] = memory(values)

        return step

    def offset(self, e: ex.Expr, dims: Sequence[SSAValue]) -> Callable[[Environment], Any]:
        """A function for the value of an expression over loop variables."""
        if not e.dims():
            known = int(e.evaluate({}, self.symbols))
            return lambda values: known
        linear = self._linear(e)
        if linear is None:
            return lambda values: e.evaluate(
                {k: values[v] for k, v in enumerate(dims)}, self.symbols
            )
        start, factors = linear
        terms = [(dims[k], n) for k, n in factors]
        if len(terms) == 1:
            ((value, factor),) = terms
            return lambda values: start + factor * values[value]
        if len(terms) == 2:
            (a, m), (b, n) = terms
            return lambda values: start + m * values[a] + n * values[b]
        return lambda values: start + sum(n * values[v] for v, n in terms)

    def _linear(self, e: ex.Expr) -> tuple[int, list[tuple[int, int]]] | None:
        """Constant and factors of the dimensions, if there is no more to it."""
        rest, factors = e, list[tuple[int, int]]()
        for k in sorted(e.dims()):
            c = e.coefficient(k)
            if c is None or c.dims():
                return None
            rest = rest - c * ex.dim(k)
            factors.append((k, int(c.evaluate({}, self.symbols))))
        return int(rest.evaluate({}, self.symbols)), factors

    def _for(self, op: loop.ForOp) -> Step:
        lower, upper, size = op.bounds
        begin, end = self.offset(lower, op.dims), self.offset(upper, op.dims)
        pairs = [(o, s) for o in op.body.block.ops if (s := self._step(o)) is not None]
        steps, variable, plan = [s for _, s in pairs], op.variable, together(op)
        at_once = [s for o, s in pairs if plan is not None and o in plan.ops]
        folds = [self._fold(fold) for fold in plan.folds] if plan is not None else []

        def run_iterations(values: Environment) -> None:
            iterations = range(begin(values), end(values), size)
            if plan is not None and len(iterations) > 1 and plan.applies(self.memories):
                values[variable] = np.arange(iterations.start, iterations.stop, size)
                for step in at_once:
                    step(values)
                for fold in folds:
                    fold(values, len(iterations))
                return
            for k in iterations:
                values[variable] = k
                try:
                    for step in steps:
                        step(values)
                except _BreakError:
                    break

        return run_iterations

    def _break(self, condition: SSAValue, values: Environment) -> None:
        if values[condition]:
            raise _BreakError

    def _if(self, op: loop.IfOp) -> Step:
        holds = self.offset(op.holds, op.dims)
        then, *otherwise = [
            [s for inner in block.ops if (s := self._step(inner)) is not None]
            for block in op.blocks
        ]
        steps = {1: then, 0: otherwise[0] if otherwise else []}

        def step(values: Environment) -> None:
            for inner in steps[int(holds(values))]:
                inner(values)

        return step

    def _fold(self, fold: Fold) -> Callable[[Environment, int], None]:
        at, operand = self.offset(fold.store.index.data[0], fold.store.dims), fold.operand

        def run_fold(values: Environment, iterations: int) -> None:
            memory, offset = self.memories[fold.load.source], at(values)
            start = memory.read(fold.load, offset)
            added = np.broadcast_to(values[operand], (iterations,))
            if operand in self.undefined:
                raise fault(fold.apply, "an operand comes of what was never written")
            all = np.concatenate([[start], added]).astype(start.dtype)
            memory.write(fold.store, offset, fold.function.accumulate(all, dtype=all.dtype)[-1])

        return run_fold

    def _load(self, op: loop.LoadOp | loop.GatherOp) -> Step:
        at, result = self.offset(op.index.data[0], op.dims), op.result
        source, memories, undefined = op.source, self.memories, self.undefined

        def step(values: Environment) -> None:
            memory, offset = memories[source], at(values)
            memory.check_inside(op, offset)
            own = memory.written(offset)
            undefined.pop(result, None)
            if not own.all():
                if not memory.is_local:
                    memory.check_written(op, offset)
                undefined[result] = ~own
            values[result] = memory.data[offset]

        return step

    def _store(self, op: loop.StoreOp | loop.ScatterOp) -> Step:
        at, value = self.offset(op.index.data[0], op.dims), op.value
        target, memories, undefined = op.target, self.memories, self.undefined

        def step(values: Environment) -> None:
            memory, offset = memories[target], at(values)
            memory.write(op, offset, values[value])
            if value in undefined:
                at_fault = np.broadcast_to(undefined[value], np.shape(offset))
                offset = np.asarray(offset)[at_fault]
                if offset.size and not memory.is_local:
                    what = f"{memory.place(int(offset.flat[0]))} gets what was never written"
                    raise fault(op, what)
                memory.marks[offset] = 0

        return step

    def _apply(self, op: body.ApplyOp) -> Step:
        name, type, args, result = op.function.data, scalar_type(op.result), op.args, op.result
        function = self.functions.get(f"{name}_{scalar_type(args[-1])}")
        args, undefined = list(args), self.undefined

        def step(values: Environment) -> None:
            operands = [values[a] for a in args]
            if function is not None:
                values[result] = function(*operands)
            else:
                values[result] = scalar.apply(name, operands, type)
            if undefined:
                undefined.pop(result, None)
                masks = [undefined.get(a, np.False_) for a in args]
                if name == "select":
                    masks = [masks[0], np.where(operands[0], masks[1], masks[2])]
                mask = np.asarray(functools.reduce(np.logical_or, masks))
                if mask.any():
                    undefined[result] = mask

        return step

    def _move(self, op: Operation) -> Step:
        meaning, buffers, index, dims = loop_moves.parts(op)
        offsets = [self.offset(e, dims) for e in index]

        def step(values: Environment) -> None:
            if any(b in self.undefined for b in buffers):
                raise fault(op, "an operand comes of what was never written")
            memories = [self.memories[b] if b in self.memories else values[b] for b in buffers]
            meaning(op, memories, [at(values) for at in offsets])

        return step
