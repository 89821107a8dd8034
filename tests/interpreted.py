"""What ``opc.compile`` is in tests of frontends whose turn it is not to be compiled.

A compiled function costs a C compiler, and passes that have tests of their own; what a model means
is decided before.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from xdsl.dialects.func import FuncOp

from opc.api.driver import Function, load, source_of
from opc.api.driver import compile as compiled
from opc.dialects.element import element_of
from opc.dialects.registry import context
from opc.dialects.shape import shape_of, tensor_of
from opc.emit.specs import with_tables
from opc.errors import ArgumentError
from opc.interpret.function import run
from opc.passes import pipeline
from opc.runtime.callable import objects
from opc.support.interface import TensorSpec

USUAL = ({}, {"target": "baseline"})
"""The options with which a model is interpreted."""
LARGE = 1 << 16
"""Elements of an array from which on compiling takes less time."""


class Interpreted:
    """A function of small arrays that fit to the letter; for all else it is compiled."""

    def __init__(self, graph: Any, options: dict[str, Any]) -> None:
        self._graph = graph
        self._options = options
        module = source_of(load(graph), None)
        pipeline.run(module, context(), pipeline.passes("graph"))
        main = module.body.block.first_op
        assert isinstance(main, FuncOp)
        self._main = main

    @cached_property
    def _compiled(self) -> Function:
        return compiled(self._graph, **self._options)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._compiled, name)

    def __call__(self, *arrays: Any, **named: Any) -> Any:
        """What the graph computes; the errors are those of the compiled function."""
        if named or not self._fits(arrays):
            return self._compiled(*arrays, **named)
        try:
            results = [np.array(array) for array in run(self._main, arrays)]
        except ArgumentError as error:
            self._compiled(*arrays)
            raise AssertionError(f"the interpreter refuses what C computes: {error}") from None
        specs = [
            with_tables(TensorSpec(f"out{k}", array.dtype, array.shape), self._main, k)
            for k, array in enumerate(results)
        ]
        return objects(specs, results[0] if len(results) == 1 else tuple(results))

    def _fits(self, arrays: tuple[Any, ...]) -> bool:
        tensors = [tensor_of(arg) for arg in self._main.args]
        return len(arrays) == len(tensors) and all(
            type(array) is np.ndarray
            and array.size <= LARGE
            and array.dtype == element_of(tensor.element_type).dtype
            and array.ndim == len(shape_of(tensor))
            for array, tensor in zip(arrays, tensors, strict=True)
        )


def compile(graph: Any, **options: Any) -> Any:
    """A function of a graph, compiled only if something else than its values is asked for."""
    return Interpreted(graph, options) if options in USUAL else compiled(graph, **options)
