"""ONNX operators that take parts of tensors or put them together, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from opc.errors import InputError, OpcError  # noqa: E402
from tests.unit.common.onnx_models import function, info, model, node  # noqa: E402

X = np.arange(2 * 7 * 3, dtype=np.float32).reshape(2, 7, 3)
SHAPES = [(2, 7, 3), ("B", "N", 3)]
"""The same extents known when compiling, and not."""


def constants(**lists: Any) -> list[Any]:
    return [onnx.numpy_helper.from_array(np.array(v, np.int64), n) for n, v in lists.items()]


def compiled(made: Any, shape: tuple[Any, ...], opset: int, *initializers: Any) -> Any:
    return function(model(made, [info("x", shape=shape)], opset, initializers=initializers))


@pytest.mark.parametrize("shape", SHAPES, ids=["known", "unknown"])
@pytest.mark.parametrize("opset", [10, 11, 13])
def test_slice(shape: tuple[Any, ...], opset: int) -> None:
    lists = constants(s=[-2, 6, 1], e=[2**31 - 1, -(2**31), 3], a=[0, 1, 2], t=[1, -2, 1])
    found = compiled(node("Slice", "x s e a t"), shape, opset, *lists)(X)
    assert np.array_equal(found, X[-2:, 6::-2, 1:3])


def test_slice_of_the_first_version() -> None:
    made = node("Slice", "x", starts=(1, -2), ends=(100, -1), axes=(0, 2))
    assert np.array_equal(compiled(made, (2, 7, 3), 1)(X), X[1:100, :, -2:-1])


@pytest.mark.parametrize("shape", SHAPES, ids=["known", "unknown"])
@pytest.mark.parametrize("index, axis", [(0, 1), (-1, 1), ([1, 3, 5], 1), ([[2, 1, 0]], -2)])
def test_gather_of_known_places(shape: tuple[Any, ...], index: Any, axis: int) -> None:
    (listed,) = constants(i=index)
    found = compiled(node("Gather", "x i", axis=axis), shape, 13, listed)(X)
    assert np.array_equal(found, np.take(X, index, axis))


def test_gather_outside_is_an_error() -> None:
    (listed,) = constants(i=[7])
    with pytest.raises(InputError, match=r"an index of \[7\] is outside of axis 1"):
        compiled(node("Gather", "x i", axis=1), (2, 7, 3), 13, listed)
    unknown = compiled(node("Gather", "x i", axis=1), ("B", "N", 3), 13, listed)
    with pytest.raises(OpcError, match="an index is outside"):
        unknown(X)


def split(opset: int, count: int, shape: tuple[Any, ...], **how: Any) -> Any:
    lists = constants(l=how.pop("lengths")) if "lengths" in how else []
    names = " ".join(f"y{k}" for k in range(count))
    made = node("Split", "x l" if lists else "x", names, **how)
    return compiled(made, shape, opset, *lists)


@pytest.mark.parametrize("shape", SHAPES, ids=["known", "unknown"])
def test_split(shape: tuple[Any, ...]) -> None:
    cases = [
        (split(2, 2, shape, axis=1, split=(3, 4)), [3]),
        (split(11, 2, shape, axis=-2, split=(0, 7)), [0]),
        (split(13, 3, shape, axis=1, lengths=[2, 1, 4]), [2, 3]),
        (split(18, 3, shape, axis=1, num_outputs=3), [3, 6]),
        (split(13, 7, shape, axis=1), [1, 2, 3, 4, 5, 6]),
    ]
    for parts, places in cases:
        found = parts(X)
        expected = np.split(X, places, axis=1)
        assert all(np.array_equal(a, b) for a, b in zip(found, expected, strict=True))


def test_parts_that_do_not_fill_the_axis() -> None:
    with pytest.raises(InputError, match="the lengths do not sum up"):
        split(13, 2, (2, 7, 3), axis=1, lengths=[2, 4])
    with pytest.raises(InputError, match="the parts are not equal"):
        split(13, 2, (2, 7, 3), axis=1)
    with pytest.raises(OpcError, match="the parts are not equal"):
        split(13, 2, (2, "N", 3), axis=1)(X)


def test_concat_of_unknown_extents() -> None:
    inputs = [info("x", shape=("B", "N", 3)), info("y", shape=("C", "M", 3))]
    concat = function(model(node("Concat", "x y x", "z", axis=-2), inputs, 13))
    y = X[:, :2] + 100
    assert np.array_equal(concat(X, y), np.concatenate([X, y, X], axis=1))
    with pytest.raises(OpcError, match="extents beside the axis differ"):
        concat(X, y[:1])


@pytest.mark.parametrize("extent", [7, "N"])
@pytest.mark.parametrize("given", ["constant", "input"])
@pytest.mark.parametrize(
    ("start", "end", "step", "right"),
    [
        (-8, -100, -1, slice(0, None, -1)),
        (-100, -100, -2, slice(0, None, -1)),
        (-7, -100, -1, slice(0, None, -1)),
        (-100, 100, 2, slice(None, None, 2)),
        (100, 0, -3, slice(100, 0, -3)),
    ],
)
def test_slices_from_outside(
    extent: int | str, given: str, start: int, end: int, step: int, right: slice
) -> None:
    """Backwards, a start in front of the axis is its first place: ONNX's text, not NumPy's."""
    lists = {"s": [start], "e": [end], "a": [1], "t": [step]}
    inputs = [info("x", shape=(2, extent, 3))]
    arrays = {name: np.array(value, np.int64) for name, value in lists.items()}
    slices = node("Slice", "x s e a t", "z")
    if given == "constant":
        weights = [onnx.numpy_helper.from_array(a, name) for name, a in arrays.items()]
        found = function(model(slices, inputs, 13, initializers=weights))(X)
    else:
        inputs += [info(name, "i64", (1,)) for name in arrays]
        found = function(model(slices, inputs, 13))(X, *arrays.values())
    assert np.array_equal(found, X[:, right])
