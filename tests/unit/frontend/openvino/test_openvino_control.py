"""Control flow of OpenVINO, If-8, Loop-5 and TensorIterator-1, against OpenVINO itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("openvino")
import openvino as ov
from openvino import opset15 as ops

from opc.errors import ArgumentError, InputError, UnsupportedError
from tests.unit.common.openvino_models import assert_alike, by_opc, by_openvino, floats, save

F32, I64, BOOL = ov.Type.f32, ov.Type.i64, ov.Type.boolean


def given(shape: list[int], type: Any = F32) -> Any:
    return ops.parameter(ov.PartialShape(shape), type)


def check(folder: Path, made: Any, *runs: list[np.ndarray]) -> None:
    path = save(made, folder)
    for inputs in runs:
        pairs = zip(by_opc(path, inputs), by_openvino(made, inputs), strict=True)
        for k, (ours, theirs) in enumerate(pairs):
            assert_alike(ours, theirs, f"output {k}")


@pytest.mark.parametrize("rows", [5, -1])
def test_if(rows: int, tmp_path: Path) -> None:
    """Both branches use one input each and a common one; one has a shape of its own to compute."""
    c, x, y = given([], BOOL), given([rows, 3]), given([3])
    a, b = given([rows, 3]), given([3])
    one = ov.Model([ops.add(a, b), ops.reduce_sum(a, ops.constant([0, 1]))], [a, b], "then")
    p, q = given([rows, 3]), given([3])
    halves = ops.multiply(p, ops.constant(np.float32(0.5)))
    other = ov.Model([halves, ops.reduce_max(q, ops.constant([0]))], [p, q], "else")
    choice = ops.if_op(c)
    choice.set_then_body(one)
    choice.set_else_body(other)
    for outer, inner in ((x, (a, p)), (y, (b, q))):
        choice.set_input(outer.output(0), *inner)
    for first, second in zip(one.results, other.results, strict=True):
        choice.set_output(first, second)
    made = ov.Model(choice.outputs(), [c, x, y], "model")
    data = [floats("f32", 5, 3), floats("f32", 3)]
    check(tmp_path, made, [np.array(True), *data], [np.array(False), *data])


def test_branches_of_different_extents(tmp_path: Path) -> None:
    c, x = given([], BOOL), given([-1, 3])
    a, b = given([-1, 3]), given([-1, 3])
    one = ov.Model([ops.concat([a, a], 0)], [a], "then")
    other = ov.Model([ops.negative(b)], [b], "else")
    choice = ops.if_op(c)
    choice.set_then_body(one)
    choice.set_else_body(other)
    choice.set_input(x.output(0), a, b)
    choice.set_output(one.results[0], other.results[0])
    made = ov.Model(choice.outputs(), [c, x], "model")
    for rows in (5, 2):
        data = floats("f32", rows, 3)
        check(tmp_path, made, [np.array(True), data], [np.array(False), data])


@pytest.mark.parametrize("rank", [2, 3, None])
def test_branches_of_different_rank(rank: int | None, tmp_path: Path) -> None:
    """They compute what follows, which takes one rank or any; OpenVINO runs each by itself."""
    c, x = given([], BOOL), given([-1, 1, 3])
    a, b = given([-1, 1, 3]), given([-1, 1, 3])
    bodies = [
        ov.Model([ops.squeeze(ops.exp(a), ops.constant([1]))], [a], "then"),
        ov.Model([ops.negative(b)], [b], "else"),
    ]
    choice = ops.if_op(c)
    choice.set_then_body(bodies[0])
    choice.set_else_body(bodies[1])
    choice.set_input(x.output(0), a, b)
    z = choice.set_output(bodies[0].results[0], bodies[1].results[0])

    def follow(z: Any) -> Any:
        if rank is not None:
            z = ops.transpose(z, ops.constant([1, 0] if rank == 2 else [2, 0, 1]))
        return ops.reshape(ops.tanh(z), ops.constant([3, -1]), False)

    path = save(ov.Model([follow(z)], [c, x], "model"), tmp_path)
    data = floats("f32", 2, 1, 3)
    for taken, branch in zip(
        (True, False),
        (lambda v: ops.squeeze(ops.exp(v), ops.constant([1])), ops.negative),
        strict=True,
    ):
        if rank == (3 if taken else 2):
            with pytest.raises(ArgumentError, match="cannot be taken"):
                by_opc(path, [np.array(taken), data])
            continue
        y = given([2, 1, 3])
        (theirs,) = by_openvino(ov.Model([follow(branch(y))], [y], "one"), [data])
        assert_alike(by_opc(path, [np.array(taken), data])[0], theirs, f"{taken}")


def repeated(trip: Any, going: Any, rows: int = 4) -> tuple[Any, list[Any]]:
    """A loop that adds rows of x by its number, until the sum is too large; stacks squares."""
    x, start = given([rows, 3]), given([3])
    number, h, over = given([], I64), given([3]), given([rows, 3])
    row = ops.gather(over, number, ops.constant(0))
    total = ops.add(h, row)
    square = ops.unsqueeze(ops.multiply(total, total), ops.constant([0]))
    body = ov.Model([going(total), total, square], [number, h, over], "body")
    loop = ops.loop(trip, ops.constant(True))
    loop.set_function(body)
    loop.set_special_body_ports([0, 0])
    loop.set_merged_input(h, start.output(0), body.results[1].output(0))
    loop.set_invariant_input(over, x.output(0))
    return loop, [body.results, x, start]


def test_loop_of_a_known_number(tmp_path: Path) -> None:
    loop, (results, x, start) = repeated(ops.constant(3), lambda _: ops.constant([True]))
    outputs = [
        loop.get_iter_value(results[1].output(0), -1),
        loop.get_concatenated_slices(results[2].output(0), 0, 1, 1, -1, 0),
    ]
    made = ov.Model(outputs, [x, start], "model")
    check(tmp_path, made, [floats("f32", 4, 3), floats("f32", 3)])


@pytest.mark.parametrize("trip", [-1, 3])
def test_loop_with_a_condition(trip: int, tmp_path: Path) -> None:
    """Without a bound, or with one that it may reach; conditions have an axis, or none.

    With a bound it stacks results, of which only a run knows how many there are.
    """

    def going(total: Any) -> Any:
        small = ops.less(ops.reduce_sum(total, ops.constant([0])), ops.constant(np.float32(8)))
        return ops.unsqueeze(small, ops.constant([0])) if trip < 0 else small

    loop, (results, x, start) = repeated(ops.constant(trip), going)
    outputs = [loop.get_iter_value(results[1].output(0), -1)]
    if trip > 0:
        outputs.append(loop.get_concatenated_slices(results[2].output(0), 0, 1, 1, -1, 0))
    made = ov.Model(outputs, [x, start], "model")
    path = save(made, tmp_path)
    for step in (1.0, 2.0):
        inputs = [np.full((4, 3), step, np.float32), np.zeros(3, np.float32)]
        for ours, theirs in zip(by_opc(path, inputs), by_openvino(made, inputs), strict=True):
            assert_alike(ours, theirs, f"{step}")


def test_loop_of_a_number_that_an_input_holds(tmp_path: Path) -> None:
    trip = given([], I64)
    loop, (results, x, start) = repeated(trip, lambda _: ops.constant(True))
    made = ov.Model([loop.get_iter_value(results[1].output(0), -1)], [trip, x, start], "model")
    data = [floats("f32", 4, 3), floats("f32", 3)]
    check(tmp_path, made, [np.array(2), *data], [np.array(4), *data])


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.parametrize("steps", [6, -1])
def test_tensor_iterator(backwards: bool, size: int, steps: int, tmp_path: Path) -> None:
    """Parts of an axis in either direction, a carried value, stacked ones, and a last one."""
    x, start = given([3, steps]), given([3, 1])
    part, h = given([3, size]), given([3, 1])
    total = ops.add(h, ops.reduce_sum(part, ops.constant([1]), keep_dims=True))
    every = ops.multiply(part, total)
    body = ov.Model([total, every, ops.negative(total)], [part, h], "body")
    loop = ops.tensor_iterator()
    loop.set_function(body)
    bounds = (-1, 0) if backwards else (0, -1)
    stride = -size if backwards else size
    loop.set_sliced_input(part, x.output(0), bounds[0], stride, size, bounds[1], 1)
    loop.set_merged_input(h, start.output(0), body.results[0].output(0))
    outputs = [
        loop.get_iter_value(body.results[0].output(0), -1),
        loop.get_concatenated_slices(
            body.results[1].output(0), bounds[0], stride, size, bounds[1], 1
        ),
        loop.get_iter_value(body.results[2].output(0), -1),
    ]
    made = ov.Model(outputs, [x, start], "model")
    check(tmp_path, made, [floats("f32", 3, 6), floats("f32", 3, 1)])


def test_a_number_of_the_iteration_of_another_type(tmp_path: Path) -> None:
    start = given([2])
    number, h = given([1], ov.Type.i32), given([2])
    total = ops.add(h, ops.convert(number, "f32"))
    body = ov.Model([ops.constant(True), total], [number, h], "body")
    loop = ops.loop(ops.constant(4), ops.constant(True))
    loop.set_function(body)
    loop.set_special_body_ports([0, 0])
    loop.set_merged_input(h, start.output(0), body.results[1].output(0))
    made = ov.Model([loop.get_iter_value(body.results[1].output(0), -1)], [start], "model")
    (found,) = by_opc(save(made, tmp_path), [np.ones(2, np.float32)])
    assert found.tolist() == [7, 7]


def test_an_if_in_a_loop(tmp_path: Path) -> None:
    """As the converter writes it: the branches see what the iteration carries."""
    onnx = pytest.importorskip("onnx")
    from onnx import TensorProto, helper
    from onnx.reference import ReferenceEvaluator

    def info(name: str, type: int, *shape: Any) -> Any:
        return helper.make_tensor_value_info(name, type, shape)

    f32 = TensorProto.FLOAT
    branches = {
        f"{name}_branch": helper.make_graph(
            [helper.make_node(operator, ["h", "h"], [name])], name, [], [info(name, f32, 3)]
        )
        for name, operator in (("then", "Add"), ("else", "Mul"))
    }
    body = helper.make_graph(
        [
            helper.make_node("Mod", ["i", "two"], ["odd"]),
            helper.make_node("Cast", ["odd"], ["c"], to=TensorProto.BOOL),
            helper.make_node("If", ["c"], ["next"], **branches),
            helper.make_node("Identity", ["going"], ["still"]),
        ],
        "body",
        [info("i", TensorProto.INT64), info("going", TensorProto.BOOL), info("h", f32, 3)],
        [info("still", TensorProto.BOOL), info("next", f32, 3)],
    )
    constants = [
        onnx.numpy_helper.from_array(np.array(value), name)
        for name, value in (("two", 2), ("trip", 3), ("true", True))
    ]
    graph = helper.make_graph(
        [helper.make_node("Loop", ["trip", "true", "x"], ["y"], body=body)],
        "model",
        [info("x", f32, 3)],
        [info("y", f32, 3)],
        constants,
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(made, tmp_path / "model.onnx")
    path = save(ov.convert_model(tmp_path / "model.onnx"), tmp_path)
    x = floats("f32", 3)
    (expected,) = ReferenceEvaluator(made).run(None, {"x": x})
    (found,) = by_opc(path, [x])
    np.testing.assert_array_equal(found, expected)


def test_what_no_loop_can_be(tmp_path: Path) -> None:
    """Each with the layer and the reason: no number of iterations, and damaged bindings."""
    loop, (results, x, start) = repeated(ops.constant(-1), lambda _: ops.constant(True))
    made = ov.Model([loop.get_iter_value(results[1].output(0), -1)], [x, start], "model")
    path = save(made, tmp_path)
    data = [floats("f32", 4, 3), floats("f32", 3)]
    with pytest.raises(UnsupportedError, match="the loop has no end"):
        by_opc(path, data)
    text = path.read_text()
    for old, new, error in (
        ('internal_layer_id="1"', 'internal_layer_id="77"', "77 of the body is not a Param"),
        ('external_port_id="2"', 'external_port_id="55"', "no input port 55"),
        ('to-layer="1" />\n\t\t\t</back', 'to-layer="9" />\n\t\t\t</back', "a back edge leads"),
        ("port_map", "other_map", "it has no <port_map>"),
    ):
        assert old in text
        path.write_text(text.replace(old, new))
        with pytest.raises(InputError, match=error):
            by_opc(path, data)
