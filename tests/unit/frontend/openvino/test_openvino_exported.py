"""Shapes as OpenVINO's converter of PyTorch computes them, against OpenVINO."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("openvino")
from openvino import opset1, opset7
from openvino import opset15 as ops

from tests.unit.common.openvino_models import check, floats, ints

X = floats("f32", 2, 5, 4)
UNKNOWN = [(-1, -1, -1)]


def extent(x: Any, axis: int, like: Any = opset7) -> Any:
    """An extent of rank 0, counted from the end as ``aten::triu`` does."""
    shape = ops.shape_of(x, output_type="i64")
    return like.gather(shape, ops.constant(np.int32(axis)), ops.constant(np.int32(0)))


@pytest.mark.parametrize("like", [opset1, opset7], ids=["Gather-1", "Gather-7"])
def test_extents_from_the_end(like: Any, tmp_path: Path) -> None:
    def build(x: Any) -> dict[str, Any]:
        last = ops.unsqueeze(extent(x, -1, like), ints(0))
        return {"known": ops.reshape(x, ops.concat([ints(-1), last], 0), False)}

    check(tmp_path, [X], build, [X.shape])
    check(tmp_path, [X], build, UNKNOWN)


def test_eye_of_extents(tmp_path: Path) -> None:
    def build(x: Any) -> dict[str, Any]:
        rows, columns = (ops.convert(extent(x, k), "i32") for k in (-2, -1))
        eye = ops.eye(rows, columns, ops.constant(np.int32(1)), "f32")
        return {"eye": ops.multiply(x, eye)}

    check(tmp_path, [X], build, UNKNOWN)


def test_pads_that_are_split(tmp_path: Path) -> None:
    """``aten::pad`` takes a list of pairs apart; the extents stay known."""

    def build(x: Any) -> dict[str, Any]:
        more = ops.mod(ops.subtract(ints(8), ops.unsqueeze(extent(x, -1), ints(0))), ints(8))
        pairs = ops.reshape(ops.concat([ints(0), more], 0), ints(-1, 2), False)
        parts = ops.split(pairs, ops.constant(np.int64(1)), 2)
        several = ops.variadic_split(pairs, ops.constant(np.int64(1)), ints(1, -1))
        begin = ops.concat([ints(0, 0), ops.squeeze(parts.output(0), ints(1))], 0)
        end = ops.concat([ints(0, 0), ops.squeeze(several.output(1), ints(1))], 0)
        padded = ops.pad(x, begin, end, "constant", ops.constant(np.float32(0)))
        # Whose extents begin a range: they must not be what only a run reads.
        line = ops.range(ops.constant(np.int64(0)), extent(padded, -1), ops.constant(np.int64(1)),
                         output_type="i64")  # fmt: skip
        return {"padded": ops.add(padded, ops.convert(line, "f32"))}

    check(tmp_path, [X], build, [X.shape])
    check(tmp_path, [X], build, UNKNOWN)


@pytest.mark.parametrize("low, high", [(-1, 2), (0, 0)])
def test_ranges_of_extents(low: int, high: int, tmp_path: Path) -> None:
    """Also where the step is a float, and where nothing is in the range."""

    def build(x: Any) -> dict[str, Any]:
        bounds = [ops.add(ops.multiply(extent(x, -1), ints_(k)), ints_(-k)) for k in (low, high)]
        one = ops.constant(np.float32(1))
        line = ops.range(bounds[0], bounds[1], one, output_type="i64")
        rows = ops.range(ops.constant(np.int64(0)), extent(line, 0), ops.constant(np.int64(1)),
                         output_type="i64")  # fmt: skip
        return {"line": line, "rows": rows}

    def ints_(k: int) -> Any:
        return ops.constant(np.int64(k))

    check(tmp_path, [X], build, UNKNOWN)


def test_floors_of_extents(tmp_path: Path) -> None:
    """Halves of an extent, of which the second depends on the first."""

    def build(x: Any) -> dict[str, Any]:
        for _ in range(2):
            half = ops.floor(ops.divide(extent(x, 0), ops.constant(np.int64(2))))
            x = ops.reshape(x, ops.concat([ops.unsqueeze(half, ints(0)), ints(-1)], 0), False)
        return {"found": x}

    check(tmp_path, [floats("f32", 4, 5, 4)], build, UNKNOWN)
