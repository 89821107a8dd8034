"""Products with padding that are left out: where they are, how many, and that no bit tells."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np
import pytest

import opc
from opc.api.driver import Options, source_of
from opc.frontend.mlir.reader import parse_module
from opc.interpret import loop
from opc.tools.profile.timing import stepped
from opc.tools.profile.work import work_of
from tests.unit.common.contraction_graphs import bits, oracle, targets
from tests.unit.common.ir_runs import c_functions, function_of

pytestmark = pytest.mark.sample(6)


class Case(NamedTuple):
    """Shapes of input and filters, and attributes."""

    x: tuple[int, ...]
    w: tuple[int, ...]
    params: dict[str, Any]


CASES = {
    "whole runs": Case((2, 64, 9, 16), (40, 64, 3, 3), {"pads": [1, 1, 1, 1]}),
    "parts of runs": Case((1, 512, 5, 6), (20, 512, 3, 3), {"pads": [1, 1, 1, 1]}),
    "neither": Case((1, 48, 7, 7), (33, 48, 5, 3), {"pads": [2, 1, 2, 1], "strides": [2, 1]}),
    "more than there is": Case((1, 4, 3, 3), (17, 4, 2, 2), {"pads": [5, 4, 3, 6]}),
    "one axis, in blocks": Case((1, 1, 700, 2), (3, 1, 600, 1), {"pads": [9, 0, 30, 0]}),
    "dilated": Case((1, 8, 19, 20), (24, 8, 3, 3), {"pads": [6] * 4, "dilations": [6, 6]}),
    "dilated, whole runs": Case(
        (1, 64, 17, 18), (9, 64, 3, 3), {"pads": [8] * 4, "dilations": [8, 8]}
    ),
    "dilated, parts of runs": Case(
        (1, 512, 15, 16), (5, 512, 3, 3), {"pads": [9] * 4, "dilations": [9, 9]}
    ),
    "dilated, neither": Case(
        (1, 100, 14, 15), (7, 100, 3, 3), {"pads": [5, 9, 7, 8], "dilations": [5, 9]}
    ),
    "dilated beyond all": Case((2, 5, 9, 7), (6, 5, 3, 3), {"pads": [9] * 4, "dilations": [9, 9]}),
    "dilated and strided": Case(
        (1, 6, 31, 30), (8, 6, 3, 3), {"pads": [6, 5, 6, 5], "dilations": [6, 5], "strides": [3, 2]}
    ),
    "dilated, groups": Case(
        (1, 32, 13, 14), (32, 16, 3, 3), {"pads": [6] * 4, "dilations": [6, 6], "groups": 2}
    ),
    "dilated, each channel": Case(
        (2, 5, 33, 34), (5, 1, 3, 3), {"pads": [18] * 4, "dilations": [18, 18], "groups": 5}
    ),
    "dilated, each channel, some rows": Case(
        (1, 2, 150, 60), (2, 1, 3, 3), {"pads": [7, 9, 8, 6], "dilations": [7, 8], "groups": 2}
    ),
    "causal": Case((2, 16, 70), (24, 16, 3), {"pads": [60, 0], "dilations": [30]}),
    "causal, each channel": Case(
        (1, 4, 50), (4, 1, 3), {"pads": [60, 0], "dilations": [30], "groups": 4}
    ),
    "three axes": Case(
        (1, 3, 4, 5, 16), (4, 3, 3, 3, 3), {"pads": [3, 1, 6] * 2, "dilations": [3, 1, 6]}
    ),
    "nothing seen": Case((3, 2, 1), (1, 2, 2), {"pads": [4, 0], "strides": [9], "dilations": [2]}),
    "nothing seen, in front and behind": Case((2, 1, 1), (1, 1, 2), {"pads": [5, 7]}),
    "nothing seen, two axes": Case(
        (1, 2, 11, 1), (1, 2, 2, 2), {"pads": [0, 4, 0, 0], "strides": [2, 3], "dilations": [2, 2]}
    ),
    "nothing seen, columns apart": Case(
        (2, 1, 1, 3), (3, 1, 2, 1), {"pads": [9, 0, 0, 0], "strides": [9, 2], "dilations": [3, 1]}
    ),
    "nothing seen, groups": Case(
        (2, 6, 1), (4, 3, 3), {"pads": [9, 0], "strides": [9], "dilations": [3], "groups": 2}
    ),
    "nothing seen, each channel": Case(
        (1, 4, 1, 40), (4, 1, 2, 3), {"pads": [8, 1, 0, 1], "strides": [9, 1], "groups": 4}
    ),
    "nothing seen, three axes": Case(
        (2, 3, 4, 1, 5), (4, 3, 2, 2, 2), {"pads": [0, 6, 0, 0, 0, 0], "strides": [1, 9, 1]}
    ),
    "few columns": Case((1, 8, 20, 1), (3, 8, 3, 3), {"pads": [9, 1, 9, 1], "dilations": [9, 1]}),
}


def result(case: Case) -> tuple[int, ...]:
    rank = len(case.x) - 2
    ones, pads = [1] * rank, case.params["pads"]
    strides, apart = (case.params.get(n, ones) for n in ("strides", "dilations"))
    positions = [
        (n + pads[k] + pads[rank + k] - (case.w[2 + k] - 1) * apart[k] - 1) // strides[k] + 1
        for k, n in enumerate(case.x[2:])
    ]
    return (case.x[0], case.w[0], *positions)


def tensor(shape: tuple[int, ...]) -> str:
    return f"tensor<{''.join(f'{n}x' for n in shape)}f32>"


def text_of(case: Case, weights: str) -> str:
    """A convolution of an argument by another one, or by constants."""
    y, w = tensor(result(case)), tensor(case.w)
    params = ", ".join(f"{name} = {value}" for name, value in case.params.items())
    known = f"%w = opc.constant dense<{weights}> : {w}" if weights else ""
    return f"""
