"""Every legal schedule of a contraction has the bits of its order; others are errors."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from onnx import numpy_helper

import opc
from opc.dialects import schedule
from opc.errors import InputError
from opc.schedule.legality import check
from opc.schedule.plan_contraction import plan
from opc.schedule.tiles import tiles_for
from opc.support.targets import target
from tests.unit.common.contraction_graphs import (
    CASES,
    EPILOGUE,
    bits,
    edited,
    finished,
    oracle,
    random_tree,
    scheduled,
    text_of,
    values,
)
from tests.unit.common.onnx_models import info, model, node

pytestmark = pytest.mark.sample(16)


@pytest.mark.parametrize("seed", range(12))
def test_every_legal_schedule_has_the_same_bits(seed: int) -> None:
    rng = Random(seed)
    name = rng.choice([n for n in CASES if n not in ("no rows", "nothing added")])
    a, b = CASES[name]
    text = text_of(a, b, "f32", EPILOGUE)
    arrays = [values(a, "f32", seed), values(b, "f32", seed + 1)]
    expected = oracle(text, arrays)
    for _ in range(3):
        function, c = scheduled(text)
        tree = random_tree(c, rng)
        c.nest.body.block.add_op(tree)
        assert bits(finished(function)(*arrays)) == expected, f"{name}\n{tree}"


EDITED = {
    name: CASES[name]
    for name in ("odd", "one column", "several blocks", "batches", "row by matrix")
}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", EDITED)
def test_an_edited_schedule_is_refused_or_has_the_same_bits(name: str, seed: int) -> None:
    """A loop over points around a part of a chain added up sums of other points, or left some out:
    nothing asked in which loops the first and the last stage of a chain stood.
    """
    rng = Random(seed)
    a, b = EDITED[name]
    text = text_of(a, b, "f32", EPILOGUE)
    arrays = [values(a, "f32", seed), values(b, "f32", seed + 1)]
    expected = oracle(text, arrays)
    _, c = scheduled(text)
    found = dict[str, list[str]](refused=[], legal=[])
    for _ in range(60):
        tree = edited(c, random_tree(c, rng), rng)
        try:
            check(c, tree)
        except InputError:
            found["refused"].append(str(tree))
            continue
        found["legal"].append(str(tree))
        if len(found["legal"]) <= 4:
            function, own = scheduled(text)
            own.nest.body.block.add_op(tree)
            assert bits(finished(function)(*arrays)) == expected, f"{name}\n{tree}"
    assert all(found.values()), found


def _edit(name: str, tree: schedule.TreeOp) -> None:
    """Make a legal schedule of rows d0, columns d1 and a contracted d2 illegal."""
    loops = [op for op in tree.walk() if isinstance(op, schedule.ForOp)]
    runs = {op.stage.data: op for op in tree.walk() if isinstance(op, schedule.RunOp)}
    chain = next(op for op in loops if op.axis == (2,))

    def change(op: schedule.ForOp, **properties: Any) -> None:
        op.properties |= schedule.ForOp.of(op.axis, op.step, op.kind.data, []).properties | {
            key: schedule.ForOp.of(
                op.axis, **{"by": op.step, "kind": op.kind.data, key: v}, ops=[]
            ).properties[key]
            for key, v in properties.items()
        }

    match name:
        case "no stage":
            runs["finish"].detach()
        case "chain in parallel":
            change(chain, kind="parallel")
        case "chain by two":
            change(chain, by=2)
        case "points left out":
            change([op for op in loops if op.axis == (1,)][-1], by=2, kind="serial")
        case "panels of another width":
            pack = next(op for op in tree.walk() if isinstance(op, schedule.PackOp))
            pack.properties |= schedule.PackOp.of(pack.operand.data, 7).properties
        case "packed twice":
            pack = next(op for op in tree.walk() if isinstance(op, schedule.PackOp))
            pack.parent.insert_op_before(pack.clone(), pack)
        case "lanes beyond the tile":
            change(next(o for o in loops if o.kind.data == "vector" and o.step > 1), by=64)
        case "vectors behind the sum":
            change(next(o for o in loops if runs["out"].parent_op() is o), by=8)
        case "init inside the chain":
            runs["init"].detach()
            chain.body.block.insert_op_before(runs["init"], chain.body.block.first_op)
        case _:
            raise AssertionError(name)


@pytest.mark.parametrize(
    "name, message",
    [
        ("no stage", "found stages init, step, out, expected init, step, finish, out once each"),
        (
            "chain in parallel",
            r"\[d2\] by 1 parallel, expected a chain along \[d2\], serially and by 1 in this order",
        ),
        ("chain by two", r"\[d2\] by 2 serial, expected a chain along \[d2\], serially"),
        (
            "points left out",
            r"found \[d0\] by 1 serial \[d1\] by 2 serial, expected loops by 1",
        ),
        ("panels of another width", "found panels of 7, expected"),
        ("packed twice", "found schedule.pack .*; expected one copy of an operand"),
        ("lanes beyond the tile", "found vectors of 64, expected a power of two"),
        ("vectors behind the sum", r"found .* \[d1\] by 8 vector, expected loops by 1"),
        (
            "init inside the chain",
            r"\[d2\] by 1 serial around init, .* expected no loop around init",
        ),
    ],
)
def test_illegal_schedules_are_errors(name: str, message: str) -> None:
    _, c = scheduled(text_of("300x30", "30x400", "f32"))
    tree = plan(c, target("avx512"))
    check(c, tree)
    _edit(name, tree)
    with pytest.raises(InputError, match=message):
        check(c, tree)


@pytest.mark.parametrize("built, lanes", [("baseline", 4), ("avx2", 8), ("avx512", 16)])
@pytest.mark.parametrize("type, size", [("f32", 1), ("f64", 2)])
def test_columns_that_are_read_once_are_turned_around_in_registers(
    built: str, lanes: int, type: str, size: int
) -> None:
    """A square at a time: as panels of all of them, one column took five times as long."""
    made = opc.lower(text_of("300x70", "70x1", type), target=built)
    lanes //= size
    square = f"schedule.for [d2] by {lanes} serial {{\n{' ' * 12}schedule.pack right by {lanes}\n"
    assert square in made.ir("schedule")
    assert "opc_transpose" in made.c_source
    assert "buffer0" not in made.c_source


INSIDE = {
    "behind": (
        "schedule.run finish", "schedule.run finish\nschedule.pack right by 16",
        "expected a loop over tiles that reads it",
    ),
    "in the tile": (
        "schedule.run step", "schedule.pack right by 16\nschedule.run step",
        "expected a loop over tiles that reads it",
    ),
    "uneven parts": (
        "[d2] by 16", "[d2] by 48",
        r"found \[d2\] by 512 serial \[d2\] by 48 .*, expected parts of one another",
    ),
    "parts of several products": ("[d2] by 1 ", "[d2] by 2 ", "expected a chain along"),
    "peel without a pack": (
        "[d2] by 512 serial", "[d2] by 512 serial peel",
        r"found \[d2\] by 512 serial peel, expected the smallest part of a chain, with a pack",
    ),
}  # fmt: skip
"""What is changed of a schedule that packs in a chain of 600 products, and the error."""


@pytest.mark.parametrize("name", INSIDE)
def test_what_is_packed_in_loops_is_what_they_leave(name: str) -> None:
    text = opc.lower(text_of("300x600", "600x1", "f32"), target="avx512").ir("schedule")
    before, after, message = INSIDE[name]
    if "\n" in after:
        text = text.replace("schedule.pack right by 16\n", "\n")
    assert before in text
    with pytest.raises(InputError, match=message):
        opc.lower(text.replace(before, after, 1), target="avx512")


@pytest.mark.parametrize(
    "size, is_peeled",
    [("300x1024", True), ("300x3072", True), ("300x512", False)],
)
def test_parts_of_a_chain_begin_with_cache_lines(size: str, is_peeled: bool) -> None:
    """Rows 4 KiB apart fall into one set of the first cache, which has 8 places."""
    column = f"{size.split('x')[1]}x1"
    made = opc.lower(text_of(size, column, "f32"), target="avx512").ir("schedule")
    assert ("[d2] by 16 serial peel {" in made) == is_peeled


@pytest.mark.parametrize(
    "a, b, tile",
    [
        ("1000x1024", "1024x16", "[d0] by 5 parallel"),
        ("1000x1000", "1000x16", "[d0] by 30 serial"),
        ("1000x1000", "1000x5", "[d0] by 16 vector"),
        ("1000x1000", "1000x8", "[d1] by 8 vector"),
        # The rows of one tile at a time, or of several, for the same columns.
        ("4000x16", "16x4000", "[d0] by 4 parallel"),
        ("300x16", "16x300", "[d0] by 40 parallel"),
    ],
)
def test_narrow_and_flat_products(a: str, b: str, tile: str) -> None:
    """Rows pushed each other out of the cache, few columns filled no vectors, and results of short
    sums were written by pieces of each row.
    """
    assert tile in opc.lower(text_of(a, b, "f32"), target="avx512").ir("schedule")


@pytest.mark.parametrize(("starts", "tile"), [(2, (13, 32)), (1, (6, 64))])
def test_tiles_have_as_many_loads_as_start_beside_products(
    starts: int, tile: tuple[int, int]
) -> None:
    """13 x 32 has 15 loads for 26 products, 6 x 64 10 for 24; two products start in a cycle."""
    _, c = scheduled(text_of("128x768", "768x3072", "f32"))
    chosen = tiles_for(c, replace(target("avx512"), load_starts=starts), False)[0][1]
    assert (chosen.rows, chosen.columns) == tile


@pytest.mark.parametrize("rows", [2, 4])
def test_few_rows_do_not_become_the_lanes_of_vectors(rows: int) -> None:
    """A multiply-add of two lanes counted as much as one of 16: it took 5 times as long."""
    weights = values("1000x197", "f32", 3).tobytes().hex()
    graph = text_of(f"{rows}x1000", "1000x197", "f32").replace(", %y: tensor<1000x197xf32>", "")
    graph = graph.replace(
        "{\n", f'{{\n%y = opc.constant dense<"0x{weights}"> : tensor<1000x197xf32>\n', 1
    )
    assert "[d1] by 16 vector" in opc.lower(graph, target="avx512").ir("schedule")


@pytest.mark.parametrize("columns", [1024, 1030])
def test_peeled_parts_have_the_same_bits(columns: int) -> None:
    """Wherever the array begins, and whether a line holds whole parts or not."""
    text = text_of(f"40x{columns}", f"{columns}x1", "f32")
    lowered = re.sub(
        r"(\[d2\] by \d+ serial) (peel )?\{(\s+schedule.pack right)",
        r"\1 peel {\3",
        opc.lower(text).ir("schedule"),
    )
    assert " peel {" in lowered
    a, b = values(f"40x{columns}", "f32", 1), values(f"{columns}x1", "f32", 2)
    expected, function = oracle(text, [a, b]), opc.compile(lowered)
    memory = np.empty(a.size + 16, a.dtype)
    for start in range(16):
        moved = memory[start : start + a.size].reshape(a.shape)
        moved[...] = a
        assert bits(function(moved, b)) == expected


@pytest.mark.parametrize("kind", ["unroll", "vector"])
def test_only_tiles_are_written_out(kind: str) -> None:
    """The loop over a batch was taken for one over sums in registers, and most was not written."""
    _, c = scheduled(text_of("2x20x30", "2x30x40", "f32"))
    tree = plan(c, target("avx512"))
    check(c, tree)
    batch = next(op for op in tree.walk() if isinstance(op, schedule.ForOp) and op.axis == (0,))
    batch.properties |= schedule.ForOp.of((0,), 1, kind, []).properties
    with pytest.raises(InputError, match=rf"found \[d0\] by 1 {kind}, expected serial"):
        check(c, tree)


@pytest.mark.parametrize("fuse", [True, False])
def test_a_product_over_nothing_is_zero(fuse: bool) -> None:
    f = opc.compile(
        """
