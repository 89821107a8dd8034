"""Other libraries that run the same model, over the same arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from .turns import Call

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

_OPENVINO_TYPES = {
    **{"float64": "f64", "float32": "f32", "float16": "f16", "bfloat16": "bf16"},
    **{"bool": "boolean", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64"},
    **{"uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64"},
}


def peer_model(graph: str, peer: str) -> str | bytes:
    """What a peer reads: the path of the model, or its bytes where the file is text."""
    suffix = Path(graph).suffix.lower()
    if suffix == ".onnxtxt":
        from opc.frontend.onnx.file import load_model

        return load_model(graph).proto.SerializeToString()
    if suffix == ".onnx" or (suffix == ".xml" and peer == "openvino"):
        return graph
    raise TypeError(f"does not read {suffix or 'standard input'}")


def onnxruntime_call(
    model: str | bytes, inputs: Mapping[str, Array], outputs: Mapping[str, Array], threads: int
) -> Call:
    """A call of onnxruntime over these very arrays.

    Raises ImportError, and whatever onnxruntime raises for a model that it cannot run.
    """
    ort: Any = import_module("onnxruntime")
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    binding = session.io_binding()
    for bind, arrays in ((binding.bind_input, inputs), (binding.bind_output, outputs)):
        for name, array in arrays.items():
            bind(name, "cpu", 0, _onnx_type(array), list(array.shape), array.ctypes.data)
    run = session.run_with_iobinding

    def call() -> object:
        run(binding)
        return outputs

    return call


def _onnx_type(array: Array) -> Any:
    if array.dtype.name != "bfloat16":
        return array.dtype.type
    return import_module("onnx").TensorProto.BFLOAT16


def openvino_call(
    model: str | bytes, inputs: Mapping[str, Array], outputs: Mapping[str, Array], threads: int
) -> Call:
    """A call of OpenVINO over these very arrays, computing in f32 where the model does.

    Raises ImportError, and whatever OpenVINO raises for a model that it cannot run.
    """
    ov: Any = import_module("openvino")
    core = ov.Core()
    network = core.read_model(model)
    for port, array in zip(network.inputs, inputs.values(), strict=True):
        if port.get_element_type().get_type_name() != _OPENVINO_TYPES.get(array.dtype.name):
            raise TypeError(f"input {port.any_name!r} is {port.get_element_type()}")
    compiled = core.compile_model(
        network,
        "CPU",
        {
            "INFERENCE_NUM_THREADS": threads,
            "NUM_STREAMS": 1,
            "PERFORMANCE_HINT": "LATENCY",
            "EXECUTION_MODE_HINT": "ACCURACY",
            "INFERENCE_PRECISION_HINT": "f32",
        },
    )
    request = compiled.create_infer_request()
    for number, array in enumerate(inputs.values()):
        request.set_input_tensor(number, _openvino_tensor(ov, array))
    for number, array in enumerate(outputs.values()):
        request.set_output_tensor(number, _openvino_tensor(ov, array))
    infer = request.infer

    def call() -> object:
        infer(share_outputs=True)
        return outputs

    return call


def _openvino_tensor(ov: Any, array: Array) -> Any:
    if array.dtype.name == "bfloat16":
        return ov.Tensor(array.view("u2"), list(array.shape), ov.Type.bf16)
    return ov.Tensor(array, shared_memory=True)


PEERS: dict[str, Callable[..., Call]] = {
    "onnxruntime": onnxruntime_call,
    "openvino": openvino_call,
}
"""Other libraries by the names of their packages."""
