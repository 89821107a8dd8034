"""Times steps of a language model whose weights are stored in several forms, beside peers.

A decode step reads every weight once, so it takes as long as memory does: the share of the read
bandwidth says how near that is.  Weights of few bits give the bits of the same weights in f32,
which is checked first.  Peers that are not installed are left out; they may compute with
activations of 8 bits.

::

    python -m benchmarks.language --layers 16 --vocabulary 32000 --prefill 128,512
"""

from __future__ import annotations

import argparse
import ctypes
import importlib.util
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import onnx
from onnx import TensorProto, helper

import opc
from opc.errors import OpcError
from opc.runtime import cache
from opc.tools.peers import PEERS
from opc.tools.turns import Call, alternate

from . import llama_cpp

Array = np.ndarray[Any, Any]
BLOCK = 32
"""Values that share a scale in the forms of blocks."""
HEAD = 64
"""Values of a head of attention."""
FORMS = ("f32", "f16", "bf16", "int8", "int8 in blocks", "int4")
READ_BYTES = 1 << 28
"""Bytes that are read to measure memory: more than caches hold."""
TRIES = 8
_READ = """\
#include <stddef.h>
#include <stdint.h>
uint64_t read_all(const uint64_t *from, size_t count) {
  uint64_t sums[32] = {0};
  for (size_t k = 0; k < count; k += 32) {
    for (int j = 0; j < 32; ++j) {
      sums[j] += from[k + j];
    }
  }
  for (int j = 1; j < 32; ++j) {
    sums[0] += sums[j];
  }
  return sums[0];
}
"""


@dataclass(frozen=True)
class Sizes:
    """The extents of a model."""

    layers: int
    hidden: int
    inner: int
    vocabulary: int
    groups: int

    @property
    def heads(self) -> int:
        """Heads of queries."""
        return self.hidden // HEAD