func.func @main(%a: tensor<3x0xf32>, %b: tensor<0x5xf32>) -> tensor<3x5xf32> {
  %c = opc.matmul %a, %b
  func.return %c : tensor<3x5xf32>
}""",
        fuse=fuse,
    )
    result = f(np.zeros((3, 0), np.float32), np.zeros((0, 5), np.float32))
    np.testing.assert_array_equal(result, np.zeros((3, 5), np.float32))


@pytest.mark.parametrize("heads", [4, 7])
def test_few_rows_of_a_group_of_heads_have_a_version(heads: int) -> None:
    """Four heads of n positions are 4 * n rows: one position reads values where they lie.

    So do seven heads in two tiles of four rows, of which the second one begins early.
    """
    text = f"""func.func @f(%p: tensor<2x{heads}x?x?xf32, #opc.dims<2, {heads}, n, k>>,
                     %v: tensor<2x1x?x64xf32, #opc.dims<2, 1, k, 64>>)
        -> tensor<2x{heads}x?x64xf32, #opc.dims<2, {heads}, n, 64>> {{
      %y = opc.matmul %p, %v
      func.return %y : tensor<2x{heads}x?x64xf32, #opc.dims<2, {heads}, n, 64>>
    }}"""
    lowered = opc.lower(text, target="avx512")
    few, more = lowered.ir("schedule").split('"few rows" {')[1].split('else "more rows" {')
    assert "schedule.pack" not in few
    assert ("schedule.pack right" in more) == (heads == 4)
    function, plain = opc.compile(text), opc.compile(text, target="baseline")
    assert function(values(f"2x{heads}x0x6", "f32", 0), values("2x1x6x64", "f32", 9)).size == 0
    for n in (1, 2, 5):
        p, v = values(f"2x{heads}x{n}x600", "f32", n), values("2x1x600x64", "f32", 9)
        assert bits(function(p, v)) == bits(opc.compile(text, dims={"n": n, "k": 600})(p, v))
        assert bits(function(p, v)) == bits(plain(p, v))


def test_whole_tiles_of_bytes_are_read_where_they_lie() -> None:
    """An unknown number of tiles of eight rows has no row that is left over."""
    w = np.random.default_rng(0).integers(-128, 128, (192, 64))
    text = f"""func.func @f(%x: tensor<?x8x192xui8, #opc.dims<n, 8, 192>>)
        -> tensor<?x8x64xi32, #opc.dims<n, 8, 64>> {{
      %w = opc.constant dense<{w.tolist()}> : tensor<192x64xi8>
      %a = opc.cast %x -> tensor<?x8x192xi32, #opc.dims<n, 8, 192>>
      %b = opc.cast %w -> tensor<192x64xi32>
      %y = opc.matmul %a, %b
      func.return %y : tensor<?x8x64xi32, #opc.dims<n, 8, 64>>
    }}"""
    assert "schedule.pack left" not in opc.lower(text, target="avx512-vnni").ir("schedule")
    function = opc.compile(text)
    for n in (0, 1, 3):
        x = np.random.default_rng(n).integers(0, 256, (n, 8, 192)).astype(np.uint8)
        np.testing.assert_array_equal(function(x), x.astype(np.int32) @ w)


def test_filters_that_all_rows_of_points_share_are_read_once() -> None:
    """Those of a strided pointwise layer are more than a cache holds: rows of points go inside."""
    weights = np.random.default_rng(1).standard_normal((2048, 1024, 1, 1), np.float32)
    proto = model(
        node("Conv", "x w", strides=[2, 2]),
        [info("x", "f32", [1, 1024, 14, 14])],
        initializers=[numpy_helper.from_array(weights, "w")],
    )
    loops = opc.lower(proto, target="avx512").ir("schedule").partition("sweep [")[2]
    first = re.findall(r"schedule.for (\[d[0-9]\]) by", loops)
    assert first[:2] == ["[d1]", "[d2]"]
