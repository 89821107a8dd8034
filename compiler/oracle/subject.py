"""A graph that is compiled, run and interpreted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from opc.api import driver
from opc.api.options import Options
from opc.dialects.registry import context
from opc.errors import ArgumentError, UndecidedError
from opc.interpret import bounds, graph, loop
from opc.interpret.bounds import Bounded
from opc.interpret.memory import FaultError
from opc.interpret.precision import Array
from opc.passes import pipeline
from opc.passes.stages import check_graph

from .child import CrashError, in_child
from .compare import Comparison, Mismatch, compare

SECONDS = 60.0
"""The longest that a call may take."""
POISONS = (0x5A, 0xA5)
"""Bytes that outputs hold before a call: a result does not depend on them."""
INTERPRETED = 1 << 14
"""Elements of inputs up to which loops are interpreted as well."""
LEGALIZE = ("legalize-onnx", "legalize-openvino")


def function_in(module: ModuleOp) -> FuncOp:
    """The only function of a module."""
    return next(op for op in module.body.block.ops if isinstance(op, FuncOp))


@dataclass(frozen=True)
class Outcome:
    """The outcome of one run: a comparison of each result, or one error for all."""

    results: Sequence[Comparison]
    mismatch: Mismatch | None = None
    refused: str = ""
    """Why the graph or its interpreter refuses these inputs, if it does."""
    crashed: bool = False

    @property
    def agrees(self) -> bool:
        """Whether nothing is wrong."""
        return self.mismatch is None and all(r.mismatch is None for r in self.results)


@dataclass(frozen=True)
class Subject:
    """A function of operators of the opc dialect, in a module of its own."""

    module: ModuleOp
    options: Options

    @staticmethod
    def of(module: ModuleOp, function: str | None, options: Options) -> Subject:
        """One function of a module, made of the operators of opc if it is a model."""
        check_graph(module)
        source = driver.source_of(module, function, options)
        pipeline.run(source, context(), LEGALIZE)
        options = replace(options, time_passes=False, print_ir_after_all=False, dims={})
        return Subject(source, options)

    @property
    def function(self) -> FuncOp:
        """The function, as it is written."""
        return function_in(self.module)

    @cached_property
    def inferred(self) -> FuncOp:
        """The function with a name or a number for every extent."""
        return self.after("infer-shapes")

    def after(self, *passes: str) -> FuncOp:
        """A copy of the function after some passes."""
        module = self.module.clone()
        pipeline.run(module, context(), passes, target=self.options.target)
        return function_in(module)

    @property
    def passes(self) -> list[str]:
        """The passes that lead to loops."""
        names = pipeline.passes("loops", fuse=self.options.fuse)
        return [name for name in names if name not in LEGALIZE]

    @cached_property
    def compiled(self) -> driver.Function:
        """The compiled function."""
        return driver.compile(self.module, options=self.options)

    @cached_property
    def loops(self) -> FuncOp:
        """The function as loops."""
        return self.after(*self.passes)

    def expected(self, inputs: Sequence[Array]) -> list[Bounded]:
        """The interpreter's results.  ArgumentError where the graph refuses the inputs."""
        return bounds.evaluate(self.function, inputs)[0]

    def try_on(self, inputs: Sequence[Array], interpret_loops: bool = False) -> Outcome:
        """Compile, run and compare; ``interpret_loops`` also checks every access of the loops."""
        # Once, and not in every child.
        assert self.compiled
        try:
            expected = self.expected(inputs)
        except UndecidedError as error:
            return Outcome((), refused=str(error))
        except ArgumentError as error:
            return self._refusal(inputs, str(error))
        try:
            computed, same = in_child(lambda: self._call(inputs, expected), SECONDS)
        except CrashError as error:
            return Outcome((), Mismatch(f"the compiled function {error}"), crashed=True)
        except ArgumentError as error:
            return self._unless_required(inputs, str(error))
        results = [compare(a, b) for a, b in zip(computed, expected, strict=True)]
        outcome = Outcome(results)
        if outcome.agrees and not same:
            text = "results depend on what the memory held that they are written to"
            return Outcome(results, Mismatch(text))
        small = sum(x.size for x in inputs) <= INTERPRETED
        if outcome.agrees and interpret_loops and small:
            try:
                loop.run(self.loops, inputs)
            except FaultError as error:
                return Outcome(results, Mismatch(f"the loops are wrong: {error}"))
        return outcome

    def _unless_required(self, inputs: Sequence[Array], reason: str) -> Outcome:
        """The refusal of inputs; an error unless they break a requirement of inferred shapes."""
        try:
            graph.evaluate(self.inferred, inputs)
        except ArgumentError:
            return Outcome((), refused=reason)
        return Outcome((), Mismatch(f"the compiled function refuses what it should take: {reason}"))

    def _refusal(self, inputs: Sequence[Array], reason: str) -> Outcome:
        try:
            in_child(lambda: self.compiled(*inputs), SECONDS)
        except ArgumentError:
            return Outcome((), refused=reason)
        except CrashError as error:
            return Outcome((), Mismatch(f"the compiled function {error}, expected: {reason}"))
        return Outcome((), Mismatch(f"the compiled function takes what it should refuse: {reason}"))

    def _call(
        self, inputs: Sequence[Array], expected: Sequence[Bounded]
    ) -> tuple[list[Array], bool]:
        """The results, and whether they are the same over two poisons."""
        runs: list[list[Array]] = []
        for poison in POISONS:
            shapes: Sequence[Sequence[int]] = [x.value.shape for x in expected]
            if self.compiled.interface.capacities:
                # A first call determines the capacities that output arrays must have.
                self.compiled(*inputs)
            if self.compiled.interface.finds_shapes:
                shapes = self.compiled.output_shapes(*inputs)
            out = [_filled(poison, s, x.value) for s, x in zip(shapes, expected, strict=True)]
            buffers = None if not out else out[0] if len(out) == 1 else tuple(out)
            returned = self.compiled(*inputs, out=buffers)
            runs.append([returned] if len(out) == 1 else list(returned))
        same = all(a.tobytes() == b.tobytes() for a, b in zip(*runs, strict=True))
        return runs[0], same


def _filled(poison: int, shape: Sequence[int], like: Array) -> Array:
    array = np.empty(shape, like.dtype)
    array.reshape(-1).view(np.uint8)[...] = poison
    return array
