"""ONNX operators that move blocks of tensors or mark places, against the reference of ONNX."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx.reference import ReferenceEvaluator  # noqa: E402

from opc.errors import InputError, OpcError, UnsupportedError  # noqa: E402
from tests.unit.common.onnx_models import TYPES, function, info, model, node  # noqa: E402

pytestmark = pytest.mark.sample(8)

NAMES = {onnx.helper.tensor_dtype_to_np_dtype(t): n for n, t in TYPES.items()}
KNOWN = pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
"""Whether the extents of the first input are known when compiling."""


def initializers(**arrays: Any) -> list[Any]:
    return [onnx.numpy_helper.from_array(np.asarray(a), n) for n, a in arrays.items()]


def built(
    made: Any, opset: int, inputs: dict[str, np.ndarray], known: bool = True, **constants: Any
) -> Any:
    """A model of one node, whose inputs may have extents that are not known."""
    infos = [
        info(n, NAMES[a.dtype], a.shape if known else [f"{n}{k}" for k in range(a.ndim)])
        for n, a in inputs.items()
    ]
    return model(made, infos, opset, initializers=initializers(**constants))


def check(
    made: Any,
    opset: int,
    inputs: dict[str, np.ndarray],
    known: bool = True,
    **constants: Any,
) -> Sequence[np.ndarray]:
    """Compare with the reference; what opc computes."""
    proto = built(made, opset, inputs, known, **constants)
    expected = ReferenceEvaluator(proto).run(None, inputs)
    found = function(proto)(*inputs.values())
    found = [found] if isinstance(found, np.ndarray) else list(found)
    for a, b in zip(found, expected, strict=True):
        assert a.dtype == b.dtype and a.shape == b.shape, (a.dtype, a.shape, b.dtype, b.shape)
        np.testing.assert_array_equal(a, b)
    return found


def numbers(*shape: int, type: Any = np.float32) -> np.ndarray:
    return np.random.default_rng(len(shape)).integers(-50, 50, shape).astype(type)


@KNOWN
@pytest.mark.parametrize("shape", [(3, 5), (2, 4, 4), (2, 1, 7, 3), (0, 4)])
@pytest.mark.parametrize("k", [None, 0, 1, -2, 9, -9, 2**63 - 1, -(2**63)])
@pytest.mark.parametrize("upper", [0, 1])
def test_trilu(known: bool, shape: tuple[int, ...], k: int | None, upper: int) -> None:
    x = numbers(*shape)
    made = node("Trilu", "x" if k is None else "x k", upper=upper)
    proto = built(made, 14, {"x": x}, known, **({} if k is None else {"k": np.int64(k)}))
    rows, columns = np.indices(shape[-2:])
    distance = (columns - rows).astype(object)
    inside = distance >= (k or 0) if upper else distance <= (k or 0)
    assert np.array_equal(function(proto)(x), np.where(inside.astype(bool), x, np.float32(0)))


def test_trilu_of_a_diagonal_that_an_input_holds() -> None:
    x = numbers(4, 6, type=np.bool_)
    for k in (-1, 0, 3):
        check(node("Trilu", "x k"), 14, {"x": x, "k": np.array(k)})


@KNOWN
@pytest.mark.parametrize("mode", ["DCR", "CRD"])
def test_depth_to_space(known: bool, mode: str) -> None:
    x = numbers(2, 18, 4, 5, type=np.int64)
    check(node("DepthToSpace", "x", blocksize=3, mode=mode), 13, {"x": x}, known)
    if mode == "DCR":
        check(node("DepthToSpace", "x", blocksize=3), 1, {"x": x}, known)


@KNOWN
def test_space_to_depth(known: bool) -> None:
    x = numbers(2, 3, 4, 6)
    check(node("SpaceToDepth", "x", blocksize=2), 13, {"x": x}, known)


@pytest.mark.parametrize("mode", ["DCR", "CRD"])
def test_space_to_depth_undoes_depth_to_space(mode: str) -> None:
    x = numbers(2, 8, 3, 5)
    there = node("DepthToSpace", "x", "t", blocksize=2, mode=mode)
    back = node("SpaceToDepth", "t", blocksize=2, mode=mode)
    assert np.array_equal(function(model([there, back], [info("x", shape=x.shape)], 28))(x), x)


def test_blocks_that_do_not_fit() -> None:
    x = numbers(1, 6, 2, 2)
    for known in (True, False):
        with pytest.raises(OpcError, match="blocks do not divide the channels"):
            function(built(node("DepthToSpace", "x", blocksize=2), 13, {"x": x}, known))(x)
    with pytest.raises(InputError, match="blocksize is 0"):
        function(built(node("DepthToSpace", "x", blocksize=0), 13, {"x": x}))
    with pytest.raises(InputError, match='mode is "ABC"'):
        function(built(node("DepthToSpace", "x", blocksize=1, mode="ABC"), 13, {"x": x}))


@KNOWN
@pytest.mark.parametrize("repeats", [(2, 1, 3), (1, 1, 1), (0, 2, 1), (3, 2, 2)])
@pytest.mark.parametrize("shape", [(2, 3, 4), (1, 5, 1), (2, 0, 1)])
def test_tile(known: bool, repeats: tuple[int, ...], shape: tuple[int, ...]) -> None:
    x, listed = numbers(*shape), np.array(repeats)
    check(node("Tile", "x r"), 13, {"x": x}, known, r=listed)
    check(node("Tile", "x r"), 6, {"x": x, "r": listed})


def test_tile_of_the_first_version() -> None:
    x = numbers(2, 3)
    proto = built(node("Tile", "x n a"), 1, {"x": x}, n=np.float32([2]), a=np.float32([1]))
    assert np.array_equal(function(proto)(x), np.tile(x, (1, 2)))


def test_repeats_that_are_no_extents() -> None:
    x = numbers(2, 3)
    with pytest.raises(InputError, match="is negative"):
        function(built(node("Tile", "x r"), 13, {"x": x}, r=np.array([1, -1])))
    tile = function(built(node("Tile", "x r"), 13, {"x": x, "r": np.array([1, 2])}))
    with pytest.raises(OpcError, match="values of an input are no extents"):
        tile(x, np.array([1, -1]))


@KNOWN
@pytest.mark.parametrize("how", [{}, {"k": 2}, {"k": -1, "dtype": 1}, {"k": 9}, {"dtype": 9}])
def test_eye_like(known: bool, how: dict[str, int]) -> None:
    x = numbers(4, 6, type=np.int32)
    proto = built(node("EyeLike", "x", **how), 22, {"x": x}, known)
    type = onnx.helper.tensor_dtype_to_np_dtype(how.get("dtype", 6))
    expected = np.eye(4, 6, how.get("k", 0), dtype=type)
    np.testing.assert_array_equal(function(proto)(x), expected, strict=True)


@KNOWN
@pytest.mark.parametrize("axis", [-1, 0, 1, -2])
@pytest.mark.parametrize("type", ["int64", "float32", "uint8", "int8"])
def test_one_hot(known: bool, axis: int, type: str) -> None:
    indices = np.array([[0, 3, 7], [6, 2, 100]]).astype(type)
    if type != "uint8":
        indices[0, 0], indices[1, 0] = -2, -9
    whole = indices.astype(np.int64)
    whole = np.where(whole < 0, whole + 7, whole)
    where = axis % 3
    expected = np.moveaxis(whole[..., None] == np.arange(7), -1, where)
    expected = np.where(expected, np.int16(-1), np.int16(5))
    for depth in (np.int64(7), np.float32([7])):
        lists = {"d": depth, "v": np.array([5, -1], np.int16)}
        proto = built(node("OneHot", "x d v", axis=axis), 11, {"x": indices}, known, **lists)
        np.testing.assert_array_equal(function(proto)(indices), expected, strict=True)


def test_one_hot_of_negative_indices_in_the_first_version() -> None:
    x = np.array([-1, 1])
    lists = {"d": np.int64(3), "v": np.float32([0, 1])}
    found = function(built(node("OneHot", "x d v"), 9, {"x": x}, **lists))(x)
    assert found.tolist() == [[0, 0, 0], [0, 1, 0]]


def test_one_hot_of_values_and_a_depth_that_inputs_hold() -> None:
    inputs = {"x": np.array([0, 2, -1]), "d": np.array([4]), "v": np.float64([2, 3])}
    found = function(built(node("OneHot", "x d v"), 13, inputs))(*inputs.values())
    assert found.tolist() == [[3, 2, 2, 2], [2, 2, 3, 2], [2, 2, 2, 3]]
    for values in (np.float64(2), np.float64([2, 3, 4])):
        with pytest.raises(InputError, match=r"two in a line|rank 1"):
            function(built(node("OneHot", "x d v"), 13, {**inputs, "v": values}))


@KNOWN
@pytest.mark.parametrize("wanted", [(3, 8), (8, 3), (5, 5), (6, 4), (1, 0)])
@pytest.mark.parametrize("axes", [None, (1, 2), (-1, 0)])
def test_center_crop_pad(
    known: bool, wanted: tuple[int, ...], axes: tuple[int, ...] | None
) -> None:
    x = numbers(5, 4, 5)
    how = {} if axes is None else {"axes": axes}
    listed = np.array(wanted if axes else (2, *wanted), np.int32)
    made = node("CenterCropPad", "x s", **how)
    check(made, 18, {"x": x}, known, s=listed)
    check(made, 18, {"x": x, "s": listed})


@KNOWN
@pytest.mark.parametrize("size", [1, 2, 3, 5])
@pytest.mark.parametrize("shape", [(2, 7, 3, 2), (3, 2, 4, 1)])
def test_lrn(known: bool, size: int, shape: tuple[int, ...]) -> None:
    x = numbers(*shape)
    made = node("LRN", "x", size=size, alpha=0.3, beta=0.6, bias=1.5)
    squares = np.zeros(shape)
    for c in range(shape[1]):
        low, high = max(c - (size - 1) // 2, 0), c + size // 2 + 1
        squares[:, c] = (x[:, low:high].astype(np.float64) ** 2).sum(axis=1)
    expected = x / (1.5 + 0.3 / size * squares) ** 0.6
    found = function(built(made, 13, {"x": x}, known))(x)
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_what_is_refused() -> None:
    x = numbers(2, 3)
    with pytest.raises(UnsupportedError, match="input 1 is not known when compiling"):
        inputs = {"x": x, "n": np.float32([2]), "a": np.float32([1])}
        function(built(node("Tile", "x n a"), 1, inputs))
    with pytest.raises(InputError, match="2 repeats for rank 3"):
        function(built(node("Tile", "x r"), 13, {"x": numbers(1, 2, 3)}, r=np.array([1, 1])))
    with pytest.raises(InputError, match="3 extents for 2 axes"):
        function(built(node("CenterCropPad", "x s"), 18, {"x": x}, s=np.array([1, 2, 3])))
    with pytest.raises(InputError, match="expected rank 2 or more"):
        function(built(node("Trilu", "x"), 14, {"x": numbers(3)}))
