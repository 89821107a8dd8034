"""Steps prefetch the panels that are read next, all of them, and not those that are near."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pytest
from onnx import numpy_helper
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

import opc
from opc.api.driver import Lowered
from opc.dialects import loop, schedule
from opc.dialects.registry import context
from opc.dialects.schedule import Axis, PackOp, PrefetchPanelOp, PrefetchTileOp
from opc.dialects.walking import walk
from opc.errors import InputError
from opc.passes import pipeline
from opc.schedule.legality import check
from opc.support.targets import target
from tests.unit.common.contraction_graphs import bits, finished, oracle, scheduled, text_of, values
from tests.unit.common.onnx_models import info, model, node

pytestmark = pytest.mark.sample(4)

FAR = {"rows": 64, "k": 1024, "n": 1024}


@pytest.mark.parametrize(
    ("built", "sizes", "is_prefetched"),
    [
        ("avx512", FAR, True),
        ("avx2", FAR, True),
        ("aarch64", FAR, True),
        # Each panel is read once; the second-level cache has all of them; many tiles read each; and
        # there is one level of memory.
        ("avx512", {**FAR, "rows": 1}, False),
        ("avx512", {**FAR, "k": 128, "n": 128}, False),
        ("avx512", {**FAR, "rows": 700}, False),
        ("cortex-m7", FAR, False),
    ],
)
def test_weights_from_far_away_are_prefetched(
    built: str, sizes: dict[str, int], is_prefetched: bool
) -> None:
    weights = np.random.default_rng(1).standard_normal((sizes["k"], sizes["n"]), np.float32)
    proto = model(
        node("MatMul", "x w"),
        [info("x", "f32", [sizes["rows"], sizes["k"]])],
        initializers=[numpy_helper.from_array(weights, "w")],
    )
    text = opc.lower(proto, target=built).ir("schedule")
    assert ("schedule.prefetch_panel" in text) is is_prefetched


def _of_unknown_rows(built: str, k: int, n: int) -> Lowered:
    """An unknown number of rows times a constant of k x n values."""
    weights = np.random.default_rng(1).standard_normal((k, n), np.float32)
    proto = model(
        node("MatMul", "x w"),
        [info("x", "f32", ["rows", k])],
        initializers=[numpy_helper.from_array(weights, "w")],
    )
    return opc.lower(proto, target=built)


@pytest.mark.parametrize(
    ("built", "sizes", "is_prefetched"),
    [
        ("avx512", (1024, 1024), True),
        ("avx512", (1024, 2816), True),
        # A guess of 256 rows computes for long beside a panel of 16 columns; panels are near.
        ("avx2", (1024, 1024), False),
        ("avx512", (32, 512), False),
    ],
)
def test_unknown_rows_go_panel_by_panel_where_these_are_prefetched(
    built: str, sizes: tuple[int, int], is_prefetched: bool
) -> None:
    """Otherwise threads share parts of several panels, in blocks of rows."""
    text = _of_unknown_rows(built, *sizes).ir("schedule").partition('"more rows"')[2]
    around = text.partition("schedule.run")[0]
    loops = re.findall(r"schedule.for \[(d\d)\]", around)
    assert ("schedule.prefetch_panel right" in text) is is_prefetched
    assert (loops == ["d1", "d0"]) is is_prefetched


def test_steps_prefetch_one_line_without_a_loop_that_compilers_unroll() -> None:
    """How many bytes a step prefetches depends on the number of rows."""
    text = _of_unknown_rows("avx512", 1024, 1024).c_source
    body = text.partition("void opc_prefetch_second(")[2].partition("\n}")[0]
    first, loop, _ = re.split(r"#pragma GCC unroll 1\n#endif\n +(for .*)\n", body)
    assert first.count("__builtin_prefetch") == 1 and "k = 64; k < bytes" in loop


def test_a_panel_and_the_next_one_fit_the_second_cache() -> None:
    """Panels of 96 columns with 3072 products each take 1.2 MB: two of them do not fit 2 MiB."""
    weights = np.random.default_rng(1).standard_normal((3072, 768), np.float32)
    proto = model(
        node("MatMul", "x w"),
        [info("x", "f32", [197, 3072])],
        initializers=[numpy_helper.from_array(weights, "w")],
    )
    machine = replace(target("avx512"), l2=2 << 20)
    with patch("opc.passes.function_pass.target_of", lambda name: machine):
        text = opc.lower(proto, target="avx512", cache=None).ir("schedule")
    (columns,) = re.findall(r"schedule.pack right by (\d+)", text)
    assert "prefetch_panel" in text and 2 * 4 * 3072 * int(columns) < 2 << 20


CASES = {
    # The size of the chain, and of blocks in tiles of the operand.
    "panels": (20, 1),
    "blocks of a chain": (700, 1),
    "blocks of two panels": (33, 2),
}


def tree_of(operand: str, case: str) -> schedule.TreeOp:
    """Tiles of 4 rows by 16 columns, in which steps prefetch panels of an operand."""
    run, loops = schedule.RunOp.of, schedule.ForOp.of
    (k, panels), sizes = CASES[case], {"left": ((0,), 4), "right": ((1,), 16)}
    step = loops((0,), 1, "unroll", [loops((1,), 16, "vector", [run("step")])])
    chain = loops((2,), 1, "serial", [PrefetchPanelOp.of(operand), step])
    sums = [run("init"), chain, run("finish")]
    if k > 512:
        sums = [run("start"), loops((2,), 512, "serial", sums)]
    out = loops((0,), 1, "serial", [loops((1,), 1, "vector", [run("out")])])
    (own, by), (other, across) = sizes.pop(operand), *sizes.values()
    ops = [loops(other, across, "serial", [*sums, out])]
    if panels > 1:
        ops = [loops(own, by, "serial", ops)]
    around = loops(own, by * panels, "parallel", ops)
    return schedule.TreeOp.of(Block([PackOp.of("left", 4), PackOp.of("right", 16), around]))


@pytest.mark.parametrize(
    ("built", "k", "form", "distance"),
    [
        ("avx512", 1024, "f32", 2048),
        ("avx2", 1024, "f32", 2048),
        ("avx512", 1024, "f16", 2048),
        # The first cache keeps a panel, there is no faster one, and a row is a part of a line.
        ("avx512", 32, "f32", 0),
        ("cortex-m7", 1024, "f32", 0),
        ("aarch64", 1024, "f32", 0),
    ],
)
def test_steps_prefetch_rows_of_panels_that_the_first_cache_does_not_keep(
    built: str, k: int, form: str, distance: int
) -> None:
    weights = np.random.default_rng(1).standard_normal((k, 1024), np.float32)
    weights = weights.astype(np.float16 if form == "f16" else np.float32)
    nodes = [node("MatMul", "x w")]
    if form == "f16":
        nodes = [node("Cast", "w", "v", to=1), node("MatMul", "x v")]
    proto = model(
        nodes,
        [info("x", "f32", [64, k])],
        initializers=[numpy_helper.from_array(weights, "w")],
    )
    text = opc.lower(proto, target=built).ir("schedule")
    inner = re.findall(r"schedule.pack right by \d+( prefetch \d+)?$", text, re.MULTILINE)
    assert inner == [f" prefetch {distance}" if distance else ""]


def _points(
    loops: list[loop.ForOp], at: Mapping[SSAValue, int]
) -> Iterator[Mapping[SSAValue, int]]:
    """The values of the variables of nested loops, outermost first."""
    if not loops:
        yield at
        return
    first, *inner = loops
    dims = {k: at[value] for k, value in enumerate(first.dims)}
    *bounds, step = first.bounds
    for value in range(*(e.evaluate(dims, {}) for e in bounds), step):
        yield from _points(inner, {**at, first.variable: value})


def _prefetched(function: Operation) -> Iterator[tuple[int, int, int]]:
    """For each prefetch that runs: the outermost variable, the first element and their number."""
    for prefetch in [op for op in walk(function) if isinstance(op, loop.PrefetchOp)]:
        around = list[loop.ForOp]()
        parent = prefetch.parent_op()
        while isinstance(parent, loop.ForOp):
            around.insert(0, parent)
            parent = parent.parent_op()
        for at in _points(around, {}):
            dims = {n: at[value] for n, value in enumerate(prefetch.dims)}
            begin, count = (e.evaluate(dims, {}) for e in prefetch.index.data)
            yield at[around[0].variable], begin, count


@pytest.mark.parametrize("operand", ["left", "right"])
@pytest.mark.parametrize("case", CASES)
def test_the_tiles_of_a_block_prefetch_all_of_the_next(case: str, operand: str) -> None:
    """In elements of the panels, each as long as the chain and as wide as a tile."""
    k, panels = CASES[case]
    function, c = scheduled(text_of(f"24x{k}", f"{k}x96", "f32"))
    c.nest.body.block.add_op(tree := tree_of(operand, case))
    check(c, tree)
    module = function.parent_op()
    pipeline.run(module, context(), ["schedule", *pipeline.passes("loops", since="schedule")])
    asked = dict[int, set[int]]()
    for block, begin, count in _prefetched(function):
        asked.setdefault(block, set()).update(range(begin, begin + count))
    block = panels * (4 if operand == "left" else 16)
    assert sorted(asked) == list(range(0, 24 if operand == "left" else 96, block))
    for begin, elements in asked.items():
        assert elements >= set(range((begin + block) * k, (begin + 2 * block) * k))
        assert min(elements) >= (begin + block) * k


@pytest.mark.parametrize("operand", ["left", "right"])
@pytest.mark.parametrize("case", CASES)
def test_what_is_prefetched_changes_no_bits(case: str, operand: str) -> None:
    a, b = f"23x{CASES[case][0]}", f"{CASES[case][0]}x95"
    text, arrays = text_of(a, b, "f32"), [values(a, "f32", 1), values(b, "f32", 2)]
    function, c = scheduled(text)
    c.nest.body.block.add_op(tree_of(operand, case))
    assert bits(finished(function)(*arrays)) == oracle(text, arrays)


def _moved(tree: schedule.TreeOp, axis: Axis) -> None:
    """Move the prefetch into the outermost loop over an axis."""
    ops = list(walk(tree))
    prefetch = next(op for op in ops if isinstance(op, PrefetchPanelOp))
    block = next(op for op in ops if isinstance(op, schedule.ForOp) and op.axis == axis).body.block
    prefetch.detach()
    assert block.first_op is not None
    block.insert_op_before(prefetch, block.first_op)


@pytest.mark.parametrize("edit", ["no pack", "pack in a loop", "around tiles"])
def test_only_steps_prefetch_panels_that_lie_there(edit: str) -> None:
    _, c = scheduled(text_of("24x20", "20x96", "f32"))
    tree = tree_of("right", "panels")
    check(c, tree)
    pack = list(tree.body.block.ops)[1]
    around = tree.body.block.last_op
    assert isinstance(around, schedule.ForOp) and around.body.block.first_op is not None
    if edit == "around tiles":
        _moved(tree, (0,))
    else:
        pack.detach()
    if edit == "pack in a loop":
        around.body.block.insert_op_before(pack, around.body.block.first_op)
    expected = "found schedule.prefetch_panel right, expected it in the innermost loop"
    with pytest.raises(InputError, match=expected):
        check(c, tree)


def test_matrix_registers_read_panels_whose_rows_other_versions_prefetch() -> None:
    """Bytes with few rows go in vectors, more of them in matrices: both read one panel."""
    rng = np.random.default_rng(1)
    weights = rng.integers(-127, 128, (1024, 1024), dtype=np.int8)
    scales = rng.random(1024, np.float32)
    proto = model(
        [node("DequantizeLinear", "w s", "v", axis=1), node("MatMul", "x v")],
        [info("x", "f32", ["rows", 1024])],
        initializers=[numpy_helper.from_array(a, n) for a, n in ((weights, "w"), (scales, "s"))],
    )
    lowered = opc.lower(proto, target="amx", activations="int8")
    packs = re.findall(r"schedule.pack right.*", lowered.ir("schedule"))
    assert packs == ["schedule.pack right by 64 group 4 prefetch 2048"]
    assert "opc_prefetch(weight" in lowered.c_source


def _with_rows(tree: schedule.TreeOp, operand: str, distance: int) -> schedule.TreeOp:
    """A tree in which steps prefetch what lies behind the rows of an operand, and nothing else."""
    for op in list(walk(tree)):
        if isinstance(op, PrefetchPanelOp):
            op.detach()
        elif isinstance(op, PackOp) and op.operand.data == operand:
            op.prefetch = PackOp.of(operand, op.step, prefetch=distance).prefetch
    return tree


@pytest.mark.parametrize("operand", ["left", "right"])
@pytest.mark.parametrize("case", CASES)
def test_steps_prefetch_what_lies_behind_rows_of_panels(case: str, operand: str) -> None:
    """Row after row of a panel, from the distance on; the bits are the same."""
    k, _ = CASES[case]
    text = text_of(f"24x{k}", f"{k}x96", "f32")
    function, c = scheduled(text)
    c.nest.body.block.add_op(tree := _with_rows(tree_of(operand, case), operand, 64))
    check(c, tree)
    copy = function.parent_op()
    assert isinstance(copy, ModuleOp)
    copy = copy.clone()
    pipeline.run(copy, context(), ["schedule", *pipeline.passes("loops", since="schedule")])
    size, extent = (4, 24) if operand == "left" else (16, 96)
    asked = {(begin, count) for _, begin, count in _prefetched(copy)}
    assert asked == {(row * size + 16, size) for row in range(extent // size * k)}
    arrays = [values(f"24x{k}", "f32", 1), values(f"{k}x96", "f32", 2)]
    assert bits(finished(function)(*arrays)) == oracle(text, arrays)


ROWS, COLUMNS, CHAIN = 23, 95, 20


def read_here(operand: str) -> schedule.TreeOp:
    """Tiles of 4 rows by 16 columns, in which steps prefetch what the next tile reads."""
    run, loops = schedule.RunOp.of, schedule.ForOp.of
    (own, by), (other, across) = (((0,), 4), ((1,), 16))[:: 1 if operand == "left" else -1]
    step = loops((0,), 1, "unroll", [loops((1,), 16, "vector", [run("step")])])
    chain = loops((2,), 1, "serial", [PrefetchTileOp.of(operand), step])
    out = loops((0,), 1, "serial", [loops((1,), 1, "vector", [run("out")])])
    tiles = loops(own, by, "serial", [run("init"), chain, run("finish"), out])
    return schedule.TreeOp.of(Block([loops(other, across, "parallel", [tiles])]))


@pytest.mark.parametrize("operand", ["left", "right"])
def test_tiles_prefetch_the_lines_of_the_next(operand: str) -> None:
    """The last element of what the next tile reads at the same step; bits are the same."""
    text = text_of(f"{ROWS}x{CHAIN}", f"{CHAIN}x{COLUMNS}", "f32")
    function, c = scheduled(text)
    c.nest.body.block.add_op(tree := read_here(operand))
    check(c, tree)
    module = function.parent_op()
    assert isinstance(module, ModuleOp)
    copy = module.clone()
    pipeline.run(copy, context(), ["schedule", *pipeline.passes("loops", since="schedule")])
    asked = set[int]()
    for _, begin, count in _prefetched(copy):
        assert count == 1
        asked.add(begin)
    if operand == "left":
        expected = {(i + 7) * CHAIN + k for i in range(0, ROWS, 4) for k in range(CHAIN)}
    else:
        expected = {k * COLUMNS + i + 31 for i in range(0, COLUMNS, 16) for k in range(CHAIN)}
    assert asked == expected
    arrays = [values(f"{ROWS}x{CHAIN}", "f32", 1), values(f"{CHAIN}x{COLUMNS}", "f32", 2)]
    assert bits(finished(function)(*arrays)) == oracle(text, arrays)


@pytest.mark.parametrize("edit", ["packed", "around tiles"])
def test_only_what_lies_where_it_is_read_is_prefetched_for_tiles(edit: str) -> None:
    _, c = scheduled(text_of(f"{ROWS}x{CHAIN}", f"{CHAIN}x{COLUMNS}", "f32"))
    tree = read_here("left")
    check(c, tree)
    if edit == "packed":
        first = tree.body.block.first_op
        assert first is not None
        tree.body.block.insert_op_before(PackOp.of("left", 4), first)
    else:
        ops = list(walk(tree))
        prefetch = next(op for op in ops if isinstance(op, PrefetchTileOp))
        chain = prefetch.parent_op()
        prefetch.detach()
        assert chain is not None and chain.parent is not None
        chain.parent.insert_op_before(prefetch, chain)
    expected = "found schedule.prefetch_tile left, expected it in the innermost loop"
    with pytest.raises(InputError, match=expected):
        check(c, tree)


@pytest.mark.parametrize(
    ("channels", "built", "is_prefetched"),
    [(512, "avx512", True), (16, "avx512", False), (512, "cortex-m7", False)],
)
def test_pointwise_layers_prefetch_large_images(
    channels: int, built: str, is_prefetched: bool
) -> None:
    weights = np.zeros((64, channels, 1, 1), np.float32)
    proto = model(
        node("Conv", "x w"),
        [info("x", "f32", [1, channels, 17, 17])],
        initializers=[numpy_helper.from_array(weights, "w")],
    )
    text = opc.lower(proto, target=built, cache=None).ir("schedule")
    assert ("prefetch_tile" in text) == is_prefetched
