"""NonZero, Compress, Unique and NonMaxSuppression of ONNX, and loops that stack as they go, by
themselves and with what follows them, against NumPy and the reference of ONNX."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx import numpy_helper  # noqa: E402
from onnx.reference import ReferenceEvaluator  # noqa: E402

from opc.errors import ArgumentError, InputError, UnsupportedError  # noqa: E402
from tests.unit.common.onnx_models import TYPES, function, info, model, node  # noqa: E402

pytestmark = pytest.mark.sample(8)

RNG = np.random.default_rng(7)
F32, I64 = np.float32, np.int64


def held(name: str, *values: Any, type: Any = I64) -> Any:
    """An initializer."""
    return numpy_helper.from_array(np.asarray(values, type), name)


def outputs(names: str, types: str) -> list[Any]:
    return [info(n, t) for n, t in zip(names.split(), types.split(), strict=True)]


def check(proto: Any, *arrays: Any) -> None:
    """The results are those of the reference."""
    compiled = function(proto)
    given = {spec.name: x for spec, x in zip(proto.graph.input, arrays, strict=True)}
    expected = ReferenceEvaluator(proto).run(None, given)
    found = compiled(*arrays)
    found = list(found) if isinstance(found, tuple) else [found]
    for ours, theirs in zip(found, expected, strict=True):
        assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
        np.testing.assert_allclose(ours, theirs, rtol=1e-5)


@pytest.mark.parametrize("type", ["f32", "f16", "i8", "ui64", "i1"])
@pytest.mark.parametrize("shape", [(5,), (3, 4), (2, 1, 3, 4), (0, 3), (1000,)])
def test_nonzero(type: str, shape: tuple[int, ...]) -> None:
    x = RNG.integers(0, 2, shape).astype(onnx.helper.tensor_dtype_to_np_dtype(TYPES[type]))
    proto = model(node("NonZero", "x"), [info("x", type, shape)], outputs=[info("y", "i64")])
    np.testing.assert_array_equal(function(proto)(x), np.nonzero(x))


def test_nonzero_of_constants() -> None:
    """What is known when compiling has a known extent."""
    made = [node("NonZero", "c", "p"), node("Gather", "x p")]
    proto = model(made, [info("x", shape=[4])], initializers=[held("c", 0, 3, 0, 1)])
    compiled = function(proto)
    assert not compiled.interface.finds_shapes
    np.testing.assert_array_equal(compiled(np.arange(4, dtype=F32)), [[1, 3]])


def test_what_follows() -> None:
    """Shape arithmetic, Gather, Slice, Concat, reductions and arithmetic on what NonZero gives."""
    nodes = [
        node("NonZero", "x", "places"),
        node("Transpose", "places", "rows", perm=[1, 0]),
        node("GatherND", "x rows", "values"),
        node("Shape", "values", "shape"),
        node("ConstantOfShape", "shape", "zeros"),
        node("Sub", "zeros values", "negative"),
        node("Concat", "values negative", "both", axis=0),
        node("Reshape", "both pair", "pairs"),
        node("ReduceMax", "pairs", "largest", axes=[0], keepdims=0),
        node("Slice", "values start stop", "first"),
        node("Softmax", "values", "softmax", axis=0),
        node("TopK", "values three", "best where", axis=0),
    ]
    weights = [held("pair", 2, -1), held("start", 0), held("stop", 3), held("three", 3)]
    given = outputs("largest first softmax best shape", "f32 f32 f32 f32 i64")
    proto = model(nodes, [info("x", shape=["N", "M"])], 13, given, weights)
    for shape in ((4, 5), (2, 2), (30, 40)):
        x = (RNG.integers(0, 3, shape) * RNG.random(shape)).astype(F32)
        x.flat[:4] = 1, 2, 3, 4
        check(proto, x)


def test_parts_by_what_was_found() -> None:
    """Bounds that cannot be read before the function starts, since control flow computes them."""
    nodes = [
        node("NonZero", "x", "places"),
        node("ReduceMax", "places", "last", axes=[1], keepdims=0),
        node("Slice", "w start last", "part"),
        node("TopK", "w last", "best where"),
    ]
    given = outputs("part best where", "f32 f32 i64")
    inputs = [info("x", shape=["N"]), info("w", shape=["M"])]
    compiled = function(model(nodes, inputs, 13, given, [held("start", 0)]))
    w = RNG.standard_normal(9).astype(F32)
    for last in (0, 3, 9):
        x = np.zeros(12, F32)
        x[[0, last]] = 1
        part, best, where = compiled(x, w)
        np.testing.assert_array_equal(part, w[:last])
        np.testing.assert_array_equal(where, np.argsort(-w)[:last])
        np.testing.assert_array_equal(best, w[where])
    x[11] = 1
    with pytest.raises(ArgumentError):
        compiled(x, w)


@pytest.mark.parametrize("axis", [None, 0, 1, -1])
def test_compress(axis: int | None) -> None:
    x = RNG.standard_normal((4, 3, 5)).astype(F32)
    how = {} if axis is None else {"axis": axis}
    inputs = [info("x", shape=x.shape), info("c", "i1", ["K"])]
    compiled = function(model(node("Compress", "x c", **how), inputs, 11, [info("y")]))
    count = x.size if axis is None else x.shape[axis]
    for length in (0, 1, min(count, 3)):
        marks = RNG.integers(0, 2, length).astype(bool)
        np.testing.assert_array_equal(compiled(x, marks), np.compress(marks, x, axis))
    with pytest.raises(ArgumentError, match="an index is outside of axis"):
        compiled(x, np.ones(count + 1, bool))
    with pytest.raises(InputError, match="expected rank 1"):
        function(model(node("Compress", "x x"), [info("x", "i1", [2, 2])], 11))


@pytest.mark.parametrize("axis", [None, 0, 1, -1])
@pytest.mark.parametrize("type", ["f32", "f16", "i64", "ui8", "i1"])
@pytest.mark.parametrize("shape", [(6, 2, 3), (1, 1, 1), (40, 1, 2)])
def test_unique(axis: int | None, type: str, shape: tuple[int, ...]) -> None:
    x = RNG.integers(0, 2, shape).astype(onnx.helper.tensor_dtype_to_np_dtype(TYPES[type]))
    how = {} if axis is None else {"axis": axis}
    given = outputs("y i v c", f"{type} i64 i64 i64")
    proto = model(node("Unique", "x", "y i v c", **how), [info("x", type, shape)], 11, given)
    found = function(proto)(x)
    expected = np.unique(x, True, True, True, axis=axis)
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_array_equal(ours, np.reshape(theirs, np.shape(ours)))
        assert ours.size == theirs.size


def test_unique_as_it_comes() -> None:
    """In the order of the input; NaN is equal to itself."""
    x = np.array([2, np.nan, 1, 2, np.nan, 3, 1], F32)
    made = node("Unique", "x", "y i v c", sorted=0)
    proto = model(made, [info("x", shape=["N"])], 11, outputs("y i v c", "f32 i64 i64 i64"))
    compiled = function(proto)
    values, first, inverse, counts = compiled(x)
    np.testing.assert_array_equal(values, [2, np.nan, 1, 3])
    np.testing.assert_array_equal(first, [0, 1, 2, 5])
    np.testing.assert_array_equal(inverse, [0, 1, 2, 0, 1, 3, 2])
    np.testing.assert_array_equal(counts, [2, 2, 2, 1])
    assert [len(v) for v in compiled(x[:0])] == [0, 0, 0, 0]


def suppression(
    shape: tuple[int, int, int], inputs: str, values: dict[str, Any], centred: int = 0
) -> Any:
    """A model for [batches, classes, boxes]; ``values`` are known when compiling."""
    batches, classes, count = shape
    given = [info("b", shape=[batches, count, 4]), info("s", shape=[batches, classes, count])]
    types = {"m": "i64", "i": "f32", "t": "f32"}
    listed = [n for n in inputs.split() if n != "_"]
    given += [info(n, types[n], [1]) for n in listed if n not in values]
    weights = [held(n, v, type=I64 if n == "m" else F32) for n, v in values.items()]
    made = node("NonMaxSuppression", f"b s {inputs}", center_point_box=centred)
    return model(made, given, 11, [info("y", "i64")], weights)


def boxes(shape: tuple[int, int, int]) -> tuple[Any, Any]:
    batches, classes, count = shape
    scores = RNG.permutation(batches * classes * count).reshape(shape) / 1000
    return RNG.random((batches, count, 4)).astype(F32), scores.astype(F32)


@pytest.mark.sample(8)
@pytest.mark.parametrize("centred", [0, 1])
@pytest.mark.parametrize("shape", [(1, 1, 6), (2, 3, 40), (1, 80, 5)])
@pytest.mark.parametrize(
    ("inputs", "values"),
    [
        ("m i t", {"m": 3, "i": 0.4, "t": 0.05}),
        ("m i t", {"m": 1000, "i": 0.2, "t": 0.1}),
        ("m i", {"m": 5, "i": 0.5}),
        ("m _ t", {"m": 2, "t": 0.1}),
        ("m i t", {}),
        ("m i", {"i": 0.3}),
    ],
)
def test_suppression(
    shape: tuple[int, int, int], inputs: str, values: dict[str, Any], centred: int
) -> None:
    runtime = pytest.importorskip("onnxruntime")
    proto = suppression(shape, inputs, values, centred)
    session = runtime.InferenceSession(proto.SerializeToString())
    given = {"m": np.array([4]), "i": np.array([0.35], F32), "t": np.array([0.02], F32)}
    compiled = function(proto)
    for _ in range(3):
        arrays = dict(zip("bs", boxes(shape), strict=True))
        arrays |= {v.name: given[v.name] for v in proto.graph.input if v.name in given}
        np.testing.assert_array_equal(compiled(**arrays), session.run(None, arrays)[0])


def test_suppression_of_nothing() -> None:
    b, s = boxes((1, 2, 7))
    for values in ({"m": 0, "i": 0.5, "t": 0.0}, {"m": 3, "i": 0.5, "t": 2.0}):
        assert function(suppression((1, 2, 7), "m i t", values))(b, s).shape == (0, 3)
    with pytest.raises(InputError, match=r"input scores is .*, expected \[N, C, M\]"):
        inputs = [info("b", shape=[1, 7, 4]), info("s", shape=[1, 2, 6])]
        function(model(node("NonMaxSuppression", "b s"), inputs, 11))


def test_suppression_of_unknown_numbers() -> None:
    """Of no boxes, too, without a score that they must have."""
    given = [info("b", shape=["B", "N", 4]), info("s", shape=["B", 2, "N"])]
    limits = [held("m", 3), held("i", 0.4, type=F32)]
    proto = model(node("NonMaxSuppression", "b s m i"), given, 11, [info("y", "i64")], limits)
    compiled, reference = function(proto), ReferenceEvaluator(proto)
    for batches, count in ((1, 0), (2, 5), (1, 1), (0, 3), (2, 0), (2, 40)):
        b, s = boxes((batches, 2, count))
        found = compiled(b, s)
        if batches * count:
            np.testing.assert_array_equal(found, reference.run(None, {"b": b, "s": s})[0])
        else:
            assert found.shape == (0, 3)


def loop(condition: list[Any], inputs: str, *given: Any) -> Any:
    """s goes on by x each round; stacked are its squares."""
    nodes = [node("Add", "s x", "s2"), node("ReduceSum", "s2", "t", keepdims=0), *condition]
    nodes.append(node("Mul", "s2 s2", "o"))
    body = onnx.helper.make_graph(
        nodes,
        "body",
        [info("i", "i64", []), info("c", "i1", []), info("s", shape=[3])],
        [info("c2", "i1", []), info("s2", shape=[3]), info("o", shape=[3])],
    )
    made = [node("Loop", f"{inputs} s0", "last all", body=body), node("Neg", "all", "less")]
    arguments = [info("s0", shape=[3]), info("x", shape=[3]), *given]
    ends = held("end", 20, type=F32)
    ends.dims[:] = []
    return model(made, arguments, 13, [info("last"), info("less")], [ends])


TRIP, FIRST = info("m", "i64", []), info("f", "i1", [])
ENDS = [node("Less", "t end", "c2")]
GOES_ON = [node("Identity", "c", "c2")]


@pytest.mark.parametrize(
    ("condition", "inputs", "given"),
    [
        (ENDS, "m _", [TRIP]),
        (GOES_ON, "m _", [TRIP]),
        (ENDS, "m f", [TRIP, FIRST]),
        (GOES_ON, "m f", [TRIP, FIRST]),
    ],
)
def test_loops_that_stack(condition: list[Any], inputs: str, given: list[Any]) -> None:
    compiled = function(loop(condition, inputs, *given))
    x = np.array([1, 2, 0.5], F32)
    for trip in (-1, 0, 1, 4, 30):
        for first in (True, False) if FIRST in given else (True,):
            count = max(trip, 0) if first else 0
            if condition is ENDS:
                # The round whose sum is no longer less is the last.
                count = min(count, 6)
            arrays = [np.zeros(3, F32), x, np.array(trip), np.array(first)]
            last, less = compiled(*arrays[: 2 + len(given)])
            rounds = np.arange(1, count + 1, dtype=F32)[:, None] * x
            np.testing.assert_allclose(last, count * x)
            np.testing.assert_allclose(less, -(rounds**2))


@pytest.mark.level("-O0")  # Compiled: it has thousands of rounds.
def test_loops_without_a_bound() -> None:
    """As many rounds as the condition lets there be, beyond the room that there is at first."""
    compiled = function(loop(ENDS, "_ f", FIRST))
    for step, first in ((1, True), (1, False), (0.01, True), (0.001, True), (1, True)):
        x = np.array([1, 2, 0.5], F32) * F32(step)
        last, less = compiled(np.zeros(3, F32), x, np.array(first))
        total, stacked = np.zeros(3, F32), list[Any]()
        while first and (not stacked or total.sum() < 20):
            total = total + x
            stacked.append(-(total**2))
        assert less.shape == (len(stacked), 3)
        np.testing.assert_allclose(last, total)
        np.testing.assert_allclose(less, np.array(stacked).reshape(-1, 3))
    with pytest.raises(UnsupportedError, match="the loop has no end"):
        function(loop(GOES_ON, "_ _"))
