"""Rows of a window, each of which goes to all results that see it: bits, order, and what gcc makes.

The interpreter of graphs says what the bits are; `test_convolutions` has the planned schedules.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

import opc
from opc.api.driver import Options, load, lower
from opc.dialects import schedule
from opc.schedule.rotating import rotation_of
from opc.schedule.tiles import tiles_for
from opc.support.targets import target
from tests.unit.common.assembly import assembly, longest_run, on_the_stack
from tests.unit.common.contraction_graphs import (
    bits,
    finished,
    oracle,
    random_tree,
    scheduled,
    targets,
)

pytestmark = [pytest.mark.sample(16), pytest.mark.level("-O3")]

CASES = {
    "same": ("2x5x9x30", "3x3", "pads = [1, 1, 1, 1]", "9x30"),
    "no padding": ("1x5x12x20", "5x5", "", "8x16"),
    "padding that is larger than the image": ("1x2x3x3", "4x2", "pads = [5, 4, 3, 6]", "8x12"),
    "columns that see nothing but padding": ("1x3x6x2", "3x5", "pads = [1, 6, 1, 5]", "6x9"),
    "an image that is smaller than the filter": ("2x8x4x2", "5x5", "pads = [2, 2, 2, 2]", "4x2"),
    "by 2": ("1x3x13x40", "3x3", "pads = [1, 1, 1, 1], strides = [2, 2]", "7x20"),
    "by 2, an even number of rows": (
        "1x3x14x33", "5x3", "pads = [2, 0, 1, 1], strides = [2, 1]", "7x32",
    ),
    "by 3, two rows of a filter": ("1x3x20x17", "2x3", "strides = [3, 2]", "7x8"),
    "dilated by 2": ("1x4x17x21", "3x3", "dilations = [2, 3], pads = [2, 3, 2, 3]", "17x21"),
    "dilated by 2, by 3": (
        "1x2x25x19", "4x3", "dilations = [2, 1], strides = [3, 1], pads = [1, 1, 2, 1]", "8x19",
    ),
}  # fmt: skip
"""Image, filter, parameters, and rows and columns of the result."""


def text_of(name: str, filters: str = "", rest: str = "%r = opc.relu %0") -> str:
    image, size, params, result = CASES[name]
    n, c, *_ = image.split("x")
    x, w, y = (f"tensor<{t}xf32>" for t in (image, f"{c}x1x{size}", f"{n}x{c}x{result}"))
    given = ", ".join(p for p in (f"groups = {c}", params) if p)
    return f"""
func.func @main(%x: {x}, %w: {w}) -> {y} {{
  {filters}
  %0 = opc.conv %x, {"%k" if filters else "%w"} {{{given}}}
  {rest}
  func.return %r : {y}
}}"""


def arrays_of(name: str, seed: int = 0) -> list[np.ndarray]:
    image, size, *_ = CASES[name]
    n, c, h, w = map(int, image.split("x"))
    rng = np.random.default_rng(seed)
    shapes = (n, c, h, w), (c, 1, *map(int, size.split("x")))
    return [rng.standard_normal(s).astype(np.float32) for s in shapes]


def constant(name: str) -> str:
    """A filter that is known, so that padding may be left out."""
    w = arrays_of(name, 3)[1]
    return f"%k = opc.constant dense<{w.tolist()}> : tensor<{'x'.join(map(str, w.shape))}xf32>"


def rotating(tree: schedule.TreeOp) -> bool:
    loops = (op for op in tree.walk() if isinstance(op, schedule.ForOp))
    return any(op.kind.data == schedule.ROTATING for op in loops)


@pytest.mark.parametrize("is_known", [False, True], ids=["given", "known"])
@pytest.mark.parametrize("name", CASES)
def test_every_skewed_schedule_has_the_bits_of_the_order(name: str, is_known: bool) -> None:
    text = text_of(name, constant(name) if is_known else "")
    arrays, rng, seen = arrays_of(name), Random(name), 0
    expected = oracle(text, arrays)
    while seen < 3:
        function, c = scheduled(text)
        assert rotation_of(c) is not None
        tree = random_tree(c, rng)
        if not rotating(tree):
            continue
        seen += 1
        c.nest.body.block.add_op(tree)
        assert bits([finished(function)(*arrays)]) == expected, f"{tree}"


@pytest.mark.parametrize(
    "name", ["same", "by 2", "dilated by 2", "an image that is smaller than the filter"]
)
def test_planned_schedules(name: str) -> None:
    text = text_of(name, constant(name), "%1 = opc.sigmoid %0\n%r = opc.mul %0, %1")
    # The bits of the function are those of the unfused graph, which has them in another nest.
    arrays, plain = arrays_of(name), text_of(name, constant(name), "%r = opc.relu %0")
    assert bits([opc.compile(plain)(*arrays)]) == oracle(plain, arrays)
    expected = bits([opc.compile(text, fuse=False)(*arrays)])
    for machine in targets():
        assert bits([opc.compile(text, target=machine)(*arrays)]) == expected, machine
    for given in ({"cc": "clang"} if shutil.which("clang") else {}, {"threads": 3}):
        assert bits([opc.compile(text, **given)(*arrays)]) == expected, given


def test_a_filter_in_registers_is_loaded_once() -> None:
    """The cost counted its loads with each row, and took a tile of 20 rows, which is slower."""
    _, c = scheduled("""
