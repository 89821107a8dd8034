"""Shapes, conversions, normalizations and what runs with open extents, against OpenVINO itself."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("openvino", reason="OpenVINO, the oracle of these tests, is not installed")

from openvino import opset1, opset8
from openvino import opset15 as ops

from tests.unit.common.openvino_models import (
    FLOATS,
    TYPES,
    by_opc,
    check,
    floats,
    ints,
    model,
    sample,
    save,
)


@pytest.mark.parametrize("type", FLOATS)
def test_normalizations(type: str, tmp_path: Path) -> None:
    x = floats(type, 2, 3, 4)

    def nodes(p: Any) -> dict[str, Any]:
        found = {
            f"mvn {axes} {variance} {mode}": ops.mvn(p, ints(*axes), variance, 1e-3, mode)
            for axes in ((1,), (-1, 1))
            for variance in (True, False)
            for mode in ("INSIDE_SQRT", "OUTSIDE_SQRT")
        }
        found |= {
            f"normalize_l2 {axes} {mode}": ops.normalize_l2(p, ints(*axes), 0.5, mode)
            for axes in ((1,), (0, 2), (1, 2))
            for mode in ("add", "max")
        }
        found |= {f"lrn {size}": ops.lrn(p, ints(1), 0.5, 0.75, 1, size) for size in (2, 3, 5)}
        found |= {f"softmax {axis}": opset8.softmax(p, axis) for axis in (0, 1, -1)}
        found |= {f"softmax 1 {axis}": opset1.softmax(p, axis) for axis in (0, 2)}
        return found | {f"log_softmax {axis}": ops.log_softmax(p, axis) for axis in (0, 1, -1)}

    assert check(tmp_path, [x], nodes, scale=4) == 25


def test_local_responses_as_the_specification_says(tmp_path: Path) -> None:
    """OpenVINO's processor plugin takes any bias for 1, and along two axes does not follow it."""
    x = floats("f32", 2, 3, 4)
    made = model([x], lambda p: [ops.lrn(p, ints(2, 1), 0.5, 0.75, 1.5, 3)])
    squares = np.pad(x.astype(np.float64) ** 2, [(0, 0), (1, 1), (1, 1)])
    around = np.lib.stride_tricks.sliding_window_view(squares, (3, 3), axis=(1, 2)).sum((-1, -2))
    (found,) = by_opc(save(made, tmp_path), [x])
    np.testing.assert_allclose(found, x / (1.5 + 0.5 / 9 * around) ** 0.75, rtol=1e-6)


@pytest.mark.parametrize("type", (*FLOATS, "i32", "i64", "boolean", "u8"))
def test_shapes(type: str, tmp_path: Path) -> None:
    def nodes(x: Any, row: Any) -> dict[str, Any]:
        return {
            "reshape": ops.reshape(x, ints(4, -1), False),
            "reshape zero": ops.reshape(x, ints(0, -1, 2, dtype="i32"), True),
            "squeeze": ops.squeeze(x, ints(1)),
            "squeeze -3": opset1.squeeze(x, ints(-3)),
            "squeeze all": ops.squeeze(x, ints()),
            "squeeze kept": ops.squeeze(x, ints(0, 1)),
            "unsqueeze": ops.unsqueeze(x, ints(0, -1)),
            "transpose": ops.transpose(x, ints(3, 1, 0, 2)),
            "reversed": ops.transpose(x, ints()),
            "shape_of": ops.shape_of(x, "i32"),
            "shape_of 1": opset1.shape_of(x),
            "numpy": ops.broadcast(x, ints(5, 2, 6, 3, 4)),
            "bidirectional": ops.broadcast(x, ints(5, 1, 1, 3, 1), broadcast_spec="BIDIRECTIONAL"),
            "explicit": ops.broadcast(row, ints(2, 3, 4), ints(1), "EXPLICIT"),
            "explicit 1": opset1.broadcast(row, ints(2, 3, 4), ints(1), "EXPLICIT"),
            "numpy 1": opset1.broadcast(row, ints(2, 3)),
        }

    assert check(tmp_path, [sample(type, 2, 1, 3, 4), sample(type, 3)], nodes) == 16


@pytest.mark.parametrize("type", ("f64", "f32", "i8", "i64", "u8", "boolean"))
def test_conversions(type: str, tmp_path: Path) -> None:
    """Within the range of both types, where the specification leaves nothing open."""
    x = sample(type, 3, 5) if type == "boolean" else np.arange(15).reshape(3, 5).astype(TYPES[type])
    like = np.zeros(1, np.float16)

    def nodes(p: Any, q: Any) -> dict[str, Any]:
        found = {name: ops.convert(p, name) for name in TYPES}
        return found | {"like": ops.convert_like(p, q)}

    assert check(tmp_path, [x, like], nodes) == 14


def test_conversions_out_of_range(tmp_path: Path) -> None:
    """Integers wrap, as the specification says; floats saturate and NaN gives 0, as we do."""
    x = np.array([-1, 300, 256, -129, 2**31 - 1], np.int32)
    f = np.array([-1.5, 300.7, np.nan, np.inf, -np.inf, 1e20], np.float32)
    made = model(
        [x, f],
        lambda p, q: [
            *(ops.convert(p, t) for t in ("u8", "i8", "u32")),
            *(ops.convert(q, t) for t in ("u8", "i32", "boolean")),
        ],
    )
    u8, i8, u32, fu8, fi32, fb = by_opc(save(made, tmp_path), [x, f])
    np.testing.assert_array_equal(u8, x.astype(np.uint8))
    np.testing.assert_array_equal(i8, x.astype(np.int8))
    np.testing.assert_array_equal(u32, x.astype(np.uint32))
    np.testing.assert_array_equal(fu8, [0, 255, 0, 255, 0, 255])
    high = 2**31 - 1
    np.testing.assert_array_equal(fi32, [-1, 300, 0, high, -high - 1, high])
    assert fb.all()


