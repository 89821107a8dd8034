"""Bins of regions that are sampled between pixels, rows of sparse matrices, and common types."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("openvino", reason="OpenVINO, the oracle of these tests, is not installed")

import openvino as ov
from openvino import opset1, opset14, opset15, opset16

from opc.errors import InputError
from tests.unit.common.openvino_models import NAMES, both, by_opc, by_openvino, model, save


def alike(found: list[tuple[np.ndarray, np.ndarray]], tolerance: float = 1e-4) -> None:
    for ours, theirs in found:
        assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
        np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=tolerance)


@pytest.mark.parametrize("seed", range(6))
def test_parts_of_regions(seed: int, tmp_path: Path) -> None:
    draw = np.random.default_rng(seed)
    outputs, size, down, across = map(int, draw.integers(1, 4, 4))
    count = int(draw.integers(1, 6))
    corners = np.sort(draw.random((count, 2, 2)) * 1.2 - 0.1, axis=1).reshape(count, 4)
    regions = np.concatenate([draw.integers(0, 2, (count, 1)), corners], axis=1)
    inputs = [draw.normal(size=(2, outputs * down * across, 9, 7)), regions]

    def made(x: Any, r: Any) -> list[Any]:
        return [opset1.psroi_pooling(x, r, outputs, size, 1.0, across, down, "bilinear")]

    alike(both(tmp_path, [v.astype(np.float32) for v in inputs], made))


@pytest.mark.parametrize("seed", range(8))
def test_moved_bins(seed: int, tmp_path: Path) -> None:
    draw = np.random.default_rng(seed)
    classes, size, down, across = map(int, draw.integers(1, 4, 4))
    outputs, parts, count = classes * 2, int(draw.integers(1, 4)), int(draw.integers(1, 6))
    corners = np.sort(draw.random((count, 2, 2)) * 80 - 4, axis=1).reshape(count, 4)
    regions = np.concatenate([np.sort(draw.integers(0, 2, (count, 1))), corners], axis=1)
    if seed % 3 == 2:
        # Behind the first one without an image there is none.
        regions[-1, 0] = -1
    inputs = [draw.normal(size=(2, outputs * size * size, 9, 7)), regions]
    if seed % 2:
        inputs.append(draw.normal(size=(count, 2 * classes, parts, parts)))
    how = {
        "group_size": size,
        "mode": "bilinear_deformable",
        "spatial_bins_x": across,
        "spatial_bins_y": down,
        "trans_std": float(np.float32(0.1)),
        "part_size": parts,
    }

    def made(x: Any, r: Any, *moves: Any) -> list[Any]:
        scale = float(np.float32(0.125))
        offsets = moves[0] if moves else None
        return [opset1.deformable_psroi_pooling(x, r, outputs, scale, offsets=offsets, **how)]

    alike(both(tmp_path, [v.astype(np.float32) for v in inputs], made))


@pytest.mark.parametrize("seed", range(6))
def test_turned_regions(seed: int, tmp_path: Path) -> None:
    draw = np.random.default_rng(seed)
    count, ratio, high, wide = (int(draw.integers(1, n)) for n in (5, 4, 5, 5))
    x = draw.normal(size=(2, 3, 9, 12))
    numbers = [draw.random((count, 2)) * 30, draw.random((count, 2)) * 20 + 2]
    regions = np.concatenate([*numbers, draw.random((count, 1)) * 6 - 3], axis=1)
    image = draw.integers(0, 2, count).astype(np.int32)
    inputs = [x.astype(np.float32), regions.astype(np.float32), image]

    def made(x: Any, r: Any, b: Any) -> list[Any]:
        return [opset15.roi_align_rotated(x, r, b, high, wide, ratio, 0.5, seed % 2 == 0)]

    alike(both(tmp_path, inputs, made))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("known", (True, False), ids=("known", "unknown"))
def test_empty_rows(seed: int, known: bool, tmp_path: Path) -> None:
    draw = np.random.default_rng(seed)
    rows, count = int(draw.integers(2, 9)), int(draw.integers(1, 7))
    of = np.int64 if seed % 2 else np.int32
    places = draw.permutation(rows * 4)[:count]
    inputs = [
        draw.normal(size=count).astype(np.float32),
        np.stack([places // 4, places % 4], axis=1).astype(of),
    ]
    extents = np.array([rows, 4], of)

    def made(values: Any, indices: Any, *more: Any) -> list[Any]:
        wanted = more[0] if more else opset16.constant(extents)
        fill = opset16.constant(np.float32(-1))
        return opset16.sparse_fill_empty_rows(values, wanted, indices, fill).outputs()

    shapes = [x.shape if seed < 3 else [-1, *x.shape[1:]] for x in inputs]
    if not known:
        inputs.append(extents)
        shapes.append(extents.shape)
    for ours, theirs in both(tmp_path, inputs, made, shapes):
        np.testing.assert_array_equal(ours, theirs, strict=True)


TYPES = ("boolean", "f16", "f32", "f64", "i8", "i32", "i64", "u8", "u32", "u64")


@pytest.mark.parametrize("unsafe", (True, False))
@pytest.mark.parametrize("of_scalars", (True, False))
def test_common_types(unsafe: bool, of_scalars: bool, tmp_path: Path) -> None:
    """What OpenVINO says of all pairs of types, of which it refuses some."""
    found = 0
    for first in TYPES:
        for second in TYPES:
            nodes = [
                opset14.parameter(ov.PartialShape(shape), getattr(ov.Type, type), name=type)
                for type, shape in ((first, [3]), (second, []))
            ]
            try:
                node = opset14.convert_promote_types(*nodes, unsafe, of_scalars, "f32")
            except RuntimeError:
                continue
            path = save(ov.Model(node.outputs(), nodes, "model"), tmp_path)
            inputs = [np.ones((3,)), np.ones(())]
            codes = {name: dtype for dtype, name in NAMES.items()}
            types = [codes[t] for t in (first, second)]
            results = by_opc(path, [x.astype(t) for x, t in zip(inputs, types, strict=True)])
            for k, result in enumerate(results):
                assert NAMES[result.dtype] == node.output(k).get_element_type().to_string()
            found += 1
    assert found > 40


def test_types_that_do_not_meet(tmp_path: Path) -> None:
    inputs = [np.ones(2, np.float16), np.ones(2, np.int8)]
    made = lambda x, y: opset14.convert_promote_types(x, y).outputs()  # noqa: E731
    path = save(model(inputs, made), tmp_path)
    for ours, theirs in zip(
        by_opc(path, inputs), by_openvino(model(inputs, made), inputs), strict=True
    ):
        np.testing.assert_array_equal(ours, theirs, strict=True)
    text = path.read_text(encoding="utf-8").replace("FP16", "U16").replace("f16", "u16")
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="do not meet"):
        by_opc(path, inputs)


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(6))
def test_rotated_boxes_that_stay(seed: int, tmp_path: Path) -> None:
    """OpenVINO turns its first box over and over where angles are not clockwise: it has one then.

    Sides of boxes do not lie on one another: OpenVINO loses corners of what these share.
    """
    draw = np.random.default_rng(seed)
    count = 30 if seed % 2 else 1
    boxes = (draw.random((2, count, 5)) * [6, 6, 8, 4, 6] + [0, 0, 1, 1, -3]).astype(np.float32)
    scores = (draw.permutation(6 * count).reshape(2, 3, count) + 1) / (6 * count + 1)
    inputs = [boxes, scores.astype(np.float32)]
    numbers = (np.int64(draw.choice([3, 50])), np.float32(draw.choice([0.1, 0.4])), np.float32(0.2))

    def made(b: Any, s: Any) -> list[Any]:
        limits = [opset15.constant(v) for v in numbers]
        how = {"sort_result_descending": seed > 3, "output_type": "i64", "clockwise": count > 1}
        return opset15.nms_rotated(b, s, *limits, **how).outputs()

    for ours, theirs in both(tmp_path, inputs, made):
        assert ours.shape == theirs.shape and ours.dtype == theirs.dtype
        np.testing.assert_allclose(ours, theirs, rtol=1e-6)


def test_shares_of_rotated_boxes() -> None:
    """Areas that are known: equal boxes, one in another one, crosses, corners, and none."""
    from xdsl.dialects.func import FuncOp, ReturnOp
    from xdsl.ir import Block, Region

    from opc.dialects import element as el
    from opc.dialects.shape import tensor_type
    from opc.frontend.models.op_builder import Builder
    from opc.frontend.models.rotated_boxes import numbers_of, shared
    from opc.frontend.models.traced import NodeTrace
    from opc.interpret import function

    cases = [
        ((0, 0, 4, 2, 0), (0, 0, 4, 2, 0), 8),
        ((0, 0, 4, 2, 0.3), (0, 0, 4, 2, 0.3), 8),
        ((0, 0, 4, 2, 0.3), (0, 0, 4, 2, 0.3 + np.pi), 8),
        ((0, 0, 4, 4, 0.7), (0, 0, 1, 2, -0.4), 2),
        ((0, 0, 4, 2, 0), (0, 0, 2, 6, 0), 4),
        ((0, 0, 4, 2, 0), (3, 0, 4, 2, 0), 2),
        ((0, 0, 4, 2, 0.5), (3 * np.cos(0.5), 3 * np.sin(0.5), 4, 2, 0.5), 2),
        ((0, 0, 2, 2, 0), (0, 0, 2, 2, np.pi / 4), 8 * (np.sqrt(2) - 1)),
        ((0, 0, 2, 2, 0), (1, 1, 2, 2, 0), 1),
        ((0, 0, 2, 2, 0), (2, 0, 2, 2, 0), 0),
        ((0, 0, 2, 2, 0), (5, 5, 2, 2, 1), 0),
    ]
    type = tensor_type(el.F64, [len(cases)])
    block = Block(arg_types=[type] * 10)
    arrays = list(map(NodeTrace(Builder(block.add_op)).array, block.args))
    boxes = [numbers_of(arrays[k : k + 5], True) for k in (0, 5)]
    block.add_op(ReturnOp(shared(*boxes).value))
    made = FuncOp("main", ([type] * 10, [type]), Region(block))
    for swap in (False, True):
        pairs = [(b, a) if swap else (a, b) for a, b, _ in cases]
        table = np.array([[*a, *b] for a, b in pairs], np.float64)
        (found,) = function.run(made, list(np.ascontiguousarray(table.T)))
        np.testing.assert_allclose(found, [c[2] for c in cases], rtol=1e-7, atol=1e-7)
