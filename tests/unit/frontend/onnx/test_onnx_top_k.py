"""TopK against NumPy's stable sort: values, indices, equal elements and NaN."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
import opc  # noqa: E402
from opc.errors import InputError, OpcError  # noqa: E402
from opc.graph.costs import prefers_sort  # noqa: E402
from tests.unit.common.onnx_models import function, info, model, node  # noqa: E402

pytestmark = pytest.mark.sample(8)


def compiled(type: str, shape: Any, opset: int = 24, k: int | None = None, **how: Any) -> Any:
    """A function of x, and of k unless that is given."""
    inputs = [info("x", type, shape)]
    known = []
    if k is None:
        inputs.append(info("k", "i64", (1,)))
    else:
        known = [onnx.numpy_helper.from_array(np.array([k]), "k")]
    return function(model(node("TopK", "x k", "v i", **how), inputs, opset, initializers=known))


def expected(x: np.ndarray, k: int, axis: int, largest: bool) -> tuple[np.ndarray, np.ndarray]:
    """By places in the order of NumPy, in which NaN is greatest and all NaN are equal."""
    _, keys = np.unique(x, return_inverse=True)
    keys = keys.reshape(x.shape)
    order = np.argsort(-keys if largest else keys, axis=axis, kind="stable")
    order = np.take(order, np.arange(k), axis=axis)
    return np.take_along_axis(x, order, axis), order


TYPES = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "i8": np.int8, "i64": np.int64}
TYPES |= {"ui8": np.uint8, "ui64": np.uint64}


@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("largest", [0, 1])
@pytest.mark.parametrize("shape", [(3, 7, 4), ("A", "B", "C")], ids=["known", "unknown"])
def test_order(type: str, largest: int, shape: Any) -> None:
    draw = np.random.default_rng(8)
    x = draw.integers(0, 5, (3, 7, 4)).astype(TYPES[type])
    if type == "ui64":
        x += np.uint64(2**64 - 6)
    if type.startswith("f"):
        x[draw.random(x.shape) < 0.2] = np.nan
        x[draw.random(x.shape) < 0.1] = -np.inf
    for axis in (0, 1, -1):
        found = compiled(type, shape, largest=largest, axis=axis)
        for k in (0, 1, 3):
            values, indices = found(x, np.array([k]))
            wanted, order = expected(x, k, axis, bool(largest))
            np.testing.assert_array_equal(indices, order, strict=True)
            np.testing.assert_array_equal(values, wanted, strict=True)


def test_known_count() -> None:
    x = np.float32([[3, 1, 3, 2]])
    values, indices = compiled("f32", x.shape, 10, k=2)(x)
    assert values.tolist() == [[3, 3]] and indices.tolist() == [[0, 2]]
    old = model(node("TopK", "x", "v i", k=3), [info("x", shape=x.shape)], 1)
    assert function(old)(x)[1].tolist() == [[0, 2, 3]]


def test_more_than_there_are() -> None:
    x = np.float32([3, 1, 2])
    with pytest.raises(InputError, match="k is more than there are"):
        compiled("f32", (3,), k=4)
    for shape in ((3,), ("N",)):
        with pytest.raises(OpcError, match="k is more than there are"):
            compiled("f32", shape)(x, np.array([4]))
    with pytest.raises(OpcError, match="k is more than there are"):
        compiled("f32", ("N",), k=4)(x)


@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("largest", [0, 1])
@pytest.mark.parametrize("axis", [0, 1])
def test_many(type: str, largest: int, axis: int) -> None:
    """Of long axes the first few of many lines, of one line, and all, which are sorted."""
    draw = np.random.default_rng(9)
    ends = np.iinfo(TYPES[type]) if not type.startswith("f") else None
    for shape, count in (((70, 33), 5), ((70, 33), 33), ((1, 600), 40), ((600, 2), 600)):
        shape = shape if axis else shape[::-1]
        n = shape[axis]
        count = min(count, n)
        x = draw.integers(0, 50, shape).astype(TYPES[type])
        if ends is not None:
            x[draw.random(shape) < 0.05] = ends.max
            x[draw.random(shape) < 0.05] = ends.min
        else:
            x[draw.random(shape) < 0.05] = np.nan
            x[draw.random(shape) < 0.05] = -np.nan
            x[draw.random(shape) < 0.05] = np.inf
            x[draw.random(shape) < 0.05] = -np.inf
            x[draw.random(shape) < 0.05] = -0.0
        values, indices = compiled(type, shape, k=count, largest=largest, axis=axis)(x)
        wanted, order = expected(x, count, axis, bool(largest))
        np.testing.assert_array_equal(indices, order, strict=True)
        np.testing.assert_array_equal(values, wanted, strict=True)


@pytest.mark.parametrize("largest", [0, 1])
def test_both_ways_find_the_same(largest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """How the first elements are found is a matter of what it costs, by bits no other one."""
    x = np.random.default_rng(11).integers(0, 9, (2, 37)).astype(np.float32)
    x[0, ::5], x[1, ::7], x[0, 1] = np.nan, -0.0, -np.inf
    found, texts = list[bytes](), set[str]()
    for is_sorted in (False, True):
        patched = "opc.frontend.models.order.prefers_sort"
        monkeypatch.setattr(patched, lambda count, stages: is_sorted)  # noqa: B023
        proto = model(
            node("TopK", "x k", "v i", largest=largest),
            [info("x", "f32", x.shape)],
            24,
            initializers=[onnx.numpy_helper.from_array(np.array([6]), "k")],
        )
        made = opc.compile(proto, target="baseline", cache=None)
        texts.add(made.c_source)
        found.append(b"".join(v.tobytes() for v in made(x)))
    assert found[0] == found[1] and len(texts) == 2


@pytest.mark.parametrize("count, is_sorted", [(7, False), (96, False), (97, True)])
def test_what_costs_less(count: int, is_sorted: bool) -> None:
    """An exchange in one of 12 stages costs as much as eight comparisons along a row."""
    assert prefers_sort(count, 12) == is_sorted


@pytest.mark.bench
def test_long_lines_take_little_time() -> None:
    """With each element compared with every other one, this takes a quarter of an hour."""
    x = np.random.default_rng(0).normal(size=(1, 1_000_000)).astype(np.float32)
    for count in (10, x.shape[1]):
        _, indices = compiled("f32", x.shape, k=count)(x)
        np.testing.assert_array_equal(indices, expected(x, count, 1, True)[1])
