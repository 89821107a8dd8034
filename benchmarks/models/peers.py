"""What a model gives in onnxruntime and in OpenVINO, and how far that moves by rounding alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper

from benchmarks.models.inputs import Array

Run = Callable[[dict[str, Array]], Sequence[Any]]
"""A call with inputs by name."""


def loaded(model: Path, *, weights: bool = True) -> onnx.ModelProto:
    """A model in a file, with the weights that it has in other files or without."""
    library: Any = onnx
    return library.load(model, load_external_data=weights)


def with_onnxruntime(model: Path | bytes, *, optimized: bool = True) -> Run:
    """A session on one thread, of the model as it is written or optimized."""
    onnxruntime: Any = import_module("onnxruntime")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    if not optimized:
        level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.graph_optimization_level = level
    source = model if isinstance(model, bytes) else str(model)
    session = onnxruntime.InferenceSession(source, options, ["CPUExecutionProvider"])
    return lambda arrays: session.run(None, arrays)


def as_written(model: Path) -> Run:
    """onnxruntime without its optimizations."""
    return with_onnxruntime(model, optimized=False)


def with_openvino(model: Path) -> Run:
    """A request on one thread, in f32."""
    openvino: Any = import_module("openvino")
    settings = {
        "INFERENCE_NUM_THREADS": 1,
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": "f32",
    }
    compiled = openvino.Core().compile_model(str(model), "CPU", settings)
    request = compiled.create_infer_request()
    names = [port.get_names() for port in compiled.inputs]

    def run(arrays: dict[str, Array]) -> Sequence[Any]:
        # OpenVINO leaves out inputs that no result needs.
        used = {k: v for k, v in arrays.items() if any(k in alias for alias in names)}
        return list(request.infer(used, share_inputs=True, share_outputs=True).to_tuple())

    return run


PEERS: dict[str, Callable[[Path], Run]] = {
    "onnxruntime": with_onnxruntime,
    "as written": as_written,
    "openvino": with_openvino,
}
"""What opc is compared with."""


FEW = 8
"""Elements of a parameter that may be none: the scales of Resize decide extents."""


def nudged(model: Path, seed: int, given: Sequence[str] = ()) -> Run:
    """onnxruntime with every float moved to the next value above or below it.

    Those are the parameters, and these inputs, which are rounded results of another part.
    """
    proto, rng = loaded(model), np.random.default_rng(seed)
    for tensor in proto.graph.initializer:
        if tensor.data_type == onnx.TensorProto.FLOAT and np.prod(tensor.dims) >= FEW:
            values = moved(numpy_helper.to_array(tensor), rng)
            tensor.CopyFrom(numpy_helper.from_array(values, tensor.name))
    run = with_onnxruntime(proto.SerializeToString(), optimized=False)

    def call(arrays: dict[str, Array]) -> Sequence[Any]:
        again = np.random.default_rng(seed)
        return run({k: moved(v, again) if k in given else v for k, v in arrays.items()})

    return call


def moved(values: Array, rng: np.random.Generator) -> Array:
    """Each value the next one above or below, but 0, which stays."""
    largest = np.finfo(values.dtype).max
    toward = rng.choice(np.array([-largest, largest], values.dtype), values.shape)
    return np.where(values == 0, values, np.nextafter(values, toward))


def is_quantized(model: Path) -> bool:
    """Whether values are rounded to integers on the way."""
    if model.suffix == ".xml":
        return "FakeQuantize" in model.read_text(encoding="utf-8")
    names = {n.op_type for n in loaded(model, weights=False).graph.node}
    return any("Quantize" in name or "QLinear" in name for name in names)