func.func @main(%x: {tensor(case.x)}{"" if weights else f", %w: {w}"}) -> {y} {{
  {known}
  %0 = opc.conv %x, %w {{{params}}}
  %1 = opc.relu %0
  func.return %1 : {y}
}}"""


def hexadecimal(w: np.ndarray) -> str:
    return f'"0x{w.astype("<f4").tobytes().hex()}"'


def values(case: Case) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(7)
    x, w = (rng.standard_normal(shape).astype(np.float32) for shape in (case.x, case.w))
    return x, w


@pytest.mark.sample(32)
@pytest.mark.parametrize("fault", [None, np.inf, np.nan])
@pytest.mark.parametrize("name", CASES)
def test_only_products_with_finite_weights_are_left_out(name: str, fault: float | None) -> None:
    case = CASES[name]
    x, w = values(case)
    if fault is not None:
        # The first filter sees this one beyond the ends of most images: 0 times infinity is NaN.
        w[(0,) * w.ndim] = fault
    expected = oracle(text_of(case, ""), [x, w])
    for machine in targets():
        known = opc.compile(text_of(case, hexadecimal(w)), target=machine)
        assert bits([known(x)]) == expected, machine
    assert fault is None or np.isnan(np.frombuffer(expected[0], np.float32)).any()


def test_sums_that_vanish_are_zeros_of_one_sign() -> None:
    """A product that is too small leaves -0, which a product with padding may turn around."""
    case = Case((1, 1, 9, 9), (2, 1, 3, 3), {"pads": [9] * 4, "dilations": [9, 9]})
    x, w = np.full(case.x, -1e-30, np.float32), np.full(case.w, 1e-30, np.float32)
    w[1] = -w[1]
    text = text_of(case, "").replace("opc.relu %0", "opc.neg %0")
    known = text_of(case, hexadecimal(w)).replace("opc.relu %0", "opc.neg %0")
    assert bits([opc.compile(known)(x)]) == oracle(text, [x, w])


@pytest.mark.parametrize("n, h, w", [(1, 3, 3), (2, 5, 33), (0, 4, 4), (1, 40, 19)])
@pytest.mark.parametrize("groups", [1, 4])
def test_unknown_extents(n: int, h: int, w: int, groups: int) -> None:
    rng = np.random.default_rng(n)
    image = rng.standard_normal((n, 4, h, w)).astype(np.float32)
    filters = rng.standard_normal((8, 4 // groups, 3, 3)).astype(np.float32)
    type = "tensor<?x{0}x?x?xf32, #opc.dims<N, {0}, H, W>>".format
    weights = f"tensor<8x{4 // groups}x3x3xf32>"
    params = f"pads = [7, 9, 7, 9], dilations = [7, 9], groups = {groups}"
    body = f"%0 = opc.conv %x, %w {{{params}}}\n  func.return %0 : {type(8)}\n}}"
    given = f"func.func @main(%x: {type(4)}, %w: {weights}) -> {type(8)} {{\n  {body}"
    constant = f"%w = opc.constant dense<{hexadecimal(filters)}> : {weights}"
    known = f"func.func @main(%x: {type(4)}) -> {type(8)} {{\n  {constant}\n  {body}"
    assert bits([opc.compile(known)(image)]) == oracle(given, [image, filters])


@pytest.mark.parametrize("w", [0, 1, 2, 3, 12])
@pytest.mark.parametrize("groups", [1, 2])
def test_unknown_extents_of_which_nothing_is_seen(w: int, groups: int) -> None:
    """Of short rows, all that the filters see is in front of them."""
    rng = np.random.default_rng(w)
    rows = rng.standard_normal((3, 4, w)).astype(np.float32)
    filters = rng.standard_normal((2, 4 // groups, 2)).astype(np.float32)
    x, y = "tensor<?x4x?xf32, #opc.dims<N, 4, W>>", "#opc.dims<N, 2, floordiv(W + 1, 9) + 1>"
    y, weights = f"tensor<?x2x?xf32, {y}>", f"tensor<2x{4 // groups}x2xf32>"
    params = f"pads = [4, 0], strides = [9], dilations = [2], groups = {groups}"
    body = f"%0 = opc.conv %x, %w {{{params}}}\n  func.return %0 : {y}\n}}"
    given = f"func.func @main(%x: {x}, %w: {weights}) -> {y} {{\n  {body}"
    constant = f"%w = opc.constant dense<{hexadecimal(filters)}> : {weights}"
    known = f"func.func @main(%x: {x}) -> {y} {{\n  {constant}\n  {body}"
    expected = oracle(given, [rows, filters])
    assert bits([opc.compile(known)(rows)]) == expected
    assert bits([opc.compile(given)(rows, filters)]) == expected


@pytest.mark.sample(28)
@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("nothing seen")])
@pytest.mark.parametrize("is_known", [False, True])
def test_loops_stay_inside_where_nothing_is_seen(name: str, is_known: bool) -> None:
    case = CASES[name]
    x, w = values(case)
    loops = opc.lower(text_of(case, hexadecimal(w) if is_known else ""), cache=None).ir("loops")
    assert not re.search(r"loop\.transpose [^\n]*, -\d+[,\]]", loops)
    found = loop.run(function_of(loops), [x] if is_known else [x, w], functions=c_functions())
    assert bits(found) == oracle(text_of(case, ""), [x, w])


@pytest.mark.parametrize("width", [1, 4, 40])
@pytest.mark.parametrize("apart", [(3, 2), (2, 3), (3, 4), (5, 2)])
def test_tiles_beyond_the_end_of_a_window_read_what_is_there(
    width: int, apart: tuple[int, int]
) -> None:
    """Rows of the window are other values apart than those of the filter, which lie in phases."""
    (stride, dilation), rng = apart, np.random.default_rng(width)
    rows = rng.standard_normal((1, 1, width)).astype(np.float32)
    filters = rng.standard_normal((5, 1, 2)).astype(np.float32)
    extent = f"floordiv(W + {6 - dilation}, {stride}) + 1"
    y = f"tensor<?x5x?xf32, #opc.dims<N, 5, {extent}>>"
    text = f"""
