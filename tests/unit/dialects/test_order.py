"""The order of sums and products, against one that is written out value by value."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects import order
from tests.unit.common.graphs import normal_form, oracle
from tests.unit.common.tolerance import assert_same_bits, sum_bound

pytestmark = pytest.mark.smoke

Array = np.ndarray[Any, Any]
LENGTHS = (0, 1, 2, 3, 5, 8, 9, 63, 64, 65, 127, 128, 129, 511, 513, 1024, 1025, 3000, 8193, 25_000)


def tree(items: list[Any], combine: Any) -> Any:
    """2k with 2k + 1, then pairs of pairs; what is left over passes through."""
    while len(items) > 1:
        pairs = [items[k : k + 2] for k in range(0, len(items), 2)]
        items = [combine(*p) if len(p) == 2 else p[0] for p in pairs]
    return items[0]


def by_hand(values: Array, lanes: int, combine: Any, start: float) -> Any:
    """One row, as the card of docs/numerics.md says it."""
    totals: list[Any] = []
    for lane in range(lanes):
        own = list(values[lane::lanes])
        groups = [tree(own[k : k + 8], combine) for k in range(0, len(own), 8)]
        blocks: list[Any] = []
        for k in range(0, len(groups), 16):
            total = values.dtype.type(start)
            for group in groups[k : k + 16]:
                total = combine(total, group)
            blocks.append(total)
        totals.append(tree(blocks, combine) if blocks else values.dtype.type(start))
    while len(totals) > 1:
        half = len(totals) // 2
        totals = [combine(a, b) for a, b in zip(totals[:half], totals[half:], strict=True)]
    return totals[0]


@pytest.mark.parametrize("lanes", [1, 2, 16, 64])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_against_single_values(lanes: int, dtype: str) -> None:
    rng = np.random.default_rng(lanes)
    for n in LENGTHS:
        x = rng.normal(size=(2, n)).astype(dtype)
        found = order.reduce(x, lanes, "sum")
        assert found.tolist() == [by_hand(row, lanes, np.add, 0) for row in x]
        x = np.exp(x * 0.1).astype(dtype)
        found = order.reduce(x, lanes, "prod")
        assert found.tolist() == [by_hand(row, lanes, np.multiply, 1) for row in x]


def test_zeros() -> None:
    """A total starts at +0, so no sum is -0, and an empty product is 1."""
    for lanes in (1, 64):
        for n in (0, 1, 3, 200):
            assert not np.signbit(order.reduce(np.full((1, n), -0.0, np.float32), lanes, "sum"))[0]
        assert order.reduce(np.zeros((1, 0)), lanes, "prod").tolist() == [1]


@pytest.mark.parametrize("kept", [*range(70), 127, 128, 1000])
@pytest.mark.parametrize("type", [el.F64, el.F32, el.F16], ids=str)
def test_lanes(kept: int, type: el.ElementType) -> None:
    """max(1, 2^floor(log2(W/C))), and the same of an extent that only a call knows."""
    most = 32 if type is el.F64 else 64
    wanted = max(1, 2 ** math.floor(math.log2(most / kept))) if kept else most
    assert order.lanes(kept, type) == wanted
    assert order.lanes(ex.sym("N"), type).evaluate({}, {"N": kept}) == wanted


def test_runs() -> None:
    assert order.runs(()) == []
    assert order.runs((0, 1, 3, 5, 6)) == [(0, 1), (3,), (5, 6)]


@pytest.mark.parametrize("lanes", [1, 8, 64])
def test_error(lanes: int) -> None:
    """It is within the bound of docs/numerics.md."""
    for n in (1, 9, 100, 5000, 200_000):
        x = np.random.default_rng(n).normal(size=(4, n)).astype(np.float32) + np.float32(1)
        exact = x.astype(np.longdouble).sum(axis=1)
        error = np.abs(order.reduce(x, lanes, "sum") - exact)
        assert (error <= sum_bound(x, (1,), False, el.F32)).all()


@pytest.mark.parametrize("lanes", [1, 8, 64])
@pytest.mark.parametrize("type", [el.F64, el.F32], ids=str)
def test_error_where_every_addition_rounds_down(type: el.ElementType, lanes: int) -> None:
    """1 in one lane or in each of them, and values just below half of what changes 1."""
    unit = 2.0**-53 if type is el.F64 else 2.0**-24
    for n in (17, 24, 25, 63, 129, 300, 2000, 50_000):
        for ones in (1, min(lanes, n)):
            x = np.full((1, n), unit * (1 - 2.0**-20), type.dtype)
            x[:, :ones] = 1
            exact = math.fsum(x[0].tolist())
            found = float(order.reduce(x, lanes, "sum")[0])
            assert abs(exact - found) <= (16 + 2 * math.ceil(math.log2(n))) * unit * exact


KINDS = ("sum", "prod", "mean", "l1", "l2", "sum_square")


@pytest.mark.sample(2)
@pytest.mark.parametrize("type", ["f32", "f64", "f16", "bf16"])
def test_normal_form_has_the_bits_of_the_graph(type: str) -> None:
    """Several runs, extents of 1 and of 0, known and unknown."""
    for shape in ((3, 40, 5, 7), (1, 9, 1, 200), (130, 1, 3, 2), (4, 0, 3, 5)):
        x = np.random.default_rng(0).normal(size=shape).astype(el.BY_NAME[type].dtype)
        for axes in ([3], [0], [0, 2], [1, 2], [0, 1, 3], [0, 1, 2, 3]):
            texts = [graph(type, extents, axes) for extents in (shape, ("?",) * 4)]
            wanted = oracle(texts[0], [x])
            for text in texts:
                for kind, a, b in zip(KINDS, normal_form(text)(x), wanted, strict=True):
                    assert_same_bits(a, b, f"{kind} of {shape} along {axes}")


def graph(type: str, extents: tuple[int | str, ...], axes: list[int]) -> str:
    kept = [n for k, n in enumerate(extents) if k not in axes]
    source, target = (f"tensor<{'x'.join([*map(str, s), type])}>" for s in (extents, kept))
    lines = [f"  %{k} = opc.reduce_{k} %x {{axes = {axes}}}" for k in KINDS]
    names, types = ", ".join(f"%{k}" for k in KINDS), ", ".join([target] * len(KINDS))
    head = f"func.func @main(%x: {source}) -> ({types}) {{"
    return "\n".join([head, *lines, f"  func.return {names} : {types}", "}"])


RUN_TIME = """func.func @main(%x: tensor<?x?x4xf32>, %a: tensor<?xi64>) -> tensor<?x?x?xf32> {
  %r = opc.reduce_sum %x, %a {keepdims = true}
    : tensor<?x?x4xf32>, tensor<?xi64> -> tensor<?x?x?xf32>
  func.return %r : tensor<?x?x?xf32>
}"""


@pytest.mark.parametrize("axes", [(), (0,), (1, 2), (2, 0), (0, 1, 2)], ids=str)
def test_axes_that_only_a_call_knows_are_runs_each(axes: tuple[int, ...]) -> None:
    x = np.random.default_rng(0).normal(size=(50, 30, 4)).astype(np.float32)
    for array in (x, np.full_like(x, -0.0)):
        inputs = [array, np.array(axes, np.int64)]
        wanted = array
        for axis in sorted(axes, reverse=True):
            text = graph("f32", wanted.shape, [axis])
            wanted = np.expand_dims(oracle(text, [wanted])[0], axis)
        assert_same_bits(oracle(RUN_TIME, inputs)[0], wanted)
        assert_same_bits(normal_form(RUN_TIME)(*inputs)[0], wanted)
