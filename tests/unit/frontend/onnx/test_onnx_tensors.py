"""Tensors in ONNX files: every way to store one, constants, and what is refused of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx import TensorProto, helper, numpy_helper  # noqa: E402

import opc  # noqa: E402
from opc.api.driver import load  # noqa: E402
from opc.errors import InputError, UnsupportedError  # noqa: E402
from tests.unit.common.onnx_models import graph_text, info, model, node, run, saved  # noqa: E402

STORED: dict[int, Any] = {
    TensorProto.FLOAT: np.float32([1.5, -2, 0]),
    TensorProto.DOUBLE: np.float64([1.5, -2, 0]),
    TensorProto.FLOAT16: np.float16([1.5, -2, 0]),
    TensorProto.BFLOAT16: np.array([1.5, -2, 0], ml_dtypes.bfloat16),
    TensorProto.INT8: np.int8([1, -2, 0]),
    TensorProto.INT16: np.int16([1, -2, 0]),
    TensorProto.INT32: np.int32([1, -2, 0]),
    TensorProto.INT64: np.int64([1, -2, 2**62]),
    TensorProto.UINT8: np.uint8([1, 255, 0]),
    TensorProto.UINT16: np.uint16([1, 65535, 0]),
    TensorProto.UINT32: np.uint32([1, 2**32 - 1, 0]),
    TensorProto.UINT64: np.uint64([1, 2**64 - 1, 0]),
    TensorProto.BOOL: np.array([True, False, True]),
    TensorProto.FLOAT8E4M3FN: np.array([1.5, -2, 0], ml_dtypes.float8_e4m3fn),
    TensorProto.FLOAT8E5M2: np.array([1.5, -2, 0], ml_dtypes.float8_e5m2),
    TensorProto.INT4: np.array([1, -2, 7], ml_dtypes.int4),
    TensorProto.UINT4: np.array([1, 15, 0], ml_dtypes.uint4),
    TensorProto.FLOAT4E2M1: np.array([1.5, -2, 0], ml_dtypes.float4_e2m1fn),
}
OPSET = 25


def with_initializer(tensor: Any) -> Any:
    return model(node("Identity", "w"), [], OPSET, initializers=[tensor], ir_version=11)


@pytest.mark.parametrize("number", STORED, ids=lambda n: TensorProto.DataType.Name(n))
@pytest.mark.parametrize("raw", [True, False], ids=["raw", "typed"])
def test_stored_tensors(number: int, raw: bool) -> None:
    array = STORED[number]
    tensor = numpy_helper.from_array(array, "w")
    assert tensor.data_type == number
    if not raw:
        tensor = helper.make_tensor("w", number, array.shape, array)
        assert not tensor.HasField("raw_data")
    found = run(with_initializer(tensor))
    assert found.dtype == array.dtype
    np.testing.assert_array_equal(found.view(np.uint8), array.view(np.uint8))


def external(tmp_path: Path, location: str, array: np.ndarray, offset: int = 0) -> Path:
    tensor = numpy_helper.from_array(array, "w")
    data = tensor.raw_data
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in (("location", location), ("offset", offset), ("length", len(data))):
        tensor.external_data.add(key=key, value=str(value))
    folder = tmp_path / "model"
    folder.mkdir(exist_ok=True)
    (folder / "w.bin").write_bytes(bytes(offset) + data)
    return saved(with_initializer(tensor), folder)


def test_external_data(tmp_path: Path) -> None:
    array = np.arange(5000, dtype=np.float32)
    path = external(tmp_path, "w.bin", array, 64)
    np.testing.assert_array_equal(opc.compile(path, target="baseline")(), array)


@pytest.mark.parametrize(
    "location, message",
    [
        ("../w.bin", "outside the folder"),
        ("/etc/passwd", "not a relative path"),
        ("missing.bin", "No such file"),
        ("", "without a location"),
        ("w\0.bin", "not a relative path"),
        (".", "is no file"),
    ],
)
def test_external_data_elsewhere(tmp_path: Path, location: str, message: str) -> None:
    (tmp_path / "w.bin").write_bytes(bytes(12))
    path = external(tmp_path, location, np.zeros(3, np.float32))
    with pytest.raises(InputError, match=message):
        load(path)


def test_external_data_behind_a_link(tmp_path: Path) -> None:
    (tmp_path / "secret.bin").write_bytes(bytes(12))
    path = external(tmp_path, "link.bin", np.zeros(3, np.float32))
    (path.parent / "link.bin").symlink_to(tmp_path / "secret.bin")
    with pytest.raises(InputError, match="symbolic link"):
        load(path)


@pytest.mark.parametrize("text", ["1_0", "\u0661\u0660", "+4", " 4", "-4", "4.0", "0x4", "9" * 19])
@pytest.mark.parametrize("key", ["offset", "length"])
def test_external_data_with_numbers_that_are_none(tmp_path: Path, text: str, key: str) -> None:
    path = external(tmp_path, "w.bin", np.zeros(3, np.float32))
    proto = onnx.load(path, load_external_data=False)
    for entry in proto.graph.initializer[0].external_data:
        entry.value = text if entry.key == key else entry.value
    path.write_bytes(proto.SerializeToString())
    with pytest.raises(InputError, match="expected a number of at most 18 digits"):
        load(path)


def test_external_data_that_is_too_short(tmp_path: Path) -> None:
    path = external(tmp_path, "w.bin", np.zeros(3, np.float32))
    (path.parent / "w.bin").write_bytes(bytes(5))
    with pytest.raises(InputError, match="has 5 bytes"):
        load(path)


def test_external_data_without_a_folder(tmp_path: Path) -> None:
    path = external(tmp_path, "w.bin", np.zeros(3, np.float32))
    proto = onnx.load(path, load_external_data=False)
    with pytest.raises(InputError, match="compile the path"):
        load(proto)


def test_constant_forms() -> None:
    forms: list[tuple[dict[str, Any], Any]] = [
        ({"value_float": 1.5}, np.float32(1.5)),
        ({"value_floats": [1.5, 2.0]}, np.float32([1.5, 2])),
        ({"value_int": 3}, np.int64(3)),
        ({"value_ints": [3, 4]}, np.int64([3, 4])),
        ({"value": numpy_helper.from_array(np.float16([[1], [2]]))}, np.float16([[1], [2]])),
        ({"value": numpy_helper.from_array(np.arange(3000.0))}, np.arange(3000.0)),
    ]
    for attributes, expected in forms:
        found = run(model(node("Constant", "", "y", **attributes), [], OPSET))
        np.testing.assert_array_equal(found, expected)
        assert found.dtype == expected.dtype


@pytest.mark.parametrize(
    "attributes, error, message",
    [
        ({"value_string": "a"}, UnsupportedError, "value_string"),
        ({}, InputError, "found none"),
        ({"value_int": 1, "value_float": 1.0}, InputError, "found value_float, value_int"),
    ],
)
def test_constants_that_are_refused(attributes: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        graph_text(model(node("Constant", "", "y", **attributes), [], OPSET))


def sparse(places: Any, shape: tuple[int, ...] = (2, 3), name: str = "w") -> Any:
    """1, 2, ... at places, and 0 elsewhere."""
    count, indices = len(places), np.array(places, np.int64)
    values = helper.make_tensor(name, 1, [count], np.arange(1, count + 1).astype(np.float32))
    at = helper.make_tensor("at", 7, indices.shape, indices.reshape(-1))
    return helper.make_sparse_tensor(values, at, shape)


@pytest.mark.parametrize("places", [[0, 2, 4], [[0, 0], [0, 2], [1, 1]]])
def test_sparse_tensors(places: Any) -> None:
    """Initializers and constants, by offsets or by an index for each axis."""
    expected = np.array([[1, 0, 2], [0, 3, 0]], np.float32)
    made = node("Constant", "", "y", sparse_value=sparse(places))
    np.testing.assert_array_equal(run(model(made, [], OPSET)), expected)
    proto = model(node("Add", "x w"), [info("x", shape=(2, 3))])
    proto.graph.sparse_initializer.append(sparse(places))
    x = np.ones((2, 3), np.float32)
    np.testing.assert_array_equal(run(proto, x), expected + 1)


@pytest.mark.parametrize(
    "tensor, message",
    [
        (sparse([6]), r"an index outside of shape \[2, 3\]"),
        (sparse([[0, 3]]), "an index outside"),
        (sparse([-1]), "an index outside"),
        (sparse([[0], [1]]), r"expected \[n\] and \[n\] or \[n, 2\]"),
        (sparse([0], (-1, 3)), "has shape"),
        (sparse([0], name=""), "an initializer has no name"),
        (sparse([0], name="x"), "defined twice"),
    ],
)
def test_wrong_sparse_tensors(tensor: Any, message: str) -> None:
    proto = model(node("Relu", "x"), [info("x", shape=(3,)), info("z", shape=(3,))])
    proto.graph.sparse_initializer.append(tensor)
    if tensor.values.name == "x":
        proto.graph.initializer.append(helper.make_tensor("x", 1, [1], [0.0]))
        message = "given twice"
    with pytest.raises(InputError, match=message):
        load(proto)