func.func @main(%x: tensor<1x320x80x20xf32>, %w: tensor<320x1x3x3xf32>) -> tensor<1x320x40x10xf32> {
  %r = opc.conv %x, %w {pads = [1, 1, 1, 1], strides = [2, 2], groups = 320}
  func.return %r : tensor<1x320x40x10xf32>
}""")
    machine = replace(target("avx512"), sums_in_flight=4, starts=1, load_starts=1)
    assert tiles_for(c, machine, False)[0][1].is_rotating


def test_filters_that_are_not_finite() -> None:
    """Padding is multiplied with them then: rows of it are not left out."""
    x, w = arrays_of("same")
    w[0, 0, 0, 1], w[1, 0, 2, 0], w[2, 0, 1, 1] = np.inf, np.nan, -np.inf
    text = text_of("same", rest="%r = opc.neg %0")
    expected = oracle(text, [x, w])
    assert np.isnan(np.frombuffer(expected[0], np.float32)).any()
    assert bits([opc.compile(text)(x, w)]) == expected


def test_extents_that_only_a_run_knows() -> None:
    text = """
func.func @main(%x: tensor<?x6x?x?xf32, #opc.dims<N, 6, H, W>>, %w: tensor<6x1x3x3xf32>)
    -> tensor<?x6x?x?xf32, #opc.dims<N, 6, H, W>> {
  %r = opc.conv %x, %w {pads = [1, 1, 1, 1], groups = 6}
  func.return %r : tensor<?x6x?x?xf32, #opc.dims<N, 6, H, W>>
}"""
    compiled = opc.compile(text)
    assert "rotating" in opc.lower(text, target="avx512").ir("schedule")
    for shape in [(1, 6, 1, 1), (2, 6, 2, 33), (1, 6, 30, 70), (0, 6, 4, 4)]:
        x = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
        w = np.random.default_rng(2).standard_normal((6, 1, 3, 3)).astype(np.float32)
        assert bits([compiled(x, w)]) == oracle(text, [x, w]), shape


EDITS = {
    "the filter in its order": (
        "[d4] by 1 unroll", "[d5] by 1 unroll",
        "expected the rows of the filter, along .d4., unrolled",
    ),
    "two rows": ("[d2] by 1 rotating", "[d2] by 2 rotating", "expected the rows of a window"),
    "another axis": ("[d3] by 32 serial", "[d3] by 32 rotating", "expected the rows of a window"),
    "two loops": ("[d1] by 1 serial", "[d1] by 1 rotating", "expected the rows of a window"),
    "sums that begin outside": (
        "[d5] by 1 unroll {", "[d2] by 1 serial { schedule.for [d5] by 1 unroll {",
        "expected the rows of a window",
    ),
    "rows of results": (
        "[d3] by 1 vector", "[d2] by 3 serial", "expected loops by 1, over each axis once",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", EDITS)
def test_what_breaks_the_order_is_refused(name: str) -> None:
    old, new, message = EDITS[name]
    text = lower(load(LAYER.format(3, 1)), Options(target="avx512")).ir("schedule")
    assert old in text, text
    edited = text.replace(old, new)
    if new.count("{") > old.count("{"):
        edited = edited.replace("schedule.run finish", "} schedule.run finish")
    with pytest.raises(opc.OpcError, match=message):
        opc.lower(edited, cache=None)


LAYER = """
func.func @main(%x: tensor<1x96x28x28xf32>, %w: tensor<96x1x{0}x{0}xf32>)
    -> tensor<1x96x28x28xf32> {{
  %r = opc.conv %x, %w {{pads = [{1}, {1}, {1}, {1}], groups = 96}}
  func.return %r : tensor<1x96x28x28xf32>
}}"""


@pytest.mark.parametrize("argv", ["gcc", "clang"])
@pytest.mark.parametrize(
    "size, target", [(3, "avx2"), (5, "avx2"), (3, "avx512"), (5, "avx512"), (7, "avx512")]
)
def test_sums_stay_in_registers(size: int, target: str, argv: str, tmp_path: Path) -> None:
    """One multiply-add for each row of the filter, and place in it where registers hold that."""
    made = lower(load(LAYER.format(size, size // 2)), Options(target=target))
    tree, width = made.ir("schedule"), {"avx2": 32, "avx512": 64}[target]
    assert "rotating" in tree
    text = assembly(made.c_source, target, tmp_path, argv)
    wide = {"avx2": "ymm", "avx512": "zmm"}[target]
    assert all(wide in line for line in re.findall(r"vfmadd\w+ps.*", text))
    # All of an iteration, or all for one column of the filter.
    main = longest_run(text)
    kept = on_the_stack(main, wide)
    (columns,) = re.findall(r"\[d3\] by (\d+) serial", tree)
    vectors, found = int(columns) * 4 // width, len(re.findall(r"vfmadd\w+ps", main))
    if "[d5] by 1 unroll" in tree:
        # The row that is done goes to memory, from where its columns are copied.
        copies, rest = divmod(found, vectors * size * size)
        assert copies and not rest and len(kept) <= copies * vectors
    else:
        assert (found, kept) == (vectors * size, [])
