"""What exporters of PyTorch write around the layers of a network, by itself, against the reference.

They compute extents, pads and bounds from shapes, by detours that must be seen through when
compiling: what is not becomes extents that a run reads, and these cannot depend on each other.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from onnx import helper, numpy_helper  # noqa: E402
from onnx.reference import ReferenceEvaluator  # noqa: E402

import opc  # noqa: E402
from opc.dialects import expr as ex  # noqa: E402
from opc.frontend.models import known_values as kv  # noqa: E402
from tests.unit.common.onnx_models import TYPES, function, info, model, node  # noqa: E402

RNG = np.random.default_rng(3)


def held(name: str, values: Any, type: Any = np.int64) -> Any:
    """An initializer."""
    return numpy_helper.from_array(np.asarray(values, type), name)


def filled(value: Any) -> Any:
    """The value of ConstantOfShape."""
    return numpy_helper.from_array(np.asarray([value]))


def check(proto: Any, *arrays: Any) -> None:
    """The results are those of the reference."""
    compiled = function(proto)
    given = {spec.name: x for spec, x in zip(proto.graph.input, arrays, strict=True)}
    expected = ReferenceEvaluator(proto).run(None, given)
    found = compiled(*arrays)
    found = list(found) if isinstance(found, tuple) else [found]
    for ours, theirs in zip(found, expected, strict=True):
        assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)


def normal(*shape: int) -> Any:
    return RNG.normal(size=shape).astype(np.float32)


def pads(k: int, *amounts: int) -> list[Any]:
    """Pad of a tensor of rank 3 as ``torch.nn.functional.pad`` is written: last axis first."""
    return [
        node("Constant", "", f"given{k}", value_ints=list(amounts)),
        node("ConstantOfShape", "left", f"zeros{k}", value=filled(0)),
        node("Concat", f"given{k} zeros{k}", f"all{k}", axis=0),
        node("Reshape", f"all{k} pairs", f"pairs{k}"),
        node("Slice", f"pairs{k} last far first last", f"turned{k}"),
        node("Transpose", f"turned{k}", f"columns{k}", perm=[1, 0]),
        node("Reshape", f"columns{k} last", f"line{k}"),
        node("Cast", f"line{k}", f"pads{k}", to=TYPES["i64"]),
        node("Pad", f"x{k} pads{k}", f"x{k + 1}"),
    ]


def test_pads_that_are_turned_over() -> None:
    constants = [
        held("left", [4]),
        held("pairs", [-1, 2]),
        held("last", [-1]),
        held("far", [-(2**63) + 1]),
        held("first", [0]),
    ]
    nodes = [*pads(0, 3, 1), *pads(1, 0, 2)]
    proto = model(nodes, [info("x0", shape=[2, 4, "T"])], 14, initializers=constants)
    for length in (1, 5):
        check(proto, normal(2, 4, length))


def test_sizes_of_a_pyramid() -> None:
    """Halves of halves, rounded up: ``(h - 1) // 2 + 1``."""

    def size(k: int, by: str) -> list[Any]:
        return [
            node("Shape", "x", f"h{k}", start=2, end=3),
            node("Add", f"h{k} less", f"less{k}"),
            node("Div", f"less{k} {by}", f"part{k}"),
            node("Add", f"part{k} one", f"size{k}"),
            node("Shape", f"x{k}", f"lead{k}", start=0, end=2),
            node("Concat", f"lead{k} size{k}", f"sizes{k}", axis=0),
            node(
                "Resize",
                f"x{k} _ _ sizes{k}",
                f"x{k + 1}",
                mode="nearest",
                coordinate_transformation_mode="asymmetric",
                nearest_mode="floor",
            ),
        ]

    nodes = [
        node("AveragePool", "x", "half", kernel_shape=[1], strides=[2]),
        node("AveragePool", "half", "x0", kernel_shape=[1], strides=[2]),
        *size(0, "two"),
        node("Add", "half x1", "x1_"),
        node("Identity", "x1_", "x1__"),
    ]
    nodes += [node("Identity", "x1__", "x2"), *size(2, "four")]
    constants = [held("less", [-1]), held("one", [1]), held("two", [2]), held("four", [4])]
    proto = model(nodes, [info("x", shape=["B", 3, "H"])], 18, initializers=constants)
    for length in (1, 2, 7, 8):
        check(proto, normal(2, 3, length))


