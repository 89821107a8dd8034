"""Contractions have the bits of their order: for every schedule, machine, compiler and thread."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block
from xdsl.irdl import IRDLOperation

import opc
import opc.numpy as onp
from opc import pipeline
from opc.dialects import kernel, schedule
from opc.dialects.order import BLOCK
from opc.driver import load
from opc.emit.source import emit
from opc.errors import InputError
from opc.interpret.graph import evaluate
from opc.registry import context
from opc.runtime import cache as caching
from opc.runtime.callable import CompiledFunction
from opc.schedule.contraction import Contraction, analyse
from opc.schedule.groups import factor_types
from opc.schedule.legality import check
from opc.schedule.plan_contraction import plan
from opc.target import target

CASES = {
    "square": ("64x64", "64x64"),
    "odd": ("15x7", "7x33"),
    "one value": ("1x1", "1x1"),
    "one row": ("1x100", "100x700"),
    "one column": ("130x64", "64x1"),
    "vectors": ("300", "300"),
    "row by matrix": ("20", "20x33"),
    "matrix by column": ("33x20", "20"),
    "few columns": ("50x9", "9x3"),
    "nothing added": ("3x0", "0x5"),
    "no rows": ("0x4", "4x3"),
    "no rows, several blocks": ("0x3x4100", "4100"),
    "several blocks": ("3x9000", "9000x17"),
    "one more than a block": ("2x4097", "4097x2"),
    "batches": ("3x6x20", "3x20x9"),
    "weights for all batches": ("2x5x6x20", "20x40"),
    "broadcast batches": ("2x1x6x8", "3x8x5"),
}
"""Shapes of two operands."""
DTYPES = {"f32": np.float32, "f64": np.float64, "f16": np.float16}
EPILOGUE = """
  %b = opc.constant dense<0.5> : {bias}
  %1 = opc.add %0, %b
  %2 = opc.relu %1
  %r = opc.mul %2, %0"""


def extents(shape: str) -> list[int]:
    return [int(e) for e in shape.split("x")]


def text_of(a: str, b: str, type: str, epilogue: str = "%r = opc.mul %0, %0") -> str:
    result = (np.empty(extents(a)) @ np.empty(extents(b))).shape
    tensor = f"tensor<{''.join(f'{e}x' for e in result)}{type}>"
    bias = f"tensor<{'1x' * len(result)}{type}>"
    return f"""
func.func @main(%x: tensor<{a}x{type}>, %y: tensor<{b}x{type}>) -> ({tensor}, {tensor}) {{
  %0 = opc.matmul %x, %y
  {epilogue.format(bias=bias)}
  func.return %0, %r : {tensor}, {tensor}
}}"""


def values(shape: str, type: str, seed: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).standard_normal(extents(shape)).astype(DTYPES[type])


def oracle(text: str, arrays: Sequence[np.ndarray[Any, Any]]) -> list[bytes]:
    (function,) = load(text).body.block.ops
    assert isinstance(function, FuncOp)
    return [np.ascontiguousarray(r).tobytes() for r in evaluate(function, arrays)]


def bits(results: Any) -> list[bytes]:
    return [np.ascontiguousarray(r).tobytes() for r in results]


def targets() -> list[str]:
    info = Path("/proc/cpuinfo")
    flags = info.read_text(encoding="utf-8").split() if info.exists() else []
    wide = {"avx2": "fma", "avx512": "avx512vl"}
    return ["native", "baseline", *(t for t, needed in wide.items() if needed in flags)]


def check_bits_everywhere(text: str, arrays: Sequence[np.ndarray[Any, Any]]) -> None:
    """Every target, compiler and number of threads has the bits of the interpreter."""
    expected = oracle(text, arrays)
    for machine in targets():
        assert bits(opc.compile(text, target=machine)(*arrays)) == expected, machine
    if shutil.which("clang"):
        assert bits(opc.compile(text, cc="clang")(*arrays)) == expected
    assert bits(opc.compile(text, threads=3)(*arrays)) == expected
    assert bits(opc.compile(text, fuse=False)(*arrays)) == expected


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("type", DTYPES)
def test_bits_of_the_order(name: str, type: str) -> None:
    a, b = CASES[name]
    if type == "f64" and "blocks" in name:
        a, b = "1x4200", "4200x2"  # exact f64 is slow to interpret
    text = text_of(a, b, type, EPILOGUE)
    arrays = [values(a, type, 1), values(b, type, 2)]
    check_bits_everywhere(text, arrays)


@pytest.mark.parametrize("m, k, n", [(1, 1, 1), (7, 5, 3), (30, 65, 100), (2, 4100, 40), (0, 3, 4)])
def test_unknown_extents_have_the_same_bits(m: int, k: int, n: int) -> None:
    text = """
