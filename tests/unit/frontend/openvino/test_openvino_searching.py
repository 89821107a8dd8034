"""Layers of OpenVINO that look for places, and adaptive pooling, against OpenVINO itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("openvino", reason="OpenVINO, the oracle of these tests, is not installed")

from openvino import opset16 as ops

import opc
from opc.errors import InputError
from tests.unit.common.openvino_files import edge, net, parameter, port, result, write
from tests.unit.common.openvino_models import TYPES, check, floats, integers, ints

UNKNOWN = pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])


@UNKNOWN
@pytest.mark.parametrize("type", ["f32", "i32"])
def test_buckets(type: str, known: bool, tmp_path: Path) -> None:
    x = np.array([[-1, 0, 1, 2], [3, 4, 5, 9]], TYPES[type])
    bounds = np.array([0, 1, 4, 4, 5], TYPES[type])

    def made(x: Any, bounds: Any) -> dict[str, Any]:
        return {
            f"{right} {output}": ops.bucketize(x, bounds, output, right)
            for right in (True, False)
            for output in ("i64", "i32")
        }

    shapes = [x.shape, bounds.shape] if known else [[-1, -1], [-1]]
    assert check(tmp_path, [x, bounds], made, shapes) == 4


@UNKNOWN
@pytest.mark.parametrize("type", ["f32", "i64"])
def test_sorted(type: str, known: bool, tmp_path: Path) -> None:
    rows = np.sort(np.random.default_rng(2).integers(0, 9, (2, 3, 7)), axis=-1).astype(TYPES[type])
    values = np.random.default_rng(3).integers(-1, 10, (2, 3, 5)).astype(TYPES[type])

    def made(rows: Any, line: Any, values: Any) -> dict[str, Any]:
        return {
            f"{which} {right}": ops.search_sorted(given, values, right)
            for which, given in (("rows", rows), ("line", line))
            for right in (True, False)
        }

    inputs = [rows, rows[0, 0], values]
    shapes = [x.shape if known else [-1] * x.ndim for x in inputs]
    assert check(tmp_path, inputs, made, shapes) == 4


@UNKNOWN
@pytest.mark.parametrize("type", ["f32", "i32"])
def test_trees(type: str, known: bool, tmp_path: Path) -> None:
    draw = np.random.default_rng(4)
    steps, parents = draw.integers(0, 6, (7, 3, 4)), draw.integers(0, 4, (7, 3, 4))
    inputs = [v.astype(TYPES[type]) for v in (steps, parents, np.array([7, 4, 1]), np.array(5))]
    made = lambda *given: {"y": ops.gather_tree(*given)}  # noqa: E731
    shapes = [x.shape if known else [-1] * x.ndim for x in inputs]
    assert check(tmp_path, inputs, made, shapes) == 1


SPACES = [((7,), (3,)), ((6, 10), (3, 5)), ((7, 10), (3, 4)), ((3, 4, 5), (2, 6, 1))]


@UNKNOWN
@pytest.mark.parametrize("type", ["f32", "f16"])
@pytest.mark.parametrize("extents, counts", SPACES)
def test_adaptive(
    extents: tuple[int, ...], counts: tuple[int, ...], type: str, known: bool, tmp_path: Path
) -> None:
    x = floats(type, 2, 3, *extents)

    def made(x: Any) -> dict[str, Any]:
        wanted = ints(*counts)
        greatest = ops.adaptive_max_pool(x, wanted, "i32")
        average = ops.adaptive_avg_pool(x, wanted)
        return {"mean": average.output(0), "max": greatest.output(0), "place": greatest.output(1)}

    assert check(tmp_path, [x], made, [x.shape if known else [-1] * x.ndim]) == 3


def test_adaptive_to_what_a_run_knows(tmp_path: Path) -> None:
    inputs = [floats("f32", 1, 2, 7, 5), np.array([3, 2], np.int64)]
    made = lambda x, counts: {"y": ops.adaptive_avg_pool(x, counts)}  # noqa: E731
    assert check(tmp_path, inputs, made) == 1


def test_infinite_neighbours(tmp_path: Path) -> None:
    """What a window does not see adds nothing, not even NaN."""
    x = np.array([[[1, 2, np.inf, 4, np.nan, 6, 7]]], np.float32)
    made = lambda x: {"y": ops.adaptive_avg_pool(x, ints(3))}  # noqa: E731
    assert check(tmp_path, [x], made) == 1


def test_integers(tmp_path: Path) -> None:
    x = integers("i64", 3, 4)
    made = lambda x: {"y": ops.bucketize(x, ops.constant(np.float32([0.5, 2])))}  # noqa: E731
    assert check(tmp_path, [x], made) == 1


@pytest.mark.parametrize(
    ("parents", "lengths", "message"),
    [
        ((2, 3), (3,), r"parent_idx is \[2, 3\], expected \[T, B, W\]"),
        ((2, 3, 5), (3,), r"parent_idx is \[2, 3, 5\], expected \[T, B, W\]: 5 and 4"),
        ((2, 3, 4), (2,), r"max_seq_len is \[2\], expected \[B\]: 2 and 3"),
    ],
)
def test_shapes_that_do_not_fit(
    parents: tuple[int, ...], lengths: tuple[int, ...], message: str, tmp_path: Path
) -> None:
    """OpenVINO writes no such model; the names of extents say which must be equal."""
    shapes = [(2, 3, 4), parents, lengths, ()]
    layers = [parameter(k, f"in{k}", ",".join(map(str, s)), s) for k, s in enumerate(shapes)]
    ports = "".join(port(k, s) for k, s in enumerate(shapes))
    layers += [
        f'<layer id="4" name="tree" type="GatherTree" version="opset1"><input>{ports}</input>'
        f"<output>{port(4, (2, 3, 4), 'FP32')}</output></layer>",
        result(5, (2, 3, 4)),
    ]
    edges = [*(edge(k, 0, 4, k) for k in range(4)), edge(4, 4, 5, 0)]
    with pytest.raises(InputError, match=message):
        opc.compile(write(tmp_path, net(layers, edges)))