class Model:
    """Builds the graph of a decoder with a cache: states in, logits and the longer cache out."""

    def __init__(
        self, sizes: Sizes, form: str, is_wide: bool = False, activations: str = "float"
    ) -> None:
        """``is_wide`` takes the values of a form as weights in f32.

        With ``activations`` int8, products in blocks ask for activations of 8 bits.
        """
        self.sizes, self.form, self.is_wide = sizes, form, is_wide
        self.activations = activations
        self.rng = np.random.default_rng(0)
        self.nodes: list[Any] = []
        self.initializers: list[Any] = []
        self.stored = 0
        """Bytes of the weights as the model stores them."""
        self.names = 0

    def add(self, operator: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Add a node; the name of its result."""
        self.names += 1
        name = f"v{self.names}"
        node = helper.make_node(operator, list(inputs), [name], domain=domain, **attributes)
        self.nodes.append(node)
        return name

    def constant(self, values: Array, type: int | None = None) -> str:
        """Add an initializer; its name."""
        self.names += 1
        name, data = f"w{self.names}", values.tobytes()
        number = type or helper.np_dtype_to_tensor_dtype(values.dtype)
        proto = TensorProto(name=name, data_type=number, dims=values.shape, raw_data=data)
        self.initializers.append(proto)
        self.stored += len(data)
        return name

    def linear(self, x: str, inner: int, columns: int) -> str:
        """The product with weights in the form of the model."""
        if "blocks" in self.form or self.form == "int4":
            return self._in_blocks(x, inner, columns, 4 if self.form == "int4" else 8)
        if self.form == "int8":
            values = self.rng.integers(-127, 128, (inner, columns), dtype=np.int8)
            scales = (self.rng.random(columns) * 1e-3 + 1e-4).astype(np.float32)
            if self.is_wide:
                return self.add("MatMul", x, self.constant(values.astype(np.float32) * scales))
            inputs = self.constant(values), self.constant(scales)
            return self.add("MatMul", x, self.add("DequantizeLinear", *inputs, axis=1))
        weights = self.rng.standard_normal((inner, columns), np.float32) * np.float32(0.03)
        types = {"f16": np.dtype(np.float16), "bf16": np.dtype(ml_dtypes.bfloat16)}
        if self.form == "f32":
            return self.add("MatMul", x, self.constant(weights))
        narrow = weights.astype(types[self.form])
        if self.is_wide:
            return self.add("MatMul", x, self.constant(narrow.astype(np.float32)))
        number = TensorProto.FLOAT16 if self.form == "f16" else TensorProto.BFLOAT16
        wide = self.add("Cast", self.constant(narrow, number), to=TensorProto.FLOAT)
        return self.add("MatMul", x, wide)

    def _in_blocks(self, x: str, inner: int, columns: int, bits: int) -> str:
        """Values of few bits with a scale and a zero point for each block along the chain."""
        blocks, per = inner // BLOCK, 8 // bits
        packed = self.rng.integers(0, 256, (columns, blocks, BLOCK // per), dtype=np.uint8)
        scales = (self.rng.random((columns, blocks)) * 5e-3 + 1e-4).astype(np.float32)
        zeros = self.rng.integers(0, 256, (columns, -(-blocks // per)), dtype=np.uint8)
        if self.is_wide:
            shifts, mask = np.arange(0, 8, bits, dtype=np.uint8), np.uint8((1 << bits) - 1)
            values, offsets = (
                (v[..., None] >> shifts & mask).reshape(*v.shape[:-1], -1) for v in (packed, zeros)
            )
            whole = values.astype(np.float32) - offsets[:, :blocks, None].astype(np.float32)
            weights = (whole * scales[..., None]).reshape(columns, inner)
            return self.add("MatMul", x, self.constant(np.ascontiguousarray(weights.T)))
        inputs = self.constant(packed), self.constant(scales), self.constant(zeros)
        how = {"K": inner, "N": columns, "bits": bits, "block_size": BLOCK}
        if self.activations == "int8":
            how["accuracy_level"] = 4
        return self.add("MatMulNBits", x, *inputs, domain="com.microsoft", **how)

    def norm(self, x: str) -> str:
        """Divide rows by their root mean square."""
        square = self.add("Mul", x, x)
        axes = self.constant(np.array([-1], np.int64))
        mean = self.add("ReduceMean", square, axes)
        root = self.add("Sqrt", self.add("Add", mean, self.constant(np.array([1e-5], np.float32))))
        return self.add("Div", x, root)

    def _split(self, x: str, count: int) -> str:
        shape = self.constant(np.array([1, -1, count, HEAD], np.int64))
        return self.add("Transpose", self.add("Reshape", x, shape), perm=[0, 2, 1, 3])

    def attention(self, x: str, layer: int) -> str:
        """Attention of groups of heads over the cache and the new positions."""
        sizes, shared = self.sizes, self.sizes.heads // self.sizes.groups
        q = self._split(self.linear(x, sizes.hidden, sizes.hidden), sizes.heads)
        caches: list[str] = []
        for name in ("key", "value"):
            y = self._split(self.linear(x, sizes.hidden, sizes.groups * HEAD), sizes.groups)
            present = f"present_{name}_{layer}"
            join = [f"past_{name}_{layer}", y], [present]
            self.nodes.append(helper.make_node("Concat", *join, axis=2))
            caches.append(present)
        grouped = self.constant(np.array([sizes.groups, shared, -1, HEAD], np.int64))
        heads = self.constant(np.array([sizes.groups, 1, -1, HEAD], np.int64))
        q = self.add("Reshape", q, grouped)
        k, v = (self.add("Reshape", y, heads) for y in caches)
        scores = self.add("MatMul", q, self.add("Transpose", k, perm=[0, 1, 3, 2]))
        scores = self.add("Mul", scores, self.constant(np.array([HEAD**-0.5], np.float32)))
        y = self.add("MatMul", self.add("Softmax", scores, axis=-1), v)
        whole = self.constant(np.array([1, sizes.heads, -1, HEAD], np.int64))
        y = self.add("Transpose", self.add("Reshape", y, whole), perm=[0, 2, 1, 3])
        flat = self.constant(np.array([1, -1, sizes.hidden], np.int64))
        return self.linear(self.add("Reshape", y, flat), sizes.hidden, sizes.hidden)

    def build(self) -> Any:
        """The model in ONNX."""
        sizes, x = self.sizes, "states"
        for layer in range(sizes.layers):
            x = self.add("Add", x, self.attention(self.norm(x), layer))
            y = self.norm(x)
            gate, up = (self.linear(y, sizes.hidden, sizes.inner) for _ in range(2))
            y = self.add("Mul", self.add("Mul", gate, self.add("Sigmoid", gate)), up)
            x = self.add("Add", x, self.linear(y, sizes.inner, sizes.hidden))
        logits = self.linear(self.norm(x), sizes.hidden, sizes.vocabulary)
        states = [1, "length", sizes.hidden]
        inputs, outputs = (
            [_info("states", states)],
            [_info(logits, [1, "length", sizes.vocabulary])],
        )
        for layer in range(sizes.layers):
            for name in ("key", "value"):
                shape = [1, sizes.groups, "past", HEAD], [1, sizes.groups, "all", HEAD]
                inputs.append(_info(f"past_{name}_{layer}", shape[0]))
                outputs.append(_info(f"present_{name}_{layer}", shape[1]))
        graph = helper.make_graph(self.nodes, "decoder", inputs, outputs, self.initializers)
        opsets = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=10)


def _info(name: str, shape: Sequence[int | str]) -> Any:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, list(shape))


def feeds(sizes: Sizes, length: int, past: int) -> dict[str, Array]:
    """States of new positions and the caches of earlier ones."""
    rng = np.random.default_rng(1)
    arrays = {"states": rng.standard_normal((1, length, sizes.hidden), np.float32)}
    for layer in range(sizes.layers):
        for name in ("key", "value"):
            shape = 1, sizes.groups, past, HEAD
            arrays[f"past_{name}_{layer}"] = rng.standard_normal(shape, np.float32)
    return arrays


def read_rate(threads: int) -> float:
    """Bytes that so many threads read in a second."""
    run: Any = ctypes.CDLL(str(cache.build(_READ))).read_all
    run.argtypes, run.restype = [ctypes.c_void_p, ctypes.c_size_t], ctypes.c_uint64
    parts = [np.ones(READ_BYTES // threads // 256 * 32, np.uint64) for _ in range(threads)]
    best = 0.0
    with ThreadPoolExecutor(threads) as executor:
        for _ in range(TRIES):
            start = time.perf_counter()
            list(executor.map(lambda part: run(part.ctypes.data, part.size), parts))
            seconds = time.perf_counter() - start
            best = max(best, sum(part.nbytes for part in parts) / seconds)
    return best


def _calls(
    function: Any, path: Path, arrays: Mapping[str, Array], names: Sequence[str], threads: int
) -> dict[str, Call]:
    results = function(*arrays.values())
    calls: dict[str, Call] = {"opc": lambda: function(*arrays.values(), out=results)}
    named = dict(zip(names, results, strict=True))
    for peer, prepare in PEERS.items():
        try:
            calls[peer] = prepare(str(path), arrays, named, threads)
            calls[peer]()
        except Exception as error:  # a peer raises what it likes
            calls.pop(peer, None)
            if not isinstance(error, ImportError):
                print(f"  {peer}: {str(error).splitlines()[0][:90]}", file=sys.stderr)
    return calls


def _llama(
    sizes: Sizes, form: str, path: Path, context: int, threads: int
) -> llama_cpp.Peer | None:
    """Layers of these sizes in llama.cpp; None if it is not installed."""
    if importlib.util.find_spec("llama_cpp") is None:
        return None
    llama_cpp.write(path, sizes, form, context)
    return llama_cpp.Peer(path, context, threads)


def _has_same_bits(sizes: Sizes, form: str, function: Any, threads: int, activations: str) -> bool:
    """Whether a form gives what its weights give in f32, for one row and several.

    With activations of 8 bits, whether it gives what it gives on any machine.
    """
    if activations == "float":
        wide = opc.compile(Model(sizes, form, is_wide=True).build(), threads=threads)
    else:
        proto = Model(sizes, form, activations=activations).build()
        wide = opc.compile(proto, threads=threads, activations=activations, target="avx2")
    for length in (1, 5):
        arrays = feeds(sizes, length, 7).values()
        pairs = zip(function(*arrays), wide(*arrays), strict=True)
        if any(a.tobytes() != b.tobytes() for a, b in pairs):
            return False
    return True


def measure(
    sizes: Sizes,
    form: str,
    lengths: Sequence[int],
    threads: int,
    rounds: int,
    rate: float,
    activations: str = "float",
) -> bool:
    """Print the rows of one form; whether its bits are right."""
    model = Model(sizes, form, activations=activations)
    proto = model.build()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.onnx"
        onnx.save(proto, path)
        function = opc.compile(str(path), threads=threads, activations=activations)
        lowered = opc.lower(str(path), threads=threads, activations=activations)
        size = 0 if lowered.weights is None else lowered.weights.nbytes
        del lowered
        is_right = form == "f32" or _has_same_bits(sizes, form, function, threads, activations)
        names = [output.name for output in proto.graph.output]
        steps = [(1, 128), *((n, 0) for n in lengths)]
        llama = _llama(sizes, form, Path(folder) / "model.gguf", max(map(sum, steps)), threads)
        for length, past in steps:
            arrays = feeds(sizes, length, past)
            calls = _calls(function, path, arrays, names, threads)
            if llama is not None:
                calls["llama.cpp"] = llama.call(length, past)
            times = {n: min(t) for n, t in alternate(calls, rounds, threads).items()}
            peers = {n: t for n, t in times.items() if n != "opc"}
            share = f"{size / times['opc'] / rate:6.0%}" if length == 1 else " " * 6
            shown = "".join(f"  {n} {times['opc'] / t:.2f}" for n, t in peers.items())
            print(
                f"{form:16} {'decode' if length == 1 else f'prefill {length}':12}"
                f"{times['opc'] * 1e3:9.2f} ms {share}  .bin {size / model.stored:.3f}"
                f"  {'same bits' if is_right else 'OTHER BITS'}{shown}",
                flush=True,
            )
        if llama is not None:
            llama.close()
    return is_right


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure all forms; the exit code is 1 if one has other bits."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.language", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    numbers: dict[str, Any] = {"type": int, "metavar": "N"}
    parser.add_argument("--layers", default=2, **numbers)
    parser.add_argument("--hidden", default=1024, **numbers)
    parser.add_argument("--inner", default=2816, **numbers)
    parser.add_argument("--vocabulary", default=8192, **numbers)
    parser.add_argument("--groups", default=4, **numbers)
    parser.add_argument("--threads", default=1, **numbers)
    parser.add_argument("--rounds", default=12, **numbers)
    parser.add_argument("--prefill", default="128", help="positions of a first step, by commas")
    parser.add_argument("--activations", default="float", choices=("float", "int8"))
    parser.add_argument("--forms", default=",".join(FORMS), help="of weights, by commas")
    options = parser.parse_args(arguments)
    sizes = Sizes(options.layers, options.hidden, options.inner, options.vocabulary, options.groups)
    rate = read_rate(options.threads)
    print(f"read bandwidth {rate / 1e9:.1f} GB/s, {options.threads} thread(s)", flush=True)
    print("numbers behind peers are opc's time as a multiple of theirs", flush=True)
    lengths = [int(n) for n in options.prefill.split(",") if n]
    try:
        rows = [
            measure(
                *(sizes, form, lengths, options.threads, options.rounds, rate),
                options.activations,
            )
            for form in options.forms.split(",")
        ]
    except OpcError as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        return 1
    return 0 if all(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
