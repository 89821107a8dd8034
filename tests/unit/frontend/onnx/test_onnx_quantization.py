"""Quantization of ONNX models, bit for bit as the ONNX reference has it."""

from __future__ import annotations

from itertools import product
from typing import Any

import ml_dtypes
import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx import TensorProto, helper, numpy_helper  # noqa: E402
from onnx.reference import ReferenceEvaluator  # noqa: E402

import opc  # noqa: E402
from opc.dialects.element import BY_NAME  # noqa: E402
from opc.errors import InputError, OpcError  # noqa: E402
from tests.unit.common.onnx_models import model, node, run  # noqa: E402

pytestmark = pytest.mark.sample(8)

RNG = np.random.default_rng(5)
NAMED = {
    "f32": TensorProto.FLOAT,
    "f16": TensorProto.FLOAT16,
    "bf16": TensorProto.BFLOAT16,
    "i32": TensorProto.INT32,
    "i8": TensorProto.INT8,
    "ui8": TensorProto.UINT8,
    "i16": TensorProto.INT16,
    "ui16": TensorProto.UINT16,
    "i4": TensorProto.INT4,
    "ui4": TensorProto.UINT4,
    "i2": TensorProto.INT2,
    "ui2": TensorProto.UINT2,
    "f4E2M1FN": TensorProto.FLOAT4E2M1,
    "f8E4M3FN": TensorProto.FLOAT8E4M3FN,
    "f8E4M3FNUZ": TensorProto.FLOAT8E4M3FNUZ,
    "f8E5M2": TensorProto.FLOAT8E5M2,
    "f8E5M2FNUZ": TensorProto.FLOAT8E5M2FNUZ,
    "f8E8M0FNU": TensorProto.FLOAT8E8M0,
}
WHOLE = ["i8", "ui8", "i16", "ui16", "i4", "ui4", "i2", "ui2"]
FLOATS = [name for name in NAMED if name.startswith("f8E4") or name.startswith("f8E5")]


def typed(array: Any, type: str) -> Any:
    return np.asarray(array).astype(BY_NAME[type].dtype)


@pytest.fixture(autouse=True)
def same_numbers() -> None:
    """Every test has its numbers, whichever tests went before it."""
    RNG.bit_generator.state = np.random.default_rng(0).bit_generator.state


def both(
    operator: str, inputs: dict[str, str], arrays: list[Any], opset: int, how: dict[str, Any]
) -> tuple[Any, Any]:
    """What opc and the reference make of a node; ``inputs`` are names and element types."""
    infos = [
        helper.make_tensor_value_info(name, NAMED[type], np.shape(array))
        for (name, type), array in zip(inputs.items(), arrays, strict=True)
    ]
    made = node(operator, " ".join(inputs), **how)
    proto = model(made, infos, opset)
    # The reference does not have the first versions, of which the later ones know all forms.
    later = model(made, infos, max(opset, 19))
    with np.errstate(all="ignore"):
        wanted = ReferenceEvaluator(later).run(None, dict(zip(inputs, arrays, strict=True)))[0]
    return run(proto, *arrays), wanted


def same(found: Any, wanted: Any) -> None:
    assert found.dtype == wanted.dtype and found.shape == wanted.shape
    kind = f"u{found.dtype.itemsize}"
    a, b = found.view(kind), wanted.view(kind)
    assert np.array_equal(a, b), (found[a != b], wanted[a != b])


def values(shape: tuple[int, ...], type: str = "f32") -> Any:
    """Numbers of many sizes, some halfway between two whole ones, and both zeros."""
    found = RNG.normal(size=shape) * 10.0 ** RNG.integers(-2, 5, size=shape)
    flat = np.where(RNG.random(shape) < 0.3, np.round(found) + 0.5, found).reshape(-1)
    flat[: min(flat.size, 5)] = [0.0, -0.0, 0.5, 1.5, -2.5][: flat.size]
    with np.errstate(over="ignore"):
        return typed(flat.reshape(shape), type)


def zeros(shape: tuple[int, ...], type: str) -> Any:
    low, high = {
        "i4": (-8, 8),
        "ui4": (0, 16),
        "i2": (-2, 2),
        "ui2": (0, 4),
        "ui16": (0, 65536),
    }.get(type, (-120, 120) if type.startswith("i") else (0, 250))
    return typed(RNG.integers(low, high, size=shape), type)