def test_quotients_of_what_may_be_negative() -> None:
    n = ex.sym("n")
    for a in (n - 1, n - 7, 10 - n, n * 2 - 9, -n):
        for by in (1, 2, 4):
            rounded = kv.divided(a, ex.const(by))
            for value in range(25):
                whole = a.evaluate({}, {"n": value})
                assert rounded.evaluate({}, {"n": value}) == int(whole / by)
                if a.terms[0][1] > 0:
                    down = kv.floor_divided(a, ex.const(by)).evaluate({}, {"n": value})
                    rest = kv.remainder(a, ex.const(by)).evaluate({}, {"n": value})
                    assert (down, rest) == divmod(whole, by)
                short = kv.truncated_remainder(a, ex.const(by)).evaluate({}, {"n": value})
                assert short == math.fmod(whole, by)


@pytest.mark.parametrize("bound", ["Clip", "Max", "Relu"])
def test_pads_that_are_computed_in_floats(bound: str) -> None:
    """Pads on both sides so that windows in steps of two see all, as TensorFlow pads: known."""
    nodes = [
        node("Ceil", "half", "count"),
        node("Sub", "count one", "steps"),
        node("Mul", "steps two", "last"),
        node("Add", "last three", "end"),
        node("Sub", "end extent", "missing"),
        node(bound, "missing" if bound == "Relu" else "missing zero", "total"),
        node("Div", "total two", "middle"),
        node("Floor", "middle", "before"),
        node("Sub", "total before", "after"),
        node("Unsqueeze", "before axis", "left"),
        node("Unsqueeze", "after axis", "right"),
        node("Concat", "none left left none right right", "floats", axis=0),
        node("Cast", "floats", "pads", to=TYPES["i64"]),
        node("Pad", "x pads", "y"),
    ]
    numbers = {"half": 5.5, "one": 1, "two": 2, "three": 3, "extent": 11, "zero": 0}
    constants = [held(name, value, np.float32) for name, value in numbers.items()]
    constants += [held("axis", [0]), held("none", [0, 0], np.float32)]
    proto = model(
        nodes,
        [info("x", "f32", (1, 3, 11, 11))],
        17,
        [onnx.ValueInfoProto(name="y")],
        constants,
    )
    check(proto, normal(1, 3, 11, 11))
    assert function(proto).outputs[0].shape == (1, 3, 13, 13)


def test_pads_up_to_a_multiple() -> None:
    """Chunks of four, of which the last is filled up by an extent, which no run reads."""
    nodes = [
        node("Shape", "x", "n", start=1, end=2),
        node("Mod", "n four", "rest"),
        node("Mul", "rest less", "minus"),
        node("Add", "minus four", "short"),
        node("Mod", "short four", "more"),
        node("Concat", "none none none more", "pads", axis=0),
        node("Pad", "x pads", "padded"),
        node("Add", "n more", "whole"),
        node("Div", "whole four", "chunks"),
        node("Shape", "x", "batch", start=0, end=1),
        node("Concat", "batch chunks four", "shape", axis=0),
        node("Reshape", "padded shape", "y"),
    ]
    constants = [held("four", [4]), held("less", [-1]), held("none", [0])]
    proto = model(nodes, [info("x", shape=["B", "N"])], 18, initializers=constants)
    assert "read_extents" not in opc.lower(proto).ir("graph")
    for length in range(1, 10):
        check(proto, normal(2, length))


@pytest.mark.parametrize("batch", ["N", 3])
def test_remainders_of_extents_have_the_sign_asked_for(batch: int | str) -> None:
    nodes = [
        node("Shape", "x", "n", start=0, end=1),
        node("Sub", "n ten", "below"),
        node("Mod", "below four", "rest", fmod=1),
        node("Mod", "below four", "whole"),
        node("Concat", "rest whole", "y", axis=0),
    ]
    constants = [held("ten", [10]), held("four", [4])]
    proto = model(nodes, [info("x", shape=[batch, 5])], 18, initializers=constants)
    assert np.asarray(opc.compile(proto)(normal(3, 5))).tolist() == [-3, 1]


