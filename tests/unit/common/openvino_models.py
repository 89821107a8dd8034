"""Models built through OpenVINO's interface and saved by its writer, and two ways to run them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np
import openvino as ov
from openvino import opset15 as ops
from openvino.utils.node_factory import NodeFactory

import opc

Arrays: TypeAlias = "list[np.ndarray]"
Build: TypeAlias = "Callable[..., Sequence[Any]]"

TYPES = {
    "f64": np.dtype(np.float64),
    "f32": np.dtype(np.float32),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "boolean": np.dtype(np.bool_),
    **{f"i{bits}": np.dtype(f"int{bits}") for bits in (8, 16, 32, 64)},
    **{f"u{bits}": np.dtype(f"uint{bits}") for bits in (8, 16, 32, 64)},
}
FLOATS = ("f64", "f32", "f16", "bf16")
INTEGERS = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64")
NAMES = {dtype: name for name, dtype in TYPES.items()}
_CORE: list[ov.Core] = []


def parameter(dtype: np.dtype, shape: Sequence[int], name: str) -> Any:
    """A Parameter; -1 is an extent that is not known when compiling."""
    node = ops.parameter(ov.PartialShape(list(shape)), getattr(ov.Type, NAMES[dtype]), name=name)
    node.output(0).get_tensor().set_names({name})
    return node


def ints(*values: int, dtype: str = "i64") -> Any:
    """A constant list of integers."""
    return ops.constant(np.array(values, TYPES[dtype]))


def scalar(value: float, type: str) -> Any:
    """A constant of rank 0."""
    return ops.constant(np.float32(value), getattr(ov.Type, type))


def of_windows(rank: int, **given: Any) -> dict[str, Any]:
    """The attributes of a layer of windows: steps of one and no pads but for what is given."""
    return {
        "strides": [1] * rank,
        "pads_begin": [0] * rank,
        "pads_end": [0] * rank,
        "dilations": [1] * rank,
        **given,
    }


def has_groups(filters: Any, rank: int) -> bool:
    """Filters of groups have an axis more, for the groups."""
    return len(filters.get_partial_shape()) == rank + 3


def plain_swish(x: Any) -> Any:
    """Swish without beta: the function of OpenVINO's interface always adds one, in f32."""
    return NodeFactory("opset4").create("Swish", [x.output(0)], {})


def model(inputs: Sequence[np.ndarray], build: Build, shapes: Sequence[Any] = ()) -> ov.Model:
    """The model whose outputs ``build`` makes of a Parameter for each input."""
    shapes = shapes or [x.shape for x in inputs]
    parameters = [
        parameter(x.dtype, shape, f"in{k}")
        for k, (x, shape) in enumerate(zip(inputs, shapes, strict=True))
    ]
    return ov.Model(list(build(*parameters)), parameters, "model")


def save(made: ov.Model, folder: Path, name: str = "model") -> Path:
    """Write a model with OpenVINO's writer; the path of the .xml."""
    path = folder / f"{name}.xml"
    ov.serialize(made, str(path))
    return path


def by_openvino(made: ov.Model, inputs: Sequence[np.ndarray]) -> Arrays:
    """What OpenVINO computes, in f32 where it has a choice."""
    if not _CORE:
        _CORE.append(ov.Core())
    options = {"INFERENCE_PRECISION_HINT": "f32", "EXECUTION_MODE_HINT": "ACCURACY"}
    request = _CORE[0].compile_model(made, "CPU", options).create_infer_request()
    for k, x in enumerate(inputs):
        x = np.asarray(x, order="C")
        if x.dtype == TYPES["bf16"]:
            tensor = ov.Tensor(ov.Type.bf16, ov.Shape(x.shape))
            tensor.data.view(np.uint16)[...] = x.view(np.uint16)
            request.set_input_tensor(k, tensor)
        else:
            request.set_input_tensor(k, ov.Tensor(x))
    request.infer()
    results: Arrays = []
    for k, port in enumerate(made.outputs):
        data = request.get_output_tensor(k).data
        wanted = TYPES[port.element_type.to_string()]
        data = data.view(wanted) if wanted.itemsize == data.itemsize else data
        results.append(np.array(data).astype(wanted).reshape(request.get_output_tensor(k).shape))
    return results


def by_opc(path: Path | str, inputs: Sequence[np.ndarray], **options: Any) -> Arrays:
    """What the compiled function computes."""
    result = opc.compile(path, **options)(*inputs)
    return [result] if isinstance(result, np.ndarray) else list(result)


def both(
    folder: Path, inputs: Sequence[np.ndarray], build: Build, shapes: Sequence[Any] = ()
) -> list[tuple[np.ndarray, np.ndarray]]:
    """For each output what opc and what OpenVINO computes."""
    made = model(inputs, build, shapes)
    ours = by_opc(save(made, folder), inputs)
    theirs = by_openvino(made, inputs)
    return list(zip(ours, theirs, strict=True))


TOLERANCE = {"f64": 2e-6, "f32": 2e-6, "f16": 2e-3, "bf16": 1.6e-2}
"""Relative; OpenVINO computes f64 in f32, and its elementary functions are approximations."""


def assert_alike(ours: np.ndarray, theirs: np.ndarray, what: str, scale: float = 1.0) -> None:
    """Equal types, shapes and integers; floats within what OpenVINO's arithmetic allows."""
    assert ours.dtype == theirs.dtype, f"{what}: {ours.dtype}, OpenVINO {theirs.dtype}"
    assert ours.shape == theirs.shape, f"{what}: {ours.shape}, OpenVINO {theirs.shape}"
    name = NAMES[ours.dtype]
    if name not in FLOATS:
        np.testing.assert_array_equal(ours, theirs, err_msg=what)
        return
    tolerance = TOLERANCE[name] * scale
    np.testing.assert_allclose(
        ours.astype(np.float64),
        theirs.astype(np.float64),
        rtol=tolerance,
        atol=tolerance,
        err_msg=what,
    )


def floats(type: str, *shape: int, low: float = -3.0, high: float = 3.0) -> np.ndarray:
    values = np.random.default_rng(len(shape) + 7).uniform(low, high, shape)
    return values.astype(np.float32).astype(TYPES[type])


def integers(type: str, *shape: int, low: int = -7, high: int = 9) -> np.ndarray:
    low = max(low, 0) if type.startswith("u") else low
    return np.random.default_rng(len(shape)).integers(low, high, shape).astype(TYPES[type])


def sample(type: str, *shape: int) -> np.ndarray:
    if type == "boolean":
        return np.random.default_rng(3).random(shape) < 0.5
    return floats(type, *shape) if type in FLOATS else integers(type, *shape)


def check(
    folder: Path,
    inputs: list[np.ndarray],
    nodes: Callable[..., dict[str, Any]],
    shapes: Any = (),
    scale: float = 1.0,
) -> int:
    """Compare every output; the number of outputs."""
    names: list[str] = []

    def build(*parameters: Any) -> list[Any]:
        found = nodes(*parameters)
        names.extend(found)
        return list(found.values())

    pairs = both(folder, inputs, build, shapes)
    for name, (ours, theirs) in zip(names, pairs, strict=True):
        assert_alike(ours, theirs, name, scale)
    return len(pairs)