def scales(shape: tuple[int, ...], type: str = "f32") -> Any:
    return typed(2.0 ** RNG.integers(-3, 4, size=shape) * RNG.choice([1.0, 0.7, 1.3], shape), type)


FORMS: dict[str, tuple[tuple[int, ...], tuple[int, ...], dict[str, int]]] = {
    "tensor": ((4, 7, 3), (), {}),
    "one": ((4, 7, 3), (1,), {}),
    "axis": ((4, 7, 3), (7,), {}),
    "last": ((4, 7, 3), (3,), {"axis": -1}),
    "blocks": ((4, 8, 3), (4, 4, 3), {"block_size": 2}),
    "rest": ((4, 7, 3), (4, 3, 3), {"axis": 1, "block_size": 3}),
}
"""The shape of the values, that of scales, and attributes."""


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("type", WHOLE)
def test_to_whole_numbers_and_back(type: str, form: str) -> None:
    shape, own, how = FORMS[form]
    x, scale, zero = values(shape), scales(own), zeros(own, type)
    names = {"x": "f32", "s": "f32", "z": type}
    found, wanted = both("QuantizeLinear", names, [x, scale, zero], 25, how)
    same(found, wanted)
    same(*both("DequantizeLinear", {**names, "x": type}, [wanted, scale, zero], 25, how))


@pytest.mark.parametrize("saturate", [0, 1])
@pytest.mark.parametrize("type", FLOATS)
def test_to_small_floats_and_back(type: str, saturate: int) -> None:
    x, scale, zero = values((4, 7, 3)), scales((7,)), typed(np.zeros(7), type)
    names = {"x": "f32", "s": "f32", "z": type}
    how = {"saturate": saturate}
    found, wanted = both("QuantizeLinear", names, [x, scale, zero], 19, how)
    same(found, wanted)
    finite = np.where(np.isfinite(wanted.astype("f4")), wanted, typed(1, type))
    same(*both("DequantizeLinear", {**names, "x": type}, [finite, scale, zero], 19, {}))


def test_to_floats_of_four_bits() -> None:
    x, scale, type = values((4, 7, 3)), scales((7,)), "f4E2M1FN"
    for zero in (0, 1):
        names = {"x": "f32", "s": "f32", "z": type}
        arrays = [x, scale, typed(np.full(7, zero), type)]
        found, wanted = both("QuantizeLinear", names, arrays, 23, {})
        same(found, wanted)
    names = {"x": type, "s": "f32"}
    same(*both("DequantizeLinear", names, [wanted, scale], 23, {"axis": 1}))


def test_every_version() -> None:
    x, zero = values((4, 7)), zeros((), "ui8")
    names = {"x": "f32", "s": "f32", "z": "ui8"}
    for opset in (10, 13, 19, 21, 23, 24, 25):
        found, wanted = both("QuantizeLinear", names, [x, np.float32(0.7), zero], opset, {})
        same(found, wanted)
        back = {**names, "x": "ui8"}
        same(*both("DequantizeLinear", back, [wanted, np.float32(0.7), zero], opset, {}))


@pytest.mark.parametrize("type", ["f16", "bf16"])
def test_scales_of_few_bits(type: str) -> None:
    x, scale = values((4, 7, 3), type), scales((7,), type)
    for zero in ("i8", "ui8", "f8E4M3FN", "f8E5M2"):
        z = typed(np.zeros(7), zero)
        names = {"x": type, "s": type, "z": zero}
        found, wanted = both("QuantizeLinear", names, [x, scale, z], 19, {})
        same(found, wanted)
        finite = np.where(np.isfinite(wanted.astype("f4")), wanted, typed(1, zero))
        same(*both("DequantizeLinear", {**names, "x": zero}, [finite, scale, z], 19, {}))


@pytest.mark.parametrize("precision", ["f16", "bf16", "f32"])
def test_precision_of_the_quotient(precision: str) -> None:
    """Of quotients that f16 has: the reference makes any integer of an infinity."""
    x, scale = np.clip(values((4, 7, 3)), -2000, 2000), scales((7,))
    how = {"precision": NAMED[precision], "output_dtype": NAMED["i16"]}
    same(*both("QuantizeLinear", {"x": "f32", "s": "f32"}, [x, scale], 23, how))