func.func @main(%x: tensor<?x?xf32, #opc.dims<M, K>>, %y: tensor<?x?xf32, #opc.dims<K, N>>)
    -> tensor<?x?xf32, #opc.dims<M, N>> {
  %0 = opc.matmul %x, %y
  %1 = opc.mul %0, %0
  func.return %1 : tensor<?x?xf32, #opc.dims<M, N>>
}"""
    arrays = [values(f"{m}x{k}", "f32", 3), values(f"{k}x{n}", "f32", 4)]
    static = text
    for names, shape in (("M, K", f"{m}x{k}"), ("K, N", f"{k}x{n}"), ("M, N", f"{m}x{n}")):
        static = static.replace(f"?x?xf32, #opc.dims<{names}>", f"{shape}xf32")
    assert bits([opc.compile(text)(*arrays)]) == oracle(static, arrays)
    assert bits([opc.compile(static)(*arrays)]) == oracle(static, arrays)


OPERANDS = {
    "transposed left": (
        "15x33", "20x15", "20x33",
        "%t = opc.transpose %x {permutation = [1, 0]}\n %0 = opc.matmul %t, %y",
    ),
    "transposed right": (
        "15x33", "15x20", "33x20",
        "%t = opc.transpose %y {permutation = [1, 0]}\n %0 = opc.matmul %x, %t",
    ),
    "transposed result": (
        "33x15", "15x20", "20x33",
        "%t = opc.matmul %x, %y\n %0 = opc.transpose %t {permutation = [1, 0]}",
    ),
    "computed operands": (
        "15x33", "15x20", "20x33", "%a = opc.tanh %x\n %b = opc.exp %y\n %0 = opc.matmul %a, %b",
    ),
    "the same operand": ("20x20", "20x20", "20x20", "%a = opc.add %x, %y\n %0 = opc.matmul %a, %a"),
    "few rows by transposed": (
        "3x37", "3x600", "37x600",
        "%t = opc.transpose %y {permutation = [1, 0]}\n %0 = opc.matmul %x, %t",
    ),
    "heads": (
        "3x6x6", "6x24", "6x24",
        "%a = opc.reshape %x : tensor<6x24xf32> -> tensor<6x3x8xf32>\n"
        "%b = opc.reshape %y : tensor<6x24xf32> -> tensor<6x3x8xf32>\n"
        "%c = opc.transpose %a {permutation = [1, 0, 2]}\n"
        "%d = opc.transpose %b {permutation = [1, 2, 0]}\n %0 = opc.matmul %c, %d",
    ),
    "chained": (
        "15x20", "15x20", "20x15",
        "%a = opc.matmul %x, %y\n %b = opc.relu %a\n %0 = opc.matmul %b, %x",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OPERANDS)
def test_operands_and_results(name: str) -> None:
    result, a, b, body = OPERANDS[name]
    head = f"func.func @main(%x: tensor<{a}xf32>, %y: tensor<{b}xf32>) -> tensor<{result}xf32>"
    text = f"{head} {{\n{body}\nfunc.return %0 : tensor<{result}xf32>\n}}"
    arrays = [values(a, "f32", 5), values(b, "f32", 6)]
    fused = bits([opc.compile(text)(*arrays)])
    assert fused == bits([opc.compile(text, fuse=False)(*arrays)])
    if "computed" not in name:  # exp and tanh of NumPy have other last bits
        assert fused == oracle(text, arrays)


def test_a_product_that_overflows_is_not_rounded_by_itself() -> None:
    text = text_of("1x2", "2x1", "f32")
    x, y = np.float32([[3e38, 3e38]]), np.float32([[2.0], [-2.0]])
    # 6e38 is beyond f32: the chain stays at infinity, as each step rounds.
    assert opc.compile(text)(x, y)[0] == np.inf
    near = np.float32([[1.0, 1 + 2**-12]])
    square = np.float32([[-(1 + 2**-11)], [1 + 2**-12]])
    assert opc.compile(text)(near, square)[0] == np.float32(2**-24)


@pytest.mark.parametrize("type", DTYPES)
def test_constant_operands_are_packed_when_compiling(type: str) -> None:
    x, w = values("40x20", type, 7), values("20x33", type, 8)
    builder = opc.function(lambda x: onp.matmul(x, w))
    result, (other, _) = builder(x), opc.compile(text_of("40x20", "20x33", type))(x, w)
    assert bits([result]) == bits([other])
    assert "buffer1" not in builder.c_source


def scheduled(text: str) -> tuple[FuncOp, Contraction]:
    """A function up to where schedules are written, and its contraction."""
    module = load(text).clone()
    names = pipeline.passes("schedule")
    pipeline.run(module, context(), names[: names.index("schedule")])
    (function,) = module.body.block.ops
    assert isinstance(function, FuncOp)
    nests = [op for op in function.body.block.ops if isinstance(op, kernel.NestOp)]
    (found,) = (c for c in map(analyse, nests) if c is not None)
    return function, found


def finished(function: FuncOp, target: str = "native") -> CompiledFunction:
    module = function.parent_op()
    pipeline.run(module, context(), ["schedule", *pipeline.passes("loops", since="schedule")])
    found = emit(function, "random")
    library = caching.build(found.source, cc=None, target=target, threads=2, cache=None)
    return CompiledFunction(found.interface, library, found.weights, 2)


def random_tree(c: Contraction, rng: Random) -> schedule.TreeOp:
    """A legal schedule, whatever it costs."""
    loop, run = schedule.ForOp.of, schedule.RunOp.of
    group = rng.choice([n for n in schedule.GROUPS if factor_types(c, n) is not None])
    is_product = c.row and c.column and c.row not in c.right.axes and c.column not in c.left.axes
    if group == 1 and is_product and rng.random() < 0.4:
        c = c.turned
    lanes = 1 << rng.randrange(5)
    rows = rng.randint(1, 9) if c.row else 1
    columns = lanes * rng.randint(1, 3) if c.column else 1
    packs: list[IRDLOperation] = []
    for operand, size in ((c.left, rows), (c.right, columns)):
        if c.window(operand) is not None and (rng.random() < 0.7 or c.row in c.right.axes):
            packs.append(schedule.PadOp.of(operand.name, group))
        elif group > 1 or not c.reads_within(operand, size) or rng.random() < 0.5:
            ahead = rng.choice([0, 0, size, 3 * size])
            packs.append(schedule.PackOp.of(operand.name, size, group, ahead))

    def packed(ops: list[IRDLOperation], is_chain: bool) -> list[IRDLOperation]:
        """In front of loops, some of the operands that are packed: what is left of them there."""
        may_cut = len(c.reduced) == 1 and group == 1
        for op in [*packs] if may_cut or not is_chain else []:
            if isinstance(op, schedule.PackOp) and not op.distance and rng.random() < 0.3:
                packs.remove(op)
                ops = [op, *ops]
        return ops

    step: list[IRDLOperation] = [run("step")]
    for axis, kind, by in ((c.column, "vector", lanes), (c.row, "unroll", 1)):
        step = step if axis is None else [loop(axis, by, kind, step)]
    for axis in reversed(c.reduced):
        step = [loop(axis, group if axis == c.reduced[-1] else 1, "serial", step)]
    is_long, part = (c.length.constant or 0) > BLOCK and group == 1, 1
    for _ in range(rng.randint(0, 2) if len(c.reduced) == 1 and group == 1 else 0):
        part *= rng.choice([2, 4, 8] if is_long else [2, 3, 5, 7])
        step = [loop(c.chain, part, "serial", packed(step, True))]
    ops = packed([run("init"), *packed(step, is_long), run("finish")], is_long)
    if is_long:
        ops = packed([run("start"), loop(c.chain, BLOCK, "serial", ops)], False)
    out: list[IRDLOperation] = [run("out")]
    for axis in rng.sample([c.row, c.column], 2):
        out = out if axis is None else [loop(axis, 1, "serial", out)]
    ops += out
    tiles = [(axis, by) for axis, by in ((c.row, rows), (c.column, columns)) if axis]
    blocks = [(axis, by * rng.randint(1, 4)) for axis, by in tiles if rng.random() < 0.5]
    for axis, by in (*rng.sample(tiles, len(tiles)), *rng.sample(blocks, len(blocks))):
        ops = packed([loop(axis, by, rng.choice(["serial", "parallel"]), ops)], False)
    for axis in rng.sample(c.outer, len(c.outer)):
        ops = packed([loop(axis, 1, rng.choice(["serial", "parallel"]), ops)], False)
    return schedule.TreeOp.of(Block([*packs, *ops]))


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


NARROW = """
func.func @main(%a: tensor<{a}x{k}xui8>, %b: tensor<{k}x{b}xi8>, %z: tensor<{b}xi8>)
    -> tensor<{a}x{b}xi32> {{
  %c = opc.cast %a : tensor<{a}x{k}xui8> -> tensor<{a}x{k}xi32>
  %d = opc.cast %b : tensor<{k}x{b}xi8> -> tensor<{k}x{b}xi32>
  %e = opc.cast %z : tensor<{b}xi8> -> tensor<{b}xi32>
  %f = opc.sub %d, %e : tensor<{k}x{b}xi32>, tensor<{b}xi32> -> tensor<{k}x{b}xi32>
  %r = opc.matmul %c, %f
  func.return %r : tensor<{a}x{b}xi32>
}}
"""


@pytest.mark.parametrize("a, k, b", [(9, 31, 40), (1, 8, 5), (13, 4100, 1), (33, 1, 17)])
def test_pairs_of_narrow_integers(a: int, k: int, b: int) -> None:
    """Two products in a step have the sums of one, whatever the tiles; so has the planned one."""
    values = np.random.default_rng(a).integers
    x = values(0, 256, (a, k), dtype=np.uint8)
    y, z = values(-128, 128, (k, b), dtype=np.int8), values(-128, 128, b, dtype=np.int8)
    expected = x.astype(np.int32) @ (y.astype(np.int32) - z)
    text = NARROW.format(a=a, k=k, b=b)
    function, c = scheduled(text)
    assert plan(c, target("avx2")).group == (2 if k > 1 else 1)
    for seed in range(3):
        function, c = scheduled(text)
        c.nest.body.block.add_op(random_tree(c, Random(seed)))
        assert np.array_equal(finished(function)(x, y, z), expected)
    made = opc.compile(text, target="baseline")
    assert np.array_equal(made(x, y, z), expected)


@pytest.mark.parametrize("built", ["baseline", "avx2", "native"])
@pytest.mark.parametrize("one, other", [("ui8", "i8"), ("i8", "ui8")])
@pytest.mark.parametrize("k", [4, 7, 30])
def test_fours_of_8_bits(k: int, one: str, other: str, built: str) -> None:
    """Four products in a step have the sums of one, with the instruction for it and without."""
    rng = np.random.default_rng(k)
    draw = {
        "ui8": lambda shape: rng.integers(0, 256, shape, dtype=np.uint8),
        "i8": lambda shape: rng.integers(-128, 128, shape, dtype=np.int8),
    }
    x, w = draw[one]((9, k)), draw[other]((k, 21))
    # The greatest and the least sums are among them: nothing saturates.
    x[0], w[:, 0] = np.iinfo(x.dtype).max, np.iinfo(w.dtype).max
    w[:, 1] = np.iinfo(w.dtype).min
    text = f"""