@pytest.mark.parametrize("batch", ["N", 300])
def test_extents_in_narrow_types_wrap(batch: int | str) -> None:
    nodes = [
        node("Shape", "x", "n", start=0, end=1),
        node("Cast", "n", "narrow", to=2),
        node("Cast", "narrow", "y", to=7),
    ]
    proto = model(nodes, [info("x", shape=[batch, 1])], 18)
    assert np.asarray(opc.compile(proto)(normal(300, 1))).tolist() == [44]


def test_extents_by_way_of_floats() -> None:
    """Numbers that are rounded up on the way, ``ceil(37 / 8)``: known for all that."""

    def step(k: int) -> list[Any]:
        return [
            node("Constant", "", f"length{k}", value_float=37.0),
            node("Div", f"length{k} eight", f"chunks{k}"),
            node("Ceil", f"chunks{k}", f"whole{k}"),
            node("Cast", f"whole{k}", f"count{k}", to=TYPES["i64"]),
            node("Unsqueeze", f"count{k} first", f"more{k}"),
            node("Concat", f"first more{k}", f"pads{k}", axis=0),
            node("Pad", f"x{k} pads{k}", f"x{k + 1}", mode="reflect"),
        ]

    constants = [held("eight", 8, np.float32), held("first", [0])]
    proto = model([*step(0), *step(1)], [info("x0", shape=["N"])], 18, initializers=constants)
    assert "read_extents" not in opc.lower(proto).ir("graph")
    check(proto, normal(37))


def test_quotients_of_multiples() -> None:
    n, m = ex.sym("n"), ex.sym("m")
    assert kv.divided(n * m * 6, n * 2) == m * 3
    with pytest.raises(kv.Undecided):
        kv.divided(n * 6, m)


def test_last_rows_of_a_table() -> None:
    """``table[64 - n:]``, for lengths up to 64, beside what has n rows."""
    nodes = [
        node("Shape", "x", "n", start=0, end=1),
        node("Sub", "rows n", "start"),
        node("Slice", "table start far first", "part"),
        node("Add", "x part", "y"),
    ]
    constants = [
        held("rows", [64]),
        held("far", [2**63 - 1]),
        held("first", [0]),
        held("table", normal(64, 3), np.float32),
    ]
    proto = model(nodes, [info("x", shape=["N", 3])], 17, initializers=constants)
    for length in (1, 5, 64):
        check(proto, normal(length, 3))
    with pytest.raises(opc.OpcError, match="negative"):
        function(proto)(normal(65, 3))


def test_a_range_as_the_places_of_ones() -> None:
    """``arange(n)``: it has n elements, which no run must count."""
    nodes = [
        node("Shape", "x", "n"),
        node("ConstantOfShape", "n", "ones", value=filled(1)),
        node("NonZero", "ones", "places"),
        node("Transpose", "places", "column", perm=[1, 0]),
        node("Squeeze", "column one", "line"),
        node("Cast", "line", "numbers", to=TYPES["f32"]),
        node("Add", "x numbers", "y"),
    ]
    proto = model(nodes, [info("x", shape=["N"])], 17, initializers=[held("one", [1])])
    check(proto, normal(6))
    assert "data_extent" not in opc.lower(proto).ir("graph")


@pytest.mark.parametrize("value", [0, 2, np.nan])
def test_places_of_one_number(value: float) -> None:
    nodes = [
        node("Shape", "x", "n"),
        node("ConstantOfShape", "n", "all", value=filled(np.float32(value))),
        node("NonZero", "all", "y"),
    ]
    y = function(model(nodes, [info("x", shape=["N", 2, "M"])], 17))(normal(3, 2, 2))
    np.testing.assert_array_equal(y, np.nonzero(np.full((3, 2, 2), value)))


def test_a_branch_of_another_shape_than_stated() -> None:
    """The exporter states the rank of the branch that is not taken."""
    then = helper.make_graph(
        [node("Squeeze", "x", "a")], "then", [], [helper.make_tensor_value_info("a", 1, None)]
    )
    other = helper.make_graph([node("Identity", "x", "b")], "else", [], [info("b", shape=["N"])])
    nodes = [
        node("Shape", "x", "shape"),
        node("Size", "shape", "rank"),
        node("Equal", "rank none", "flat"),
        node("If", "flat", "y", then_branch=then, else_branch=other),
    ]
    proto = model(
        nodes,
        [info("x", shape=["N", 8])],
        17,
        outputs=[info("y", shape=["N"])],
        initializers=[held("none", 0)],
    )
    x = normal(3, 8)
    np.testing.assert_array_equal(function(proto)(x), x)