def test_the_scale_decides_the_precision() -> None:
    """The text says so; the reference has NumPy's promotion."""
    x, scale = values((4, 7, 3)), scales((7,), "f16")
    names = {"x": "f32", "s": "f16"}
    how = {"output_dtype": NAMED["i16"]}
    found, _ = both("QuantizeLinear", names, [x, scale], 23, how)
    with np.errstate(all="ignore"):
        quotient = x.astype(np.float16) / scale[:, None]
    wanted = np.clip(np.rint(quotient.astype(np.float32)), -32768, 32767).astype(np.int16)
    assert np.array_equal(found, wanted)


def test_powers_of_two_as_scales() -> None:
    scale = typed(2.0 ** RNG.integers(-5, 5, (7,)), "f8E8M0FNU")
    how = {"output_dtype": NAMED["i8"]}
    x = values((4, 7, 3))
    found, wanted = both("QuantizeLinear", {"x": "f32", "s": "f8E8M0FNU"}, [x, scale], 24, how)
    same(found, wanted)
    for type in ("f16", "bf16", "f32"):
        how = {"output_dtype": NAMED[type]}
        names = {"x": "i8", "s": "f8E8M0FNU"}
        same(*both("DequantizeLinear", names, [wanted, scale], 24, how))


def test_int32() -> None:
    x = RNG.integers(-(2**31), 2**31, (4, 7), dtype=np.int32)
    scale = np.float32(2.0**24 * 0.7)
    proto = model(
        node("QuantizeLinear", "x s z"),
        [
            helper.make_tensor_value_info(n, NAMED[t], s)
            for n, t, s in (("x", "i32", (4, 7)), ("s", "f32", ()), ("z", "i8", ()))
        ],
        13,
    )
    wanted = np.clip(np.rint(x.astype(np.float32) / scale) + 3, -128, 127).astype(np.int8)
    assert np.array_equal(run(proto, x, scale, np.int8(3)), wanted)
    same(*both("DequantizeLinear", {"x": "i32", "s": "f32"}, [x, np.float32(0.3)], 13, {}))
    same(*both("QuantizeLinear", {"x": "i32", "s": "i32"}, [x, np.int32(2**24 + 1)], 23, {}))


def test_not_finite() -> None:
    """Infinities saturate, which the reference leaves to the machine; NaN gives 0."""
    x = np.float32([np.nan, 1, -np.nan, np.inf, -np.inf])
    for type in WHOLE:
        names = {"x": "f32", "s": "f32", "z": type}
        found, _ = both("QuantizeLinear", names, [x, np.float32(1), typed(1, type)], 25, {})
        info = ml_dtypes.iinfo(BY_NAME[type].dtype)
        assert found.tolist() == [0, min(2, info.max), 0, info.max, info.min]


@pytest.mark.parametrize("extents", ["known", "unknown"])
@pytest.mark.parametrize(
    "kind, shape",
    [
        *product(["mixed", "positive", "negative", "zero", "-zero", "tiny"], [(50,), (3, 4, 5)]),
        *product(["zero", "-zero"], [(), (1,), (1, 3), (0,), (2, 0, 3)]),
    ],
)
def test_dynamic(kind: str, shape: tuple[int, ...], extents: str) -> None:
    """The function that ONNX gives for it; its reference takes 1/255 as the scale of zeros."""
    x = (RNG.normal(size=shape) * 3).astype(np.float32)
    x = np.asarray(
        {
            "mixed": x,
            "positive": np.abs(x),
            "negative": -np.abs(x),
            "zero": np.zeros_like(x),
            "-zero": -np.zeros_like(x),
            "tiny": x * np.float32(1e-38),
        }[kind]
    )
    names = shape if extents == "known" else tuple(f"n{k}" for k in range(len(shape)))
    proto = model(
        node("DynamicQuantizeLinear", "x", "y s z"),
        [helper.make_tensor_value_info("x", NAMED["f32"], names)],
        11,
    )
    found = run(proto, x)
    wanted: Any = [np.zeros(shape, np.uint8), np.float32(0), np.uint8(0)]
    if "zero" not in kind:
        meant = onnx.defs.get_schema("DynamicQuantizeLinear", 11).function_body
        proto.graph.ClearField("node")
        proto.graph.node.extend(meant.node)
        for info, name in zip(proto.graph.output, meant.output, strict=True):
            info.name = name
        wanted = ReferenceEvaluator(proto).run(None, {"x": x})
    for a, b in zip(found, wanted, strict=True):
        same(np.asarray(a), np.asarray(b))


