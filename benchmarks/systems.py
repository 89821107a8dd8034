"""What is compared: opc and its peers, each through the best of its usual interfaces.

Where an interface takes arrays for its results, it gets them, so nobody pays for memory that
another reuses; torch and jax have none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar

import numpy as np

from benchmarks import graph
from benchmarks.inputs import ALIGNED, DTYPES, Array, empty
from benchmarks.namespaces import Jax, NumPy, Torch
from benchmarks.rows import Row
from opc.tools import peers

Call = Callable[[], object]


class Unsupported(Exception):
    """A system cannot compute a row."""


@dataclass
class Task:
    """A row with its arrays, and what it should give: in f64, or exactly for integers.

    All arrays, those for results too, begin ``start`` bytes behind the start of a cache line.
    """

    row: Row
    threads: int
    arrays: list[Array]
    expected: list[Array]
    outputs: list[str]
    start: int = ALIGNED

    @cached_property
    def model(self) -> Any:
        """The row as an ONNX model."""
        return graph.model(self.row.function, self.row.inputs, self.outputs)

    @cached_property
    def inputs(self) -> Mapping[str, Array]:
        """The arrays by name."""
        return {i.name: a for i, a in zip(self.row.inputs, self.arrays, strict=True)}

    @cached_property
    def results(self) -> dict[str, Array]:
        """Arrays for the results, by the names in the model.

        There is one set for all systems: where arrays lie in memory decides about some percent.
        """
        names = [o.name for o in self.model.graph.output]
        return {
            name: empty(e.shape, DTYPES[dtype], self.start)
            for name, e, dtype in zip(names, self.expected, self.outputs, strict=True)
        }

    @property
    def out(self) -> Any:
        """The arrays for the results as the argument of a function: one, or a tuple."""
        results = tuple(self.results.values())
        return results[0] if len(results) == 1 else results

    def clear(self) -> None:
        """Fill the results with what no result is, so that one that is not written is noticed."""
        for array in self.results.values():
            array.fill(77)

    @property
    def size(self) -> int:
        """Bytes of all inputs and results."""
        results = zip(self.expected, self.outputs, strict=True)
        return sum(a.nbytes for a in self.arrays) + sum(
            e.size * DTYPES[dtype].itemsize for e, dtype in results
        )


def task(row: Row, threads: int, start: int = ALIGNED) -> Task:
    """The row with arrays that begin so many bytes behind a line, and what it should give."""
    arrays = [i.array(start) for i in row.inputs]
    wide = [a if a.dtype.kind == "i" else a.astype(np.float64) for a in arrays]
    expected: list[Array] = [np.asarray(e) for e in graph.each(row.function(NumPy(), *wide))]
    floating = arrays[0].dtype.kind != "i"
    outputs = [
        f"i{8 * e.dtype.itemsize}"
        if e.dtype.kind == "i" and (floating or e.dtype != arrays[0].dtype)
        else row.dtype
        for e in expected
    ]
    return Task(row, threads, arrays, expected, outputs, start)


class System:
    """One library: ``prepare`` gives a call without arguments, ``read`` what such a call gave."""

    name: ClassVar[str]

    def is_available(self) -> bool:
        """Whether it is installed."""
        return find_spec(self.name) is not None

    def prepare(self, task: Task) -> Call:
        """Everything that is done once; raises whatever the library does for what it lacks."""
        raise NotImplementedError

    def read(self, result: Any) -> list[Array]:
        """The results of a call as arrays."""
        return [np.asarray(r) for r in graph.each(result)]


class Opc(System):
    """A compiled function bound to its arrays, as those peers are that can be."""

    name = "opc"

    def prepare(self, task: Task) -> Call:
        """Compile and bind."""
        import opc

        function = opc.compile(task.model, threads=task.threads)
        return function.bind(*task.arrays, out=task.out)


class OpcCalled(System):
    """A compiled function called in the plain way, which checks its arrays each time."""

    name = "opc, called"

    def is_available(self) -> bool:
        """Always."""
        return True

    def prepare(self, task: Task) -> Call:
        """Compile."""
        if task.row.bound != "call":
            raise Unsupported("makes no difference here")
        import opc

        function = opc.compile(task.model, threads=task.threads)
        arrays, out = task.arrays, task.out
        return lambda: function(*arrays, out=out)


class OnnxRuntime(System):
    """The model over bound arrays."""

    name = "onnxruntime"

    def prepare(self, task: Task) -> Call:
        """Load the model."""
        model = task.model.SerializeToString()
        return peers.onnxruntime_call(model, task.inputs, task.results, task.threads)


class OpenVino(System):
    """The model over bound arrays."""

    name = "openvino"

    def prepare(self, task: Task) -> Call:
        """Load the model."""
        if task.row.dtype == "f64":
            raise Unsupported("computes f64 in f32")
        model = task.model.SerializeToString()
        return peers.openvino_call(model, task.inputs, task.results, task.threads)


class NumPySystem(System):
    """One call after the other; into an array where one function is all."""

    name = "numpy"

    def prepare(self, task: Task) -> Call:
        """The function itself."""
        row, arrays, namespace = task.row, task.arrays, NumPy()
        if row.dtype == "bf16":
            raise Unsupported("has no bf16")
        if row.into is None:
            return lambda: tuple(
                np.asarray(r, order="C") for r in graph.each(row.function(namespace, *arrays))
            )
        into, out = row.into, task.out
        return lambda: into(*arrays, out=out)


class NumExpr(System):
    """The expression of a row, which is compiled once."""

    name = "numexpr"

    def prepare(self, task: Task) -> Call:
        """Compile the expression."""
        text = task.row.numexpr
        if text is None or task.row.dtype not in ("f64", "f32", "i32"):
            raise Unsupported("has no such expression")
        if task.row.dtype == "i32" and "sum" in text:
            raise Unsupported("sums into i64")
        ne: Any = import_module("numexpr")
        ne.set_num_threads(task.threads)
        inputs = dict(task.inputs)
        ne.evaluate(text, local_dict=inputs, out=task.out, casting="same_kind")
        return lambda: ne.re_evaluate(local_dict=inputs)


class JaxSystem(System):
    """``jax.jit``; XLA takes as many threads as the process has processors."""

    name = "jax"

    def prepare(self, task: Task) -> Call:
        """Compile the function."""
        jax: Any = import_module("jax")
        jax.config.update("jax_enable_x64", True)
        namespace, function = Jax(), task.row.function
        arrays = [jax.numpy.asarray(a) for a in task.arrays]

        def over(*inputs: Any) -> Any:
            return function(namespace, *inputs)

        compiled = jax.jit(over)
        return lambda: jax.block_until_ready(compiled(*arrays))


class TorchSystem(System):
    """``torch.compile`` of the function."""

    name = "torch"

    def prepare(self, task: Task) -> Call:
        """Compile the function."""
        torch: Any = import_module("torch")
        torch.set_num_threads(task.threads)
        torch._dynamo.reset()
        namespace, function = Torch(), task.row.function
        arrays = [
            torch.from_numpy(a.view(np.int16)).view(torch.bfloat16)
            if task.row.dtype == "bf16"
            else torch.from_numpy(a)
            for a in task.arrays
        ]

        def over(*inputs: Any) -> Any:
            # A permutation would be a view of what was computed, and nothing be moved.
            return tuple(r.contiguous() for r in graph.each(function(namespace, *inputs)))

        compiled = torch.compile(over, fullgraph=True, dynamic=task.row.is_symbolic)

        def call() -> object:
            with torch.inference_mode():
                return compiled(*arrays)

        return call

    def read(self, result: Any) -> list[Array]:
        """The results of a call as arrays."""
        torch: Any = import_module("torch")
        return [(r.to(torch.float32) if r.dtype == torch.bfloat16 else r).numpy() for r in result]


SYSTEMS: tuple[System, ...] = (
    Opc(),
    OpcCalled(),
    OnnxRuntime(),
    OpenVino(),
    TorchSystem(),
    JaxSystem(),
    NumExpr(),
    NumPySystem(),
)
"""opc first, then the peers."""
