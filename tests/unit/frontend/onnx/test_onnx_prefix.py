"""CumSum and CumProd of ONNX against NumPy, with the same bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from opc.errors import ArgumentError, InputError  # noqa: E402
from tests.unit.common.onnx_models import info, interpreted, model, node, run  # noqa: E402

DTYPES = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "i32": np.int32}


def wanted(x: np.ndarray, operator: str, axis: int, exclusive: int, reverse: int) -> np.ndarray:
    function = np.cumsum if operator == "CumSum" else np.cumprod
    wide = np.float32 if x.dtype == np.float16 else x.dtype
    x = np.moveaxis(x, axis, 0)
    x = x[::-1] if reverse else x
    found = function(x, axis=0, dtype=wide)
    if exclusive:
        found = np.concatenate([np.full_like(found[:1], operator == "CumProd"), found[:-1]])
    return np.moveaxis(found[::-1] if reverse else found, 0, axis)


def drawn(seed: int) -> tuple[Any, list[np.ndarray], np.ndarray]:
    rng = np.random.default_rng(seed)
    rank = 1 + seed % 3
    shape = rng.integers(1, 7, rank).tolist()
    type = list(DTYPES)[seed % 4]
    operator = ("CumSum", "CumProd")[seed // 2 % 2]
    axis, exclusive, reverse = int(rng.integers(-rank, rank)), seed % 2, seed // 4 % 2
    x = (rng.standard_normal(shape) * (10**8 if type == "i32" else 3)).astype(DTYPES[type])
    made = node(operator, "x a", exclusive=exclusive, reverse=reverse)
    extents = ["A", "B", "C"][:rank] if seed % 5 < 2 else shape
    infos, arrays, constants = [info("x", type, extents)], [x], []
    if seed % 7 < 3:
        infos.append(info("a", "i32", (1,)))
        arrays.append(np.int32([axis]))
    else:
        constants.append(onnx.numpy_helper.from_array(np.int64(axis).reshape(()), "a"))
    proto = model(made, infos, 26, initializers=constants)
    return proto, arrays, wanted(x, operator, axis, exclusive, reverse)


@pytest.mark.parametrize("seed", range(40))
def test_prefixes(seed: int) -> None:
    proto, arrays, expected = drawn(seed)
    (found,) = interpreted(proto, *arrays)
    np.testing.assert_array_equal(found, expected.astype(arrays[0].dtype))


@pytest.mark.parametrize("seed", [0, 6, 9, 19])
def test_prefixes_in_c(seed: int) -> None:
    proto, arrays, expected = drawn(seed)
    np.testing.assert_array_equal(run(proto, *arrays), expected.astype(arrays[0].dtype))


def test_an_axis_outside() -> None:
    made, infos = node("CumSum", "x a"), [info("x", shape=(2, "N"))]
    axis = onnx.numpy_helper.from_array(np.int64(2), "a")
    with pytest.raises(InputError, match="axis 2 is outside"):
        interpreted(model(made, infos, initializers=[axis]))
    proto = model(made, [*infos, info("a", "i64", ())])
    with pytest.raises(ArgumentError):
        run(proto, np.ones((2, 3), np.float32), np.int64(-3))


def test_nothing_to_sum() -> None:
    axis = onnx.numpy_helper.from_array(np.int64(1), "a")
    proto = model(node("CumSum", "x a"), [info("x", shape=(2, "N"))], initializers=[axis])
    assert run(proto, np.ones((2, 0), np.float32)).shape == (2, 0)