def test_pads_around_in_version_18() -> None:
    x = normal(2, 5)
    proto = model(
        node("Pad", "x pads", mode="wrap"),
        [info("x", shape=[2, 5])],
        18,
        initializers=[held("pads", [0, 1, 0, 2])],
    )
    np.testing.assert_array_equal(function(proto)(x), np.pad(x, ((0, 0), (1, 2)), "wrap"))


@pytest.mark.parametrize("target", ["baseline", "native"])
def test_heads_of_unknown_depth(target: str) -> None:
    """What a row divides into is known from no extent: gcc 12 left out the panels of the heads."""
    nodes = [
        node("Shape", "x", "batch", start=0, end=1),
        node("Shape", "x", "n", start=1, end=2),
        node("Slice", "table first n first", "rows"),
        node("Add", "x rows", "sum"),
        node("MatMul", "sum weight", "all"),
        node("Concat", "batch n heads last", "split", axis=0),
        node("Reshape", "all split", "parts"),
        node("Transpose", "parts", "turned", perm=[0, 2, 1, 3]),
        node("Split", "turned", "q k v", axis=3, num_outputs=3),
        node("Sub", "most n", "low"),
        node("Add", "most n", "high"),
        node("Slice", "places low high first", "near"),
        node("Unsqueeze", "near first", "image"),
        node("MatMul", "image small", "moved"),
        node("Reshape", "moved depths", "places_of_heads"),
        node("Transpose", "places_of_heads", "columns", perm=[0, 2, 3, 1]),
        node("MatMul", "k columns", "y"),
    ]
    numbers = {"first": [0], "heads": [4], "last": [-1], "most": [16], "depths": [1, -1, 4, 8]}
    tables = {"table": (64, 32), "weight": (32, 96), "places": (32, 32), "small": (32, 32)}
    constants = [held(name, values) for name, values in numbers.items()]
    constants += [held(name, normal(*shape), np.float32) for name, shape in tables.items()]
    proto = model(nodes, [info("x", shape=["B", "N", 32])], 18, initializers=constants)
    x = normal(2, 9, 32)
    expected = ReferenceEvaluator(proto).run(None, {"x": x})[0]
    found = opc.compile(proto, target=target)(x)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("operator", ["MaxPool", "AveragePool"])
@pytest.mark.parametrize(
    ("kernel", "stride", "pads"), [(2, 2, (0, 0)), (3, 2, (1, 1)), (3, 3, (1, 0)), (3, 1, (0, 1))]
)
def test_windows_rounded_up(operator: str, kernel: int, stride: int, pads: Any) -> None:
    """One function for every extent gives what those for each give."""
    how = {"kernel_shape": [kernel], "strides": [stride], "pads": pads, "ceil_mode": 1}
    proto = model(node(operator, "x", **how), [info("x", shape=[2, 3, "N"])], 19)
    for length in range(kernel, 10):
        x = normal(2, 3, length)
        known = model(node(operator, "x", **how), [info("x", shape=x.shape)], 19)
        np.testing.assert_array_equal(function(proto)(x), function(known)(x))


def test_all_but_as_many_as_an_extent() -> None:
    """``x[:-m]``, which is nothing where m is 0, and ``x[-m:]``, which then is all."""
    nodes = [
        node("Shape", "y", "m"),
        node("Neg", "m", "less"),
        node("Slice", "x first less first", "front"),
        node("Slice", "x less far first", "back"),
    ]
    outputs = [info("front", shape=["F"]), info("back", shape=["K"])]
    constants = [held("first", [0]), held("far", [2**63 - 1])]
    inputs = [info("x", shape=["N"]), info("y", shape=["M"])]
    compiled = function(model(nodes, inputs, 17, outputs=outputs, initializers=constants))
    x = normal(5)
    for m in range(8):
        front, back = compiled(x, normal(m))
        np.testing.assert_array_equal(front, x[:-m])
        np.testing.assert_array_equal(back, x[-m:])
