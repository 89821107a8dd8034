"""ONNX operators whose extents only a run knows: bounds, pads and limits that inputs hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx import numpy_helper  # noqa: E402

from opc.errors import ArgumentError, InputError, OpcError, UnsupportedError  # noqa: E402
from tests.unit.common.onnx_models import function, info, model, node  # noqa: E402

X = np.arange(4 * 7 * 3, dtype=np.float32).reshape(4, 7, 3)
SHAPES = pytest.mark.parametrize("shape", [(4, 7, 3), ("A", "B", "C")], ids=["known", "unknown"])
FAR = 2**63 - 1


def listed(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


def lists(count: int, names: str) -> list[Any]:
    return [info(n, "i64", (count,)) for n in names.split()]


@SHAPES
def test_slice_by_inputs(shape: tuple[Any, ...]) -> None:
    inputs = [info("x", shape=shape), *lists(2, "s e a t")]
    compiled = function(model(node("Slice", "x s e a t"), inputs))
    draw = np.random.default_rng(5)
    for _ in range(60):
        starts, ends = (draw.choice([*range(-9, 10), FAR, -FAR - 1], 2) for _ in range(2))
        steps = draw.choice([-(2**40), -3, -2, -1, 1, 2, 3, FAR, -FAR - 1], 2)
        axes = draw.permutation(3)[:2]
        index = [slice(None)] * 3
        for s, e, a, t in zip(starts, ends, axes, steps, strict=True):
            # Backwards, ONNX's first place is in the axis.
            first = max(int(s), -X.shape[a]) if t < 0 else int(s)
            index[a] = slice(first, int(e), int(t))
        signed = np.where(draw.random(2) < 0.5, axes - 3, axes)
        found = compiled(X, *(np.array(v, np.int64) for v in (starts, ends, signed, steps)))
        np.testing.assert_array_equal(found, X[tuple(index)], strict=True)


@SHAPES
def test_slice_of_known_axes(shape: tuple[Any, ...]) -> None:
    constant = [onnx.numpy_helper.from_array(np.array([1, -1]), "a")]
    inputs = [info("x", shape=shape), *lists(2, "s e")]
    compiled = function(model(node("Slice", "x s e a"), inputs, initializers=constant))
    for first, last in ((0, 3), (-2, 9), (5, 2), (1, -1)):
        found = compiled(X, listed(first, 1), listed(last, -1))
        np.testing.assert_array_equal(found, X[:, first:last, 1:-1], strict=True)


def test_slices_that_are_errors() -> None:
    inputs = [info("x", shape=X.shape), *lists(2, "s e a t")]
    compiled = function(model(node("Slice", "x s e a t"), inputs))
    for axes, steps in (((0, 0), (1, 1)), ((0, 3), (1, 1)), ((-4, 1), (1, 1)), ((0, 1), (1, 0))):
        with pytest.raises(ArgumentError, match="values of an input are no extents"):
            compiled(X, listed(0, 0), listed(2, 2), listed(*axes), listed(*steps))


@SHAPES
def test_split_by_an_input(shape: tuple[Any, ...]) -> None:
    inputs = [info("x", shape=shape), *lists(3, "l")]
    compiled = function(model(node("Split", "x l", "a b c", axis=1), inputs))
    for lengths in ((2, 1, 4), (0, 7, 0), (3, 4, 0)):
        expected = np.split(X, np.cumsum(lengths)[:-1], axis=1)
        for a, b in zip(compiled(X, listed(*lengths)), expected, strict=True):
            np.testing.assert_array_equal(a, b, strict=True)
    with pytest.raises(OpcError, match="the lengths do not sum up"):
        compiled(X, listed(2, 1, 3))


def padded(x: np.ndarray, axes: Any, before: Any, after: Any, mode: str) -> np.ndarray:
    """What is cut off goes first, but where a value is put around."""
    for axis, first, last in zip(axes, before, after, strict=True):
        pads = [(0, 0)] * x.ndim
        pads[axis] = (max(first, 0), max(last, 0))
        index = [slice(None)] * x.ndim
        cut = slice(max(-first, 0), x.shape[axis] + max(first, 0) + max(last, 0) + min(last, 0))
        if mode == "constant":
            index[axis] = cut
            x = np.pad(x, pads, constant_values=np.float32(7.5))[tuple(index)]
        else:
            index[axis] = slice(max(-first, 0), x.shape[axis] + min(last, 0))
            x = np.pad(x[tuple(index)], pads, mode=mode)
    return x


@pytest.mark.sample(4)
@SHAPES
@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "wrap"])
@pytest.mark.parametrize("named", [False, True], ids=["every axis", "axes"])
def test_pad_by_inputs(shape: tuple[Any, ...], mode: str, named: bool) -> None:
    count = 2 if named else 3
    inputs = [info("x", shape=shape), *lists(2 * count, "p"), info("v", shape=())]
    inputs += lists(2, "a") if named else []
    made = node("Pad", "x p v a" if named else "x p v", mode=mode)
    compiled = function(model(made, inputs, 21))
    draw = np.random.default_rng(6)
    for _ in range(25):
        axes = draw.permutation(3)[:2] if named else np.arange(3)
        before, after = (draw.integers(-1, 2, count) for _ in range(2))
        arguments = [X, np.concatenate([before, after]), np.float32(7.5)]
        arguments += [np.where(draw.random(2) < 0.5, axes - 3, axes)] if named else []
        expected = padded(X, axes, before, after, mode)
        np.testing.assert_array_equal(compiled(*arguments), expected, strict=True)


def test_pads_that_are_errors() -> None:
    inputs = [info("x", shape=(3,)), *lists(2, "p")]
    for mode, pads in (("reflect", (-3, 1)), ("wrap", (1, -3)), ("constant", (-2, -2))):
        compiled = function(model(node("Pad", "x p", mode=mode), inputs, 19))
        with pytest.raises(ArgumentError, match="values of an input are no extents"):
            compiled(np.float32([1, 2, 3]), listed(*pads))
    empty = function(model(node("Pad", "x p"), [info("x", shape=(0,)), *lists(2, "p")], 19))
    assert empty(np.zeros(0, np.float32), listed(1, 2)).tolist() == [0, 0, 0]


@pytest.mark.parametrize("type", ["i64", "i32", "f32", "f64"])
def test_range_of_inputs(type: str) -> None:
    compiled = function(model(node("Range", "s l d"), [info(n, type, ()) for n in "sld"], 11))
    for start, limit, delta in ((0, 5, 1), (9, 2, -3), (4, 4, 1), (5, 2, 1), (-7, 8, 4)):
        dtype = {"i64": np.int64, "i32": np.int32, "f32": np.float32, "f64": np.float64}[type]
        found = compiled(*(np.array(v, dtype) for v in (start, limit, delta)))
        expected = np.arange(start, limit, delta, dtype)
        np.testing.assert_array_equal(found, expected, strict=True)
    with pytest.raises(ArgumentError, match="values of an input are no extents"):
        compiled(*(np.array(v, dtype) for v in (0, 3, 0)))


LEAST, MOST = -FAR - 1, FAR


@pytest.mark.parametrize("is_known", [True, False])
def test_range_to_the_ends_of_i64(is_known: bool) -> None:
    """From one end to the other it is further than numbers go; a step may be the least number."""
    several = [(LEAST, MOST, 1 << 62), (MOST, LEAST, -(1 << 61)), (MOST, LEAST, LEAST)]
    several += [(0, LEAST, LEAST + 1), (5, LEAST, 1), (0, 5, LEAST), (LEAST, LEAST + 5, 2)]
    several += [(MOST, MOST - 5, -2), (LEAST, 5, MOST)]

    def range_of(bounds: tuple[int, ...]) -> Any:
        arrays = [np.array(v) for v in bounds]
        held = [numpy_helper.from_array(a, n) for a, n in zip(arrays, "sld", strict=True)]
        inputs = [info("unused", shape=())] if is_known else [info(n, "i64", ()) for n in "sld"]
        known = {"initializers": held} if is_known else {}
        compiled = function(model(node("Range", "s l d"), inputs, 11, **known))
        return compiled(*([np.float32(0)] if is_known else arrays))

    for bounds in several:
        assert np.asarray(range_of(bounds)).tolist() == list(range(*bounds))
    for bounds in ((LEAST, MOST, 1), (MOST, LEAST, -1), (0, MOST, 1)):
        # The compiler, a call, or the interpreter refuses.
        errors = ArgumentError, InputError, UnsupportedError
        with pytest.raises(errors, match=r"no extents|expected at most|more than 2\^48 bytes"):
            range_of(bounds)


def test_what_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="expected a known number of elements"):
        inputs = [info("x", shape=(4,)), info("s", "i64", ("N",)), info("e", "i64", ("N",))]
        function(model(node("Slice", "x s e"), inputs, 13))