@pytest.mark.parametrize("axis, shape", ((1, (3, 4)), (1, (3, 1)), (-1, (5,)), (0, (2,)), (-1, ())))
def test_pdpd(axis: int, shape: tuple[int, ...], tmp_path: Path) -> None:
    """OpenVINO's interface cannot give the axis, so it is put into the file."""
    x, y = floats("f32", 2, 3, 4, 5), floats("f32", *shape)
    made = model([x, x], lambda p, q: [ops.add(p, q)])
    path = save(made, tmp_path)
    text = path.read_text()
    dims = "".join(f"<dim>{d}</dim>" for d in shape)
    second = text.split('name="in1"')
    second[1] = second[1].replace('shape="2,3,4,5"', f'shape="{",".join(map(str, shape))}"', 1)
    text = 'name="in1"'.join(second)
    text = text.replace(
        'auto_broadcast="numpy"',
        f'auto_broadcast="pdpd" auto_broadcast.auto_broadcast_axis="{axis}"',
    )
    port = r'(<port id="{}"[^>]*>)(\s*<dim>\d+</dim>)+'
    head, _, tail = text.partition('name="in1"')
    tail = re.sub(port.format(0), rf"\g<1>{dims}", tail, count=1)
    layer, _, rest = tail.partition('type="Add"')
    rest = re.sub(port.format(1), rf"\g<1>{dims}", rest, count=1)
    path.write_text(f'{head}name="in1"{layer}type="Add"{rest}')
    start = 4 - len(shape) if axis == -1 else axis
    wanted = x + y.reshape((*shape, *[1] * (4 - start - len(shape))))
    np.testing.assert_array_equal(by_opc(path, [x, y])[0], wanted)


def test_prelu(tmp_path: Path) -> None:
    x = floats("f32", 2, 3, 4)

    def nodes(x: Any, channel: Any, one: Any, last: Any) -> dict[str, Any]:
        return {
            "channel": ops.prelu(x, channel),
            "one": ops.prelu(x, one),
            "last": ops.prelu(x, last),
        }

    slopes = [floats("f32", 3), floats("f32", 1), floats("f32", 3, 4)]
    assert check(tmp_path, [x, *slopes], nodes) == 3


def test_dynamic_extents(tmp_path: Path) -> None:
    x = floats("f32", 2, 3, 4)

    def nodes(p: Any, q: Any) -> dict[str, Any]:
        shape = ops.shape_of(p)
        return {
            "sum": ops.reduce_sum(p, ints(1), keep_dims=True),
            "add": ops.add(p, q),
            "reshape": ops.reshape(p, ints(0, -1), True),
            "reshape to": ops.reshape(ops.reshape(p, ints(-1), False), shape, False),
            "broadcast to": ops.broadcast(q, shape),
            "shape": shape,
            "size": ops.reduce_prod(shape, ints(0), keep_dims=True),
            "twice": ops.multiply(shape, ints(2)),
            "softmax": ops.softmax(p, -1),
            "flat": ops.reshape(
                p, ops.reduce_prod(ops.convert(shape, "i32"), ints(0), True), False
            ),
            "row": ops.unsqueeze(ops.squeeze(ops.unsqueeze(shape, ints(0)), ints(0)), ints(-1)),
        }

    shapes = ([-1, -1, 4], [-1, 4])
    assert check(tmp_path, [x, floats("f32", 3, 4)], nodes, shapes) == 11
    path = tmp_path / "model.xml"
    assert by_opc(path, [floats("f32", 5, 1, 4), floats("f32", 1, 4)])[0].shape == (5, 1, 4)


def test_run_time_shapes(tmp_path: Path) -> None:
    x, target = floats("f32", 2, 3, 4), np.array([4, -1], np.int64)
    made = model([x, target], lambda p, t: [ops.reshape(p, t, True)])
    path = save(made, tmp_path)
    assert by_opc(path, [x, target])[0].shape == (4, 6)
    assert by_opc(path, [x, np.array([0, -1])])[0].shape == (2, 12)
    made = model([x, np.zeros(3, np.int64)], lambda p, t: [ops.broadcast(p, t)])
    path = save(made, tmp_path, "broadcast")
    assert by_opc(path, [x, np.array([2, 3, 4])])[0].shape == (2, 3, 4)


@pytest.mark.parametrize("keep", (False, True))
@pytest.mark.parametrize("type", ("i32", "i64"))
def test_run_time_axes(keep: bool, type: str, tmp_path: Path) -> None:
    x = floats("f32", 2, 3, 4)
    made = model(
        [x, np.zeros(2, TYPES[type])],
        lambda p, axes: [
            ops.reduce_sum(p, axes, keep_dims=keep),
            ops.reduce_max(p, axes, keep_dims=keep),
            ops.reduce_mean(p, axes, keep_dims=keep),
        ],
    )
    path = save(made, tmp_path)
    for axes in ((0, 1), (-1, 0), (2, 1)):
        given = np.array(axes, TYPES[type])
        ours = by_opc(path, [x, given])
        for a, function in zip(ours, (np.sum, np.max, np.mean), strict=True):
            wanted = function(x, axis=axes, keepdims=keep)
            np.testing.assert_allclose(a, wanted, rtol=1e-5, atol=1e-6)