def test_unknown_extents() -> None:
    infos = [
        helper.make_tensor_value_info(n, NAMED[t], s)
        for n, t, s in (("x", "f32", ("N", "M")), ("s", "f32", ("N", "K")), ("z", "i8", ("N", "K")))
    ]
    proto = model(node("QuantizeLinear", "x s z", block_size=4), infos, 21)
    x, scale, zero = values((3, 10)), scales((3, 3)), zeros((3, 3), "i8")
    (wanted,) = ReferenceEvaluator(proto).run(None, {"x": x, "s": scale, "z": zero})
    same(run(proto, x, scale, zero), wanted)
    with pytest.raises(OpcError, match="one scale for each block"):
        run(proto, x, scales((3, 4)), zeros((3, 4), "i8"))


def test_sums_of_unknown_length() -> None:
    """A product of dequantized matrices is exact, whatever is known of its length."""
    numbers = {"s": np.float32(0.1), "t": np.float32(0.3), "z": np.uint8(3)}
    constants = [numpy_helper.from_array(np.array(v), n) for n, v in numbers.items()]
    nodes = [
        helper.make_node("DequantizeLinear", ["a", "s", "z"], ["x"]),
        helper.make_node("DequantizeLinear", ["b", "t", "z"], ["y"]),
        helper.make_node("MatMul", ["x", "y"], ["o"]),
    ]
    a, b = (RNG.integers(0, 256, shape, np.uint8) for shape in ((2, 300), (300, 3)))
    found: list[bytes] = []
    for length in (300, "K"):
        infos = [
            helper.make_tensor_value_info(n, NAMED["ui8"], s)
            for n, s in (("a", (2, length)), ("b", (length, 3)))
        ]
        result = [helper.make_tensor_value_info("o", NAMED["f32"], None)]
        graph = helper.make_graph(nodes, "g", infos, result, constants)
        opsets = [helper.make_opsetid("", 19)]
        proto = helper.make_model(graph, opset_imports=opsets, ir_version=10)
        found.append(opc.compile(proto, cache=None)(a, b).tobytes())
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "shapes, opset, how, message",
    [
        (((2, 3), (3,), (3,)), 10, {}, "expected one element"),
        (((2, 3), (2,), (2,)), 13, {}, "one for each index of axis 1"),
        (((2, 3), (3,), (3,)), 13, {"axis": 2}, "axis 2 is outside"),
        (((2, 3), (3,), ()), 13, {}, "zero point and scale have shapes"),
        (((2, 3), (2, 3), (2, 3)), 21, {}, "expected one element or a vector"),
        (((2, 3), (3,), (3,)), 21, {"block_size": 2}, "expected one for each block of 2"),
        (((2, 3), (2, 3), (2, 3)), 21, {"block_size": 2}, "one scale for each block of 2"),
        (((2, 3), (), ()), 21, {"block_size": -1}, "block_size is -1"),
        (((2, 3), (), ()), 21, {"output_dtype": 2}, "output_dtype is ui8"),
        (((2, 3), (), ()), 21, {"output_dtype": 1}, "output_dtype is 1"),
        (((2, 3), (), ()), 23, {"precision": 3}, "precision is 3"),
    ],
)
def test_what_does_not_fit(
    shapes: tuple[tuple[int, ...], ...], opset: int, how: dict[str, Any], message: str
) -> None:
    infos = [
        helper.make_tensor_value_info(n, NAMED[t], s)
        for n, t, s in zip("xsz", ("f32", "f32", "i8"), shapes, strict=True)
    ]
    proto = model(node("QuantizeLinear", "x s z", **how), infos, opset)
    with pytest.raises(InputError, match=message):
        run(proto)