func.func @main(%x: tensor<9x{k}x{one}>, %w: tensor<{k}x21x{other}>) -> tensor<9x21xi32> {{
  %a = opc.cast %x : tensor<9x{k}x{one}> -> tensor<9x{k}xi32>
  %b = opc.cast %w : tensor<{k}x21x{other}> -> tensor<{k}x21xi32>
  %r = opc.matmul %a, %b
  func.return %r : tensor<9x21xi32>
}}
"""
    function, c = scheduled(text)
    tree = plan(c, replace(target("avx512"), groups=(2, 4)))
    assert tree.group == 4
    check(c, tree)
    c.nest.body.block.add_op(tree)
    expected = x.astype(np.int32) @ w.astype(np.int32)
    assert np.array_equal(finished(function, built)(x, w), expected)


@pytest.mark.parametrize("type", ["i32", "i16", "f32"])
def test_factors_that_do_not_fit_are_no_groups(type: str) -> None:
    _, c = scheduled(text_of("9x31", "31x40", type))
    tree = plan(c, target("baseline"))
    check(c, tree)
    pack = schedule.PackOp.of("left", 4, group=2)
    tree.body.block.insert_op_before(pack, tree.body.block.first_op)
    with pytest.raises(InputError, match="groups of 2 are for both operands"):
        check(c, tree)


@pytest.mark.parametrize("columns", [5, 49, 112])
def test_narrow_results_are_computed_before_they_are_stored(columns: int) -> None:
    """Along the columns of a whole tile, in a stage of its own."""
    text = f"""