func.func @main(%x: tensor<?x1x?xf32, #opc.dims<N, 1, W>>, %w: tensor<5x1x2xf32>) -> {y} {{
  %0 = opc.conv %x, %w {{pads = [1, 6], strides = [{stride}], dilations = [{dilation}]}}
  func.return %0 : {y}
}}"""
    for machine in targets():
        loops = opc.lower(text, target=machine, cache=None).ir("loops")
        found = loop.run(function_of(loops), [rows, filters], functions=c_functions())
        assert bits(found) == oracle(text, [rows, filters]), machine


def work(text: str) -> tuple[int, int]:
    """Operations, and bytes that are written."""
    found = stepped(source_of(parse_module(text), None), Options(target="avx512"))
    works = [w for w in work_of(found.steps, found.function, {}) if w is not None]
    assert len(works) == len(found.steps)
    return sum(w.operations for w in works), sum(w.bytes_written for w in works)


@pytest.mark.parametrize("groups", [1, 16])
def test_filters_that_see_only_padding_cost_nothing(groups: int) -> None:
    """All but one of nine values of a filter are beyond the ends of the image."""
    params = {"pads": [40] * 4, "dilations": [40, 40], "groups": groups}
    case = Case((1, 16, 32, 32), (32, 16 // groups, 3, 3), params)
    given, laid_out = work(text_of(case, ""))
    left, less = work(text_of(case, hexadecimal(values(case)[1])))
    # What follows a sum is left, too.
    assert left < given / 4
    if groups == 1:
        # The window has no rows above and below the image, and beside it the columns that a tile
        # of 32 sees: 31 on either side.  All of the window is laid out otherwise.
        y, x = (4 * int(np.prod(shape)) for shape in (result(case), case.x))
        assert less <= y + x * (32 + 2 * 31) // 32 < laid_out / 2.5


@pytest.mark.parametrize("by", [2, 5, 16, 40])
def test_parts_of_a_chain_begin_where_something_is_seen(by: int) -> None:
    """Those of a chain that is cut are counted from there."""
    case = Case((3, 1, 300), (1, 1, 64), {"pads": [64, 64]})
    x, w = values(case)
    text = text_of(case, hexadecimal(w))
    expected = bits(opc.compile(text)(x))
    planned = opc.lower(text, target="avx512", cache=None).ir("schedule")
    start, end = "schedule.for [d3] by 1 serial {", "schedule.run finish"
    edited = planned.replace(start, f"schedule.for [d3] by {by} serial {{ {start}")
    edited = edited.replace(end, f"}} {end}")
    edited, count = re.subn(r"\[d2\] by 3\d\d serial", "[d2] by 16 serial", edited)
    assert count == 1 and edited.count(start) == 1
    for target in targets():
        found = opc.compile(edited, target=target, cache=None)(x)
        np.testing.assert_array_equal(bits(found), expected)


def test_tiles_are_as_low_as_pays() -> None:
    """In tiles of 14 of 28 columns, every column of the filters would see something."""
    case = Case((1, 64, 28, 28), (32, 64, 3, 3), {"pads": [12] * 4, "dilations": [12, 12]})
    given, _ = work(text_of(case, ""))
    left, _ = work(text_of(case, hexadecimal(values(case)[1])))
    # 28 + 2 * 16 of 84 rows see something.
    assert left < given * 60 / 84 * 0.9
