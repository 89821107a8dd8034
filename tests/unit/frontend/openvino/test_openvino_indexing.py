"""Layers of OpenVINO whose indices are data, against OpenVINO itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("openvino", reason="OpenVINO, the oracle of these tests, is not installed")

from openvino import opset1, opset4, opset5, opset7, opset15
from openvino.utils.node_factory import NodeFactory

from opc.errors import ArgumentError, UnsupportedError
from tests.unit.common.openvino_models import by_opc, check, floats, model, save

RNG = np.random.default_rng(2)
X = floats("f32", 4, 5, 6)


def indices(low: int, high: int, *shape: int, dtype: Any = np.int64) -> np.ndarray:
    return RNG.integers(low, high, shape).astype(dtype)


def listed(*values: int) -> Any:
    return opset15.constant(np.array(values, np.int64))


@pytest.mark.parametrize("shapes", [(), [(-1, 5, -1), (-1, 3)]], ids=["known", "unknown"])
def test_gather(shapes: Any, tmp_path: Path) -> None:
    def made(x: Any, i: Any) -> dict[str, Any]:
        one = opset15.constant(np.array(1, np.int64))
        return {
            "1": opset1.gather(x, i, one),
            "7": opset7.gather(x, i, one),
            "8": opset15.gather(x, opset15.subtract(i, listed(2)), one),
        }

    assert check(tmp_path, [X, indices(0, 5, 2, 3)], made, shapes) == 3


def test_gather_in_batches(tmp_path: Path) -> None:
    def made(x: Any, i: Any) -> dict[str, Any]:
        axis = opset15.constant(np.array(2, np.int64))
        return {
            "7": opset7.gather(x, i, axis, 1),
            "8": opset15.gather(x, i, axis, -1),
        }

    assert check(tmp_path, [X, indices(0, 6, 4, 3, dtype=np.int32)], made) == 2


def test_gather_of_extents_stays_known(tmp_path: Path) -> None:
    def made(x: Any) -> dict[str, Any]:
        shape = opset15.gather(opset15.shape_of(x), listed(2, 0, -2), listed(0))
        return {"y": opset15.reshape(x, shape, False)}

    assert check(tmp_path, [X], made, [(-1, 5, -1)]) == 1


def test_elements_and_places(tmp_path: Path) -> None:
    def made(x: Any, i: Any, nd: Any, batched: Any) -> dict[str, Any]:
        return {
            "elements": opset15.gather_elements(x, i, 1),
            "nd 5": opset5.gather_nd(x, nd, 0),
            "nd 8": opset15.gather_nd(x, nd, 0),
            "batched 5": opset5.gather_nd(x, batched, 2),
            "batched 8": opset15.gather_nd(x, batched, 2),
        }

    arrays = [X, indices(0, 5, 4, 7, 6), indices(0, 4, 3, 2), indices(0, 6, 4, 5, 1)]
    assert check(tmp_path, arrays, made) == 5


def test_updates(tmp_path: Path) -> None:
    def made(x: Any, i: Any, u: Any, v: Any) -> dict[str, Any]:
        places = opset15.reshape(i, listed(3, 1), False)
        return {
            "update": opset15.scatter_update(x, i, u, listed(1)),
            "nd": opset4.scatter_nd_update(x, places, v),
        }

    arrays = [X, np.int64([3, 0, 2]), floats("f32", 4, 3, 6), floats("f32", 3, 5, 6)]
    assert check(tmp_path, arrays, made) == 2


@pytest.mark.parametrize("keeps", [True, False])
@pytest.mark.parametrize("type", ["f32", "i32"])
def test_reductions_of_elements(keeps: bool, type: str, tmp_path: Path) -> None:
    def made(x: Any, i: Any, u: Any) -> dict[str, Any]:
        return {
            name: opset15.scatter_elements_update(x, i, u, listed(1), name, keeps)
            for name in ("sum", "prod", "min", "max")
        }

    x, u = (np.rint(floats("f32", *s)).astype(floats(type, 1).dtype) for s in ((4, 5), (4, 7)))
    assert check(tmp_path, [x, indices(-5, 5, 4, 7), u], made) == 4


def test_reductions_of_places(tmp_path: Path) -> None:
    def made(x: Any, i: Any, u: Any) -> dict[str, Any]:
        factory = NodeFactory("opset15")
        inputs = [x.output(0), i.output(0), u.output(0)]
        return {
            name: factory.create("ScatterNDUpdate", inputs, {"reduction": name}).output(0)
            for name in ("none", "sum", "sub", "prod", "min", "max")
        }

    i = np.int64([[3], [0], [2]])
    assert check(tmp_path, [X, i, floats("f32", 3, 5, 6)], made) == 6


def test_what_is_refused(tmp_path: Path) -> None:
    i, u = indices(0, 5, 4, 7), floats("f32", 4, 7)

    def mean(x: Any, i: Any, u: Any) -> list[Any]:
        return [opset15.scatter_elements_update(x, i, u, listed(1), "mean")]

    with pytest.raises(UnsupportedError, match="reduction mean"):
        by_opc(save(model([u, i, u], mean), tmp_path), [u, i, u])

    def gather(x: Any, i: Any) -> list[Any]:
        return [opset7.gather(x, i, opset15.constant(np.array(0, np.int64)))]

    path = save(model([X, i], gather), tmp_path)
    for bad in (-1, 4):
        with pytest.raises(ArgumentError, match="an index is outside of axis 0"):
            by_opc(path, [X, np.full_like(i, bad)])