func.func @main(%a: tensor<7x9xf32>, %b: tensor<9x{columns}xf32>) -> tensor<7x{columns}xui8> {{
  %s = opc.constant dense<0.03> : tensor<f32>
  %0 = opc.matmul %a, %b
  %m = opc.add %0, %s : tensor<7x{columns}xf32>, tensor<f32> -> tensor<7x{columns}xf32>
  %1 = opc.relu %m
  %2 = opc.div %1, %s : tensor<7x{columns}xf32>, tensor<f32> -> tensor<7x{columns}xf32>
  %3 = opc.round %2
  %r = opc.cast %3 : tensor<7x{columns}xf32> -> tensor<7x{columns}xui8>
  func.return %r : tensor<7x{columns}xui8>
}}"""
    rng = np.random.default_rng(columns)
    arrays = [rng.standard_normal(s).astype(np.float32) for s in ((7, 9), (9, columns))]
    function, c = scheduled(text)
    tree = plan(c, target("avx512"))
    stages = [op.stage.data for op in tree.walk() if isinstance(op, schedule.RunOp)]
    assert stages == ["init", "step", "finish", "apply", "out"]
    check(c, tree)
    c.nest.body.block.add_op(tree)
    assert bits([finished(function)(*arrays)]) == oracle(text, arrays)


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
            first = tree.body.block.first_op
            tree.body.block.insert_op_before(first.clone(), first)
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
        ("chain in parallel", r"the chain runs along \[d2\], serially and by 1 in this order"),
        ("chain by two", r"the chain runs along \[d2\], serially"),
        ("points left out", r"out leaves values of \[d1\] out"),
        ("panels of another width", "panels of 7 for tiles of"),
        ("packed twice", "an operand is packed twice"),
        ("lanes beyond the tile", "vectors of 64 do not fill a tile of"),
        ("vectors behind the sum", r"out leaves values of \[d1\] out"),
        ("init inside the chain", "init and finish stand"),
    ],
)
def test_illegal_schedules_are_errors(name: str, message: str) -> None:
    _, c = scheduled(text_of("90x30", "30x400", "f32"))
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
        "packed in front of the loops over tiles that read it",
    ),
    "in the tile": (
        "schedule.run step", "schedule.pack right by 16\nschedule.run step",
        "packed in front of the loops over tiles that read it",
    ),
    "ahead": ("right by 16", "right by 16 ahead 16", "has a known size, not ahead"),
    "uneven parts": ("[d2] by 16", "[d2] by 48", "divide one another and go by 1; found 512 48"),
    "parts of several products": ("[d2] by 1 ", "[d2] by 2 ", "the chain runs along"),
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


@pytest.mark.parametrize("kind", ["unroll", "vector"])
def test_only_tiles_are_written_out(kind: str) -> None:
    """The loop over a batch was taken for one over sums in registers, and most was not written."""
    _, c = scheduled(text_of("2x20x30", "2x30x40", "f32"))
    tree = plan(c, target("avx512"))
    check(c, tree)
    batch = next(op for op in tree.walk() if isinstance(op, schedule.ForOp) and op.axis == (0,))
    batch.properties |= schedule.ForOp.of((0,), 1, kind, []).properties
    with pytest.raises(InputError, match=rf"\[d0\] by 1 {kind} is no loop over a tile"):
        check(c, tree)
